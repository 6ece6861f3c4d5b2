"""The objects of a mirror: a second name for each file of an object store, or a copy where there can be none.

A hard link takes no room, as long as the store has the file as well. What a `git gc` deletes there stays here
until other packs of the mirror hold all of it, or every checkpoint is younger (see `tidy.py`).

Each step is done within a budget, of time and of bytes to copy: what is left is done the next time. Files are
only ever added under names that say what is in them, so that a process that dies leaves too little at most.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.mirror.register import FOLLOWED
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.atomic_write import rename_over
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.git.odb.stores import object_stores
from patchpoint.text.regex import regex

TEMPORARY = b"tmp-"
"""Of a copy that is being made."""
COPIES = "copies"
"""The file that says that files had to be copied."""
_SLACK_NS = 2_000_000_000
"""Nanoseconds by which the time of a directory may lag behind."""
_MARK_NS = 1
"""Nanoseconds by which the time of a directory that has all is less than that of the one it is from: one that
was only written to may have the very same time."""
_PIECE_BYTES = 1 << 20
_PACK = regex(rb"pack-[0-9a-f]{40,64}")
_LOOSE = regex(rb"[0-9a-f]{38}|[0-9a-f]{62}")
_FAN = regex(rb"[0-9a-f]{2}")


@dataclass(slots=True)
class Budget:
    """What may be spent on a mirror now."""

    until: float
    """The end of the time, as `time.monotonic` counts it."""
    bytes: int
    """Bytes that may be copied where no link can be made."""
    free_links: int = 0
    """Links that are made however late it is: as many as take next to no time."""
    is_spent: bool = False
    """Whether something was left for lack of time."""
    is_short: bool = False
    """Whether something was left for lack of bytes."""
    has_copied: bool = False
    """Whether something was copied, since it could not be linked."""

    @property
    def is_unlimited(self) -> bool:
        """Whether nobody waits."""
        return self.until == float("inf")

    def has_time(self) -> bool:
        """Return whether there is time left."""
        self.is_spent = self.is_spent or time.monotonic() > self.until
        return not self.is_spent

    def may_link(self) -> bool:
        """Return whether another file may be linked."""
        self.free_links -= 1
        return self.free_links >= 0 or self.has_time()


def mirror_objects(objects: bytes, mirror: Path, budget: Budget, *, all_loose: bool = False) -> set[bytes]:
    """Add what the store at `objects` and its alternates have, and the mirror has not; return the names of
    the indexes of their packs.

    With `all_loose` also loose objects in directories that have not changed since the last time. Raises
    `OSError` where the mirror cannot be written.
    """
    began = time.time_ns()
    mark = mirror / FOLLOWED
    since = 0
    if not all_loose:
        with suppress(FileNotFoundError):
            since = mark.stat().st_mtime_ns - _SLACK_NS
    goal = os.path.join(os.fsencode(mirror), b"objects")
    indexes: set[bytes] = set()
    settled = 0 if all_loose else began - _SLACK_NS
    for store in object_stores(objects):
        indexes |= add_objects(store, goal, budget, since, settled)
    if budget.has_copied:
        (mirror / COPIES).touch(mode=0o600)
    if not budget.is_spent and not budget.is_short:
        mark.touch(mode=0o600)
        os.utime(mark, ns=(began, began))
    return indexes


def add_objects(source: bytes, goal: bytes, budget: Budget, since: int = 0, settled: int = 0) -> set[bytes]:
    """Add to the object directory `goal` what the one at `source` has, loose objects only of directories that
    have changed since that time (in nanoseconds); return the names of the indexes of its packs.

    A directory of which all was added is marked by the time of the one that it was added from, if that is
    before `settled`, and is not looked into again: in many steps it takes no longer than in one.
    """
    indexes = _mirror_packs(os.path.join(source, b"pack"), os.path.join(goal, b"pack"), budget)
    _mirror_loose(source, goal, since, settled, budget)
    return indexes


def packs_in_directory(directory: bytes) -> set[bytes]:
    """Return the names of the packs in a directory that have an index, without their ending."""
    try:
        names = set(os.listdir(directory))
    except (FileNotFoundError, NotADirectoryError):
        return set()
    stems = (name[:-4] for name in names if name.endswith(b".idx"))
    return {stem for stem in stems if stem + b".pack" in names and _PACK.fullmatch(stem)}


def loose_in(
    objects: bytes, since: int = 0, seen: Mapping[bytes, int] | None = None
) -> Iterator[tuple[bytes, list[bytes]]]:
    """Yield each directory of loose objects of a store that has changed since that time (in nanoseconds), and
    has not been `seen` since, by its name, and the names of the objects in it."""
    for fan, changed in _fans(objects):
        if changed >= since and not (seen and seen.get(fan) == changed):
            with suppress(FileNotFoundError, NotADirectoryError):
                names = os.listdir(os.path.join(objects, fan))
                yield fan, [name for name in names if _LOOSE.fullmatch(name)]


def _fans(objects: bytes) -> Iterator[tuple[bytes, int]]:
    """Yield the directories of loose objects by their names, and when they changed, in nanoseconds."""
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(objects) as entries:
        for entry in entries:
            if _FAN.fullmatch(entry.name):
                yield entry.name, entry.stat().st_mtime_ns


def _mirror_packs(source: bytes, goal: bytes, budget: Budget) -> set[bytes]:
    there = _indexes(source)
    sizes: dict[bytes, int] = {}
    for stem in (name[:-4] for name in there - _indexes(goal)):
        with suppress(FileNotFoundError):
            if _PACK.fullmatch(stem):
                sizes[stem] = os.stat(os.path.join(source, stem + b".pack")).st_size
    # The smallest first: one of them is what the checkpoint at hand has added.
    for stem in sorted(sizes, key=lambda each: (sizes[each], each)):
        for ending in (b".pack", b".idx"):
            name = stem + ending
            if not _add(os.path.join(source, name), os.path.join(goal, name), budget):
                break
    return there


def _indexes(directory: bytes) -> set[bytes]:
    try:
        return {name for name in os.listdir(directory) if name[-4:] == b".idx"}
    except (FileNotFoundError, NotADirectoryError):
        return set()


def _mirror_loose(source: bytes, goal: bytes, since: int, settled: int, budget: Budget) -> None:
    seen = {fan: marked + _MARK_NS for fan, marked in _fans(goal)} if settled else {}
    for fan, names in loose_in(source, since, seen):
        directory = os.path.join(goal, fan)
        try:
            known = set(os.listdir(directory))
        except FileNotFoundError:
            known = set()
            os.mkdir(directory, 0o700)
        for name in names:
            if name not in known and not _add(
                os.path.join(source, fan, name), os.path.join(directory, name), budget
            ):
                return
        with suppress(FileNotFoundError):
            changed = os.stat(os.path.join(source, fan)).st_mtime_ns - _MARK_NS
            if changed < settled:
                os.utime(directory, ns=(changed, changed))


def _add(source: bytes, target: bytes, budget: Budget) -> bool:
    """Give a file a second name, or copy it; return false where the budget does not allow it.

    One that has vanished meanwhile is passed over.
    """
    if not budget.may_link():
        return False
    try:
        os.link(source, target)
    except FileExistsError:
        return True
    except FileNotFoundError:
        return os.path.isdir(os.path.dirname(target))
    except OSError:
        # Another file system, one without hard links, or a file of another user.
        return _copy(source, target, budget)
    return True


def _copy(source: bytes, target: bytes, budget: Budget) -> bool:
    """Copy a file, or as much more of it as the budget allows; return whether all of it is there."""
    directory, name = os.path.split(target)
    temporary = os.path.join(directory, TEMPORARY + name)
    try:
        with open_to_read(source) as file:
            left = os.fstat(file.fileno()).st_size
            descriptor = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            with open(descriptor, "ab") as copy:
                left -= file.seek(copy.tell())
                while left and budget.bytes and budget.has_time():
                    piece = file.read(min(left, budget.bytes, _PIECE_BYTES))
                    copy.write(piece)
                    left -= len(piece)
                    budget.bytes -= len(piece)
                    budget.has_copied = True
                    if not piece:
                        break
    except FileNotFoundError:
        return True
    if left:
        budget.is_short = True
        return False
    rename_over(temporary, target)
    return True
