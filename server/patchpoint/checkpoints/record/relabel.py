"""Rename a checkpoint, as git amends the message of a commit: the name is in the commit, so its ref moves."""

from __future__ import annotations

import time

from patchpoint.checkpoints.errors import ObjectsVanishedError
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.turns import turn_of
from patchpoint.checkpoints.record.write import has_all, write_commit_of
from patchpoint.dataclass import replace
from patchpoint.git import refs
from patchpoint.git.objects.writer import ObjectWriter


def relabelled(records: Records, id_: str, label: str | None, pinned: bool | None) -> Checkpoint:
    """Give a checkpoint another label, and pin or unpin it; `None` leaves either. Return the result.

    The new commit has the trees and parents of the old one, and is durable before the ref moves to it.
    Raises `CheckpointNotFoundError`, `CheckpointDamagedError`, and `ObjectsVanishedError` when a garbage
    collection of git comes in between: the checkpoint is as before then.
    """
    checkpoint = records.get(id_)
    keeps_pin = checkpoint.pinned if pinned is None else pinned
    if label is not None and label != checkpoint.label:
        checkpoint = _with_label(records, checkpoint, label)
    records.unpin(id_)
    if keeps_pin:
        records.pin(checkpoint)
    after = records.get(id_)
    records.add_to_mirror([after], time.monotonic())
    return after


def _with_label(records: Records, before: Checkpoint, label: str) -> Checkpoint:
    with ObjectWriter(records.repository) as writer:
        after = replace(before, label=label, prompt=turn_of(before).prompt)
        after = replace(after, commit=write_commit_of(writer, after))
        writer.finish()
        name = records.ref_of(before)
        if not refs.move(records.repository.refs, name, before.commit, after.commit):
            raise ObjectsVanishedError(f"The checkpoint '{before.id}' was moved meanwhile; try again.")
        writer.renew()
        if not has_all(records.repository, writer.added):
            refs.move(records.repository.refs, name, after.commit, before.commit)
            raise ObjectsVanishedError(
                "The new name vanished while it was written; try again when no garbage collection of git "
                "runs."
            )
    return after
