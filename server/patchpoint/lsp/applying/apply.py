"""Apply a plan: first the changes that the client makes, then the files that the server writes.

The client comes first because it may refuse; if it does, nothing is written. If it stops half-way, or a file
then cannot be written, the client's changes are undone.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import FileError
from patchpoint.lsp.applying.missed_changes import UnconfirmedChange, wait_until_shown
from patchpoint.lsp.applying.open_documents import EditorChanges, change_in_editor, refuse
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.applying.routes import routes_of
from patchpoint.lsp.applying.workspace_edit import buffer_change, change_buffers
from patchpoint.operations.log import Cause
from patchpoint.outcome import Atomic, Outcome, Status
from patchpoint.patching.plan import PlannedChange
from patchpoint.progress import CancelledError
from patchpoint.schema.settings import ApplyTarget
from patchpoint.workspace.editor_changes import note_changes
from patchpoint.workspace.history.applications import application_of
from patchpoint.workspace.write import recorded_in

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class AppliedEdits:
    """The result of applying a plan: outcomes in the request's order, and the changes that were made."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[PlannedChange, ...]
    unconfirmed: tuple[UnconfirmedChange, ...] = ()
    """Those among the changes whose documents the client has not shown since."""


async def apply_plan(
    session: Session, planned: PlannedEdits, target: ApplyTarget, work: Work, cause: Cause | None = None
) -> AppliedEdits:
    """Make the changes of a plan; return the outcome of each edit.

    With a `cause`, they are in the log of operations, those of the editor once it has made them.

    Raises `CancelledError` if the work was cancelled before anything was changed.
    """
    routes = routes_of(session.client, planned, target)
    outcomes = list(planned.plan.outcomes)
    for index, why in routes.refused.items():
        refuse(outcomes, [index], why)
    if routes.refused:
        _hold_back(outcomes, planned.asked.atomic)
    in_buffers = [c for c in routes.in_buffers if _still_wanted(c, outcomes)]
    in_editor = [c for c in routes.in_editor if _still_wanted(c, outcomes)]
    on_disk = [c for c in routes.on_disk if _still_wanted(c, outcomes)]
    made = EditorChanges()
    if in_buffers or in_editor:
        made = await change_in_editor(session, planned, in_buffers, in_editor, outcomes, work)
    if any(outcome.status is Status.CONFLICT for outcome in outcomes):
        _hold_back(outcomes, planned.asked.atomic)
        on_disk = [c for c in on_disk if _still_wanted(c, outcomes)]
        if in_editor and planned.asked.atomic is Atomic.ALL:
            made = await _undo_in_editor(session, planned, made, outcomes, work)
    written: Sequence[PlannedChange] = ()
    failure: FileError | CancelledError | None = None
    if on_disk:
        if cause is not None:
            cause = replace(cause, editor=_names(made.changes))
        written, failure = await _write_to_disk(session, planned, on_disk, work, cause)
        if isinstance(failure, CancelledError) and not made.changes:
            raise failure
        if failure is not None and planned.asked.atomic is Atomic.ALL:
            made = await _undo_in_editor(session, planned, made, outcomes, work)
    if failure is not None:
        why = _failure_message(failure, made)
        for change in on_disk:
            refuse(outcomes, change.edits, why)
    finished = tuple(
        replace(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
        for outcome in outcomes
    )
    if cause is not None and made.changes:
        await session.run(_note, planned, cause, made.changes, on_disk=bool(written))
    return AppliedEdits(outcomes=finished, changes=(*made.changes, *written), unconfirmed=made.unconfirmed)


def _names(changes: Sequence[PlannedChange]) -> tuple[str, ...]:
    return tuple(change.new_path or change.path for change in changes)


def _note(planned: PlannedEdits, cause: Cause, changes: Sequence[PlannedChange], *, on_disk: bool) -> None:
    """Note in the log of operations what the editor has changed, too, with what was there before."""
    roots = [one.resolved.root for one in planned.request.targets.values() if one.resolved is not None]
    if roots:
        with suppress(OSError, RuntimeError):
            log, named = recorded_in(roots[0], cause)
            if on_disk:
                known = next((each.cause for each in log.all() if each.id == cause.id), None)
                named = known or named
            note_changes(log, named, planned.request, changes)


def _still_wanted(change: PlannedChange, outcomes: Sequence[Outcome]) -> bool:
    return all(outcomes[index].status is Status.MATCHED for index in change.edits)


def _hold_back(outcomes: list[Outcome], atomic: Atomic) -> None:
    """Hold the matched edits of an all-or-none request back, because one of its edits cannot be made."""
    if atomic is Atomic.ALL:
        for index, outcome in enumerate(outcomes):
            if outcome.status is Status.MATCHED:
                why = "Held back because another edit of the request could not be applied."
                outcomes[index] = replace(outcome, status=Status.HELD, message=why, feedback=why)


async def _write_to_disk(
    session: Session,
    planned: PlannedEdits,
    changes: Sequence[PlannedChange],
    work: Work,
    cause: Cause | None,
) -> tuple[Sequence[PlannedChange], FileError | CancelledError | None]:
    """Write `changes` to disk, all or none; return those that were written, and why none was."""
    from patchpoint.workspace.write import write_changes

    try:
        work.check()
        await session.run(write_changes, planned.request, changes, work, cause)
    except (FileError, CancelledError) as error:
        return (), error
    for change in changes:
        resolved = planned.target(change).resolved
        for path in {resolved.path, resolved.target} if resolved is not None else ():
            after = change.after if change.new_path is None else None
            session.documents.note_written(path, change.before or "", after)
    return changes, None


def _failure_message(failure: FileError | CancelledError, made: EditorChanges) -> str:
    """Return why nothing was written to disk, and what the editor has changed all the same."""
    from patchpoint.workspace.write import failure_message

    changed = [change.new_path or change.path for change in made.changes]
    return failure_message(failure, changed)


async def _undo_in_editor(
    session: Session, planned: PlannedEdits, made: EditorChanges, outcomes: list[Outcome], work: Work
) -> EditorChanges:
    """Undo what the client made, because another change failed; return what could not be undone."""
    if work.cancelled:
        # What is cancelled is the request; that nothing of it remains is work of its own.
        async with session.begin_work("Undoing edits") as own:
            return await _undo_in_editor(session, planned, made, outcomes, own)
    remaining: dict[PlannedChange, str] = {}
    if made.unconfirmed:
        session.start(_undo_buffers_when_shown(session, made))
    else:
        remaining = await _undo_buffers(session, made, work)
    if made.files:
        remaining |= await _undo_files(session, planned, made.files, work)
    for change in made.changes:
        for index in change.edits:
            if outcomes[index].status is not Status.APPLIED:
                continue
            if change in remaining:
                notes = (
                    *outcomes[index].notes,
                    f"Still applied although another edit failed: {remaining[change]}",
                )
                outcomes[index] = replace(outcomes[index], notes=notes)
            else:
                why = "Undone because another edit of the request could not be applied."
                outcomes[index] = replace(outcomes[index], status=Status.HELD, message=why, feedback=why)
    return EditorChanges(
        buffers=tuple(pair for pair in made.buffers if pair[0] in remaining),
        files=tuple(change for change in made.files if change in remaining),
    )


async def _undo_buffers(session: Session, made: EditorChanges, work: Work) -> dict[PlannedChange, str]:
    """Undo the changes of buffers whose text has not changed since.

    Return the changes that could not be undone, each with the reason.
    """
    ours = [(change, document) for change, document in made.buffers if document.text == change.after]
    reason = ""
    if ours:
        backwards = [buffer_change(document, change.before or "") for change, document in ours]
        reply, _ = await change_buffers(session, backwards, "Patchpoint: undo edits", work)
        reason = reply.reason
    remaining = {}
    for change, document in made.buffers:
        if (change, document) not in ours:
            remaining[change] = f"{change.path} has been changed since."
        elif document.awaited is None and document.text != change.before:
            why = reason or "the user may have declined"
            remaining[change] = f"the editor did not undo it in {change.path} ({why})."
    return remaining


async def _undo_buffers_when_shown(session: Session, made: EditorChanges) -> None:
    """Undo the changes of buffers once the client has shown that it made them."""
    for late in made.unconfirmed:
        await wait_until_shown(session, late.buffer)
    async with session.begin_work("Undoing edits") as work:
        remaining = await _undo_buffers(session, made, work)
    if remaining:
        session.warn(f"Some edits are still applied although another failed: {' '.join(remaining.values())}")


async def _undo_files(
    session: Session, planned: PlannedEdits, changes: Sequence[PlannedChange], work: Work
) -> dict[PlannedChange, str]:
    """Undo changes of files as a later request to revert them would.

    Return the changes that could not be undone, each with the reason.
    """
    remaining = {}
    for change in reversed(changes):
        back = application_of(planned.request, [change])
        asked = EditRequest(
            edits=back.back, ladder=await session.ladder(), atomic=Atomic.EDIT, originals=back.originals()
        )
        again = await apply_plan(session, await plan_edits(session, asked, work), ApplyTarget.AUTO, work)
        left = [outcome for outcome in again.outcomes if outcome.status is not Status.APPLIED]
        if left:
            remaining[change] = left[0].message
    return remaining
