r"""The documents that the client has open, exactly as it has them.

Only `\n`, `\r\n` and `\r` end a line, positions past the end are clamped as the protocol says, and nothing is
ever read from disk behind the client's back. The library's own store does none of these.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from itertools import pairwise

from lsprotocol import types
from pygls.workspace import TextDocument, Workspace

from patchpoint.lsp.uris import document_key
from patchpoint.text.lines import LineTable
from patchpoint.text.positions import Unit, offset_at


class Document(TextDocument):
    """One open document. Its `table` is immutable and may be handed to any thread."""

    def __init__(self, uri: str, text: str, version: int | None, language_id: str | None, unit: Unit) -> None:
        super().__init__(uri, source=None, version=version, language_id=language_id)
        self._unit = unit
        self.table = LineTable.of(text)
        self.changes = 0
        """How many times the client changed it since it was opened."""
        self.awaited: str | None = None
        """What the client says that it made of it, as long as nothing has been seen of it since."""
        self._expected: str | None = None
        self.arrived = False
        """Whether what was awaited last has been seen, if only until the next change."""

    @property
    def text(self) -> str:
        """The whole text."""
        return self.table.text

    @property
    def source(self) -> str:
        """The whole text, under the library's name for it."""
        return self.table.text

    @property
    def lines(self) -> Sequence[str]:
        """Every line with its ending."""
        starts = (*self.table.starts, len(self.text))
        return [self.text[start:end] for start, end in pairwise(starts)]

    def expect(self, text: str) -> None:
        """Note that the client says its text is now `text`, and has not shown it."""
        self.awaited = self._expected = text
        self.arrived = False

    def apply_change(self, change: types.TextDocumentContentChangeEvent) -> None:
        """Follow one change of the client's."""
        self.changes += 1
        if isinstance(change, types.TextDocumentContentChangePartial):
            start = self.offset(change.range.start)
            end = self.offset(change.range.end)
            self.table = self.table.replaced(min(start, end), max(start, end), change.text)
        else:
            self.table = LineTable.of(change.text)
        self.awaited = None
        if self._expected is not None and self.text == self._expected:
            self._expected = None
            self.arrived = True

    def offset(self, position: types.Position) -> int:
        """The character offset of a position in the client's units."""
        return offset_at(self.table, position.line, position.character, self._unit)


class Documents(Workspace):
    """All open documents, found by any spelling of their URI."""

    def __init__(self, unit: Unit) -> None:
        super().__init__(None, position_encoding=unit.value)
        self._unit = unit
        self._open: dict[str, Document] = {}
        self._next_change: asyncio.Future[None] | None = None

    def next_change(self) -> asyncio.Future[None]:
        """What is done as soon as any document is opened, changed or closed."""
        if self._next_change is None:
            self._next_change = asyncio.get_running_loop().create_future()
        return self._next_change

    def _announce_change(self) -> None:
        if self._next_change is not None:
            self._next_change.set_result(None)
            self._next_change = None

    def __iter__(self) -> Iterator[Document]:
        return iter(list(self._open.values()))

    def __len__(self) -> int:
        return len(self._open)

    def find(self, uri: str) -> Document | None:
        """The open document of that URI."""
        return self._open.get(document_key(uri))

    @property
    def text_documents(self) -> dict[str, TextDocument]:
        """The open documents, under the library's name for them."""
        return dict(self._open)

    def get_text_document(self, doc_uri: str) -> TextDocument:
        """The open document of that URI. Raises `KeyError` when it is not open."""
        return self._open[document_key(doc_uri)]

    def put_text_document(
        self,
        text_document: types.TextDocumentItem,
        notebook_uri: str | None = None,  # noqa: ARG002 (the library's)
    ) -> None:
        """The client opened a document."""
        self._open[document_key(text_document.uri)] = Document(
            text_document.uri,
            text_document.text,
            text_document.version,
            text_document.language_id,
            self._unit,
        )
        self._announce_change()

    def remove_text_document(self, doc_uri: str) -> None:
        """The client closed a document; one that was never open is no error."""
        self._open.pop(document_key(doc_uri), None)
        self._announce_change()

    def is_hidden(self, uri: str) -> bool:
        """Whether the client says that it changed a document, and has not shown it since."""
        document = self.find(uri)
        return document is not None and document.awaited is not None

    def note_saved(self, uri: str) -> None:
        """The client saved a document: all that it changed there is known by now."""
        document = self.find(uri)
        if document is not None:
            document.awaited = None
            self._announce_change()

    def update_text_document(
        self, text_doc: types.VersionedTextDocumentIdentifier, change: types.TextDocumentContentChangeEvent
    ) -> None:
        """The client changed a document. Raises `KeyError` when it is not open."""
        document = self._open[document_key(text_doc.uri)]
        document.apply_change(change)
        document.version = text_doc.version
        self._announce_change()
