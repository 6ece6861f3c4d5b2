"""The part of a plan that the client makes: asked for in one request, and judged by the buffers and files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.lsp.applying.closed_files import EditorResult, FileResult, change_files, editor_file
from patchpoint.lsp.applying.missed_changes import (
    NOTE,
    UnconfirmedChange,
    apart_from_others,
    surviving_splices,
)
from patchpoint.lsp.applying.planning import PlannedEdits
from patchpoint.lsp.applying.workspace_edit import BufferChange, EditorReply, change_buffers
from patchpoint.lsp.session.documents import Document
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.plan import PlannedChange
from patchpoint.schema.settings import Confirm
from patchpoint.text.file_operation import FileOperation
from patchpoint.text.lines import Span
from patchpoint.text.splice import Splice, minimal_splices

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class EditorChanges:
    """The changes that the client made, and those that it only reports as made."""

    buffers: tuple[tuple[PlannedChange, Document], ...] = ()
    """Changes of text that are, or are reported to be, in documents that the client has open."""
    files: tuple[PlannedChange, ...] = ()
    unconfirmed: tuple[UnconfirmedChange, ...] = ()

    @property
    def changes(self) -> tuple[PlannedChange, ...]:
        """All changes, of buffers and of files."""
        return (*(change for change, _ in self.buffers), *self.files)


async def change_in_editor(
    session: Session,
    planned: PlannedEdits,
    in_buffers: Sequence[PlannedChange],
    in_editor: Sequence[PlannedChange],
    outcomes: list[Outcome],
    work: Work,
) -> EditorChanges:
    """Have the client make changes in one request; edits that it did not make become conflicts."""
    asked = [_buffer_change(session, planned, change, outcomes) for change in in_buffers]
    files = [
        editor_file(session, planned.request, change, _minimal(change), _doubtful(session, change, outcomes))
        for change in in_editor
    ]
    if files:
        seen = await change_files(session, asked, files, "Patchpoint", work)
    else:
        seen = EditorResult(*await change_buffers(session, asked, "Patchpoint", work), [])
    buffers = [
        (made, buffer.document)
        for change, buffer, result in zip(in_buffers, asked, seen.buffers, strict=True)
        if (made := _change_made_to_buffer(change, buffer, result, seen.reply, outcomes)) is not None
    ]
    unconfirmed = [(c, buffer) for c, buffer in zip(in_buffers, asked, strict=True) if seen.reply.unconfirmed]
    made_files = []
    for change, one in zip(in_editor, seen.files, strict=True):
        if one.late is not None:
            unconfirmed.append((change, one.late))
            buffers.append((change, one.late.document))
        elif (made := _change_made_to_file(change, one, seen.reply, outcomes)) is not None:
            made_files.append(made)
    for index in (index for change, _ in unconfirmed for index in change.edits):
        outcomes[index] = replace(outcomes[index], notes=(*outcomes[index].notes, NOTE))
    done = EditorChanges(
        buffers=tuple(buffers),
        files=tuple(made_files),
        unconfirmed=tuple(UnconfirmedChange(buffer, tuple(change.edits)) for change, buffer in unconfirmed),
    )
    for index in (index for change in done.changes for index in change.edits):
        if outcomes[index].status is Status.MATCHED:
            outcomes[index] = replace(outcomes[index], status=Status.APPLIED)
    return done


def is_applied(outcome: Outcome, buffer: BufferChange, result: Sequence[bool]) -> bool:
    """Return whether all splices of an edit are in the buffer, `result` having one flag per splice."""
    if outcome.span is None:
        return all(result)
    start, end = outcome.span
    own = [
        present
        for splice, present in zip(buffer.splices, result, strict=True)
        if start <= splice.start and splice.end <= end
    ]
    return all(own) if own else all(result)


def refuse(outcomes: list[Outcome], indexes: Sequence[int], why: str) -> None:
    """Turn the outcomes at `indexes` into conflicts with the message `why`."""
    for index in indexes:
        outcomes[index] = replace(outcomes[index], status=Status.CONFLICT, message=why, feedback=why)


def _change_made_to_file(
    change: PlannedChange, seen: FileResult, reply: EditorReply, outcomes: list[Outcome]
) -> PlannedChange | None:
    """Return what the client changed in a file; refuse the edits unless that is the whole change."""
    if seen.done:
        return change
    verb = _VERBS[change.operation]
    if seen.part is not None:
        refuse(
            outcomes,
            change.edits,
            f"The editor did {verb} {change.path}, but with a different text.",
        )
    else:
        refuse(outcomes, change.edits, f"The editor did not {verb} {change.path}: {_reason(reply)}.")
    return seen.part


_VERBS = {
    FileOperation.CREATE: "create",
    FileOperation.DELETE: "delete",
    FileOperation.RENAME: "rename",
    FileOperation.UPDATE: "change",
}


def _change_made_to_buffer(
    change: PlannedChange,
    buffer: BufferChange,
    result: Sequence[bool] | None,
    reply: EditorReply,
    outcomes: list[Outcome],
) -> PlannedChange | None:
    """Return what the client changed in a buffer; refuse the edits that it did not make.

    Where something else changed the buffer as well, such as a formatter, an edit counts as made if its text
    is there for certain.
    """
    path, before, now = change.path, buffer.table.text, buffer.document.text
    if result is not None and all(result):
        return change
    made = result if result is not None else surviving_splices(before, now, buffer.splices)
    why = f"The editor did not change {path}: {_reason(reply)}."
    if result is None:
        why = f"{path} was changed by something else while the edit was being made; {_LOOK}"
    elif any(made):
        why = f"The editor made only some of the changes of {path}: {_reason(reply)}; {_LOOK}"
    lost = [index for index in change.edits if not is_applied(outcomes[index], buffer, made)]
    refuse(outcomes, lost, why)
    if not any(made):
        return None
    done = tuple(splice for splice, present in zip(buffer.splices, made, strict=True) if present)
    if result is not None:
        return replace(change, splices=done, after=now)
    note = f"{path} was also changed by something else while the edit was being made; check its text."
    for index in (index for index in change.edits if index not in lost):
        outcomes[index] = replace(outcomes[index], notes=(*outcomes[index].notes, note))
    # Only what is the edits' own is reverted with them.
    without, done = apart_from_others(before, now, done)
    return replace(change, before=without, splices=done, after=now)


_LOOK = "check its text, and undo what you do not want."


def _reason(reply: EditorReply) -> str:
    return reply.reason or ("it said that it had" if reply.accepted else "the user may have declined")


def _buffer_change(
    session: Session, planned: PlannedEdits, change: PlannedChange, outcomes: Sequence[Outcome]
) -> BufferChange:
    buffer = planned.buffers[change.path]
    return BufferChange(
        document=buffer.document,
        table=buffer.table,
        version=buffer.version,
        splices=_minimal(change),
        doubtful=_doubtful(session, change, outcomes),
    )


def _doubtful(session: Session, change: PlannedChange, outcomes: Sequence[Outcome]) -> tuple[Span, ...]:
    """Return the spans for which a person should be asked before the change is made."""
    confirm = session.settings.confirm
    return tuple(
        span
        for index in change.edits
        if (span := outcomes[index].span) is not None
        and (
            confirm is Confirm.ALWAYS
            or (confirm is Confirm.SIMILARITY and outcomes[index].needs_confirmation)
        )
    )


def _minimal(change: PlannedChange) -> tuple[Splice, ...]:
    """Return the change as splices that replace only what differs, so that cursors and marks do not move."""
    whole = (0, len(change.before or ""))
    if [(splice.start, splice.end) for splice in change.splices] != [whole]:
        return change.splices
    return minimal_splices(change.before or "", change.after or "")
