"""Edit blocks in the client's open documents: found as they change, each with what it would come to."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.edit import Edit, Malformed
from patchpoint.lsp.convert import range_of
from patchpoint.lsp.diagnostics import SOURCE, Diagnostics, code_of, message_of, percent, severity_of
from patchpoint.lsp.documents import Document
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.planning import Asked, Planned, plan_edits
from patchpoint.lsp.uris import document_key, name_of, path_of, scheme_of
from patchpoint.outcome import Outcome, Status
from patchpoint.pending import PendingEdit, digest_of
from patchpoint.plan import Atomic, replacement_stands
from patchpoint.progress import CancelledError
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

PAUSE = 0.3
"""Seconds of quiet after a change before a document is read again."""

_ATTEMPTS = 3
"""How often a document is read for who wants its blocks, when it changes all the while."""

LARGEST = 8 * 1024 * 1024
"""Characters of a document above which no blocks are looked for."""

_FINDER = "blocks"

_PROSE = {
    "", "markdown", "mdx", "plaintext", "text", "txt", "log", "org", "rst", "restructuredtext", "asciidoc",
    "quarto", "typst", "latex", "tex", "html", "diff", "patch", "json", "jsonl", "jsonc",
}  # fmt: skip
"""Languages (as clients name them) of documents that are written in, rather than edited."""

_SURE_SIGNS = ("<<<<<<< SEARCH", "*** Begin Patch", "------- SEARCH")
"""What makes a document of any other language worth reading."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Block:
    """One edit block of a document, and what it would come to."""

    id: str
    edit: Edit | Malformed
    outcome: Outcome
    file: str
    """What a pending edit calls its file."""
    uri: str
    """The URI of its file; empty where there is none."""
    target: LineTable | None

    @property
    def span(self) -> Span:
        """Where it stands in the document."""
        return self.edit.span


@dataclass(frozen=True, slots=True)
class Reading:
    """A document as it was read, and the blocks in it, in order."""

    table: LineTable
    blocks: tuple[Block, ...]


class _Stoppable:
    """Progress of a reading that ends when its document has changed again."""

    def __init__(self) -> None:
        self._stop = threading.Event()

    def stop(self) -> None:
        self._stop.set()

    def check(self) -> None:
        if self._stop.is_set():
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        pass


class EditBlocks:
    """The blocks of all open documents."""

    def __init__(
        self, session: Session, diagnostics: Diagnostics, was_applied: Callable[[str], bool]
    ) -> None:
        self._session = session
        self._diagnostics = diagnostics
        self._was_applied = was_applied
        self._readings: dict[str, Reading] = {}
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._going: dict[str, tuple[_Stoppable, asyncio.Task[Reading | None]]] = {}
        self._discarded: set[str] = set()

    def stir(self, uri: str) -> None:
        """Note that a document changed; it is read again when it has been quiet for a moment."""
        key = document_key(uri)
        self._stop(key)
        if self._session.documents.find(uri) is not None:
            loop = asyncio.get_running_loop()
            self._timers[key] = loop.call_later(PAUSE, lambda: self._session.start(self.current(uri)))
        else:
            self._forget(key, uri)

    def target_changed(self, uri: str) -> None:
        """Note that a file changed: what the blocks for it come to may have changed, too."""
        key = document_key(uri)
        for document in self._session.documents:
            reading = self._readings.get(document_key(document.uri))
            if reading is not None and any(document_key(block.uri) == key for block in reading.blocks):
                del self._readings[document_key(document.uri)]
                self.stir(document.uri)

    def read_again(self) -> None:
        """Read all documents with blocks again: files beside the client's buffers, or settings, changed."""
        for document in self._session.documents:
            reading = self._readings.get(document_key(document.uri))
            if reading is None or reading.blocks:
                self._readings.pop(document_key(document.uri), None)
                self.stir(document.uri)

    async def current(self, uri: str) -> Reading | None:
        """The blocks of a document as it is now; `None` when it is not open, or changes all the while."""
        key = document_key(uri)
        for _ in range(_ATTEMPTS):
            document = self._session.documents.find(uri)
            if document is None:
                return None
            known = self._readings.get(key)
            if known is not None and known.table is document.table:
                return known
            going = self._going.get(key)
            if going is None:
                watch = _Stoppable()
                going = watch, asyncio.get_running_loop().create_task(self._read(document, watch))
                self._going[key] = going
            reading = await asyncio.shield(going[1])
            if reading is not None:
                return reading
        return None

    def find(self, name: str) -> PendingEdit | None:
        """The block of that id, as an edit that may be put at a candidate."""
        for reading in self._readings.values():
            for block in reading.blocks:
                if block.id == name and isinstance(block.edit, Edit) and block.file:
                    text = block.target.text if block.target is not None else None
                    seen = digest_of(text) if text is not None else ""
                    return PendingEdit(id=name, file=block.file, edit=block.edit, seen=seen)
        return None

    def targets(self) -> list[str]:
        """The URIs of the files that blocks are for."""
        uris = (block.uri for reading in self._readings.values() for block in reading.blocks)
        return list(dict.fromkeys(uri for uri in uris if uri))

    def shown(self, name: str) -> list[Outcome]:
        """What the block of that id was last shown to come to, wherever it stands."""
        blocks = (block for reading in self._readings.values() for block in reading.blocks)
        return [block.outcome for block in blocks if block.id == name]

    def discard(self, name: str) -> None:
        """Show nothing more of a block."""
        self._discarded.add(name)
        for key, reading in self._readings.items():
            if any(block.id == name for block in reading.blocks):
                kept = tuple(block for block in reading.blocks if block.id != name)
                self._readings[key] = Reading(reading.table, kept)
                self._show(key, self._readings[key])

    async def _read(self, document: Document, watch: _Stoppable) -> Reading | None:
        key = document_key(document.uri)
        table = document.table
        try:
            blocks = await self._blocks(document, table, watch)
            watch.check()
        except (CancelledError, RequestFailed):
            return None
        finally:
            if self._going.get(key, (None,))[0] is watch:
                del self._going[key]
        reading = Reading(table, blocks)
        if document.table is table and self._session.documents.find(document.uri) is document:
            before = self._readings.get(key)
            self._readings[key] = reading
            self._show(key, reading)
            if before is None or before.blocks != blocks:
                self._refresh_lenses()
        return reading

    async def _blocks(self, document: Document, table: LineTable, watch: _Stoppable) -> tuple[Block, ...]:
        if not _may_have_blocks(document):
            return ()
        items = await self._session.run(_items, table.text)
        watch.check()
        if not items:
            return ()
        asked = Asked(
            edits=tuple(items), ladder=self._session.ladder(), atomic=Atomic.EDIT, source=document.uri
        )
        planned = await plan_edits(self._session, asked, watch)
        blocks = []
        for outcome in planned.plan.outcomes:
            if outcome.status is Status.CONFLICT and len(items) > 1:
                # Two answers in one chat may mean the same lines; each is judged by itself.
                alone = replace(asked, edits=(items[outcome.index],))
                by_itself = (await plan_edits(self._session, alone, watch)).plan.outcomes[0]
                outcome = replace(by_itself, index=outcome.index)
            block = _block(planned, outcome, items[outcome.index])
            if outcome.status is Status.NOT_FOUND and self._was_applied(block.id) and _stands(block):
                # Too little of it to be sure from the text alone, but it is known to have landed.
                block = replace(block, outcome=replace(outcome, status=Status.ALREADY_APPLIED, candidates=()))
            blocks.append(block)
        return tuple(block for block in blocks if block.id not in self._discarded)

    def _stop(self, key: str) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        going = self._going.pop(key, None)
        if going is not None:
            going[0].stop()

    def _forget(self, key: str, uri: str) -> None:
        if self._readings.pop(key, None) is not None:
            self._diagnostics.show(_FINDER, uri, [])

    def _show(self, key: str, reading: Reading) -> None:
        document = next((d for d in self._session.documents if document_key(d.uri) == key), None)
        if document is not None:
            found = [self._diagnostic(reading.table, block) for block in reading.blocks]
            self._diagnostics.show(_FINDER, document.uri, [one for one in found if one is not None])

    def _diagnostic(self, table: LineTable, block: Block) -> types.Diagnostic | None:
        code = code_of(block.outcome)
        if code is None:
            return None
        client = self._session.client
        related = None
        if client.diagnostic_related and block.target is not None and block.outcome.candidates:
            related = [
                types.DiagnosticRelatedInformation(
                    location=types.Location(
                        uri=block.uri, range=range_of(block.target, candidate.span, client.unit)
                    ),
                    message=f"candidate {number}, {percent(candidate.similarity)} similar",
                )
                for number, candidate in enumerate(block.outcome.candidates, 1)
            ]
        return types.Diagnostic(
            range=range_of(table, block.span, client.unit),
            severity=severity_of(block.outcome),
            code=code,
            source=SOURCE,
            message=message_of(block.outcome, name_of(block.uri)),
            related_information=related,
            data={"edit": block.id},
        )

    def _refresh_lenses(self) -> None:
        if self._session.client.code_lens_refresh and self._session.settings.code_lens:
            self._session.workspace_code_lens_refresh(None)


def _may_have_blocks(document: Document) -> bool:
    """Whether a document is of a kind in which answers are written, or shows that it holds one."""
    if len(document.text) > LARGEST or scheme_of(document.uri) == "patchpoint":
        return False
    language = (document.language_id or "").lower()
    path = path_of(document.uri)
    if language in _PROSE or "chat" in language or path is None or path.suffix in ("", ".md", ".txt"):
        return True
    return any(sign in document.text for sign in _SURE_SIGNS)


def _items(text: str) -> Sequence[Edit | Malformed]:
    from patchpoint.formats import parse_edits

    return parse_edits(text)


def _stands(block: Block) -> bool:
    """Whether what a block puts into its file is there."""
    if not isinstance(block.edit, Edit) or block.target is None:
        return False
    return replacement_stands(block.target.text, block.edit)


def _block(planned: Planned, outcome: Outcome, item: Edit | Malformed) -> Block:
    edit = planned.request.edit_at(outcome.index)
    target = planned.request.targets.get(edit.path)
    text = target.text if target is not None else None
    return Block(
        id=planned.request.id_of(outcome.index),
        edit=replace(edit, span=item.span) if isinstance(edit, Edit) else edit,
        outcome=outcome,
        file=planned.request.place_of(edit.path) if target is not None else "",
        uri=planned.uri(edit.path),
        target=LineTable.of(text) if text is not None else None,
    )
