r"""The client's open documents, with exactly the texts that it sent.

Only `\n`, `\r\n` and `\r` end a line, positions past the end are clamped as the protocol says, and nothing is
read from disk. The store of pygls does none of these.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.user_state import is_shown
from patchpoint.schema.uris import document_key, path_of, scheme_of, uri_of
from patchpoint.text.line_endings import is_shown_as
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit, offset_at

if TYPE_CHECKING:
    from patchpoint.structure.open_notebook import OpenNotebook

SCHEME = "patchpoint"
"""The scheme of the URIs of texts that the server shows to clients that can request them."""


class Document(TextDocument):
    """An open document. Its `table` is immutable and may be used in any thread."""

    def __init__(self, uri: str, text: str, version: int | None, language_id: str | None, unit: Unit) -> None:
        super().__init__(uri, source=None, version=version, language_id=language_id)
        self._unit = unit
        self.key = document_key(uri)
        """The same for all spellings of the document's URI."""
        self.file = path_of(uri)
        """The document's file; `None` if it is not a file."""
        self.table = LineTable.of(text)
        self.changes = 0
        """Number of changes that the client sent since it opened the document."""
        self.awaited: str | None = None
        """The text that the client reported and has not sent; `None` once it sent any change."""
        self._expected: str | None = None
        self.arrived = False
        """Whether the document has had the text awaited last, even if it changed again since."""
        self._replaced: frozenset[str] = frozenset()
        self._written: str | None = None

    @property
    def is_behind(self) -> bool:
        """Whether the server has changed the file on the disk, and the client has not shown that yet."""
        return bool(self._replaced)

    @property
    def is_outdated(self) -> bool:
        """Whether its text is one that the server itself replaced on the disk: nothing in it is unsaved."""
        return self.is_behind and self.text in self._replaced

    def note_written(self, before: str, after: str | None) -> None:
        """Note that the server replaced the text `before` of the file; `after` is `None` without a file."""
        self._replaced, self._written = self._replaced | {before}, after
        self._note_shown()

    def note_saved(self) -> None:
        """Note that the client saved it, having sent all changes before."""
        self.awaited = None
        self._replaced = frozenset()

    def _note_shown(self) -> None:
        # What the client makes of it from here on is its user's own.
        if self._replaced and self._written is not None and is_shown_as(self._written, self.text):
            self._replaced = frozenset()

    @cached_property
    def is_shown(self) -> bool:
        """Whether it is a text of the server's own, such as a preview: what is in it is no model's answer."""
        return scheme_of(self.uri) == SCHEME or (self.file is not None and is_shown(self.file))

    @property
    def text(self) -> str:
        """The whole text."""
        return self.table.text

    @property
    def source(self) -> str:
        """The whole text, under the name that pygls uses."""
        return self.table.text

    @property
    def lines(self) -> Sequence[str]:
        """All lines with their endings."""
        starts = (*self.table.starts, len(self.text))
        return [self.text[start:end] for start, end in pairwise(starts)]

    def expect(self, text: str) -> None:
        """Note that the client reported `text` as the document's text, and has yet to send the change."""
        self.awaited = self._expected = text
        self.arrived = False

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Apply one change that the client sent."""
        self.changes += 1
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = self.offset(change.range.start)
            end = self.offset(change.range.end)
            self.table = self.table.replaced(min(start, end), max(start, end), change.text)
        else:
            self.table = LineTable.of(change.text)
        self.awaited = None
        self._note_shown()
        if self._expected is not None and self.text == self._expected:
            self._expected = None
            self.arrived = True

    def offset(self, position: types.Position) -> int:
        """Return the character offset of a position in the client's units."""
        return offset_at(self.table, position.line, position.character, self._unit)


@dataclass(frozen=True, slots=True)
class BufferSnapshot:
    """The state of an open document when a request was planned."""

    document: Document
    table: LineTable
    version: int | None

    @property
    def is_current(self) -> bool:
        """Whether the document has not changed since."""
        return self.document.table is self.table


@dataclass(frozen=True)
class NotebookSnapshot:
    """The state of an open notebook: of each cell, whether it is Markdown, and its text."""

    cells: tuple[tuple[bool, LineTable], ...]

    @cached_property
    def shown(self) -> OpenNotebook:
        """The cells. To be used first in a thread, as the texts of `OpenBuffers`."""
        # Imported where a notebook is open: few sessions have one, and all wait for what is imported first.
        from patchpoint.structure.open_notebook import OpenCell, OpenNotebook

        return OpenNotebook(tuple(OpenCell(is_markdown, table.text) for is_markdown, table in self.cells))


@dataclass(frozen=True)
class OpenBuffers:
    """The state of all open documents at one moment."""

    files: Mapping[Path, BufferSnapshot]
    outdated: frozenset[Path]
    """The files that are open with a text that the server replaced on the disk: they are read there."""
    others: Mapping[str, BufferSnapshot]
    """Those that are not files, by URI."""
    notebooks: Mapping[Path, NotebookSnapshot]
    """The notebooks that are open as such. Their cells are among `others`."""

    @cached_property
    def file_texts(self) -> Mapping[Path, str]:
        """The texts of `files`. To be used first in a thread: a long text takes time to put together."""
        return {path: buffer.table.text for path, buffer in self.files.items()}

    @cached_property
    def other_texts(self) -> Mapping[str, str]:
        """The texts of `others`."""
        return {uri: buffer.table.text for uri, buffer in self.others.items()}


class Documents(Workspace):
    """The open documents, found by any spelling of their URIs."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(None, position_encoding=unit.value)
        self._unit = unit
        self._open: dict[str, Document] = {}
        self._buffers: OpenBuffers | None = None
        self._next_change: asyncio.Future[None] | None = None
        self.watchers: set[Callable[[str], None]] = set()
        """Called with the `document_key` of a document once a notification has changed it, before any task
        gets its turn."""

    def note_changed(self, uri: str) -> None:
        """Call the watchers, after all changes of one notification have been applied to a document."""
        for watcher in list(self.watchers):
            watcher(document_key(uri))

    def next_change(self) -> asyncio.Future[None]:
        """Return a future that is done when a document is next opened, changed, saved or closed."""
        if self._next_change is None:
            self._next_change = asyncio.get_running_loop().create_future()
        return self._next_change

    def _announce_change(self) -> None:
        self._buffers = None
        if self._next_change is not None:
            self._next_change.set_result(None)
            self._next_change = None

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def find(self, uri: str) -> Document | None:
        """Return the open document of `uri`; `None` if it is not open."""
        return self._open.get(document_key(uri))

    def at(self, key: str) -> Document | None:
        """Return the open document with this `document_key`; `None` if there is none."""
        return self._open.get(key)

    def buffers(self) -> OpenBuffers:
        """Return the state of all open documents, which is collected once between two changes."""
        if self._buffers is None:
            states = [BufferSnapshot(each, each.table, each.version) for each in self._open.values()]
            files = {state.document.file: state for state in states if state.document.file is not None}
            outdated = frozenset(path for path, state in files.items() if state.document.is_outdated)
            self._buffers = OpenBuffers(
                files={path: state for path, state in files.items() if path not in outdated},
                outdated=outdated,
                others={state.document.uri: state for state in states if state.document.file is None},
                notebooks=self._notebooks(),
            )
        return self._buffers

    def _notebooks(self) -> dict[Path, NotebookSnapshot]:
        found = {}
        for notebook in self.notebook_documents.values():
            path = path_of(notebook.uri)
            cells = [(cell.kind, self.find(cell.document)) for cell in notebook.cells]
            if path is not None:
                found[path] = NotebookSnapshot(
                    tuple((kind == types.NotebookCellKind.Markup, cell.table) for kind, cell in cells if cell)
                )
        return found

    @property
    def text_documents(self) -> dict[str, TextDocument]:
        """The open documents, under the name that pygls uses."""
        return dict(self._open)

    def get_text_document(self, doc_uri: str) -> TextDocument:
        """Return the open document of `doc_uri`. Raises `KeyError` when it is not open."""
        return self._open[document_key(doc_uri)]

    def put_text_document(
        self,
        text_document: types.TextDocumentItem,
        notebook_uri: str | None = None,  # noqa: ARG002 (the signature of pygls)
    ) -> None:
        """Add a document that the client opened."""
        self._open[document_key(text_document.uri)] = Document(
            text_document.uri,
            text_document.text,
            text_document.version,
            text_document.language_id,
            self._unit,
        )
        self._announce_change()

    def update_notebook_document(self, params: types.DidChangeNotebookDocumentParams) -> None:
        """Change the cells of a notebook. Raises `KeyError` when it, or a cell that changes, is not open."""
        super().update_notebook_document(params)
        self._announce_change()

    def remove_notebook_document(self, params: types.DidCloseNotebookDocumentParams) -> None:
        """Remove a notebook that the client closed, and its cells; one that is not open is no error."""
        super().remove_notebook_document(params)
        self._announce_change()

    def remove_text_document(self, doc_uri: str) -> None:
        """Remove a document that the client closed; one that is not open is no error."""
        self._open.pop(document_key(doc_uri), None)
        self._announce_change()

    def is_hidden(self, uri: str) -> bool:
        """Return whether the client reported a change of a document and has not sent it yet."""
        document = self.find(uri)
        return document is not None and document.awaited is not None

    def note_saved(self, uri: str) -> None:
        """Note that the client saved a document: it has sent all changes by then."""
        document = self.find(uri)
        if document is not None:
            document.note_saved()
            self._announce_change()

    def note_written(self, path: Path, before: str, after: str | None) -> None:
        """As `Document.note_written`, of a file that may be open."""
        document = self.find(uri_of(path))
        if document is not None:
            document.note_written(before, after)
            self._announce_change()

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """Apply a change that the client sent. Raises `KeyError` when the document is not open."""
        document = self._open[document_key(text_doc.uri)]
        document.apply_change(change)
        document.version = text_doc.version
        self._announce_change()
