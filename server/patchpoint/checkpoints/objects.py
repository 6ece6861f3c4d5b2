"""Writing objects: few of them loose, many as one pack, on the disk before `finish` returns.

    with ObjectWriter(repository) as writer:
        blob = writer.add(BLOB, content)     # the raw name; nothing is written when it is there already
        commit = writer.add(COMMIT, content)
        writer.finish()                      # all of it is durable now; without it, a pack is thrown away

The layout of loose objects, packs and pack indexes is git's (gitformat-pack).
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from contextlib import suppress
from types import TracebackType

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID

from patchpoint.checkpoints.errors import SnapshotFailedError
from patchpoint.checkpoints.pack_writer import BLOB, COMMIT, TAG, TREE, PackWriter, packed, sync_folders
from patchpoint.checkpoints.repository import Repository

__all__ = ["BLOB", "COMMIT", "LOOSE_LIMIT", "TAG", "TREE", "ObjectWriter", "StoredObjects", "object_id"]

_KINDS = {COMMIT: b"commit", TREE: b"tree", BLOB: b"blob", TAG: b"tag"}

LOOSE_LIMIT = 20
"""Up to so many new objects are written loose; more become one pack. Making a file durable costs the same
however small it is, and each loose object is a file (in a folder that has to be made durable as well), a
pack is two."""
_LOOSE_BYTES_LIMIT = 16 * 1024 * 1024


def object_id(kind: int, content: bytes, object_format: str = "sha1") -> bytes:
    """The raw name that git gives to an object with this content."""
    digest = hashlib.new(object_format, b"%s %d\x00" % (_KINDS[kind], len(content)), usedforsecurity=False)
    digest.update(content)
    return digest.digest()


class ObjectWriter:
    """Adds objects to a repository's store; see the module's text.

    `hurried` is for when somebody waits for more than the objects: small contents of a pack are stored as
    they are, which takes twice the room and a tenth of the time.
    """

    def __init__(self, repository: Repository, *, hurried: bool = False) -> None:
        self._hurried = hurried
        self._repository = repository
        self._new = hashlib.sha1 if repository.object_format == "sha1" else hashlib.sha256
        self._folder = os.path.join(repository.commondir, b"objects")
        self._stored = StoredObjects(self._folder, repository)
        self._added: set[bytes] = set()
        self._held: list[tuple[bytes, int, bytes]] = []
        self._held_bytes = 0
        self._pack: PackWriter | None = None
        self.written = 0
        """How many objects were not there before."""

    def __enter__(self) -> ObjectWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def add(self, kind: int, content: bytes) -> bytes:
        """The raw name of the object, which is there once `finish` has returned."""
        digest = self._new(b"%s %d\x00" % (_KINDS[kind], len(content)))
        digest.update(content)
        oid = digest.digest()
        if oid not in self._added and not self._stored.keep(oid):
            self._take(oid, kind, content)
        return oid

    def has(self, oid: bytes) -> bool:
        """Whether the object with this raw name was added, or is in the store or in one that it borrows
        from."""
        return oid in self._added or self._stored.keep(oid) or self._stored.borrows(oid)

    def finish(self) -> None:
        """Write what is still held, and return when all of it is on the disk.

        Raises `SnapshotFailedError` when that fails (the disk is full, a folder may not be written).
        """
        try:
            if self._pack is not None:
                self._pack.finish()
                self._pack = None
                self._repository.packs.refresh()
            else:
                self._write_loose()
        except OSError as error:
            raise _failed(error) from error
        self._held, self._held_bytes = [], 0

    def discard(self) -> None:
        """Forget what was added and not finished."""
        if self._pack is not None:
            self._pack.discard()
            self._pack = None
        self._held, self._held_bytes = [], 0
        self._stored.close()

    def _take(self, oid: bytes, kind: int, content: bytes) -> None:
        self._added.add(oid)
        self.written += 1
        try:
            if self._pack is not None:
                self._pack.add(oid, kind, content)
                return
            self._held.append((oid, kind, content))
            self._held_bytes += len(content)
            if len(self._held) > LOOSE_LIMIT or self._held_bytes > _LOOSE_BYTES_LIMIT:
                self._pack = PackWriter(
                    os.path.join(self._folder, b"pack"),
                    self._repository.object_format,
                    hurried=self._hurried,
                )
                for held in self._held:
                    self._pack.add(*held)
                self._held, self._held_bytes = [], 0
        except OSError as error:
            raise _failed(error) from error

    def _write_loose(self) -> None:
        """Write all files, then sync them one after the other: the first sync carries the others' data
        along."""
        waiting: list[tuple[int, str, bytes]] = []
        folders: set[bytes] = set()
        try:
            for oid, kind, content in self._held:
                name = oid.hex().encode()
                folder = os.path.join(self._folder, name[:2])
                if folder not in folders and not os.path.isdir(folder):
                    os.mkdir(folder)
                    folders.add(self._folder)
                folders.add(folder)
                descriptor, temporary = tempfile.mkstemp(prefix="tmp_obj_", dir=os.fsdecode(folder))
                waiting.append((descriptor, temporary, os.path.join(folder, name[2:])))
                _write(descriptor, packed(kind, b"%s %d\x00%s" % (_KINDS[kind], len(content), content)))
                os.chmod(temporary, 0o444)
            for descriptor, _, _ in waiting:
                os.fsync(descriptor)
            for descriptor, temporary, target in waiting:
                os.close(descriptor)
                os.replace(temporary, target)
            waiting = []
            sync_folders(folders)
        finally:
            for descriptor, temporary, _ in waiting:
                with suppress(OSError):
                    os.close(descriptor)
                with suppress(OSError):
                    os.unlink(temporary)


class StoredObjects:
    """What is in a repository's store already.

    An object that is found counts as freshly written, as git counts it too: its file (or its pack's) gets a
    new time stamp, so that a garbage collection that runs meanwhile leaves it and what it refers to alone.
    """

    def __init__(self, folder: bytes, repository: Repository) -> None:
        self._prefix = os.path.join(folder, b"")
        self._store = DiskObjectStore(os.fsdecode(folder), object_format=repository.dulwich_format)
        self._packs = repository.packs
        self._packs.refresh()
        self._fresh_packs: dict[bytes, bool] = {}
        self._empty = not _has_objects(folder)

    def keep(self, oid: bytes) -> bool:
        """Whether the object is there, loose or packed; it will not be collected soon."""
        if self._empty:
            return False
        pack = self._packs.holding(oid)
        if pack is not None:
            if pack not in self._fresh_packs:
                self._fresh_packs[pack] = _freshen(pack)
            if self._fresh_packs[pack]:
                return True
        name = oid.hex().encode()
        return _freshen(self._prefix + name[:2] + b"/" + name[2:])

    def borrows(self, oid: bytes) -> bool:
        """Whether the object is in a store that this one borrows from (alternates)."""
        return not self._empty and ObjectID(oid.hex().encode()) in self._store

    def close(self) -> None:
        """Let go of the packs."""
        self._store.close()


def _write(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _freshen(path: bytes) -> bool:
    """Give the file a new time stamp; false when it is not there."""
    try:
        os.utime(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass  # it is there and somebody else's
    return True


def _has_objects(folder: bytes) -> bool:
    with os.scandir(folder) as entries:
        if any(len(entry.name) == 2 or (entry.name == b"info" and _alternates(folder)) for entry in entries):
            return True
    with suppress(FileNotFoundError):
        return any(name.endswith(b".pack") for name in os.listdir(os.path.join(folder, b"pack")))
    return False


def _alternates(folder: bytes) -> bool:
    return os.path.exists(os.path.join(folder, b"info", b"alternates"))


def _failed(error: OSError) -> SnapshotFailedError:
    return SnapshotFailedError(
        f"The checkpoint's objects could not be written ({error.strerror or error}); "
        "make room or give the right to write, and take it again."
    )
