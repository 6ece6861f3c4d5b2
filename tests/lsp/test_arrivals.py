"""Whether an edit has arrived depends on the order of the client's messages, and on nothing else."""

from __future__ import annotations

import pytest
from lsprotocol import types

from patchpoint.lsp.session.arrivals import Arrivals
from patchpoint.lsp.session.documents import Documents
from patchpoint.text.positions import Unit

URI = "file:///app.py"
EDIT, FORMAT, ANSWER = "edited\n", "edited and formatted\n", None


@pytest.mark.parametrize(
    ("messages", "has_arrived"),
    [
        ([EDIT, ANSWER], True),
        ([ANSWER, EDIT], True),
        ([ANSWER, EDIT, FORMAT], True),
        ([EDIT, ANSWER, FORMAT], True),
        ([EDIT, FORMAT, ANSWER], False),
        ([FORMAT, ANSWER], False),
        ([ANSWER, FORMAT], False),
        ([FORMAT, EDIT, ANSWER], True),
    ],
)
def test_the_order_of_the_messages_decides(messages: list[str | None], *, has_arrived: bool) -> None:
    documents = Documents(Unit.UTF_16)
    item = types.TextDocumentItem(uri=URI, language_id="python", version=1, text="before\n")
    documents.put_text_document(item)
    document = documents.find(URI)
    assert document is not None
    arrivals = Arrivals([(document, EDIT)])
    documents.watchers.add(arrivals.note_shown)
    for message in messages:
        if message is ANSWER:
            arrivals.note_answer()
        else:
            change = types.TextDocumentContentChangeWholeDocument(text=message)
            documents.update_text_document(types.VersionedTextDocumentIdentifier(uri=URI, version=2), change)
            documents.note_changed(URI)
    assert arrivals.has(document) is has_arrived
