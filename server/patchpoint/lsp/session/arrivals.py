"""Whether the client has shown the texts that it was asked for, by the order of its messages alone.

What a client sends before its response to an edit belongs to the edit, such as the work of a formatter; what
it sends after a text is complete does not. So the texts are judged when the response arrives, and one that is
not complete by then counts as made as soon as one notification leaves it complete, whatever the next one does
to it. How soon the task that waits for this gets its turn makes no difference.
"""

from __future__ import annotations

from collections.abc import Iterable

from patchpoint.lsp.session.documents import Document


class Arrivals:
    """The documents of one edit in which the wanted text has arrived."""

    def __init__(self, expected: Iterable[tuple[Document, str]]) -> None:
        self._missing = {document.key: (document, text) for document, text in expected}
        self._arrived: set[str] = set()
        self._is_answered = False

    def note_answer(self) -> None:
        """Note the client's response; every message before it has been handled."""
        self._is_answered = True
        for key in list(self._missing):
            self.note_shown(key)

    def note_shown(self, key: str) -> None:
        """Note that a notification has changed the document with this `document_key`, in all its changes."""
        document, text = self._missing.get(key, (None, ""))
        if self._is_answered and document is not None and document.text == text:
            self._arrived.add(key)
            del self._missing[key]

    def has(self, document: Document) -> bool:
        """Return whether a document had the wanted text at the response or after it."""
        return document.key in self._arrived
