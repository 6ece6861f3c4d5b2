"""Write objects: few of them loose, many as one pack, on the disk before `finish` returns.

    with ObjectWriter(repository) as writer:
        blob = writer.add(BLOB, content)     # the id; nothing is written if it already exists
        commit = writer.add(COMMIT, content)
        writer.finish()                      # all of it is durable now; without it, a pack is deleted

The layout of loose objects, packs and pack indexes is git's (gitformat-pack). See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
from contextlib import ExitStack, suppress
from types import TracebackType

from patchpoint.filesystem.atomic_write import put_in_place
from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.open_directory import OpenDirectory, StagedFile
from patchpoint.git.errors import SnapshotFailedError
from patchpoint.git.odb.ids import KIND_NAMES, RawObjectID, object_id
from patchpoint.git.odb.loose import loose_size, read_loose
from patchpoint.git.odb.pack_writer import PackWriter, compressed
from patchpoint.git.odb.packs import Packs
from patchpoint.git.odb.stores import object_stores
from patchpoint.git.repository import Repository

LOOSE_LIMIT = 20
"""The number of new objects that are written loose; more become one pack. An fsync costs the same however
small the file is, and each loose object is a file (in a directory that needs an fsync as well), a pack is
two."""
_LOOSE_BYTES_LIMIT = 16 * 1024 * 1024
_COMPARED_BYTES = 1 << 20
"""Bytes of the largest content that is compared with the loose object that is there already. Of a larger one
only the header is read: reading it all would take as long as writing it."""


class ObjectWriter:
    """Adds objects to a repository's store; see the module's docstring.

    `packed` is for when git collects garbage: few new objects become a pack, too, which no collection deletes
    before it is released; `git prune --expire=now` deletes what is loose and has no ref, however new.

    `fast` does not compress small contents of a pack, which takes twice the room and a tenth of the time: for
    when somebody waits for more than the objects.
    """

    def __init__(self, repository: Repository, *, fast: bool = False, packed: bool = False) -> None:
        self._fast = fast
        self.packed = packed
        self._repository = repository
        self._directory = os.path.join(repository.commondir, b"objects")
        self._stored = StoredObjects(self._directory, repository)
        self.added: set[RawObjectID] = set()
        """The ids of what was added, whether it existed before or not."""
        self._new: set[RawObjectID] = set()
        self._held: list[tuple[RawObjectID, int, bytes]] = []
        self._held_bytes = 0
        self._pack: PackWriter | None = None
        self.written = 0
        """The number of objects that did not exist before."""

    def __enter__(self) -> ObjectWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.discard()

    def add(self, kind: int, content: bytes) -> RawObjectID:
        """Add the object of this kind (git's number) and content, and return its id; it exists once `finish`
        has returned."""
        oid = object_id(kind, content, self._repository.object_format)
        self.added.add(oid)
        if oid not in self._new and not self._stored.freshen(oid, (kind, content)):
            self._add_new(oid, kind, content)
        return oid

    def has(self, oid: RawObjectID) -> bool:
        """Return whether the object was added, or is in the store or its alternates."""
        return oid in self._new or self._stored.freshen(oid) or self._stored.is_in_alternate(oid)

    def finish(self) -> None:
        """Write what is still in memory, and return when all of it is on the disk.

        Raises `SnapshotFailedError` when that fails (the disk is full, a directory may not be written).
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
        """Delete what was added since the last `finish`."""
        if self._pack is not None:
            self._pack.discard()
            self._pack = None
        self._held, self._held_bytes = [], 0

    def _add_new(self, oid: RawObjectID, kind: int, content: bytes) -> None:
        self._new.add(oid)
        self.written += 1
        try:
            if self._pack is not None:
                self._pack.add(oid, kind, content)
                return
            self._held.append((oid, kind, content))
            self._held_bytes += len(content)
            if len(self._held) > (0 if self.packed else LOOSE_LIMIT) or self._held_bytes > _LOOSE_BYTES_LIMIT:
                self._pack = PackWriter(
                    os.path.join(self._directory, b"pack"),
                    self._repository.object_format,
                    fast=self._fast,
                )
                for held in self._held:
                    self._pack.add(*held)
                self._held, self._held_bytes = [], 0
        except OSError as error:
            raise _failed(error) from error

    def _write_loose(self) -> None:
        """Write all files, then put them in place together."""
        directories: dict[bytes, OpenDirectory] = {}
        files: list[tuple[StagedFile, bytes]] = []
        has_new_directory = False
        with ExitStack() as opened:
            for oid, kind, content in self._held:
                name = oid.hex().encode()
                directory = directories.get(name[:2])
                if directory is None:
                    path = os.path.join(self._directory, name[:2])
                    if not os.path.isdir(path):
                        os.mkdir(path)
                        has_new_directory = True
                    directory = directories[name[:2]] = opened.enter_context(OpenDirectory(path))
                file = directory.create_temporary(b"tmp_obj_")
                opened.callback(file.discard)
                file.write(compressed(kind, b"%s %d\x00%s" % (KIND_NAMES[kind], len(content), content)))
                file.set_permissions(0o444)
                files.append((file, name[2:]))
            put_in_place(files)
            if has_new_directory:
                with OpenDirectory(self._directory) as objects:
                    objects.sync()


class StoredObjects:
    """The objects that a repository's store has already.

    One that is found is freshened, as git does: its file (or its pack's) gets a new time stamp, so that a
    garbage collection that runs meanwhile keeps it and what it refers to.
    """

    def __init__(self, objects: bytes, repository: Repository) -> None:
        self._objects = objects
        self._prefix = os.path.join(objects, b"")
        self._alternates: list[tuple[bytes, Packs]] | None = None
        self._packs = repository.packs
        self._packs.refresh()
        self._fresh_packs: dict[bytes, bool] = {}
        self._empty = not _has_objects(objects)

    def freshen(self, oid: RawObjectID, expected: tuple[int, bytes] | None = None) -> bool:
        """Freshen the object, and return whether it is in the store, loose or packed.

        A loose one has to begin as an object does, and to be whole if `expected`, its kind (git's number) and
        content, is given: after a power failure, the file of one may be empty, or end too early.
        """
        if self._empty:
            return False
        pack = self._packs.holding(oid)
        if pack is not None:
            if pack not in self._fresh_packs:
                self._fresh_packs[pack] = _freshen(pack)
            if self._fresh_packs[pack]:
                return True
        digits = oid.hex().encode()
        return _freshen(self._prefix + digits[:2] + b"/" + digits[2:]) and self._is_whole(oid, expected)

    def is_in_alternate(self, oid: RawObjectID) -> bool:
        """Whether the object is in one of the store's alternates; it is not freshened."""
        if self._alternates is None:
            stores = object_stores(self._objects)[1:]
            self._alternates = [(store, Packs(store, len(oid))) for store in stores]
        return any(
            packs.holding(oid) is not None or loose_size(store, oid) is not None
            for store, packs in self._alternates
        )

    def _is_whole(self, oid: RawObjectID, expected: tuple[int, bytes] | None) -> bool:
        if expected is None or len(expected[1]) > _COMPARED_BYTES:
            size = loose_size(self._objects, oid)
            return size is not None and (expected is None or size == len(expected[1]))
        return read_loose(self._objects, oid) == expected


def _freshen(path: bytes) -> bool:
    """Give the file a new time stamp; return whether it exists."""
    try:
        os.utime(path)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError:
        pass  # it exists and belongs to another user
    return True


def _has_objects(objects: bytes) -> bool:
    with os.scandir(objects) as entries:
        if any(len(entry.name) == 2 or (entry.name == b"info" and _alternates(objects)) for entry in entries):
            return True
    with suppress(FileNotFoundError):
        return any(name.endswith(b".pack") for name in os.listdir(os.path.join(objects, b"pack")))
    return False


def _alternates(objects: bytes) -> bool:
    return os.path.exists(os.path.join(objects, b"info", b"alternates"))


def _failed(error: OSError) -> SnapshotFailedError:
    return SnapshotFailedError(
        f"The checkpoint's objects could not be written: {in_words(error)}, then take it again."
    )
