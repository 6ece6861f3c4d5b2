"""A client that writes and reads the bytes of the protocol itself, for what no library would send."""

from __future__ import annotations

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path
from typing import Any

from tests.loaded_server import forked
from tests.lsp.editor import PATIENCE, SERVER, UNREAD

ENVIRONMENT = dict(os.environ, PYTHONPATH=str(Path(__file__).parents[2] / "server"))


class Wire:
    """A client of bytes."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self.ids = 0

    def send(self, message: object) -> None:
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.writer.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))

    async def receive(self) -> dict[str, Any]:
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE)
        length = re.search(rb"Content-Length: (\d+)", head)
        assert length is not None
        body = await asyncio.wait_for(self.reader.readexactly(int(length[1])), PATIENCE)
        message: dict[str, Any] = json.loads(body)
        return message

    async def response(self, msg_id: object) -> dict[str, Any]:
        """The response with this id; what comes before it is passed over."""
        while True:
            message = await self.receive()
            if "method" not in message and message.get("id") == msg_id:
                return message

    async def ask(self, method: str, params: object = None) -> dict[str, Any]:
        self.ids += 1
        self.send({"jsonrpc": "2.0", "id": self.ids, "method": method, "params": params})
        return await self.response(self.ids)

    def tell(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    async def begin(self, **params: object) -> dict[str, Any]:
        response = await self.ask("initialize", {"processId": None, "capabilities": {}, **params})
        self.tell("initialized", {})
        result: dict[str, Any] = response["result"]
        return result

    async def is_alive(self) -> bool:
        answer = await self.ask("workspace/executeCommand", {"command": "patchpoint.listPendingEdits"})
        return bool(answer["result"] == {"edits": [], "feedback": ""})


async def started(*, loaded: bool = False) -> tuple[asyncio.subprocess.Process, Wire]:
    """Start a server, as an editor does; where its start is not what is tried, it may be `loaded` already."""
    command = forked(SERVER, "patchpoint.lsp.registration") if loaded else SERVER
    process = await asyncio.create_subprocess_exec(
        *command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT,
        limit=UNREAD,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    return process, Wire(process.stdout, process.stdin)
