"""Garbage collection of a private store, where git never runs its own.

What is still needed is written to a new pack before anything is removed, so that a crash leaves too much,
never too little. In a user's repository nothing is done here: git collects its garbage itself.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointDamagedError, CheckpointNotFoundError
from patchpoint.checkpoints.record.records import Records
from patchpoint.filesystem.open_directory import remove_file
from patchpoint.filesystem.open_to_read import age_of
from patchpoint.git import refs
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb import kept_packs
from patchpoint.git.odb.ids import ObjectID, to_hexadecimal
from patchpoint.git.odb.pack_file import PackFile
from patchpoint.git.odb.pack_writer import KEEP
from patchpoint.git.odb.stores import packs_in

_MARK = "reclaimed"
_DAY = 86_400.0


def delete(records: Records, id_: str) -> None:
    """Delete a checkpoint, and what only it needed; the caller holds the lock of the checkpoints.

    Raises `CheckpointNotFoundError`.
    """
    from patchpoint.checkpoints.maintenance.adopt import note_deletion

    time.sleep(records.relied_on_for({id_}))
    if going := records.refs_of(id_):
        note_deletion(records, going)
    if not records.forget(id_):
        raise CheckpointNotFoundError(id_)
    reclaim(records)


def reclaim(records: Records, *, at_most_daily: bool = False) -> None:
    """Remove the objects of a private store that no checkpoint needs; the caller holds the store's lock.

    A pack is removed when it holds nothing needed, and rewritten without the rest when less than half of its
    objects are needed. With `at_most_daily`, nothing is done within 24 hours of the last run.
    """
    repository = records.repository
    mark = repository.patchpoint_directory / _MARK
    if not repository.private or (at_most_daily and age_of(mark) < _DAY):
        return
    try:
        needed = _reachable(records)
    except CheckpointDamagedError:
        return  # what a damaged checkpoint needs cannot be known
    directory = Path(os.fsdecode(repository.commondir)) / "objects"
    for loose in directory.glob("??/*"):
        if len(loose.name) == 2 * repository.id_length - 2:
            name = ObjectID((loose.parent.name + loose.name).encode())
            if name not in needed:
                with suppress(FileNotFoundError):
                    remove_file(loose)
    own = {each.stem for each in kept_packs.kept_packs(os.fsencode(directory / "pack"))}
    for stored in packs_in(os.fsencode(directory)):
        if stored.stem in own or not os.path.lexists(stored.stem + KEEP):
            _reclaim_pack(records, PackFile(stored.stem, repository.id_length), needed)
    mark.touch()


def _reclaim_pack(records: Records, pack: PackFile, needed: set[ObjectID]) -> None:
    held = pack.ids()
    live = [oid for oid in held if to_hexadecimal(oid) in needed]
    if 2 * len(live) >= len(held):
        return
    if live:
        with ObjectWriter(records.repository) as writer:
            if not writer.copy(live):
                return
            writer.finish()
    pack.close()
    with suppress(OSError):
        kept_packs.delete(pack.stem)


def _reachable(records: Records) -> set[ObjectID]:
    """Return the ids of all objects reachable from a ref. Raises `CheckpointDamagedError`."""
    objects, store = records.objects, records.repository.refs
    found: set[ObjectID] = set()
    if damaged := refs.damaged_below(store, b"refs/"):
        raise CheckpointDamagedError(f"The ref 'refs/{damaged[0]}' does not hold a commit id.")
    pending = [ObjectID(commit.encode()) for commit in refs.below(store, b"refs/").values()]
    while pending:
        commit = pending.pop()
        if commit in found:
            continue
        found.add(commit)
        read = objects.commit(commit)
        pending += read.parents
        _add_tree(objects, read.tree, found)
    return found


def _add_tree(objects: ObjectReader, tree: ObjectID, found: set[ObjectID]) -> None:
    waiting = [tree]
    while waiting:
        tree = waiting.pop()
        if tree in found:
            continue
        found.add(tree)
        for entry in objects.tree(tree).values():
            if entry.is_tree:
                waiting.append(entry.oid)
            elif not entry.is_gitlink:
                found.add(entry.oid)
