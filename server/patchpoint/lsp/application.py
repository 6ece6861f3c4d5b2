"""Carrying a plan out: first what the client makes, then the files that we write.

The client comes first because it may refuse; when it does, nothing is written. When it stops half-way, or a
file then cannot be written, what it made is taken back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchpoint.applications import application_of
from patchpoint.files import FileError
from patchpoint.lsp.arguments import Target
from patchpoint.lsp.editor_changes import Made, change_in_editor, refuse
from patchpoint.lsp.editor_edits import buffer_change, change_buffers
from patchpoint.lsp.planning import Asked, Planned, plan_edits
from patchpoint.lsp.routes import routes_of
from patchpoint.lsp.unseen_edits import UnseenChange, when_seen
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import Atomic, FileChange

if TYPE_CHECKING:
    from patchpoint.lsp.progress import Work
    from patchpoint.lsp.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Applied:
    """What became of a plan: outcomes in the request's order, and the changes that were made."""

    outcomes: tuple[Outcome, ...]
    changes: tuple[FileChange, ...]
    unseen: tuple[UnseenChange, ...] = ()
    """Those of them that the client has yet to show."""


async def apply_plan(session: Session, planned: Planned, target: Target, work: Work) -> Applied:
    """Make the changes of a plan, and say what became of each edit.

    Raises `CancelledError` when the work was stopped before anything was changed.
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
    made = Made()
    if in_buffers or in_editor:
        made = await change_in_editor(session, planned, in_buffers, in_editor, outcomes, work)
    if any(outcome.status is Status.CONFLICT for outcome in outcomes):
        _hold_back(outcomes, planned.asked.atomic)
        on_disk = [c for c in on_disk if _still_wanted(c, outcomes)]
        if in_editor and planned.asked.atomic is Atomic.ALL:
            made = await _take_back(session, planned, made, outcomes, work)
    landed: Sequence[FileChange] = ()
    if on_disk:
        work.check()
        landed = await _land(session, planned, on_disk, outcomes, work)
        if not landed and planned.asked.atomic is Atomic.ALL:
            made = await _take_back(session, planned, made, outcomes, work)
    finished = tuple(
        replace(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
        for outcome in outcomes
    )
    return Applied(outcomes=finished, changes=(*made.changes, *landed), unseen=made.unseen)


def _still_wanted(change: FileChange, outcomes: Sequence[Outcome]) -> bool:
    return all(outcomes[index].status is Status.MATCHED for index in change.edits)


def _hold_back(outcomes: list[Outcome], atomic: Atomic) -> None:
    """Keep the rest of an all-or-none request from landing when something of it cannot."""
    if atomic is Atomic.ALL:
        for index, outcome in enumerate(outcomes):
            if outcome.status is Status.MATCHED:
                why = "It is held back because another edit of the request could not be made."
                outcomes[index] = replace(outcome, status=Status.HELD, message=why, feedback=why)


async def _land(
    session: Session, planned: Planned, changes: Sequence[FileChange], outcomes: list[Outcome], work: Work
) -> Sequence[FileChange]:
    """Write `changes` to disk, all or none; answers those that were written."""
    from patchpoint.disk import land_changes

    try:
        await session.run(land_changes, planned.request, changes, work)
    except FileError as error:
        for change in changes:
            refuse(outcomes, change.edits, f"{error}. Nothing was written.")
        return ()
    return changes


async def _take_back(
    session: Session, planned: Planned, made: Made, outcomes: list[Outcome], work: Work
) -> Made:
    """Take back what the client made, because something else was not; answers what stands all the same."""
    if made.unseen:
        session.start(_put_back_when_seen(session, made))
    else:
        await _put_back(session, made, work)
    standing = await _files_back(session, planned, made.files, work) if made.files else {}
    for change in made.changes:
        for index in change.edits:
            if outcomes[index].status is not Status.APPLIED:
                continue
            if change in standing:
                notes = (
                    *outcomes[index].notes,
                    f"It stands although another edit failed: {standing[change]}",
                )
                outcomes[index] = replace(outcomes[index], notes=notes)
            else:
                why = "It was taken back because another edit of the request could not be made."
                outcomes[index] = replace(outcomes[index], status=Status.HELD, message=why, feedback=why)
    return Made(files=tuple(standing))


async def _put_back(session: Session, made: Made, work: Work) -> None:
    """Take the changes of buffers back, where their text is still what they made it."""
    backwards = [
        buffer_change(document, change.before or "")
        for change, document in made.buffers
        if document.text == change.after
    ]
    if backwards:
        await change_buffers(session, backwards, "Patchpoint: put back", work)


async def _put_back_when_seen(session: Session, made: Made) -> None:
    """Take the changes of buffers back when the client has shown that it made them."""
    for late in made.unseen:
        await when_seen(session, late.buffer)
    async with session.begin_work("Taking edits back") as work:
        await _put_back(session, made, work)


async def _files_back(
    session: Session, planned: Planned, changes: Sequence[FileChange], work: Work
) -> dict[FileChange, str]:
    """Take changes of files back as a later request to revert them would; those that stand, and why."""
    standing = {}
    for change in reversed(changes):
        back = application_of(planned.request, [change])
        asked = Asked(
            edits=back.back, ladder=session.ladder(), atomic=Atomic.EDIT, originals=back.originals()
        )
        again = await apply_plan(session, await plan_edits(session, asked, work), Target.AUTO, work)
        left = [outcome for outcome in again.outcomes if outcome.status is not Status.APPLIED]
        if left:
            standing[change] = left[0].message
    return standing
