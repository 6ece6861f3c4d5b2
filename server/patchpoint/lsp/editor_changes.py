"""The part of a plan that the client makes: asked for in one request, and told by what is then seen."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from patchpoint.lsp.documents import Document
from patchpoint.lsp.editor_edits import BufferChange, Reply, change_buffers
from patchpoint.lsp.editor_files import FileSeen, Seen, change_files, editor_file
from patchpoint.lsp.planning import Planned
from patchpoint.lsp.settings import Confirm
from patchpoint.lsp.unseen_edits import NOTE, UnseenChange
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import FileChange, FileOperation
from patchpoint.text.diff import minimal_replacements
from patchpoint.text.lines import Span
from patchpoint.text.splices import Splice

if TYPE_CHECKING:
    from patchpoint.lsp.progress import Work
    from patchpoint.lsp.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Made:
    """What the client made, and what of it it only says that it made."""

    buffers: tuple[tuple[FileChange, Document], ...] = ()
    """Changes of texts that stand, or are said to stand, in documents which the client shows."""
    files: tuple[FileChange, ...] = ()
    unseen: tuple[UnseenChange, ...] = ()

    @property
    def changes(self) -> tuple[FileChange, ...]:
        """All of it."""
        return (*(change for change, _ in self.buffers), *self.files)


async def change_in_editor(
    session: Session,
    planned: Planned,
    in_buffers: Sequence[FileChange],
    in_editor: Sequence[FileChange],
    outcomes: list[Outcome],
    work: Work,
) -> Made:
    """Let the client make changes, in one request; what it did not make becomes a conflict."""
    asked = [_buffer_change(session, planned, change, outcomes) for change in in_buffers]
    files = [
        editor_file(session, planned.request, change, _minimal(change), _doubtful(session, change, outcomes))
        for change in in_editor
    ]
    if files:
        seen = await change_files(session, asked, files, "Patchpoint", work)
    else:
        seen = Seen(*await change_buffers(session, asked, "Patchpoint", work), [])
    buffers = [
        (made, buffer.document)
        for change, buffer, result in zip(in_buffers, asked, seen.buffers, strict=True)
        if (made := _made_of_buffer(change, buffer, result, seen.reply, outcomes)) is not None
    ]
    unseen = [(c, buffer) for c, buffer in zip(in_buffers, asked, strict=True) if seen.reply.unseen]
    made_files = []
    for change, one in zip(in_editor, seen.files, strict=True):
        if one.late is not None:
            unseen.append((change, one.late))
            buffers.append((change, one.late.document))
        elif (made := _made_of_file(change, one, seen.reply, outcomes)) is not None:
            made_files.append(made)
    for index in (index for change, _ in unseen for index in change.edits):
        outcomes[index] = replace(outcomes[index], notes=(*outcomes[index].notes, NOTE))
    done = Made(
        buffers=tuple(buffers),
        files=tuple(made_files),
        unseen=tuple(UnseenChange(buffer, tuple(change.edits)) for change, buffer in unseen),
    )
    for index in (index for change in done.changes for index in change.edits):
        if outcomes[index].status is Status.MATCHED:
            outcomes[index] = replace(outcomes[index], status=Status.APPLIED)
    return done


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


def refuse(outcomes: list[Outcome], indexes: Sequence[int], why: str) -> None:
    """Note that edits could not be made, and why."""
    for index in indexes:
        outcomes[index] = replace(outcomes[index], status=Status.CONFLICT, message=why, feedback=why)


def _made_of_file(
    change: FileChange, seen: FileSeen, reply: Reply, outcomes: list[Outcome]
) -> FileChange | None:
    """What the client made of a file; where that is not the whole change, its edits are refused."""
    if seen.done:
        return change
    verb = _VERBS[change.operation]
    if seen.part is not None:
        refuse(
            outcomes,
            change.edits,
            f"The editor did {verb} {change.path}, but not with the text that was asked for.",
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


def _made_of_buffer(
    change: FileChange,
    buffer: BufferChange,
    result: Sequence[bool] | None,
    reply: Reply,
    outcomes: list[Outcome],
) -> FileChange | None:
    """What the client made of a buffer; the edits that it did not make are refused."""
    if result is None:
        why = f"{change.path} became something else while the edit was made; look at it."
        refuse(outcomes, change.edits, why)
        return None
    if all(result):
        return change
    why = f"The editor did not change {change.path}: {_reason(reply)}."
    refuse(outcomes, [i for i in change.edits if not is_made(outcomes[i], buffer, result)], why)
    if not any(result):
        return None
    done = tuple(splice for splice, is_made in zip(buffer.splices, result, strict=True) if is_made)
    return replace(change, splices=done, after=buffer.document.text)


def _reason(reply: Reply) -> str:
    return reply.reason or ("it said that it had" if reply.said_yes else "its user may have declined")


def _buffer_change(
    session: Session, planned: Planned, change: FileChange, outcomes: Sequence[Outcome]
) -> BufferChange:
    buffer = planned.buffers[change.path]
    return BufferChange(
        document=buffer.document,
        table=buffer.table,
        version=buffer.version,
        splices=_minimal(change),
        doubtful=_doubtful(session, change, outcomes),
    )


def _doubtful(session: Session, change: FileChange, outcomes: Sequence[Outcome]) -> tuple[Span, ...]:
    """Where a person should be asked before the change is made."""
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


def _minimal(change: FileChange) -> tuple[Splice, ...]:
    """The change as splices of no more than what differs, so that cursors and marks stay where they are."""
    whole = (0, len(change.before or ""))
    if [(splice.start, splice.end) for splice in change.splices] != [whole]:
        return change.splices
    replacements = minimal_replacements(change.before or "", change.after or "")
    return tuple(Splice(start, end, text) for (start, end), text in replacements)
