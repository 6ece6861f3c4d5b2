"""What a mirror need not keep: files that its store has no more, once nothing can need them.

A pack that a `git gc` replaced, or a loose object that it packed, goes when other packs of the mirror hold
all of it; else when every checkpoint in the register is younger than the file's end in the store. A
checkpoint that was lost is in the register for 30 days more, and holds what it needs for so long. Beyond the
limit in bytes the packs go that left the store first.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Collection, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.mirror.objects import COPIES, TEMPORARY, Budget, loose_in, packs_in_directory
from patchpoint.checkpoints.mirror.place import write_unsynced
from patchpoint.checkpoints.mirror.register import (
    Registered,
    append_deleted,
    append_entries,
    compact,
    registered,
)
from patchpoint.dataclass import replace
from patchpoint.filesystem.open_directory import remove_file
from patchpoint.filesystem.open_to_read import age_of, read_own_file
from patchpoint.git.odb.ids import RawObjectID
from patchpoint.git.odb.pack_file import PackFile

LOST_DAYS = 30
"""Days for which a checkpoint that was lost, and not deleted, is kept in a mirror."""
_LEFT = "left"
"""The file with the names of the packs that the store has no more, and since when, in seconds since 1970."""
_MOST_COMPARED = 400_000
"""Objects in packs up to which they are compared while somebody waits: that takes a tenth of a second."""
_MINUTE_S, _HOUR_S, _DAY_S = 60.0, 3600.0, 86_400.0


def own_bytes(mirror: Path) -> int:
    """Return how many bytes the mirror takes beyond what the store takes: those of files it alone has."""
    objects = os.fsencode(mirror / "objects")
    places = [os.path.join(objects, b"pack", name) for name in _names(os.path.join(objects, b"pack"))]
    for fan, names in loose_in(objects):
        places += [os.path.join(objects, fan, name) for name in names]
    return sum(_own_size(place) for place in places)


def own_pack_bytes(mirror: Path) -> int:
    """Return how many bytes the packs take that the mirror alone has."""
    directory = os.fsencode(mirror / "objects" / "pack")
    return sum(_own_size(os.path.join(directory, name)) for name in _names(directory))


def tidy(
    mirror: Path, indexes: set[bytes], refs: Collection[str] | None, limit: int, width: int, budget: Budget
) -> None:
    """Remove what nothing needs any more, or what exceeds `limit`, in bytes.

    `indexes` are the names of the indexes of packs that the store has now, `refs` the refs of checkpoints
    there (`None`: not looked at), and `width` is the length of an id. Where somebody waits that is done once
    an hour, and what takes too long then a minute later. Raises `OSError`.
    """
    if not budget.is_unlimited and age_of(mirror / _LEFT) < _HOUR_S:
        return
    packs = {name[:-4] for name in indexes}
    left = _noted(mirror, packs)
    entries = _without_expired(mirror, refs)
    oldest = min((each.taken for each in entries.values()), default=time.time())
    _remove_left(mirror, packs, left, oldest, limit, width, budget)
    _remove_packed_loose(mirror, oldest, width, budget)
    if budget.is_spent:
        later = time.time() - _HOUR_S + _MINUTE_S
        os.utime(mirror / _LEFT, (later, later))
    for name in _names(os.fsencode(mirror / "objects" / "pack")):
        if (
            name.startswith(TEMPORARY)
            and age_of(place := mirror / "objects" / "pack" / os.fsdecode(name)) > _DAY_S
        ):
            place.unlink(missing_ok=True)


def remove_abandoned(mirrors: Mapping[Path, str]) -> None:
    """Remove each mirror of a repository that is gone, by its git directory, and of which every checkpoint is
    older than a lost one is kept. Raises nothing."""
    for mirror, directory in mirrors.items():
        if not os.path.lexists(directory):
            newest = max((each.taken for each in registered(mirror).values()), default=0.0)
            if time.time() - newest > LOST_DAYS * _DAY_S and age_of(mirror) > _DAY_S:
                import shutil

                shutil.rmtree(mirror, ignore_errors=True)


def _noted(mirror: Path, packs: set[bytes]) -> dict[bytes, float]:
    """Return since when packs are known to be here alone, in seconds since 1970, and keep that."""
    here = packs_in_directory(os.fsencode(mirror / "objects" / "pack")) - packs
    known: dict[bytes, float] = {}
    with suppress(OSError, ValueError, TypeError, AttributeError):
        listed = json.loads(read_own_file(mirror / _LEFT, largest=1 << 24))
        known = {os.fsencode(name): float(since) for name, since in listed.items()}
    left = {stem: known.get(stem, time.time()) for stem in here}
    text = json.dumps({os.fsdecode(stem): since for stem, since in left.items()})
    write_unsynced(mirror / _LEFT, text.encode("ascii"))
    return left


def _without_expired(mirror: Path, refs: Collection[str] | None) -> dict[str, Registered]:
    """Return the register, without what has been missing for long; note what is missing now."""
    entries = registered(mirror)
    with suppress(FileNotFoundError):
        compact(mirror)
    if refs is None:
        return entries
    now = time.time()
    changed: list[Registered] = []
    for name, each in entries.items():
        if (name in refs) == (each.missing_since is not None):
            changed.append(replace(each, missing_since=None if name in refs else now))
    append_entries(mirror, changed)
    kept = {
        name: each
        for name, each in entries.items()
        if name in refs or each.missing_since is None or now - each.missing_since < LOST_DAYS * _DAY_S
    }
    append_deleted(mirror, entries.keys() - kept.keys())
    return kept


def _remove_left(
    mirror: Path,
    packs: set[bytes],
    left: Mapping[bytes, float],
    oldest: float,
    limit: int,
    width: int,
    budget: Budget,
) -> None:
    directory = os.fsencode(mirror / "objects" / "pack")
    waiting = {stem for stem, since in left.items() if since >= oldest}
    gone = set(left) - waiting
    ids: dict[bytes, list[RawObjectID]] = {}
    for stem in packs_in_directory(directory) - gone if waiting else ():
        ids[stem] = PackFile(os.path.join(directory, stem), width).ids()
        if sum(map(len, ids.values())) > _MOST_COMPARED and not budget.is_unlimited:
            break
    else:
        held = {oid for stem in ids.keys() & packs for oid in ids[stem]}
        for stem in sorted(waiting, key=lambda each: -left[each]):
            if held.issuperset(ids[stem]):
                gone.add(stem)
            else:
                held.update(ids[stem])
    for stem in gone:
        if not budget.has_time():
            return
        _remove_pack(directory, stem)
    for stem in sorted(waiting - gone, key=left.__getitem__):
        if own_pack_bytes(mirror) <= limit:
            break
        _remove_pack(directory, stem)


def _remove_packed_loose(mirror: Path, oldest: float, width: int, budget: Budget) -> None:
    """Remove loose objects that the store has no more, and that are in a pack here, or too old."""
    objects = os.fsencode(mirror / "objects")
    packs = [
        PackFile(os.path.join(objects, b"pack", stem), width)
        for stem in packs_in_directory(os.path.join(objects, b"pack"))
    ]
    is_linked = not (mirror / COPIES).exists()
    for fan, names in loose_in(objects):
        for name in names:
            if not budget.has_time():
                return
            place = os.path.join(objects, fan, name)
            with suppress(FileNotFoundError):
                status = os.stat(place)
                if status.st_nlink > 1:
                    continue
                oid = RawObjectID(bytes.fromhex((fan + name).decode()))
                if (is_linked and status.st_ctime < oldest) or any(
                    pack.position(oid) is not None for pack in packs
                ):
                    remove_file(place)


def _remove_pack(directory: bytes, stem: bytes) -> None:
    for ending in (b".idx", b".pack"):
        with suppress(FileNotFoundError):
            remove_file(os.path.join(directory, stem + ending))


def _own_size(place: bytes) -> int:
    try:
        status = os.stat(place)
    except OSError:
        return 0
    return status.st_size if status.st_nlink == 1 else 0


def _names(directory: bytes) -> list[bytes]:
    try:
        return os.listdir(directory)
    except OSError:
        return []
