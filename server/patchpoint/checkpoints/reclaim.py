"""Giving back the disk that forgotten checkpoints took, in a private store, where no git ever tidies up.

What is still needed is written anew before anything is removed, so that a crash leaves too much, never too
little. In a real repository nothing is done here: that is git's own garbage collection's work.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID
from dulwich.pack import Pack, UnpackedObject

from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.record import Records

_MARK = "reclaimed"
_DAY = 86_400.0


def reclaim(records: Records, *, at_most_daily: bool = False) -> None:
    """Remove the objects of a private store that no checkpoint needs; the caller holds its turn.

    A pack goes when it holds nothing needed, and is written anew without the rest when less than half of its
    objects are needed.
    """
    repository = records.repository
    mark = repository.patchpoint_folder / _MARK
    if not repository.private or (at_most_daily and _age(mark) < _DAY):
        return
    try:
        needed = _reachable(records)
    except CheckpointDamagedError:
        return  # what cannot be followed cannot be told from what is not needed
    folder = Path(os.fsdecode(repository.commondir)) / "objects"
    for loose in folder.glob("??/*"):
        if len(loose.name) == 2 * repository.id_length - 2:
            name = (loose.parent.name + loose.name).encode()
            if name not in needed:
                loose.unlink(missing_ok=True)
    for pack in list(repository.objects.packs):
        _reclaim_pack(repository.objects, folder / "pack", pack, needed)
    mark.touch()


def _reclaim_pack(store: DiskObjectStore, folder: Path, pack: Pack, needed: set[bytes]) -> None:
    held = [bytes(oid) for oid in pack]
    live = [oid for oid in held if oid in needed]
    if 2 * len(live) >= len(held):
        return
    if live:
        store.add_pack_data(len(live), _unpacked(pack, live))
    stem = folder / f"pack-{pack.name().decode()}"
    pack.close()
    for suffix in (".idx", ".pack"):
        with suppress(OSError):
            stem.with_name(stem.name + suffix).unlink()


def _unpacked(pack: Pack, names: list[bytes]) -> Iterator[UnpackedObject]:
    for name in names:
        kind, content = pack.get_raw(ObjectID(name))
        yield UnpackedObject(kind, sha=bytes.fromhex(name.decode()), decomp_chunks=[content])


def _reachable(records: Records) -> set[bytes]:
    """The names of all objects that a ref leads to."""
    objects, refs = records.objects, records.repository.refs
    found: set[bytes] = set()
    pending = [bytes(target) for target in refs.as_dict().values()]
    while pending:
        commit = pending.pop()
        if commit in found:
            continue
        found.add(commit)
        read = objects.commit(commit)
        pending += read.parents
        _add_tree(objects, read.tree, found)
    return found


def _add_tree(objects: ProvenObjects, tree: bytes, found: set[bytes]) -> None:
    if tree in found:
        return
    found.add(tree)
    for entry in objects.tree(tree).values():
        if entry.is_tree:
            _add_tree(objects, entry.oid, found)
        elif not entry.is_gitlink:
            found.add(entry.oid)


def _age(mark: Path) -> float:
    try:
        return time.time() - mark.stat().st_mtime
    except OSError:
        return float("inf")
