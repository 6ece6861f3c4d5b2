"""What undoing the last restore restores, and what doing it again does; the last restore's journal tells."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import (
    CheckpointNotFoundError,
    NothingToRedoError,
    NothingToUndoError,
    UntrustedJournalError,
)
from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.journal import SessionMark
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.checkpoints.restore.prepare import RestoreRequest

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.restore.journal import RestoreJournal


def undo_of_last(
    records: Records, *, again: bool, dry_run: bool, force: bool, buffers: Mapping[str, str]
) -> tuple[Checkpoint, RestoreRequest]:
    """Return the checkpoint to restore, and how, to undo the last restore.

    With `again`, only where that was itself an undo, so that what had been undone is done again. Raises
    `NothingToUndoError`, of which `NothingToRedoError` is one.
    """
    try:
        last = _last_restore(records)
    except NothingToUndoError as error:
        if not again:
            raise
        raise NothingToRedoError("No undone restore to redo.") from error
    if again and not _is_undo(records, last):
        raise NothingToRedoError("No undone restore to redo.")
    try:
        safety = records.get(last.safety)
    except CheckpointNotFoundError as error:
        raise NothingToUndoError(
            f"The state before the last restore is gone (checkpoint '{last.safety}' was deleted)."
        ) from error
    mark = last.session
    request = RestoreRequest(
        paths=() if last.whole else tuple(step.change.path for step in last.steps),
        dry_run=dry_run,
        force=force,
        buffers=buffers,
        session=SessionMark(session=mark.session, message=mark.message, fresh=not mark.fresh)
        if mark
        else None,
        dropped=last.revived,
        revived=last.dropped,
        created=frozenset(step.change.path for step in last.steps if step.change.old is None),
    )
    return safety, request


def require_last(records: Records, safety: str) -> None:
    """Raise `NothingToUndoError` if the last restore is not the one with this safety checkpoint."""
    if _last_restore(records).safety != safety:
        raise NothingToUndoError("It has been restored again since, and stays as it is.")


def _last_restore(records: Records) -> RestoreJournal:
    try:
        last = journals.read(records.repository, Phase.DONE)
    except UntrustedJournalError as error:
        raise NothingToUndoError(f"No restore to undo. {error}") from error
    if last is None:
        raise NothingToUndoError("No restore to undo: nothing has been restored here yet.")
    return last


def _is_undo(records: Records, last: RestoreJournal) -> bool:
    """Return whether a restore undid another one, which was not an undo itself.

    An undo goes back to the safety checkpoint of the restore before, and so on: where an odd number of them
    are in a row, that is an undo, and where an even number are, what was undone has been done again.
    """
    undone = False
    target: str | None = last.checkpoint
    while target is not None:
        try:
            checkpoint = records.get(target)
        except CheckpointNotFoundError:
            break
        if checkpoint.kind is not CheckpointKind.SAFETY:
            break
        undone = not undone
        target = checkpoint.safety_for
    return undone
