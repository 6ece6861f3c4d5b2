"""Clients of the real process: the official library's, in both eras of the protocol, and lines of JSON."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tests.loaded_server import forked

# The library takes as long to load as a tenth of all tests to collect, which each process of them does.
if TYPE_CHECKING:
    import mcp_types as types
    from mcp.client.client import Client

STARTED = (sys.executable, "-m", "patchpoint", "mcp")
"""The program as agents start it, which loads all that it needs."""

ERAS = {"handshake": "legacy", "stateless": "auto"}
"""How the library's client connects: with `initialize`, as until 2025-11-25, or as since 2026-07-28."""


@dataclass
class User:
    """Who is asked: gives the answers in turn, and keeps the questions."""

    answers: list[dict[str, str] | None] = field(default_factory=list)
    """What is filled in; `None` declines."""
    questions: list[types.ElicitRequestFormParams] = field(default_factory=list)

    async def __call__(self, context: object, params: types.ElicitRequestParams) -> types.ElicitResult:
        """Answer a question."""
        import mcp_types as types

        assert isinstance(params, types.ElicitRequestFormParams)
        self.questions.append(params)
        answer = self.answers.pop(0)
        if answer is None:
            return types.ElicitResult(action="decline")
        return types.ElicitResult(action="accept", content=dict(answer))


@asynccontextmanager
async def connected(
    era: str,
    folder: Path,
    *arguments: str | Path,
    user: User | None = None,
    roots: Sequence[Path] | None = None,
    directory: Path | None = None,
) -> AsyncIterator[Client]:
    """The library's client of `patchpoint mcp` with these arguments; its state is next to `folder`."""
    import mcp_types as types
    from mcp.client.client import Client
    from mcp.client.stdio import StdioServerParameters, stdio_client
    from pydantic import FileUrl

    command, *options = served(*map(str, arguments))
    parameters = StdioServerParameters(
        command=command,
        args=options,
        env=environment(folder),
        cwd=str(directory or folder),
    )

    async def named_roots(context: object) -> types.ListRootsResult:
        return types.ListRootsResult(roots=[types.Root(uri=FileUrl(one.as_uri())) for one in roots or ()])

    async with Client(
        stdio_client(parameters),
        mode=ERAS[era],
        elicitation_callback=user,
        list_roots_callback=named_roots if roots is not None else None,
    ) as client:
        yield client


def served(*arguments: str) -> list[str]:
    """Return the command that is `patchpoint mcp` with these arguments, in a fork of what has loaded it."""
    code = f"import sys; from patchpoint.cli import main; sys.exit(main({['mcp', *arguments]!r}))"
    return forked([sys.executable, "-c", code], "patchpoint.mcp.server")


def environment(folder: Path) -> dict[str, str]:
    """The environment of the server."""
    return {**os.environ, "PATCHPOINT_STATE_HOME": str(folder.parent / "state")}


@dataclass
class Wire:
    """A server that is sent bytes, and what it writes."""

    process: subprocess.Popen[bytes]
    before: list[dict[str, Any]] = field(default_factory=list)
    """Messages that came before the answer that was waited for."""

    def send(self, message: bytes | dict[str, Any]) -> None:
        """Send one line."""
        data = message if isinstance(message, bytes) else json.dumps(message).encode()
        assert self.process.stdin is not None
        self.process.stdin.write(data + b"\n")
        self.process.stdin.flush()

    def read(self) -> dict[str, Any]:
        """Return the next message; whatever is no message of the protocol fails the test."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        assert line, "the server has ended"
        message: dict[str, Any] = json.loads(line)
        assert message["jsonrpc"] == "2.0"
        return message

    def answer(self, number: int) -> dict[str, Any]:
        """Return the answer to the request of that number."""
        while (message := self.read()).get("id") != number or "method" in message:
            self.before.append(message)
        return message

    def initialize(self, **capabilities: Any) -> dict[str, Any]:
        """Open a connection of the handshake era."""
        who = {"name": "wire", "version": "0"}
        opening = {"protocolVersion": "2025-06-18", "capabilities": capabilities, "clientInfo": who}
        self.send(request(0, "initialize", opening))
        answer = self.answer(0)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        return answer

    def call(self, number: int, tool: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """Call a tool, and return its result."""
        self.send(request(number, "tools/call", {"name": tool, "arguments": arguments}))
        result: dict[str, Any] = self.answer(number)["result"]
        return result


def request(number: int, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return a request."""
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


@contextmanager
def wire(folder: Path, *arguments: str, program: Sequence[str] | None = None) -> Iterator[Wire]:
    """A server in `folder`, ended as a client ends it: by closing its standard input."""
    process = subprocess.Popen(
        served(*arguments) if program is None else [*program, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(folder),
        cwd=folder,
    )
    with process:
        yield Wire(process)
        if process.poll() is None:
            rest, _ = process.communicate(timeout=120)
            assert all(json.loads(line)["jsonrpc"] == "2.0" for line in rest.splitlines())
            assert process.returncode == 0
