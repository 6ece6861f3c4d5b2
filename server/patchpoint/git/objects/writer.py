"""Write objects as one pack, which git keeps, on the disk before `finish` returns.

    with ObjectWriter(repository) as writer:
        blob = writer.add(BLOB, content)     # the id; nothing is written if it already exists
        commit = writer.add(COMMIT, content)
        writer.keep(writer.reused)           # what exists and no ref reaches is written, too
        writer.finish()                      # all of it is durable now; without it, the pack is deleted

Not as loose objects, however few: a garbage collection that began before a ref of them exists would delete
them; see `kept_packs`. It also costs no more: an fsync takes as long however small the file is, and a loose
object is a file (in a directory that needs an fsync as well), a pack is two. The layout of packs and pack
indexes is git's (gitformat-pack). See docs/decisions/packs.md.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType

from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.open_directory import remove_file
from patchpoint.git.errors import SnapshotFailedError
from patchpoint.git.odb import kept_packs
from patchpoint.git.odb.ids import TREE, RawObjectID, object_id, to_hexadecimal
from patchpoint.git.odb.loose import LooseNames, loose_size, read_loose
from patchpoint.git.odb.pack_file import PackFile
from patchpoint.git.odb.pack_writer import PackWriter
from patchpoint.git.odb.packs import Packs
from patchpoint.git.odb.stores import StoredPack, object_stores, stored_pack
from patchpoint.git.odb.unreadable import unreadable
from patchpoint.git.repository import Repository

_COMPARED_BYTES = 1 << 20
"""Bytes of the largest content that is compared with the loose object that is there already. Of a larger one
only the header is read: reading it all would take as long as writing it."""

_FEW = 100
"""Up to so many objects are looked for one by one; for more, the directories that they are in are listed."""


class ObjectWriter:
    """Adds objects to a repository's store; see the module's docstring. The caller holds the lock of the
    checkpoints.

    `fast` does not compress small contents of a pack, which takes twice the room and a tenth of the time: for
    when somebody waits for more than the objects.
    """

    def __init__(self, repository: Repository, *, fast: bool = False) -> None:
        self._fast = fast
        self._repository = repository
        self._directory = os.path.join(repository.commondir, b"objects")
        self._stored = StoredObjects(self._directory, repository)
        self.added: set[RawObjectID] = set()
        """The ids of what was added, whether it existed before or not."""
        self.reused: set[RawObjectID] = set()
        """Of these, what existed before."""
        self.new: set[RawObjectID] = set()
        """What did not, and is in the packs that are written here."""
        self.trees: dict[RawObjectID, bytes] = {}
        """The contents of the trees among it."""
        self.packs: list[StoredPack] = []
        """The packs that were finished."""
        self.meanwhile: Callable[[], None] | None = None
        """What `finish` does while it waits for the disk; it raises nothing."""
        self._pack: PackWriter | None = None
        self._relied_on: set[bytes] = set()

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
        if oid not in self.new:
            if self._stored.freshen(oid, (kind, content)):
                self.reused.add(oid)
            else:
                self._write(oid, kind, content)
        return oid

    def has(self, oid: RawObjectID) -> bool:
        """Return whether the object was added, or is in the store or its alternates."""
        return oid in self.new or self._stored.freshen(oid) or self._stored.is_in_alternate(oid)

    def keep(self, oids: Iterable[RawObjectID]) -> None:
        """See to it that these objects, which exist, are in packs that git keeps; a missing one is left out.

        For what no ref reaches: a garbage collection that has begun already deletes it wherever else it is.
        """
        wanted = set(oids) - self.new
        for each in kept_packs.kept_packs(os.path.join(self._directory, b"pack")) if wanted else ():
            pack = PackFile(each.stem, self._repository.id_length)
            held = {oid for oid in wanted if pack.position(oid) is not None}
            if held:
                self._relied_on.add(each.stem)
                wanted -= held
        self.copy(wanted)

    def copy(self, oids: Iterable[RawObjectID]) -> bool:
        """Write these objects, which exist, once more; return whether none was missing or damaged."""
        whole = True
        for oid in oids:
            found = self._read(oid)
            if found is not None and object_id(*found, self._repository.object_format) == oid:
                self._write(oid, *found)
            else:
                whole = False
        return whole

    def write_again(self, kind: int, content: bytes) -> None:
        """Write an object although it seems to be there: it is damaged."""
        self._write(object_id(kind, content, self._repository.object_format), kind, content)

    def finish(self) -> None:
        """Write what is still in memory, and return when all of it is on the disk.

        Raises `SnapshotFailedError` when that fails (the disk is full, a directory may not be written).
        """
        if self._pack is None:
            return
        try:
            stem = self._pack.finish(self.meanwhile)
            self.packs.append(stored_pack(stem))
        except OSError as error:
            raise _failed(error) from error
        self._pack = None
        self._relied_on.add(stem)
        for oid in self._stored.damaged.keys() & self.new:
            with suppress(OSError):
                remove_file(self._stored.damaged.pop(oid))
        self._repository.packs.refresh()

    def renew(self) -> None:
        """Have what was written, and what `keep` found kept, kept as long as if it were written now."""
        for stem in self._relied_on:
            kept_packs.renew(stem)

    def discard(self) -> None:
        """Delete what was added since the last `finish`."""
        if self._pack is not None:
            self._pack.discard()
            self._pack = None

    def _write(self, oid: RawObjectID, kind: int, content: bytes) -> None:
        self.new.add(oid)
        if kind == TREE:
            self.trees[oid] = content
        try:
            if self._pack is None:
                self._pack = PackWriter(
                    os.path.join(self._directory, b"pack"),
                    self._repository.object_format,
                    kept_packs.NEW,
                    fast=self._fast,
                )
            self._pack.add(oid, kind, content)
        except OSError as error:
            raise _failed(error) from error

    def _read(self, oid: RawObjectID) -> tuple[int, bytes] | None:
        found = self._repository.packs.read(oid) or read_loose(self._directory, oid)
        if found is None:
            with suppress(KeyError, *unreadable()):
                return self._repository.objects.get_raw(to_hexadecimal(oid))
        return found


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
        self._asked = 0
        self._loose = LooseNames(objects)
        self._empty = not _has_objects(objects)
        self.damaged: dict[RawObjectID, bytes] = {}
        """The files of loose objects that were found damaged: git reports them, whatever else there is."""

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
        if not self._may_be_loose(oid):
            return False
        digits = oid.hex().encode()
        place = self._prefix + digits[:2] + b"/" + digits[2:]
        if not _freshen(place):
            return False
        if not self._is_whole(oid, expected):
            self.damaged[oid] = place
            return False
        return True

    def _may_be_loose(self, oid: RawObjectID) -> bool:
        self._asked += 1
        return self._asked <= _FEW or oid in self._loose

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
