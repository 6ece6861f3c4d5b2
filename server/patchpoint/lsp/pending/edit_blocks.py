"""Edit blocks in the client's open documents: parsed as the documents change, each with its outcome."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from lsprotocol import types

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Malformed, Unplaced, contains_replacement
from patchpoint.lsp.applying.planning import EditRequest, PlannedEdits, plan_edits
from patchpoint.lsp.errors import RequestFailed
from patchpoint.lsp.pending.diagnostics import SOURCE, Diagnostics, code_of, message_of, severity_of
from patchpoint.lsp.session.documents import Document
from patchpoint.lsp.session.positions import range_of
from patchpoint.outcome import Atomic, Outcome, Proposal, Status
from patchpoint.patching.pending import PendingEdit, digest_of
from patchpoint.progress import CancelledError
from patchpoint.schema.uris import document_key, name_of
from patchpoint.text.lines import LineTable, Span

if TYPE_CHECKING:
    from patchpoint.formats import ParsedAnswer
    from patchpoint.lsp.session.session import Session

DEBOUNCE_SECONDS = 0.3
"""Seconds without a change before a document is parsed again."""

_ATTEMPTS = 3
"""How often one request for a document's blocks starts over because the document keeps changing."""

MAX_CHARACTERS = 8 * 1024 * 1024
"""The longest document, in characters, that is searched for blocks."""

UNPLACED_CODE = "unplaced-code"
"""The code of the hint on a fence with code that names no file."""

_OWNER = "blocks"

_PROSE_LANGUAGES = {
    "", "markdown", "mdx", "plaintext", "text", "txt", "log", "org", "rst", "restructuredtext", "asciidoc",
    "quarto", "typst", "latex", "tex", "html", "diff", "patch", "json", "jsonl", "jsonc",
}  # fmt: skip
"""Language ids of documents that hold prose, in which a model's answer is likely."""

_BLOCK_MARKERS = ("<<<<<<< SEARCH", "*** Begin Patch", "------- SEARCH")
"""Markers for which a document of any other language is parsed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocumentBlock:
    """One edit block of a document, and its outcome if it were applied now."""

    id: str
    edit: Edit | Malformed
    outcome: Outcome
    file: str
    """The `file` that a pending edit would have: an absolute path or a URI."""
    uri: str
    """The URI of the file that it is for; empty if there is none."""
    target: LineTable | None

    @property
    def span(self) -> Span:
        """Its span in the document."""
        return self.edit.span


@dataclass(frozen=True)
class DocumentBlocks:
    """A document as it was parsed, and the blocks in it, in order."""

    table: LineTable
    blocks: tuple[DocumentBlock, ...]
    unplaced: tuple[Unplaced, ...] = ()
    """The fences that are no edits."""
    is_outdated: bool = False
    """Whether a file has changed since that a block is for."""

    @cached_property
    def target_keys(self) -> frozenset[str]:
        """The keys of the files that the blocks are for; that of an empty URI where one has no file."""
        return frozenset(document_key(uri) for uri in {block.uri for block in self.blocks})


class _Cancellation:
    """Progress that cancels the parsing of a document once the document has changed again."""

    def __init__(self) -> None:
        self._cancelled = threading.Event()

    def cancel(self) -> None:
        self._cancelled.set()

    def check(self) -> None:
        if self._cancelled.is_set():
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        pass


class EditBlocks:
    """The edit blocks of all open documents."""

    def __init__(
        self, session: Session, diagnostics: Diagnostics, was_applied: Callable[[str], bool]
    ) -> None:
        self._session = session
        self._diagnostics = diagnostics
        self._was_applied = was_applied
        self._known: dict[str, DocumentBlocks] = {}
        self._documents_by_target: dict[str, set[str]] = {}
        """The keys of the documents in `_known` that have blocks for a file, by the file's key."""
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self._running: dict[str, tuple[_Cancellation, asyncio.Task[DocumentBlocks | None]]] = {}
        self._discarded: set[str] = set()
        self._lenses: dict[str, tuple[object, ...]] = {}
        """What the lenses of each document said when the client was last asked to request them."""

    def schedule_refresh(self, uri: str) -> None:
        """Parse a changed document again once it has not changed for `DEBOUNCE_SECONDS`."""
        key = document_key(uri)
        self._cancel(key)
        if self._session.documents.find(uri) is not None:
            loop = asyncio.get_running_loop()
            self._timers[key] = loop.call_later(
                DEBOUNCE_SECONDS, lambda: self._session.start(self.current(uri))
            )
        else:
            self._forget(key, uri)

    def target_changed(self, uri: str) -> None:
        """Evaluate the blocks for a changed file again: their outcomes may have changed, too."""
        key = document_key(uri)
        for concerned in list(self._documents_by_target.get(key, ())):
            document = self._session.documents.at(concerned)
            if document is not None:
                self._evaluate_again(document)

    def refresh_all(self) -> None:
        """Evaluate all blocks again: files outside the client's buffers, or settings, changed."""
        for document in self._session.documents:
            parsed = self._known.get(document.key)
            if parsed is None or parsed.blocks:
                self._evaluate_again(document)

    def _evaluate_again(self, document: Document) -> None:
        # Until then a block is as it was shown: what a person chooses meanwhile is compared with that.
        parsed = self._known.get(document.key)
        if parsed is not None:
            self._known[document.key] = replace(parsed, is_outdated=True)
        self.schedule_refresh(document.uri)

    async def current(self, uri: str) -> DocumentBlocks | None:
        """Return the blocks of a document as it is now; `None` if it is not open or keeps changing."""
        key = document_key(uri)
        for _ in range(_ATTEMPTS):
            document = self._session.documents.find(uri)
            if document is None:
                return None
            known = self._known.get(key)
            if known is not None and known.table is document.table and not known.is_outdated:
                return known
            running = self._running.get(key)
            if running is None:
                cancellation = _Cancellation()
                running = (
                    cancellation,
                    asyncio.get_running_loop().create_task(self._read(document, cancellation)),
                )
                self._running[key] = running
            parsed = await asyncio.shield(running[1])
            if parsed is not None:
                return parsed
        return None

    def find(self, name: str) -> PendingEdit | None:
        """Return the block with the id `name` as a pending edit, to be applied at a candidate."""
        for parsed in self._known.values():
            for block in parsed.blocks:
                if block.id == name and isinstance(block.edit, Edit) and block.file:
                    text = block.target.text if block.target is not None else None
                    seen = digest_of(text) if text is not None else ""
                    return PendingEdit(
                        id=name, file=block.file, edit=block.edit, seen=seen, index=block.outcome.index
                    )
        return None

    def targets(self) -> list[str]:
        """Return the URIs of the files that the blocks are for."""
        uris = (block.uri for parsed in self._known.values() for block in parsed.blocks)
        return list(dict.fromkeys(uri for uri in uris if uri))

    def for_target(self, uri: str) -> list[DocumentBlock]:
        """Return the blocks that are for the file `uri`."""
        key = document_key(uri)
        blocks = (block for parsed in self._known.values() for block in parsed.blocks)
        return [block for block in blocks if block.uri and document_key(block.uri) == key]

    def last_outcomes(self, name: str) -> list[Outcome]:
        """Return the last outcomes of the blocks with the id `name`, one per document that has it."""
        blocks = (block for parsed in self._known.values() for block in parsed.blocks)
        return [block.outcome for block in blocks if block.id == name]

    def proposal_with(self, name: str) -> tuple[PendingEdit, Proposal] | None:
        """Return the block whose proposal has the id `name`, as a pending edit, and the proposal."""
        blocks = (block for parsed in self._known.values() for block in parsed.blocks)
        for block in blocks:
            proposal = block.outcome.proposal
            if proposal is not None and proposal.id == name and (pending := self.find(block.id)) is not None:
                return pending, proposal
        return None

    def discard(self, name: str) -> None:
        """Remove a block, and ignore it when its documents are parsed again."""
        self._discarded.add(name)
        for key, parsed in list(self._known.items()):
            if any(block.id == name for block in parsed.blocks):
                kept = tuple(block for block in parsed.blocks if block.id != name)
                self._keep(key, replace(parsed, blocks=kept))
                self._show(key, self._known[key])

    async def _read(self, document: Document, cancellation: _Cancellation) -> DocumentBlocks | None:
        key = document.key
        table = document.table
        try:
            answer = await self._answer(document, table)
            cancellation.check()
            blocks = await self._blocks(document, answer.items, cancellation)
            cancellation.check()
        except (CancelledError, RequestFailed):
            return None
        finally:
            if self._running.get(key, (None,))[0] is cancellation:
                del self._running[key]
        parsed = DocumentBlocks(table, blocks, answer.unplaced)
        if document.table is table and self._session.documents.find(document.uri) is document:
            self._keep(key, parsed)
            self._show(key, parsed)
            shown = tuple(map(_lens_of, blocks))
            if self._lenses.pop(key, ()) != shown:
                self._refresh_lenses()
            if shown:
                self._lenses[key] = shown
        return parsed

    async def _answer(self, document: Document, table: LineTable) -> ParsedAnswer:
        if not _may_have_blocks(document):
            table = LineTable.of("")
        return await self._session.run(_parse, table.text)

    async def _blocks(
        self, document: Document, items: Sequence[Edit | Malformed], cancellation: _Cancellation
    ) -> tuple[DocumentBlock, ...]:
        if not items:
            return ()
        asked = EditRequest(
            edits=tuple(items), ladder=await self._session.ladder(), atomic=Atomic.EDIT, source=document.uri
        )
        planned = await plan_edits(self._session, asked, cancellation)
        blocks = []
        for outcome in planned.plan.outcomes:
            if outcome.status is Status.CONFLICT and len(items) > 1:
                # Two answers in one chat may edit the same lines, so each is evaluated by itself.
                alone = replace(asked, edits=(items[outcome.index],))
                by_itself = (await plan_edits(self._session, alone, cancellation)).plan.outcomes[0]
                outcome = replace(by_itself, index=outcome.index)
            block = _block(planned, outcome, items[outcome.index])
            if outcome.is_lost and self._was_applied(block.id) and _is_in_file(block):
                # The text alone is too little evidence, but the block is known to have been applied.
                block = replace(block, outcome=replace(outcome, status=Status.ALREADY_APPLIED, candidates=()))
            blocks.append(block)
        return tuple(block for block in blocks if block.id not in self._discarded)

    def _cancel(self, key: str) -> None:
        timer = self._timers.pop(key, None)
        if timer is not None:
            timer.cancel()
        running = self._running.pop(key, None)
        if running is not None:
            running[0].cancel()

    def _forget(self, key: str, uri: str) -> None:
        self._lenses.pop(key, None)
        if self._drop(key):
            self._diagnostics.show(_OWNER, uri, [])

    def _keep(self, key: str, parsed: DocumentBlocks) -> None:
        self._drop(key)
        self._known[key] = parsed
        for target in parsed.target_keys:
            self._documents_by_target.setdefault(target, set()).add(key)

    def _drop(self, key: str) -> bool:
        """Forget the blocks of a document; return whether it had been parsed."""
        parsed = self._known.pop(key, None)
        if parsed is None:
            return False
        for target in parsed.target_keys:
            concerned = self._documents_by_target[target]
            concerned.discard(key)
            if not concerned:
                del self._documents_by_target[target]
        return True

    def _show(self, key: str, parsed: DocumentBlocks) -> None:
        document = self._session.documents.at(key)
        if document is not None:
            found = [self._diagnostic(parsed.table, block) for block in parsed.blocks]
            shown = [one for one in found if one is not None]
            shown += [self._hint(parsed.table, one) for one in parsed.unplaced if one.edit and one.is_change]
            self._diagnostics.show(_OWNER, document.uri, shown)

    def _hint(self, table: LineTable, one: Unplaced) -> types.Diagnostic:
        """Return the hint on code that names no file."""
        line = table.content_span(one.line - 1)
        return types.Diagnostic(
            range=range_of(table, line, self._session.client.unit),
            severity=types.DiagnosticSeverity.Hint,
            code=UNPLACED_CODE,
            source=SOURCE,
            message=one.message,
        )

    def _diagnostic(self, table: LineTable, block: DocumentBlock) -> types.Diagnostic | None:
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
                    message=f"candidate {number}, {candidate.distinction}",
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


def _lens_of(block: DocumentBlock) -> object:
    """Return what the lens over a block depends on; where it is, the client asks after each change."""
    outcome = block.outcome
    return block.id, outcome.status, outcome.rung, outcome.similarity, len(outcome.candidates)


def _may_have_blocks(document: Document) -> bool:
    """Return whether a document is of a kind that holds models' answers, or contains a block's marker."""
    if len(document.text) > MAX_CHARACTERS or document.is_shown:
        return False
    language = (document.language_id or "").lower()
    path = document.file
    if (
        language in _PROSE_LANGUAGES
        or "chat" in language
        or path is None
        or path.suffix in ("", ".md", ".txt")
    ):
        return True
    return any(sign in document.text for sign in _BLOCK_MARKERS)


def _parse(text: str) -> ParsedAnswer:
    from patchpoint.formats.answer import ALL_TURNS, read_answer

    return read_answer(text, turn=ALL_TURNS)


def _is_in_file(block: DocumentBlock) -> bool:
    """Return whether the replacement of a block is in its file."""
    if not isinstance(block.edit, Edit) or block.target is None:
        return False
    return contains_replacement(block.target.text, block.edit)


def _block(planned: PlannedEdits, outcome: Outcome, item: Edit | Malformed) -> DocumentBlock:
    edit = planned.request.edit_at(outcome.index)
    target = planned.request.targets.get(edit.path)
    text = target.text if target is not None else None
    return DocumentBlock(
        id=planned.request.id_of(outcome.index),
        edit=replace(edit, span=item.span) if isinstance(edit, Edit) else edit,
        outcome=outcome,
        file=planned.request.place_of(edit.path) if target is not None else "",
        uri=planned.uri(edit.path),
        target=LineTable.of(text) if text is not None else None,
    )
