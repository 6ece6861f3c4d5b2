"""Take a checkpoint, and load no more of the package than that needs: a hook waits for all that is loaded."""

from __future__ import annotations

from contextlib import suppress

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.maintenance.retention import delete_outdated
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import CheckpointRequest, Records
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
    with repository_lock(records.repository, progress):
        checkpoint = records.take(request, options.snapshot, progress)
        # The checkpoint exists: what is outdated can be deleted after the next one, too.
        with suppress(CheckpointError, OSError):
            if delete_outdated(records, options.retention, patience=_SHORT_PATIENCE_S):
                from patchpoint.checkpoints.maintenance.reclaim import reclaim

                reclaim(records, at_most_daily=True)
    return checkpoint
