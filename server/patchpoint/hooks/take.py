"""Take the checkpoint that precedes an event, in as little time as a new process can."""

from __future__ import annotations

import os
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.records import CheckpointRequest, Records
from patchpoint.checkpoints.repository_lock import refuse_linked_directory, repository_lock
from patchpoint.checkpoints.restore.phases import is_unfinished
from patchpoint.checkpoints.taking import take_checkpoint
from patchpoint.git.repository import Repository
from patchpoint.hooks.events import HookEvent, Moment
from patchpoint.progress import Progress
from patchpoint.schema.git_settings import settings_of

_KINDS = {
    Moment.PROMPT: CheckpointKind.RUN,
    Moment.STEP: CheckpointKind.STEP,
    Moment.END: CheckpointKind.AFTER_RUN,
}


def take_for(event: HookEvent, session: str, wait: float, progress: Progress) -> Checkpoint:
    """Return the checkpoint that precedes `event`: a new one, or before a step of the same session that found
    nothing changed, the newest.

    `session` is used where the event names none; a lock is waited for `wait` seconds. Raises
    `CheckpointError`, `CancelledError` and `OSError`.
    """
    folder = Path(event.folder or os.curdir).absolute()
    if not folder.is_dir():
        folder = Path.cwd()
    settings, _ = settings_of(folder)
    options = replace(settings.store_options, wait=wait)
    repository = replace(Repository.open(folder), patience=wait)
    try:
        refuse_linked_directory(repository)
        records = Records(repository)
        if is_unfinished(repository.patchpoint_directory):
            from patchpoint.checkpoints.restore.apply import finish_interrupted_restore

            with suppress(CheckpointError, OSError), repository_lock(repository, progress, timeout=0):
                finish_interrupted_restore(records, progress)
        request = CheckpointRequest(
            kind=_KINDS[event.moment],
            label=event.label,
            session=event.session or session,
            message=event.turn,
            buffers={},
            only_changes=event.moment is Moment.STEP,
        )
        return take_checkpoint(records, request, options, progress)
    finally:
        repository.objects.close()
