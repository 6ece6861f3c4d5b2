"""Changing open documents through the client, and seeing for ourselves what it did.

A client may refuse an edit, ask its user first, make a part of it, or say that it made one that it did not.
So nothing is locked while it is asked, it may take as long as it likes, and what the buffer then is counts.
One that cannot show its buffers before our own answer has reached it (Emacs does nothing else while a
command runs) is taken at its word until it does; see `unseen_edits`.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

from lsprotocol import types

from patchpoint.lsp.capabilities import Client
from patchpoint.lsp.convert import first_text, span_of, text_edits
from patchpoint.lsp.documents import Document
from patchpoint.lsp.uris import name_of
from patchpoint.text.diff import minimal_replacements
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splices import Splice, apply_splices

if TYPE_CHECKING:
    from patchpoint.lsp.progress import Work
    from patchpoint.lsp.session import Session

SETTLING = 1.0
"""Seconds after a client's answer in which the changes that it speaks of may still arrive."""

FIRST_SIGN = 0.4
"""Seconds in which the first of them should: more than clients save changes up for (Neovim: 0.15)."""

_ANNOTATION = "patchpoint.doubtful"
_MOST_READINGS = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class BufferChange:
    """What shall become of one open document."""

    document: Document
    table: LineTable
    """The text that the splices belong to."""
    version: int | None
    splices: tuple[Splice, ...]
    doubtful: tuple[Span, ...] = ()
    """Where a person should be asked first."""

    @property
    def after(self) -> str:
        """The text that it shall have."""
        return apply_splices(self.table.text, self.splices)

    @property
    def is_untouched(self) -> bool:
        """Whether nothing is known to have become of the document since."""
        return self.document.table is self.table and self.document.version == self.version


def buffer_change(document: Document, text: str) -> BufferChange:
    """What gives an open document, as it is now, the whole text `text`."""
    replacements = minimal_replacements(document.text, text)
    return BufferChange(
        document=document,
        table=document.table,
        version=document.version,
        splices=tuple(Splice(start, end, new) for (start, end), new in replacements),
    )


FileEdit: TypeAlias = "types.CreateFile | types.RenameFile | types.DeleteFile | BufferChange"
"""What shall become of a file as such, or of the text of one that the client is yet to open."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What the client said, for people; what it did is read off the buffers."""

    said_yes: bool
    reason: str = ""
    unseen: bool = False
    """It said that it made every change, and has not shown any of the buffers since."""


async def change_buffers(
    session: Session, changes: Sequence[BufferChange], label: str, work: Work
) -> tuple[Reply, list[tuple[bool, ...] | None]]:
    """Ask the client for `changes`, in one request, and say which splices of each are now in the buffers.

    `None` stands for a buffer that became something else. Raises `CancelledError` when the work was stopped
    before anything was changed. Where the reply is `unseen`, all of them are, if the client speaks the truth.
    """
    refusal = refuse_hidden(session, changes, label)
    if refusal is not None:
        return refusal, [tuple(False for _ in change.splices) for change in changes]
    expected = [(change.document, change.after) for change in changes]

    async def settled() -> bool:
        return all(document.text == text for document, text in expected)

    def untouched() -> bool:
        return is_unseen(session, changes)

    reply = await ask_editor(
        session, workspace_edit(changes, session.client), label, work, Watch(settled, untouched)
    )
    is_settled = await settled()
    if reply.said_yes and not is_settled and session.client.document_changes and untouched():
        for change in changes:
            change.document.expect(change.after)
        return replace(reply, unseen=True), [tuple(True for _ in change.splices) for change in changes]
    if work.cancelled and not is_settled:
        work.check()
    return reply, splices_seen(changes)


def refuse_hidden(session: Session, changes: Sequence[BufferChange], label: str) -> Reply | None:
    """Why `changes` must not be asked for: the version of a buffer that was not shown again tells nothing."""
    hidden = [change.document.uri for change in changes if change.document.awaited is not None]
    if not hidden:
        return None
    why = f"the editor has not yet shown what an edit made of {name_of(hidden[0])}"
    session.log(f"{label}: not done, because {why}.", types.MessageType.Warning)
    return Reply(False, why)


def splices_seen(changes: Sequence[BufferChange]) -> list[tuple[bool, ...] | None]:
    """Which splices of each change are in its buffer now; `None` for one that became something else."""
    return [made_splices(c.table.text, c.document.text, c.splices) for c in changes]


@dataclass(frozen=True, slots=True)
class Watch:
    """How what a client did is told from what it says."""

    settled: Callable[[], Awaitable[bool]]
    """Whether everything that was asked for stands."""
    untouched: Callable[[], bool]
    """Whether no document shows anything of it."""


async def ask_editor(
    session: Session, edit: types.WorkspaceEdit, label: str, work: Work, watch: Watch
) -> Reply:
    """Ask the client for an edit, and wait until it stands, or what the client says of it is all there is."""
    parameters = types.ApplyWorkspaceEditParams(
        edit=edit,
        label=label,
        metadata=types.WorkspaceEditMetadata(is_refactoring=True) if session.client.edit_metadata else None,
    )
    asked = asyncio.ensure_future(session.workspace_apply_edit_async(parameters))
    try:
        while True:
            change = session.documents.next_change()
            settled = await watch.settled()
            if asked.done() or settled or work.cancelled:
                break
            events: set[asyncio.Future[Any]] = {asked, change, work.stopping}
            await asyncio.wait(events, return_when=asyncio.FIRST_COMPLETED)
        reply = _reply(asked, settled)
        if reply.said_yes:
            await _settle(session, watch)
    finally:
        asked.cancel()
    return reply


def workspace_edit(
    changes: Sequence[BufferChange], client: Client, files: Sequence[FileEdit] = ()
) -> types.WorkspaceEdit:
    """One edit of all the documents: versioned, and asking where in doubt, if the client can do either.

    `files` says what shall become of files as such, in its order; then come the documents.
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
        change_annotations={_ANNOTATION: _DOUBTFUL} if annotated else None,
    )


_DOUBTFUL = types.ChangeAnnotation(
    label="Found by similarity only",
    needs_confirmation=True,
    description="The model's quotation is not in the file; this is the place most like it.",
)


def _document_edit(change: BufferChange, client: Client) -> types.TextDocumentEdit:
    edits: list[types.TextEdit | types.AnnotatedTextEdit | types.SnippetTextEdit] = []
    for edit in _text_edits(change, client):
        first, last = span_of(change.table, edit.range, client.unit)
        doubtful = any(start <= last and first <= end for start, end in change.doubtful)
        if doubtful and client.change_annotations:
            edits.append(
                types.AnnotatedTextEdit(range=edit.range, new_text=edit.new_text, annotation_id=_ANNOTATION)
            )
        else:
            edits.append(edit)
    identifier = types.OptionalVersionedTextDocumentIdentifier(
        uri=change.document.uri, version=change.version
    )
    return types.TextDocumentEdit(text_document=identifier, edits=edits)


def _text_edits(change: BufferChange, client: Client) -> list[types.TextEdit]:
    if change.table.text or change.version is not None:
        return text_edits(change.table, change.splices, client.unit)
    return [first_text(change.after)]


def _reply(asked: asyncio.Future[types.ApplyWorkspaceEditResult], settled: bool) -> Reply:
    if not asked.done():
        return Reply(settled)
    if (error := asked.exception()) is not None:
        return Reply(False, f"the editor answered with an error: {error}")
    result = asked.result()
    if result is None:
        return Reply(False, "the editor did not say whether it made the edit")
    return Reply(result.applied, result.failure_reason or "")


async def _settle(session: Session, watch: Watch) -> None:
    """Wait, but not long, for changes that the client sends after its answer."""
    loop = asyncio.get_running_loop()
    answered = loop.time()
    while True:
        change = session.documents.next_change()
        if await watch.settled():
            return
        patience = FIRST_SIGN if watch.untouched() else SETTLING
        left = answered + patience - loop.time()
        if left <= 0:
            return
        await asyncio.wait({change}, timeout=left)


def is_unseen(session: Session, changes: Sequence[BufferChange]) -> bool:
    """Whether the client has shown nothing of any of the documents: not even that an edit came too late."""
    return all(c.is_untouched and session.documents.find(c.document.uri) is c.document for c in changes)


def made_splices(before: str, after: str, splices: Sequence[Splice]) -> tuple[bool, ...] | None:
    """Which of `splices` turn `before` into `after`; `None` when no choice of them does.

    Where several choices do, the one that made the most of the first ones is meant.
    """
    readings: dict[int, tuple[bool, ...]] = {0: ()}
    position = 0
    for splice in splices:
        kept, old = before[position : splice.start], before[splice.start : splice.end]
        position = splice.end
        following: dict[int, tuple[bool, ...]] = {}
        for at, choice in readings.items():
            if not after.startswith(kept, at):
                continue
            start = at + len(kept)
            if after.startswith(splice.text, start):
                following.setdefault(start + len(splice.text), (*choice, True))
            if after.startswith(old, start):
                following.setdefault(start + len(old), (*choice, False))
        if len(following) > _MOST_READINGS:
            return None
        readings = following
    rest = before[position:]
    at = len(after) - len(rest)
    return readings.get(at) if after.endswith(rest) else None
