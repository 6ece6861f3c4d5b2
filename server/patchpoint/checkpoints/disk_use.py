"""How much of the disk checkpoints take beyond what git holds anyway."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from dulwich.object_store import DiskObjectStore
from dulwich.objects import ObjectID

from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.record import Records


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskUse:
    """Bytes on the disk, as they are stored (compressed)."""

    total: int
    checkpoints: int
    """How many checkpoints were asked for."""
    safety: int
    """How many safety checkpoints there are."""
    by_checkpoint: Mapping[str, int]
    """What each holds that no newer one holds, nor the commit it was taken on: by id, newest first."""


def disk_use(records: Records) -> DiskUse:
    """What the checkpoints take. Damaged ones count as nothing."""
    asked, safety = records.all(), records.all(safety=True)
    seen: set[bytes] = set()
    sizes: dict[str, int] = {}
    for checkpoint in sorted([*asked, *safety], key=lambda each: each.id, reverse=True):
        try:
            own = {oid for oid in _own_objects(records.objects, checkpoint) if oid not in seen}
        except CheckpointDamagedError:
            own = set()
        seen |= own
        sizes[checkpoint.id] = sum(_stored_size(records, oid) for oid in own)
    return DiskUse(total=sum(sizes.values()), checkpoints=len(asked), safety=len(safety), by_checkpoint=sizes)


def _own_objects(objects: ProvenObjects, checkpoint: Checkpoint) -> Iterator[bytes]:
    """The names of the objects that a checkpoint adds to the commit it was taken on."""
    head = objects.commit(checkpoint.head.encode()).tree if checkpoint.head else None
    tree = checkpoint.tree.encode()
    yield checkpoint.commit.encode()
    yield checkpoint.state.encode()
    yield from _new_objects(objects, head, tree)
    state = objects.commit(checkpoint.state.encode()).tree
    yield state
    for name, entry in objects.tree(state).items():
        if not entry.is_tree:
            yield entry.oid
        else:
            yield from _new_objects(objects, {b"index": head, b"untracked": tree}.get(name), entry.oid)


def _new_objects(objects: ProvenObjects, old: bytes | None, new: bytes) -> Iterator[bytes]:
    """The trees and blobs of `new` that do not stand at the same place in `old`."""
    if old == new:
        return
    yield new
    before = objects.tree(old) if old else {}
    for name, entry in objects.tree(new).items():
        was = before.get(name)
        if entry == was or entry.is_gitlink:
            continue
        if entry.is_tree:
            yield from _new_objects(objects, was.oid if was and was.is_tree else None, entry.oid)
        else:
            yield entry.oid


def _stored_size(records: Records, oid: bytes) -> int:
    name = oid.decode()
    loose = Path(os.fsdecode(records.repository.commondir)) / "objects" / name[:2] / name[2:]
    try:
        return loose.stat().st_size
    except OSError:
        return _packed_size(records.repository.objects, ObjectID(oid))


def _packed_size(store: DiskObjectStore, oid: ObjectID) -> int:
    for pack in store.packs:
        if oid in pack:
            unpacked = pack.data.get_unpacked_object_at(pack.index.object_offset(oid), include_comp=True)
            return sum(map(len, unpacked.comp_chunks or ()))
    return 0
