"""The server keeps no reference to what is over."""

from __future__ import annotations

import asyncio
import gc
import json
from concurrent.futures import Future
from pathlib import Path

import pytest

from patchpoint.lsp.server import create_server
from tests.lsp.editor import PATIENCE, declared_by

pytestmark = pytest.mark.asyncio(loop_scope="module")


class Outbox:
    """A connection that drops what the server writes."""

    def __init__(self) -> None:
        self.answered: set[object] = set()
        self.came = asyncio.Event()

    def write(self, message: bytes) -> None:
        self.answered.add(json.loads(message).get("id"))
        self.came.set()

    def close(self) -> None:
        """Nothing is open."""

    async def answer(self, msg_id: int) -> None:
        while msg_id not in self.answered:
            self.came.clear()
            await asyncio.wait_for(self.came.wait(), PATIENCE)


async def test_what_a_message_led_to_is_forgotten_once_it_is_done(tmp_path: Path) -> None:
    server = create_server()
    loop = asyncio.get_running_loop()
    outbox = Outbox()
    server.protocol.set_writer(outbox, include_headers=False)
    ended = loop.create_task(server.serve(loop))
    await asyncio.sleep(0)

    def receive(method: str, params: object, msg_id: int | None = None) -> None:
        message = {"jsonrpc": "2.0", "method": method, "params": params}
        server.protocol.receive(json.dumps(message if msg_id is None else {**message, "id": msg_id}).encode())

    server.protocol.begin(
        {"processId": None, "rootUri": tmp_path.as_uri(), "capabilities": declared_by("nvim-0.11.4")}
    )
    receive("initialized", {})
    uri = (tmp_path / "app.py").as_uri()
    item = {"uri": uri, "languageId": "python", "version": 1, "text": "x = 1\n"}
    receive("textDocument/didOpen", {"textDocument": item})

    async def go_about(first: int) -> int:
        """Type and send requests for a while; return how many futures are kept."""
        for number in range(first, first + 100):
            change = {
                "textDocument": {"uri": uri, "version": number},
                "contentChanges": [{"text": f"{number}\n"}],
            }
            receive("textDocument/didChange", change)
            receive("textDocument/codeLens", {"textDocument": {"uri": uri}}, number)
            receive("no/such/method", {}, number + 1000)
            await outbox.answer(number)
        gc.collect()
        return sum(isinstance(each, (Future, asyncio.Future)) for each in gc.get_objects())

    before = await go_about(1)
    assert await go_about(101) - before < 20
    server.exit(0)
    await ended
