"""Take a checkpoint, and load no more of the package than that needs: a hook waits for all that is loaded."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.maintenance.retention import delete_outdated
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.steps import forget_steps
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.progress import Progress

_SHORT_PATIENCE_S = 0.5
"""Seconds for which a new checkpoint waits for git's lock of the packed refs, to delete outdated ones."""


def take_checkpoint(
    records: Records, request: CheckpointRequest, options: StoreOptions, progress: Progress
) -> Checkpoint:
    """Take a checkpoint, delete those that are outdated by `options`, and return it.

    Raises `RepositoryBusyError`, and `SnapshotFailedError` when the tree cannot be recorded; then there is no
    checkpoint.
    """
    return take_checkpoints(records, [request], options, progress)[0]


def take_checkpoints(
    records: Records, requests: Sequence[CheckpointRequest], options: StoreOptions, progress: Progress
) -> list[Checkpoint]:
    """Take a checkpoint for each of `requests`, all of one snapshot; else as `take_checkpoint`."""
    with repository_lock(records.repository, progress):
        checkpoints = records.take_each(requests, options.snapshot, progress)
        # They exist: what is outdated can be deleted after the next one, too.
        with suppress(CheckpointError, OSError):
            if delete_outdated(records, options.retention, patience=_SHORT_PATIENCE_S):
                from patchpoint.checkpoints.maintenance.reclaim import reclaim

                reclaim(records, at_most_daily=True)
            forget_steps(records.repository.patchpoint_directory, records.all)
    return checkpoints
