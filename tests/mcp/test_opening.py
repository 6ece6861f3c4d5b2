"""A client's first messages are answered at once, and as the protocol's library answers them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from patchpoint.mcp.opening import DATA
from tests.mcp.clients import STARTED, Wire, environment, request, wire

INITIALIZED = {"jsonrpc": "2.0", "method": "notifications/initialized"}
EDIT = {"path": "a.txt", "search": "one\n", "replace": "two\n"}
VERSIONS = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    return folder


def initialize(number: int, version: object = "2025-06-18", **capabilities: Any) -> dict[str, Any]:
    who = {"name": "wire", "version": "0"}
    return request(
        number, "initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": who}
    )


def lines(*messages: dict[str, Any]) -> bytes:
    return b"".join(json.dumps(one).encode() + b"\n" for one in messages)


def test_what_is_answered_first_is_what_the_library_says() -> None:
    from tools.mcp_opening import opening

    assert json.loads(DATA.read_text(encoding="utf-8")) == opening(), "run `make docs`"
    assert opening()["versions"] == VERSIONS


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("arguments", [[], ["--read-only"], ["--allow-restore"]])
def test_the_library_answers_the_same_once_it_is_asked(
    folder: Path, version: str, arguments: list[str]
) -> None:
    with wire(folder, *arguments) as server:
        server.send(initialize(0, version))
        first = server.answer(0)
        server.send(INITIALIZED)
        server.send(request(1, "tools/list"))
        listed = server.answer(1)
        server.send(request(2, "tools/list", {"cursor": None}))  # which is left to the library
        assert server.answer(2)["result"] == listed["result"]
        server.send(initialize(3, version))
        assert server.answer(3)["result"] == first["result"]
        assert first["result"]["protocolVersion"] == version


def test_a_client_that_asks_which_protocol_is_spoken_may_go_on_with_either(folder: Path) -> None:
    about = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "wire", "version": "0"},
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    with wire(folder) as server:
        server.send(request(0, "server/discover", {"_meta": about}))
        first = server.answer(0)
        server.send(request(1, "tools/list", {"_meta": about}))  # which is left to the library
        assert server.answer(1)["result"]["tools"]
        server.send(request(2, "server/discover", {"_meta": about}))
        assert server.answer(2)["result"] == first["result"]
    with wire(folder) as server:
        server.send(request(0, "server/discover", {"_meta": about}))
        server.answer(0)
        server.send(initialize(1))
        assert server.answer(1)["result"]["protocolVersion"] == "2025-06-18"


def test_until_a_tool_is_called_the_library_is_not_loaded(folder: Path) -> None:
    program = [sys.executable, "-X", "importtime", *STARTED[1:]]
    sent = lines(initialize(0), INITIALIZED, request(1, "ping"))
    done = subprocess.run(
        program, input=sent, capture_output=True, cwd=folder, env=environment(folder), check=True
    )
    assert [json.loads(line)["id"] for line in done.stdout.splitlines()] == [0, 1]
    loaded = {line.rpartition(b"|")[2].strip() for line in done.stderr.splitlines()}
    assert b"patchpoint.mcp.opening" in loaded
    assert not loaded & {
        b"mcp",
        b"pydantic",
        b"anyio",
        b"patchpoint.mcp.server",
        b"patchpoint.schema.requests",
    }


def test_all_messages_may_come_at_once(folder: Path) -> None:
    call = request(2, "tools/call", {"name": "apply_edits", "arguments": {"edits": [EDIT]}})
    with wire(folder) as server:
        server.send(lines(initialize(0), INITIALIZED, request(1, "tools/list"), call).removesuffix(b"\n"))
        assert [server.read()["id"] for _ in range(3)] == [0, 1, 2]
    assert (folder / "a.txt").read_text() == "two\n"


def test_a_message_may_come_in_pieces(folder: Path) -> None:
    with wire(folder) as server:
        assert server.process.stdin is not None
        for piece in (b"", lines(initialize(0))[:20], lines(initialize(0))[20:] + lines(INITIALIZED)[:9]):
            server.process.stdin.write(piece)
            server.process.stdin.flush()
        assert server.answer(0)["result"]["serverInfo"]["name"] == "patchpoint"
        server.process.stdin.write(lines(INITIALIZED)[9:])
        assert server.call(1, "apply_edits", {"edits": [EDIT]})["structuredContent"]["applied"]


@pytest.mark.parametrize(
    "odd",
    [
        initialize(0, "1999-01-01"),
        initialize(0, 5),
        initialize(0, roots=5),
        request(0, "initialize", {"protocolVersion": "2025-06-18"}),
        request(0, "tools/list"),
        request(0, "no/such"),
    ],
)
def test_what_is_not_usual_is_left_to_the_library(folder: Path, odd: dict[str, Any]) -> None:
    with wire(folder) as server:
        server.send(odd)
        answer = server.answer(0)
        assert ("error" in answer) or answer["result"].get("protocolVersion") in VERSIONS
        later(server)


def later(server: Wire) -> None:
    """The server is there, and serves whoever opens the connection as is usual."""
    server.send(initialize(7))
    assert server.answer(7)["result"]["protocolVersion"] == "2025-06-18"
    server.send(INITIALIZED)
    assert "applied" in server.call(8, "apply_edits", {"edits": [EDIT]})["content"][0]["text"]


def test_what_the_client_can_do_is_known_later_on(folder: Path) -> None:
    with wire(folder) as server:
        server.initialize(elicitation={})
        edit = {"path": ".envrc", "operation": "create", "content": "x\n"}
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}}))
        assert server.read()["method"] == "elicitation/create"
