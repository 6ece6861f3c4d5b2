"""Measure how much of the disk checkpoints use beyond what git holds anyway."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from dulwich.object_store import DiskObjectStore

from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.odb.unreadable import unreadable


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUse:
    """Bytes on the disk, as they are stored (compressed)."""

    total: int
    checkpoints: int
    """How many checkpoints there are, without safety checkpoints."""
    safety: int
    """How many safety checkpoints there are."""
    by_checkpoint: Mapping[str, int]
    """Bytes of each that neither a newer one holds nor the commit it was taken on: by id, newest first."""


def disk_use(records: Records) -> DiskUse:
    """Return what the checkpoints use. Damaged ones count as 0 bytes."""
    asked, safety = records.all(), records.all(safety=True)
    seen: set[ObjectID] = set()
    sizes: dict[str, int] = {}
    for checkpoint in sorted([*asked, *safety], key=lambda each: each.id, reverse=True):
        try:
            own = {oid for oid in _own_objects(records.objects, checkpoint) if oid not in seen}
        except CheckpointDamagedError:
            own = set()
        seen |= own
        sizes[checkpoint.id] = sum(_stored_size(records, oid) for oid in own)
    return DiskUse(total=sum(sizes.values()), checkpoints=len(asked), safety=len(safety), by_checkpoint=sizes)


def _own_objects(objects: ObjectReader, checkpoint: Checkpoint) -> Iterator[ObjectID]:
    """Yield the ids of the objects that a checkpoint adds to the commit it was taken on."""
    head = objects.commit(ObjectID(checkpoint.head.encode())).tree if checkpoint.head else None
    tree = ObjectID(checkpoint.tree.encode())
    yield ObjectID(checkpoint.commit.encode())
    yield ObjectID(checkpoint.state.encode())
    yield from _new_objects(objects, head, tree)
    state = objects.commit(ObjectID(checkpoint.state.encode())).tree
    yield state
    for name, entry in objects.tree(state).items():
        if not entry.is_tree:
            yield entry.oid
        else:
            yield from _new_objects(objects, {b"index": head, b"untracked": tree}.get(name), entry.oid)


def _new_objects(objects: ObjectReader, old: ObjectID | None, new: ObjectID) -> Iterator[ObjectID]:
    """Yield the ids of trees and blobs in `new` that `old` does not have at the same path."""
    waiting = [(old, new)]
    while waiting:
        old, new = waiting.pop()
        if old == new:
            continue
        yield new
        before = objects.tree(old) if old else {}
        for name, entry in objects.tree(new).items():
            was = before.get(name)
            if entry == was or entry.is_gitlink:
                continue
            if entry.is_tree:
                waiting.append((was.oid if was and was.is_tree else None, entry.oid))
            else:
                yield entry.oid


def _stored_size(records: Records, oid: ObjectID) -> int:
    name = oid.decode()
    loose = Path(os.fsdecode(records.repository.commondir)) / "objects" / name[:2] / name[2:]
    try:
        return loose.stat().st_size
    except OSError:
        return _packed_size(records.repository.objects, oid)


def _packed_size(store: DiskObjectStore, oid: ObjectID) -> int:
    for pack in store.packs:
        with suppress(KeyError, *unreadable()):
            if oid in pack:
                unpacked = pack.data.get_unpacked_object_at(pack.index.object_offset(oid), include_comp=True)
                return sum(map(len, unpacked.comp_chunks or ()))
    return 0
