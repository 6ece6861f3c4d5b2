"""The packs of our own that git keeps (`.keep`), and when it may treat them as any other.

What a garbage collection has not seen reached, it deletes, at whatever time after it looked for refs: a loose
object, or a pack that was there when it began. It deletes no pack that is kept when it begins, and none that
comes later. So all that is new is in packs that are kept before they can be seen, for as long as a
collection can run that saw no ref of it. Then git may collect them as others.

    new      as `PackWriter` wrote it. Small ones are merged when there are many, or old: `git gc --auto`,
             which counts the packs that are not kept, would else run after fifty checkpoints
    merged   of small ones. Their objects are in it, kept, before they are deleted, so that each object is
             in a kept pack at every instant

Where there is a multi-pack-index, packs that are in it are left to git. A private store, where git does not
collect, merges and releases nothing on account of its age.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.open_directory import OpenDirectory, remove_file
from patchpoint.filesystem.open_to_read import open_to_read
from patchpoint.git.odb.ids import RawObjectID
from patchpoint.git.odb.pack_file import PackFile
from patchpoint.git.odb.pack_writer import KEEP, TEMPORARY_PREFIX, PackWriter, new_pack_name

NEW = b"patchpoint: new, until no garbage collection can be older than the refs\n"
MERGED = b"patchpoint: merged, until no garbage collection can be older than the refs\n"
_FORMER = b"patchpoint: until the checkpoint has its ref\n"
"""What earlier versions wrote: a process of one died."""

GRACE_S = 3600.0
"""Seconds for which a pack is kept after its refs exist: longer than a `git prune` or `git repack` runs. They
leave no sign; a `git gc` does, and while it runs nothing is released."""
DAY_S = 86_400.0
"""Seconds after which a small pack does not wait for others any longer."""
MOST_SMALL = 16
"""Small packs, new ones and merged ones each, up to which they are left as they are."""
SMALL_BYTES = 1 << 18
"""Bytes up to which a pack is small."""
_LONGEST_COLLECTION_S = 12 * 3600.0
"""Seconds after which a running `git gc` counts as dead; git says the same (builtin/gc.c)."""
_CLOCK_S = 5.0
"""Seconds by which time stamps of a file system may be off."""


@dataclass(frozen=True, slots=True)
class KeptPack:
    """A pack that git keeps because of us."""

    stem: bytes
    """Its path without the ending."""
    mark: bytes
    """`NEW` or `MERGED`."""
    age: float
    """Seconds since it was written, or since something relied on it."""
    size: int

    @property
    def is_small(self) -> bool:
        """Whether it may be merged with others."""
        return self.size <= SMALL_BYTES


def kept_packs(directory: bytes) -> list[KeptPack]:
    """Return our kept packs in the pack directory of a store."""
    found = (_kept(place) for place in _listed(directory)[0])
    return [each for each in found if each is not None]


def renew(stem: bytes) -> None:
    """Have the pack kept from now on as if it were new: something relies on it."""
    with suppress(OSError):
        os.utime(stem + KEEP)


def tend_kept_packs(objects: bytes, object_format: str, *, collected: bool) -> None:
    """Release and merge our kept packs in the store at `objects`, and remove what crashes left of others.

    The caller holds the lock of the checkpoints. `collected` is whether git collects garbage here at all.
    Raises nothing: what cannot be done now is done at a later turn.
    """
    directory = os.path.join(objects, b"pack")
    with suppress(OSError):
        marks, temporaries = _listed(directory)
        for place in temporaries:
            with suppress(OSError):
                remove_file(place)
        ages = [_age(mark) for mark in marks]
        if len(marks) <= MOST_SMALL and all(age is not None and 0 <= age < GRACE_S for age in ages):
            return
        packs = kept_packs(directory)
        left = [each for each in packs if not _is_abandoned(each)]
        mergeable = _without_indexed(directory, [each for each in left if each.is_small])
        new = [each for each in mergeable if each.mark == NEW]
        merged = [each for each in mergeable if each.mark == MERGED]
        gone: list[KeptPack] = []
        if len(new) > MOST_SMALL or (collected and len(new) > 1 and max(each.age for each in new) > DAY_S):
            gone += _merge(directory, object_format, new)
        if len(merged) > MOST_SMALL:
            gone += _merge(directory, object_format, merged)
        if collected and not is_collecting(os.path.dirname(objects)):
            for each in left:
                if each not in gone and each.age > (DAY_S if each.is_small and each.mark == NEW else GRACE_S):
                    remove_file(each.stem + KEEP)


def delete(stem: bytes) -> None:
    """Delete a pack: its index first, by which git finds it, and last the mark, by which we do.

    What is in it is in a kept pack, or not needed. Raises `OSError`.
    """
    for place in _files_of(stem):
        with suppress(FileNotFoundError):
            remove_file(place)


def install(stem: bytes, directory: bytes, object_format: str) -> bytes:
    """Move a pack with its index, both on the disk, to the pack directory of a store, where it is kept.

    Returns its path there without the ending. Raises `OSError`.
    """
    above, name = os.path.split(stem)
    os.makedirs(directory, exist_ok=True)
    with OpenDirectory(above) as source, OpenDirectory(directory) as goal:
        new = new_pack_name(object_format)
        goal.write_new(new + KEEP, NEW, permissions=0o600)
        for ending in (b".pack", b".idx"):
            source.rename_new(name + ending, new + ending, goal)
        goal.sync()
    return os.path.join(directory, new)


def is_collecting(commondir: bytes) -> bool:
    """Return whether a `git gc` seems to be running in the repository at `commondir`."""
    age = _age(os.path.join(commondir, b"gc.pid"))
    return age is not None and age < _LONGEST_COLLECTION_S


def _listed(directory: bytes) -> tuple[list[bytes], list[bytes]]:
    """Return the paths of all marks that keep packs, and of the files of packs that are being written."""
    marks: list[bytes] = []
    temporaries: list[bytes] = []
    with suppress(FileNotFoundError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.endswith(KEEP):
                marks.append(entry.path)
            elif entry.name.startswith(TEMPORARY_PREFIX):
                temporaries.append(entry.path)
    return marks, temporaries


def _kept(place: bytes) -> KeptPack | None:
    stem = place[: -len(KEEP)]
    with suppress(OSError):
        with open_to_read(place) as file:
            mark = file.read(len(MERGED) + 1)
        if mark in (NEW, MERGED, _FORMER):
            size = 0
            with suppress(FileNotFoundError):
                size = os.stat(stem + b".pack").st_size
            age = _age(place)
            if age is None or age < -_CLOCK_S:  # the clock was set back
                renew(stem)
                age = 0.0
            return KeptPack(stem, MERGED if mark == MERGED else NEW, age, size)
    return None


def _age(place: bytes) -> float | None:
    try:
        return time.time() - os.stat(place).st_mtime
    except OSError:
        return None


def _is_abandoned(pack: KeptPack) -> bool:
    """Remove what a process that died left of a pack; return whether there was no whole one."""
    if os.path.lexists(pack.stem + b".idx"):
        return False
    delete(pack.stem)
    return True


def _without_indexed(directory: bytes, packs: Iterable[KeptPack]) -> list[KeptPack]:
    """Return the packs that are in no multi-pack-index, for they are newer than it."""
    try:
        since = os.stat(os.path.join(directory, b"multi-pack-index")).st_mtime + _CLOCK_S
    except OSError:
        return list(packs)
    return [each for each in packs if os.stat(each.stem + b".idx").st_mtime > since]


def _merge(directory: bytes, object_format: str, packs: Sequence[KeptPack]) -> list[KeptPack]:
    """Write what is in `packs` as one, which is kept, then delete them; return those that were deleted."""
    width = 32 if object_format == "sha256" else 20
    entries: dict[RawObjectID, bytes] = {}
    read: list[KeptPack] = []
    for each in packs:
        pack = PackFile(each.stem, width)
        found = pack.entries()
        pack.close()
        if found is not None:
            entries.update(found)
            read.append(each)
    if len(read) > 1:
        writer = PackWriter(directory, object_format, MERGED)
        try:
            for oid, entry in entries.items():
                writer.add_entry(oid, entry)
            writer.finish()
        except BaseException:
            writer.discard()
            raise
        for each in read:
            delete(each.stem)
        return read
    return []


def _files_of(stem: bytes) -> Iterator[bytes]:
    for ending in (b".idx", b".rev", b".bitmap", b".pack", KEEP):
        yield stem + ending
