"""Take back what was done to a working tree: the last restore, by its journal, and what the log names."""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.arguments import buffers_by_path
from patchpoint.checkpoints.errors import (
    ChangedSinceError,
    CheckpointNotFoundError,
    NothingToRedoError,
    NothingToUndoError,
    UntrustedJournalError,
)
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import CheckpointKind
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import read_state
from patchpoint.checkpoints.repository_lock import refuse_linked_directory, repository_lock
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.apply import finish_interrupted_restore
from patchpoint.checkpoints.restore.journal import SessionMark
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.checkpoints.restore.plan import LeftState
from patchpoint.checkpoints.restore.prepare import RestoreRequest, restore
from patchpoint.dataclass import replace
from patchpoint.git.repository import Head, Repository
from patchpoint.operations.choice import Standing, standings
from patchpoint.operations.log import Cause, OperationKind, OperationLog
from patchpoint.progress import Progress, Silent

if TYPE_CHECKING:
    from patchpoint.checkpoints.companions.restoring import CompanionPart
    from patchpoint.checkpoints.maintenance.adopt import Revived
    from patchpoint.checkpoints.record.checkpoint import Checkpoint, Companion
    from patchpoint.checkpoints.restore.journal import RestoreJournal
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.operations.log import LoggedOperation


class DoneHere:
    """What was done to one working tree, and how that is taken back."""

    def __init__(self, folder: str | os.PathLike[str], options: StoreOptions | None = None) -> None:
        """Open the working tree that `folder` is in. Raises what `CheckpointStore.open` raises."""
        self._options = options or StoreOptions()
        self._repository = replace(Repository.open(folder), patience=self._options.wait)
        # Left to the interpreter's end, dulwich complains of packs that are still open.
        weakref.finalize(self, self._repository.close)
        refuse_linked_directory(self._repository)
        self._records = Records(self._repository, self._options.mirror_bytes)

    @property
    def root(self) -> Path:
        """The root of the working tree."""
        return Path(os.fsdecode(self._repository.worktree))

    def operations(self, progress: Progress | None = None) -> list[LoggedOperation]:
        """Return the operations, newest first, after an interrupted restore has been finished.

        Deletions that a killed process has noted, and not begun, are left out.
        """
        with self._finished(progress or Silent()):
            journals.record_missing(self._repository)
        known = OperationLog.of_worktree(self._repository.worktree).all()
        undone = {each.cause.target for each in known}
        return [each for each in known if not (each.id not in undone and self._is_void(each))]

    def take_back(
        self,
        operation: LoggedOperation,
        cause: Cause,
        *,
        dry_run: bool = False,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Take back exactly what one restore did, for this `cause`.

        What it did in other repositories is taken back with it. `buffers` is the text that is unsaved in the
        editor. Raises `ChangedSinceError`, with nothing changed,
        where something of it has been changed since, `NothingToUndoError` where the checkpoint is gone, and
        what `CheckpointStore.restore` raises.
        """
        watch = progress or Silent()
        unsaved = buffers_by_path(self.root, buffers)

        def here(taken: tuple[Companion, ...], check: bool) -> Restored:
            with self._finished(watch):
                inverse = _taken_back(self._records, operation, cause, dry_run=check, buffers=unsaved)
                return self._take_back(operation, cause, inverse, taken, watch)

        with self._finished(watch):
            inverse = _taken_back(self._records, operation, cause, dry_run=dry_run, buffers=unsaved)
            safety, request = inverse
            if not safety.companions:
                return self._take_back(operation, cause, inverse, (), watch)

        def there(other: DoneHere, part: CompanionPart, check: bool) -> Restored:
            standing = other._restore_with(part.id)
            why = Cause(kind=cause.kind, session=cause.session, target=standing.operation.id)
            try:
                return other.take_back(standing.last, why, dry_run=check, progress=watch)
            except ChangedSinceError as error:
                raise ChangedSinceError(f"In '{part.companion.path}': {error}") from error

        from patchpoint.checkpoints.companions.restoring import restored_together

        opened = partial(DoneHere, options=self._options)
        whole = replace(request, paths=())
        return restored_together(self.root, safety, whole, here, opened, there, None)

    def undo(self) -> Restored:
        """Take back the last restore. Raises what `take_back` raises."""
        for each in standings(self.operations()):
            if "restore" in each.last.body:
                kind = OperationKind.REDO if each.is_undone else OperationKind.UNDO
                return self.take_back(each.last, Cause(kind=kind, target=each.operation.id))
        raise NothingToUndoError("No restore to undo.")

    def bring_back(self, operation: LoggedOperation, cause: Cause) -> Revived:
        """Bring the checkpoints back that an operation deleted, as far as their objects are there."""
        from patchpoint.checkpoints.maintenance.adopt import revive

        with self._finished(Silent()):
            return revive(self._records, operation, cause)

    def delete_again(self, operation: LoggedOperation, cause: Cause) -> tuple[str, ...]:
        """Delete the checkpoints that an operation brought back; return their ids."""
        from patchpoint.checkpoints.maintenance.adopt import delete_again

        with self._finished(Silent()):
            return delete_again(self._records, operation, cause)

    def _take_back(
        self,
        operation: LoggedOperation,
        cause: Cause,
        inverse: tuple[Checkpoint, RestoreRequest],
        taken: tuple[Companion, ...],
        progress: Progress,
    ) -> Restored:
        safety, request = inverse
        take = partial(self._records.snapshot, self._options.snapshot, progress)
        done = restore(self._records, safety, replace(request, companions=taken), take, progress)
        if done.safety is None and not request.dry_run:
            # It had changed nothing that is left; it counts as undone all the same.
            log = OperationLog.of_worktree(self._repository.worktree)
            log.record(log.newly_named(cause), {"restore": operation.body["restore"]})
        return done

    def _restore_with(self, safety: str) -> Standing:
        """Return the restore with this safety checkpoint. Raises `NothingToUndoError` if it was undone."""
        for each in standings(self.operations()):
            body = each.last.body
            if "restore" in body and journals.from_record(self._repository, body["restore"]).safety == safety:
                return each
        raise NothingToUndoError("It has been restored again since, and stays as it is.")

    def _is_void(self, operation: LoggedOperation) -> bool:
        if operation.cause.kind is not OperationKind.PRUNE:
            return False
        from patchpoint.checkpoints.maintenance.adopt import missing

        return not missing(self._records, operation)

    @contextmanager
    def _finished(self, progress: Progress) -> Iterator[None]:
        """Hold the repository's lock, with no restore unfinished."""
        with repository_lock(self._repository, progress):
            finish_interrupted_restore(self._records, progress)
            yield


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
    safety = _safety_of(records, last, "the last restore")
    paths = () if last.whole else tuple(step.change.path for step in last.steps)
    request = _inverse(last, _cause_of_undo(last), dry_run=dry_run, buffers=buffers)
    return safety, replace(request, paths=paths, force=force)


def require_last(records: Records, safety: str) -> None:
    """Raise `NothingToUndoError` if the last restore is not the one with this safety checkpoint."""
    if _last_restore(records).safety != safety:
        raise NothingToUndoError("It has been restored again since, and stays as it is.")


def _taken_back(
    records: Records, operation: LoggedOperation, cause: Cause, *, dry_run: bool, buffers: Mapping[str, str]
) -> tuple[Checkpoint, RestoreRequest]:
    """Return the checkpoint to restore, and how, to take back what one restore of the log did, and no more.

    Raises `NothingToUndoError` where the checkpoint is gone; the restore raises `ChangedSinceError`.
    """
    last = journals.from_record(records.repository, operation.body["restore"])
    safety = _safety_of(records, last, "it")
    head, index, under_way = None, None, None
    if last.whole:
        wanted = records.read(last.checkpoint, last.commit)
        before, after = (read_state(records.objects, each.state) for each in (safety, wanted))
        if last.staged_state:
            index = after.index if before.index != after.index else None
            under_way = after.under_way if before.under_way != after.under_way else None
        if not (last.head is None and index is None and under_way is None):
            head = Head(last.head.new if last.head is not None else safety.head, safety.branch)
    left = LeftState(
        files={step.change.path: step.change.new for step in last.steps},
        head=head,
        index=index,
        under_way=under_way,
        instead=f"To go back to all that was there before, run 'patchpoint restore {last.safety}'.",
    )
    return safety, replace(_inverse(last, cause, dry_run=dry_run, buffers=buffers), taken_back=left)


def _safety_of(records: Records, last: RestoreJournal, what: str) -> Checkpoint:
    """Return the state before a restore, called `what`. Raises `NothingToUndoError` where it is gone."""
    try:
        return records.get(last.safety)
    except CheckpointNotFoundError as error:
        raise NothingToUndoError(
            f"The state before {what} is gone (there is no checkpoint '{last.safety}' any more); nothing was "
            "changed. If it was not you who deleted it, run 'patchpoint doctor --repair' and try again."
        ) from error


def _inverse(
    last: RestoreJournal, cause: Cause | None, *, dry_run: bool, buffers: Mapping[str, str]
) -> RestoreRequest:
    """Return the request that takes a whole restore back, of its safety checkpoint."""
    mark = last.session
    session = SessionMark(session=mark.session, message=mark.message, fresh=not mark.fresh) if mark else None
    return RestoreRequest(
        dry_run=dry_run,
        buffers=buffers,
        session=session,
        dropped=last.revived,
        revived=last.dropped,
        created=frozenset(step.change.path for step in last.steps if step.change.old is None),
        cause=cause,
    )


def _cause_of_undo(last: RestoreJournal) -> Cause | None:
    """Return what the log of operations says of the undo of a restore, itself an undo perhaps."""
    if last.cause is None:
        return None
    was_undo = last.cause.kind is OperationKind.UNDO
    return Cause(
        kind=OperationKind.REDO if was_undo else OperationKind.UNDO,
        target=last.cause.target or last.cause.id,
    )


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
