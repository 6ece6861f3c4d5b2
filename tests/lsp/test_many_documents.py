"""A client with very many open documents: the work for one of them does not grow with the others."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
import pytest_asyncio

from patchpoint.lsp.server import create_server
from patchpoint.lsp.session.documents import Document
from patchpoint.schema import uris
from patchpoint.text.positions import Unit
from tests.lsp.editor import declared_by

pytestmark = pytest.mark.asyncio

BLOCK = "app.py\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"


class Outbox:
    """A client that reads nothing."""

    def write(self, message: bytes) -> None:
        """Drop a message."""

    def close(self) -> None:
        """Nothing is open."""


@pytest_asyncio.fixture
async def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Any]:
    """A session in this process."""
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    (tmp_path / "work" / "app.py").write_text("old\n")
    server = create_server()
    loop = asyncio.get_running_loop()
    server.protocol.set_writer(Outbox(), include_headers=False)
    ended = loop.create_task(server.serve(loop))
    await asyncio.sleep(0)
    capabilities = declared_by("nvim-0.11.4")
    root = (tmp_path / "work").as_uri()
    server.protocol.begin({"processId": None, "rootUri": root, "capabilities": capabilities})
    yield server
    for document in server.documents:
        notify(server, "textDocument/didClose", {"textDocument": {"uri": document.uri}})
    server.exit(0)
    await ended


@pytest.fixture
def keys(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The URIs that were read as paths, in order, since the list was last cleared."""
    read: list[str] = []
    path_of = uris.path_of

    def counted(uri: str) -> Path | None:
        read.append(uri)
        return path_of(uri)

    monkeypatch.setattr(uris, "path_of", counted)
    return read


def notify(server: Any, method: str, params: object) -> None:
    server.protocol.receive(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode())


def open_document(server: Any, uri: str, text: str, language: str) -> None:
    item = {"uri": uri, "languageId": language, "version": 1, "text": text}
    notify(server, "textDocument/didOpen", {"textDocument": item})


def type_key(server: Any, uri: str, version: int) -> None:
    place = {"line": 0, "character": 0}
    change = {"range": {"start": place, "end": place}, "text": "x"}
    document = {"uri": uri, "version": version}
    notify(server, "textDocument/didChange", {"textDocument": document, "contentChanges": [change]})


async def test_the_work_for_a_key_is_the_same_among_many_documents(
    server: Any, keys: list[str], tmp_path: Path
) -> None:
    target = (tmp_path / "work" / "app.py").as_uri()
    open_document(server, target, "old\n", "python")
    costs: list[tuple[int, int]] = []
    for number in range(300):
        chat = f"untitled:{number}.md"
        keys.clear()
        open_document(server, chat, BLOCK, "markdown")
        opening = len(keys)
        keys.clear()
        type_key(server, chat, 2)
        costs.append((opening, len(keys)))
        await server.blocks.current(chat)
    assert len(server.blocks.targets()) == 1
    assert set(costs) == {costs[0]}
    assert max(costs[0]) <= 10


async def test_only_the_documents_with_a_block_for_a_file_are_evaluated_again_when_it_changes(
    server: Any, tmp_path: Path
) -> None:
    target = (tmp_path / "work" / "app.py").as_uri()
    open_document(server, target, "old\n", "python")
    for number in range(20):
        chat = f"untitled:{number}.md"
        open_document(server, chat, BLOCK if number < 2 else "prose\n", "markdown")
        await server.blocks.current(chat)
    before = {number: await server.blocks.current(f"untitled:{number}.md") for number in range(20)}
    type_key(server, target, 2)
    after = {number: await server.blocks.current(f"untitled:{number}.md") for number in range(20)}
    assert [number for number in range(20) if after[number] is not before[number]] == [0, 1]
    notify(server, "textDocument/didClose", {"textDocument": {"uri": "untitled:0.md"}})
    assert server.blocks.targets() == [target]
    notify(server, "textDocument/didClose", {"textDocument": {"uri": "untitled:1.md"}})
    assert server.blocks.targets() == []
    type_key(server, target, 3)


async def test_the_states_of_all_documents_are_collected_once_between_two_changes(server: Any) -> None:
    for number in range(5):
        open_document(server, f"untitled:{number}.md", f"{number}\n", "markdown")
    buffers = server.documents.buffers()
    assert server.documents.buffers() is buffers
    assert list(buffers.other_texts.values()) == ["0\n", "1\n", "2\n", "3\n", "4\n"]
    type_key(server, "untitled:3.md", 2)
    changed = server.documents.buffers()
    assert changed.other_texts["untitled:3.md"] == "x3\n"
    assert not buffers.others["untitled:3.md"].is_current
    notify(server, "textDocument/didClose", {"textDocument": {"uri": "untitled:3.md"}})
    assert len(server.documents.buffers().others) == 4


async def test_a_document_keeps_its_key_and_its_file(tmp_path: Path) -> None:
    place = tmp_path / "a b.txt"
    document = Document(place.as_uri(), "", 1, None, Unit.UTF_16)
    assert (document.key, document.file) == (uris.document_key(place.as_uri()), place)
    assert Document("untitled:a", "", 1, None, Unit.UTF_16).file is None
