"""Carrying a plan out: the client's buffers first, then the files beside them.

The buffers come first because the client may refuse; when it does, nothing is written. When a file then
cannot be written, the buffers are put back.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchpoint.files import FileError
from patchpoint.lsp.arguments import Target
from patchpoint.lsp.editor_edits import BufferChange, change_buffers
from patchpoint.lsp.planning import Planned
from patchpoint.lsp.settings import Confirm
from patchpoint.lsp.unseen_edits import NOTE, UnseenChange, when_seen
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import Atomic, FileChange, FileOperation
from patchpoint.text.diff import minimal_replacements
from patchpoint.text.splices import Splice

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
    routes = _Routes.of(session, planned, target)
    outcomes = list(planned.plan.outcomes)
    for index, why in routes.refused.items():
        _refuse(outcomes, [index], why)
    if routes.refused:
        _hold_back(outcomes, planned.asked.atomic)
    in_editor = [c for c in routes.in_editor if _still_wanted(c, outcomes)]
    on_disk = [c for c in routes.on_disk if _still_wanted(c, outcomes)]
    made: list[FileChange] = []
    unseen: list[UnseenChange] = []
    if in_editor:
        made, unseen = await _change_buffers(session, planned, in_editor, outcomes, work)
    if any(outcome.status is Status.CONFLICT for outcome in outcomes):
        _hold_back(outcomes, planned.asked.atomic)
        on_disk = [c for c in on_disk if _still_wanted(c, outcomes)]
    if on_disk:
        work.check()
        landed = await _land(session, planned, on_disk, made, unseen, outcomes, work)
        if landed or planned.asked.atomic is not Atomic.ALL:
            made = [*made, *landed]
        else:
            made, unseen = [], []
    finished = tuple(
        replace(outcome, status=Status.APPLIED) if outcome.status is Status.MATCHED else outcome
        for outcome in outcomes
    )
    return Applied(outcomes=finished, changes=tuple(made), unseen=tuple(unseen))


@dataclass(frozen=True, slots=True)
class _Routes:
    """Which changes the client makes, which we make, and which neither may, with the reason."""

    in_editor: tuple[FileChange, ...]
    on_disk: tuple[FileChange, ...]
    refused: Mapping[int, str]

    @classmethod
    def of(cls, session: Session, planned: Planned, target: Target) -> _Routes:
        in_editor: list[FileChange] = []
        on_disk: list[FileChange] = []
        refused = _on_hidden_buffers(planned)
        for change in planned.plan.changes:
            if _is_for_editor(session, planned, change, target):
                in_editor.append(change)
                continue
            file = planned.target(change)
            if target is Target.EDITOR:
                why = f"{file.name} is not open in this editor; open it, or leave out `target`."
            elif file.resolved is None:
                why = f"{file.name} is no file, and this editor takes no edits."
            elif file.is_open and file.is_dirty:
                why = f"{file.name} has changes that are not saved; save it, then apply the edit again."
            else:
                on_disk.append(change)
                continue
            refused |= dict.fromkeys(change.edits, why)
        return cls(tuple(in_editor), tuple(on_disk), refused)


def _on_hidden_buffers(planned: Planned) -> dict[int, str]:
    """The edits of buffers that the client has not shown since the last edit: their outcome is unknown."""
    hidden = {name for name, buffer in planned.buffers.items() if buffer.document.awaited is not None}
    return {
        outcome.index: f"The editor has not yet shown what the last edit made of {outcome.path}; "
        "apply this one again when it has."
        for outcome in planned.plan.outcomes
        if outcome.path in hidden and outcome.status not in (Status.REJECTED, Status.MALFORMED)
    }


def _is_for_editor(session: Session, planned: Planned, change: FileChange, target: Target) -> bool:
    """Whether the client makes the change: the text of what it has open, unless otherwise wanted."""
    is_text = change.operation is FileOperation.UPDATE and change.mode is None
    return (
        is_text and change.path in planned.buffers and session.client.apply_edit and target is not Target.DISK
    )


def _still_wanted(change: FileChange, outcomes: Sequence[Outcome]) -> bool:
    return all(outcomes[index].status is Status.MATCHED for index in change.edits)


def _refuse(outcomes: list[Outcome], indexes: Sequence[int], why: str) -> None:
    for index in indexes:
        outcomes[index] = replace(outcomes[index], status=Status.CONFLICT, message=why, feedback=why)


def _hold_back(outcomes: list[Outcome], atomic: Atomic) -> None:
    """Keep the rest of an all-or-none request from landing when something of it cannot."""
    if atomic is Atomic.ALL:
        for index, outcome in enumerate(outcomes):
            if outcome.status is Status.MATCHED:
                why = "It is held back because another edit of the request could not be made."
                outcomes[index] = replace(outcome, status=Status.HELD, message=why, feedback=why)


async def _change_buffers(
    session: Session, planned: Planned, changes: list[FileChange], outcomes: list[Outcome], work: Work
) -> tuple[list[FileChange], list[UnseenChange]]:
    """Let the client make `changes`; what it did not make becomes a conflict.

    Answers those that it made, and which of them it only says that it made.
    """
    asked = [_buffer_change(session, planned, change, outcomes) for change in changes]
    reply, results = await change_buffers(session, asked, "Patchpoint", work)
    made: list[FileChange] = []
    for change, buffer, result in zip(changes, asked, results, strict=True):
        if result is None:
            why = f"{change.path} became something else while the edit was made; look at it."
            _refuse(outcomes, change.edits, why)
            continue
        if not all(result):
            reason = reply.reason or (
                "it said that it had" if reply.said_yes else "its user may have declined"
            )
            why = f"The editor did not change {change.path}: {reason}."
            done = tuple(splice for splice, is_made in zip(buffer.splices, result, strict=True) if is_made)
            _refuse(outcomes, [i for i in change.edits if not is_made(outcomes[i], buffer, result)], why)
            change = replace(change, splices=done, after=buffer.document.text)
        if any(result):
            made.append(change)
    if not reply.unseen:
        return made, []
    for index in (index for change in made for index in change.edits):
        outcomes[index] = replace(outcomes[index], notes=(*outcomes[index].notes, NOTE))
    unseen = [
        UnseenChange(buffer, tuple(change.edits)) for change, buffer in zip(changes, asked, strict=True)
    ]
    return made, unseen


def _buffer_change(
    session: Session, planned: Planned, change: FileChange, outcomes: Sequence[Outcome]
) -> BufferChange:
    buffer = planned.buffers[change.path]
    confirm = session.settings.confirm
    doubtful = tuple(
        span
        for index in change.edits
        if (span := outcomes[index].span) is not None
        and (
            confirm is Confirm.ALWAYS
            or (confirm is Confirm.SIMILARITY and outcomes[index].needs_confirmation)
        )
    )
    return BufferChange(
        document=buffer.document,
        table=buffer.table,
        version=buffer.version,
        splices=_minimal(change),
        doubtful=doubtful,
    )


def _minimal(change: FileChange) -> tuple[Splice, ...]:
    """The change as splices of no more than what differs, so that cursors and marks stay where they are."""
    whole = (0, len(change.before or ""))
    if [(splice.start, splice.end) for splice in change.splices] != [whole]:
        return change.splices
    replacements = minimal_replacements(change.before or "", change.after or "")
    return tuple(Splice(start, end, text) for (start, end), text in replacements)


def is_made(outcome: Outcome, buffer: BufferChange, result: Sequence[bool]) -> bool:
    """Whether all splices that belong to an edit are in the buffer."""
    if outcome.span is None:
        return all(result)
    start, end = outcome.span
    own = [
        is_made
        for splice, is_made in zip(buffer.splices, result, strict=True)
        if start <= splice.start and splice.end <= end
    ]
    return all(own) if own else all(result)


async def _land(
    session: Session,
    planned: Planned,
    changes: Sequence[FileChange],
    in_buffers: Sequence[FileChange],
    unseen: Sequence[UnseenChange],
    outcomes: list[Outcome],
    work: Work,
) -> list[FileChange]:
    """Write `changes` to disk, all or none; when it fails, the buffers are put back."""
    from patchpoint.disk import land_changes

    try:
        await session.run(land_changes, planned.request, changes, work)
    except FileError as error:
        for change in changes:
            _refuse(outcomes, change.edits, f"{error}. Nothing was written.")
        if planned.asked.atomic is Atomic.ALL:
            if unseen:
                session.start(_put_back_when_seen(session, planned, in_buffers, unseen))
            else:
                await _put_back(session, planned, in_buffers, work)
            _refuse_all(outcomes, in_buffers)
        return []
    return list(changes)


async def _put_back(session: Session, planned: Planned, changes: Sequence[FileChange], work: Work) -> None:
    """Take the changes of buffers back, where their text is still what they made it."""
    backwards = [
        BufferChange(
            document=document,
            table=document.table,
            version=document.version,
            splices=tuple(
                Splice(start, end, text)
                for (start, end), text in minimal_replacements(change.after or "", change.before or "")
            ),
        )
        for change in changes
        if (document := planned.buffers[change.path].document).text == change.after
    ]
    if backwards:
        await change_buffers(session, backwards, "Patchpoint: put back", work)


async def _put_back_when_seen(
    session: Session, planned: Planned, changes: Sequence[FileChange], unseen: Sequence[UnseenChange]
) -> None:
    """Take the changes of buffers back when the client has shown that it made them."""
    for late in unseen:
        await when_seen(session, late.buffer)
    async with session.begin_work("Taking edits back") as work:
        await _put_back(session, planned, changes, work)


def _refuse_all(outcomes: list[Outcome], changes: Sequence[FileChange]) -> None:
    why = "It was taken back because another file of the request could not be written."
    for change in changes:
        for index in change.edits:
            outcomes[index] = replace(outcomes[index], status=Status.HELD, message=why, feedback=why)
