"""What a person saves in the client, recorded for `checkpoints.authorship`."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.schema.uris import document_key

if TYPE_CHECKING:
    from patchpoint.lsp.session.documents import Document
    from patchpoint.lsp.session.session import Session


class Saves:
    """What the client has read of each open file, and what it made of that when it saved it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._read: dict[str, str | None] = {}
        """The text of each open document as it was last read or saved; `None` where that is not known."""
        self._clean: set[str] = set()
        """The documents that have not changed since."""
        self._looking: set[str] = set()
        """Those that have just changed, and whose files are being looked at."""

    def opened(self, uri: str) -> None:
        """Note the text that a document was opened with."""
        if (document := self._file(uri)) is not None:
            self._read[document.key] = document.text
            self._clean.add(document.key)

    def changed(self, uri: str) -> None:
        """Note that a document has changed: somebody typed, or the client has read the file again."""
        document = self._file(uri)
        if document is not None and document.key in self._clean:
            self._clean.discard(document.key)
            self._looking.add(document.key)
            self._session.start(self._look(document, document.text))

    def saved(self, uri: str) -> None:
        """Record what was saved, where that is another text than the one before."""
        document = self._file(uri)
        if document is None or document.file is None:
            return
        # Saved before its file was looked at, nobody knows any more which of the two it was.
        was = None if document.key in self._looking else self._read.get(document.key)
        now = self._read[document.key] = document.text
        self._looking.discard(document.key)
        self._clean.add(document.key)
        if was is not None and was != now:
            self._session.start(self._record(document.file, was, now))

    def closed(self, uri: str) -> None:
        """Forget a document."""
        self._read.pop(document_key(uri), None)
        self._clean.discard(document_key(uri))
        self._looking.discard(document_key(uri))

    def _file(self, uri: str) -> Document | None:
        document = self._session.documents.find(uri)
        return document if document is not None and document.file is not None else None

    async def _look(self, document: Document, text: str) -> None:
        """Find out whether a document is another one since somebody typed, or since its file is."""
        assert document.file is not None
        found = await self._session.run(_content, document.file)
        if document.key not in self._looking:
            return
        self._looking.discard(document.key)
        if found == _encoded(text):
            self._read[document.key] = text
            if document.text == text:
                self._clean.add(document.key)
        elif (was := self._read.get(document.key)) is None or found != _encoded(was):
            self._read[document.key] = None

    async def _record(self, file: Path, was: str, now: str) -> None:
        if self._session.client.trusts_workspace and any(map(file.is_relative_to, self._session.roots)):
            await self._session.run(_recorded, file, was, now)


def _content(file: Path) -> bytes | None:
    try:
        return read_file_bytes(file)
    except OSError:
        return None


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _recorded(file: Path, was: str, now: str) -> None:
    from patchpoint.checkpoints.authorship.saves import record_save

    if _content(file) == _encoded(now):
        with suppress(CheckpointError, OSError, ValueError):
            record_save(file, _encoded(was), _encoded(now))
