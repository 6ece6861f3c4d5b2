"""Change open documents through the client, and check what it really did.

A client may refuse an edit, ask its user first, make a part of it, or report one that it did not make. So
nothing is locked while it is asked, it may take as long as it likes, and the result is read off the buffer.
A client that cannot show its buffers before it has our own response (Emacs does nothing else while a command
runs) is believed until it does; see `missed_changes`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol import types

from patchpoint.dataclass import dataclass, replace
from patchpoint.lsp.session.arrivals import Arrivals
from patchpoint.lsp.session.client_capabilities import ClientCapabilities
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import first_text, span_of, text_edits
from patchpoint.schema.uris import name_of
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splice import Splice, apply_splices, minimal_splices

if TYPE_CHECKING:
    from patchpoint.lsp.session.progress import Work
    from patchpoint.lsp.session.session import Session

LATE_CHANGE_SECONDS = 1.0
"""Seconds after a client's response in which the changes that it reports may still arrive."""

FIRST_CHANGE_SECONDS = 0.4
"""Seconds in which the first of them should arrive: more than clients delay changes by (Neovim: 0.15)."""

_ANNOTATION_ID = "patchpoint.doubtful"
_MAX_CHOICES = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferChange:
    """A change of one open document."""

    document: Document
    table: LineTable
    """The text that the splices belong to."""
    version: int | None
    splices: tuple[Splice, ...]
    doubtful: tuple[Span, ...] = ()
    """The spans for which a person should be asked first."""

    @property
    def after(self) -> str:
        """The text of the document after the change."""
        return apply_splices(self.table.text, self.splices)

    @property
    def is_untouched(self) -> bool:
        """Whether the client has not shown any change of the document since."""
        return self.document.table is self.table and self.document.version == self.version


def buffer_change(document: Document, text: str) -> BufferChange:
    """Return the change that gives an open document, as it is now, the whole text `text`."""
    return BufferChange(
        document=document,
        table=document.table,
        version=document.version,
        splices=minimal_splices(document.text, text),
    )


FileEdit: TypeAlias = "types.CreateFile | types.RenameFile | types.DeleteFile | BufferChange"
"""An operation on a whole file, or a change of the text of one that the client has not opened yet."""


@dataclass(frozen=True, slots=True)
class EditorReply:
    """What the client replied, for messages; what it did is read off the buffers."""

    accepted: bool
    reason: str = ""
    unconfirmed: bool = False
    """The client replied that it made every change, and has not shown any of the buffers since."""


async def change_buffers(
    session: Session, changes: Sequence[BufferChange], label: str, work: Work
) -> tuple[EditorReply, list[tuple[bool, ...] | None]]:
    """Ask the client for `changes` in one request; return which splices of each are now in the buffers.

    The entry is `None` for a buffer whose text no choice of its splices makes. Raises `CancelledError` if the
    work was cancelled before anything changed. With an `unconfirmed` reply every splice counts as made, on
    the word of the client.
    """
    refusal = refuse_unshown(session, changes, label)
    if refusal is not None:
        return refusal, [tuple(False for _ in change.splices) for change in changes]
    expected = [(change.document, change.after) for change in changes]
    arrivals = Arrivals(expected)

    async def is_applied() -> bool:
        return all(arrivals.has(document) or document.text == text for document, text in expected)

    def is_untouched() -> bool:
        return shows_nothing(session, changes)

    reply = await ask_editor(
        session,
        workspace_edit(changes, session.client),
        label,
        work,
        EditConfirmation(is_applied, is_untouched, arrivals),
    )
    is_done = await is_applied()
    if reply.accepted and not is_done and session.client.document_changes and is_untouched():
        for change in changes:
            change.document.expect(change.after)
        return replace(reply, unconfirmed=True), [tuple(True for _ in change.splices) for change in changes]
    if work.cancelled and is_untouched():
        work.check()
    return reply, splices_in_buffers(changes, arrivals)


def refuse_unshown(session: Session, changes: Sequence[BufferChange], label: str) -> EditorReply | None:
    """Return why `changes` must not be asked for: a buffer was not shown since its last edit; else `None`."""
    hidden = [change.document.uri for change in changes if change.document.awaited is not None]
    if not hidden:
        return None
    why = f"the editor has not reported an edit of {name_of(hidden[0])} yet"
    session.log(f"{label}: not done, because {why}.", types.MessageType.Warning)
    return EditorReply(False, why)


def splices_in_buffers(changes: Sequence[BufferChange], arrivals: Arrivals) -> list[tuple[bool, ...] | None]:
    """Return which splices of each change are in its buffer now, or all where its text has arrived."""
    return [
        tuple(True for _ in c.splices)
        if arrivals.has(c.document)
        else applied_splices(c.table.text, c.document.text, c.splices)
        for c in changes
    ]


@dataclass(frozen=True, slots=True)
class EditConfirmation:
    """How to find out what a client did, independent of its reply."""

    is_applied: Callable[[], Awaitable[bool]]
    """Whether everything that was asked for has been done."""
    is_untouched: Callable[[], bool]
    """Whether no document shows any of it."""
    arrivals: Arrivals
    """The open documents in which it has arrived."""


async def ask_editor(
    session: Session, edit: types.WorkspaceEdit, label: str, work: Work, confirmation: EditConfirmation
) -> EditorReply:
    """Ask the client for an edit; wait until it is made, or until its reply and any late changes arrived."""
    parameters = types.ApplyWorkspaceEditParams(
        edit=edit,
        label=label,
        metadata=types.WorkspaceEditMetadata(is_refactoring=True) if session.client.edit_metadata else None,
    )
    arrivals = confirmation.arrivals
    session.documents.watchers.add(arrivals.note_shown)
    answer = session.workspace_apply_edit(parameters)
    answer.add_done_callback(lambda _: arrivals.note_answer())
    asked = asyncio.wrap_future(answer)
    try:
        is_done = await _wait_for_answer(session, asked, confirmation, work)
        reply = _reply(asked, is_done)
        if reply.accepted:
            await _wait_for_late_changes(session, confirmation)
    finally:
        session.documents.watchers.discard(arrivals.note_shown)
        asked.cancel()
    return reply


async def _wait_for_answer(
    session: Session,
    asked: asyncio.Future[types.ApplyWorkspaceEditResult],
    confirmation: EditConfirmation,
    work: Work,
) -> bool:
    """Wait for the client's response to an edit; return whether the edit is made.

    A client that shows the edit made and does not respond is waited for `LATE_CHANGE_SECONDS` longer: what it
    sends before its response, such as the work of a formatter, belongs to the edit.
    """
    loop = asyncio.get_running_loop()
    made_at: float | None = None
    while True:
        change = session.documents.next_change()
        is_done = await confirmation.is_applied()
        made_at = (made_at if made_at is not None else loop.time()) if is_done else None
        left = None if made_at is None else made_at + LATE_CHANGE_SECONDS - loop.time()
        if asked.done() or work.cancelled or (left is not None and left <= 0):
            return is_done
        events: set[asyncio.Future[Any]] = {asked, change, work.stopping}
        await asyncio.wait(events, timeout=left, return_when=asyncio.FIRST_COMPLETED)


def workspace_edit(
    changes: Sequence[BufferChange], client: ClientCapabilities, files: Sequence[FileEdit] = ()
) -> types.WorkspaceEdit:
    """Return one edit of all the documents: versioned, and with questions, if the client supports them.

    The operations of `files` come first, in their order, then the documents.
    """
    texts = [*(one for one in files if isinstance(one, BufferChange)), *changes]
    if not client.document_changes:
        return types.WorkspaceEdit(
            changes={change.document.uri: _text_edits(change, client) for change in texts}
        )
    annotated = client.change_annotations and any(change.doubtful for change in texts)
    return types.WorkspaceEdit(
        document_changes=[
            _document_edit(one, client) if isinstance(one, BufferChange) else one
            for one in (*files, *changes)
        ],
        change_annotations={_ANNOTATION_ID: _DOUBTFUL} if annotated else None,
    )


_DOUBTFUL = types.ChangeAnnotation(
    label="Found by similarity",
    needs_confirmation=True,
    description="The file does not contain the text that the model quoted; this is the most similar place.",
)


def _document_edit(change: BufferChange, client: ClientCapabilities) -> types.TextDocumentEdit:
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    for edit in _text_edits(change, client):
        first, last = span_of(change.table, edit.range, client.unit)
        doubtful = any(start <= last and first <= end for start, end in change.doubtful)
        if doubtful and client.change_annotations:
            edits.append(
                types.AnnotatedTextEdit(
                    range=edit.range, new_text=edit.new_text, annotation_id=_ANNOTATION_ID
                )
            )
        else:
            edits.append(edit)
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=change.document.uri, version=change.version
    )
    return types.TextDocumentEdit(text_document=identifier, edits=edits)


def _text_edits(change: BufferChange, client: ClientCapabilities) -> list[types.TextEdit]:
    if change.table.text or change.version is not None:
        return text_edits(change.table, change.splices, client.unit)
    return [first_text(change.after)]


def _reply(asked: asyncio.Future[types.ApplyWorkspaceEditResult], is_done: bool) -> EditorReply:
    if not asked.done():
        return EditorReply(is_done)
    if (error := asked.exception()) is not None:
        return EditorReply(False, f"the editor answered with an error: {error}")
    result = asked.result()
    if result is None:
        return EditorReply(False, "the editor did not say whether it made the edit")
    return EditorReply(result.applied, result.failure_reason or "")


async def _wait_for_late_changes(session: Session, confirmation: EditConfirmation) -> None:
    """Wait a short time for changes that the client sends after its response."""
    loop = asyncio.get_running_loop()
    answered = loop.time()
    while True:
        change = session.documents.next_change()
        if await confirmation.is_applied():
            return
        patience = FIRST_CHANGE_SECONDS if confirmation.is_untouched() else LATE_CHANGE_SECONDS
        left = answered + patience - loop.time()
        if left <= 0:
            return
        await asyncio.wait({change}, timeout=left)


def shows_nothing(session: Session, changes: Sequence[BufferChange]) -> bool:
    """Return whether the client has shown no change of any of the documents, not even a later version."""
    return all(c.is_untouched and session.documents.find(c.document.uri) is c.document for c in changes)


def applied_splices(before: str, after: str, splices: Sequence[Splice]) -> tuple[bool, ...] | None:
    """Return which of `splices` turn `before` into `after`; `None` if no choice of them does.

    If several choices do, the one with the most of the first splices is returned.
    """
    choices: dict[int, tuple[bool, ...]] = {0: ()}
    position = 0
    for splice in splices:
        kept, old = before[position : splice.start], before[splice.start : splice.end]
        position = splice.end
        following: dict[int, tuple[bool, ...]] = {}
        for at, choice in choices.items():
            if not after.startswith(kept, at):
                continue
            start = at + len(kept)
            if after.startswith(splice.text, start):
                following.setdefault(start + len(splice.text), (*choice, True))
            if after.startswith(old, start):
                following.setdefault(start + len(old), (*choice, False))
        if len(following) > _MAX_CHOICES:
            return None
        choices = following
    rest = before[position:]
    at = len(after) - len(rest)
    return choices.get(at) if after.endswith(rest) else None
