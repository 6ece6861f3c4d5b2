"""Any bytes on the wire lead to a protocol error or a line in the log, and the server goes on."""

from __future__ import annotations

import asyncio
import contextlib
import json
import subprocess
import sys
from collections.abc import AsyncIterator
from typing import Any, cast

import pytest
import pytest_asyncio

from tests.lsp.editor import CLIENT_HABITS, PATIENCE, UNREAD, declared_by
from tests.lsp.wire import ENVIRONMENT, Wire, started

pytestmark = pytest.mark.asyncio(loop_scope="module")


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def wire() -> AsyncIterator[Wire]:
    """One session, which must survive everything below."""
    process, wire = await started()
    await wire.begin()
    yield wire
    assert await wire.is_alive()
    assert (await wire.ask("shutdown"))["result"] is None
    wire.tell("exit")
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{not json", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b"null", -32600),
        (b"{}", -32600),
        (b'{"jsonrpc": "1.0", "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "id": 1.5, "method": "shutdown"}', -32600),
        (b'{"jsonrpc": "2.0", "method": 7}', -32600),
        (b'{"jsonrpc": "2.0"}', -32600),
    ],
)
async def test_a_malformed_message_gets_an_error(wire: Wire, body: bytes, code: int) -> None:
    wire.send(body)
    response = await wire.response(None)
    assert response["error"]["code"] == code


async def test_the_error_of_a_broken_message_has_its_id(wire: Wire) -> None:
    wire.send(b'{"jsonrpc": "1.0", "id": "mine", "method": "shutdown"}')
    assert (await wire.response("mine"))["error"]["code"] == -32600


@pytest.mark.parametrize(
    ("method", "params", "code"),
    [
        ("no/such/method", {}, -32601),
        ("initialize", {"capabilities": {}}, -32600),
        ("textDocument/codeAction", {}, -32602),
        ("textDocument/codeAction", [], -32602),
        ("textDocument/codeAction", None, -32602),
        ("textDocument/codeLens", {"textDocument": {"uri": 7}}, None),
        ("workspace/executeCommand", None, -32602),
        ("workspace/executeCommand", {"command": "no.such.command"}, -32602),
        ("workspace/executeCommand", {"command": 5}, -32602),
        ("workspace/executeCommand", {"command": "patchpoint.applyEdits", "arguments": {}}, -32602),
        ("workspace/executeCommand", {"command": "patchpoint.applyEdits", "arguments": [1]}, -32602),
        ("workspace/executeCommand", {"command": "patchpoint.takeCheckpoint", "arguments": [{}, {}]}, -32602),
    ],
)
async def test_wrong_requests_are_refused(wire: Wire, method: str, params: object, code: int | None) -> None:
    response = await wire.ask(method, params)
    if code is not None:
        assert response["error"]["code"] == code
        assert response["error"]["message"]
    assert await wire.is_alive()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", {}),
        ("textDocument/didOpen", {"textDocument": {"uri": "file:///a", "version": "x", "text": 3}}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///never", "version": 2},
                                    "contentChanges": [{"text": "x"}]}),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///never"}}),
        ("textDocument/didSave", {"textDocument": {"uri": "file:///never"}}),
        ("window/workDoneProgress/cancel", {"token": "never"}),
        ("workspace/didChangeWorkspaceFolders",
         {"event": {"added": [], "removed": [{"uri": "file:///never", "name": "x"}]}}),
        ("workspace/didChangeConfiguration", {"settings": 17}),
        ("workspace/didChangeConfiguration", {"settings": {"patchpoint": {"match": "high"}}}),
        ("$/cancelRequest", {"id": 4711}),
        ("$/setTrace", {"value": "loud"}),
        ("no/such/notification", {"x": 1}),
    ],
)  # fmt: skip
async def test_wrong_notifications_change_nothing(wire: Wire, method: str, params: object) -> None:
    wire.tell(method, params)
    assert await wire.is_alive()


@pytest.mark.parametrize(
    "message",
    [
        {"id": "never asked", "result": {"applied": True}},
        {"id": "never asked", "error": {"code": 1, "message": "x"}},
        {"id": "never asked", "error": "x"},
        {"id": [], "result": None},
    ],
)
async def test_responses_that_nobody_waits_for_are_dropped(wire: Wire, message: dict[str, object]) -> None:
    wire.send({"jsonrpc": "2.0", **message})
    assert await wire.is_alive()


async def test_positions_outside_the_text_mean_its_ends(wire: Wire) -> None:
    item = {"uri": "untitled:outside", "languageId": "plaintext", "version": 1, "text": "abc"}
    wire.tell("textDocument/didOpen", {"textDocument": item})
    span = {"start": {"line": 9, "character": 9}, "end": {"line": 1, "character": 99}}
    for changed in (span, {"start": {"line": 0, "character": 99}, "end": {"line": 0, "character": 1}}):
        wire.tell(
            "textDocument/didChange",
            {
                "textDocument": {"uri": item["uri"], "version": 0},
                "contentChanges": [{"range": changed, "text": "d"}],
            },
        )
    params = {
        "textDocument": {"uri": item["uri"]},
        "range": span,
        "context": {"diagnostics": [], "triggerKind": 9},
    }
    assert (await wire.ask("textDocument/codeAction", params)).get("result") == []
    wire.tell("textDocument/didClose", {"textDocument": {"uri": item["uri"]}})


async def test_ten_thousand_requests_at_once_all_get_a_response(wire: Wire) -> None:
    first = wire.ids + 1
    for _ in range(10_000):
        wire.ids += 1
        params = {"command": "patchpoint.listPendingEdits", "arguments": None}
        wire.send({"jsonrpc": "2.0", "id": wire.ids, "method": "workspace/executeCommand", "params": params})
    waiting = set(range(first, wire.ids + 1))
    while waiting:
        message = await wire.receive()
        if "method" not in message:
            assert message["result"] == {"edits": [], "feedback": ""}
            waiting.discard(message["id"])


async def test_nothing_is_done_before_initialize_and_after_shutdown() -> None:
    process, wire = await started()
    command = {"command": "patchpoint.listPendingEdits"}
    assert (await wire.ask("workspace/executeCommand", command))["error"]["code"] == -32002
    wire.tell("textDocument/didOpen", {})
    await wire.begin()
    assert await wire.is_alive()
    await wire.ask("shutdown")
    assert (await wire.ask("workspace/executeCommand", command))["error"]["code"] == -32600
    wire.tell("exit")
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


@pytest.mark.parametrize("client", CLIENT_HABITS)
async def test_unknown_values_do_not_keep_a_session_from_starting(client: str) -> None:
    def with_rubbish(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: with_rubbish(item) for key, item in value.items()} | {"unheardOf": {"x": [1]}}
        if isinstance(value, list):
            return [*value, 4711, "unheard of", None, {"x": 1}]
        return value

    process, wire = await started(loaded=True)
    result = await wire.begin(
        capabilities=with_rubbish(declared_by(client)), trace="loud", clientInfo={"name": 5}, rootUri=7
    )
    assert result["capabilities"]["positionEncoding"] in ("utf-8", "utf-16", "utf-32")
    process.kill()
    await process.wait()


@pytest.mark.parametrize(
    "params",
    [
        None,
        {},
        {"capabilities": None},
        {"capabilities": []},
        {"capabilities": {"workspace": 3}},
        {"capabilities": {}, "processId": 2**40},
    ],
)
async def test_a_client_that_declares_nothing_is_served(params: object) -> None:
    process, wire = await started(loaded=True)
    assert "result" in await wire.ask("initialize", params)
    assert await wire.is_alive()
    process.kill()
    await process.wait()


async def test_the_server_ends_when_its_client_closes_the_pipe() -> None:
    process, wire = await started()
    await wire.begin()
    wire.writer.close()
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1


async def test_the_server_ends_when_the_process_of_its_client_does() -> None:
    sleeper = await asyncio.create_subprocess_exec(
        sys.executable, "-c", "import sys; sys.stdin.read()", stdin=subprocess.PIPE
    )
    process, wire = await started()
    await wire.begin(processId=sleeper.pid)
    sleeper.kill()
    await sleeper.wait()
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1


async def test_exit_without_shutdown_is_a_failure() -> None:
    process, wire = await started()
    await wire.begin()
    wire.tell("exit")
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1


async def test_what_prints_does_not_disturb_the_client() -> None:
    noisy = (
        "import sys, os; from patchpoint.lsp import server; from patchpoint.lsp.session import session; "
        + (
            "old = session.Session.begin; "
            "session.Session.begin = lambda *a: (print('noise'), os.write(1, b'noise'), old(*a))[2]; "
            "sys.exit(server.serve())"
        )
    )
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", noisy, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env=ENVIRONMENT,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stdin is not None
    wire = Wire(process.stdout, process.stdin)
    await wire.begin()
    assert await wire.is_alive()
    process.kill()
    _, errors = await process.communicate()
    assert errors.count(b"noise") == 2


async def listening(*options: str, **variables: str) -> tuple[asyncio.subprocess.Process, str]:
    """A server on a socket, and what its first line says after `patchpoint is listening on `."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "patchpoint", "serve", "--port", "0", *options,
        stderr=subprocess.PIPE, env={**ENVIRONMENT, **variables}, limit=UNREAD,
    )  # fmt: skip
    assert process.stderr is not None
    line = (await asyncio.wait_for(process.stderr.readline(), PATIENCE)).decode()
    start = "patchpoint is listening on "
    assert line.startswith(start), line
    return process, line.removeprefix(start).strip()


async def connected(place: str) -> Wire:
    return Wire(*await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2])))


def initialize(token: object = None) -> dict[str, Any]:
    options = {} if token is None else {"initializationOptions": {"token": token}}
    return {"capabilities": {}, **options}


async def has_ended(reader: asyncio.StreamReader) -> bool:
    with contextlib.suppress(ConnectionError):
        return await asyncio.wait_for(reader.read(), PATIENCE) == b""
    return True


async def test_a_client_is_served_over_tcp_and_the_server_ends_with_it() -> None:
    process, place = await listening("--tcp")
    reader, writer = await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2]))
    wire = Wire(reader, writer)
    await wire.begin()
    assert await wire.is_alive()
    with pytest.raises(ConnectionRefusedError):
        await connected(place)
    writer.close()
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1


POST = (
    b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: https://page.example\r\nContent-Type: text/plain\r\n"
    b"Content-Length: %d\r\n\r\n%s"
)
INITIALIZE = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}}).encode()


async def test_a_web_page_gets_nothing_over_tcp_and_is_in_nobodys_way() -> None:
    process, place = await listening("--tcp")
    idle = [await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2])) for _ in range(12)]
    for body in (INITIALIZE, b"[" + INITIALIZE + b"]", b""):
        reader, writer = await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2]))
        writer.write(POST % (len(body), body))
        assert await has_ended(reader)
        writer.close()
    wire = await connected(place)
    await wire.begin()
    assert await wire.is_alive()
    for reader, writer in idle:
        assert await has_ended(reader)
        writer.close()
    process.kill()
    await process.wait()


async def test_who_connects_and_leaves_does_not_end_the_server() -> None:
    process, place = await listening("--tcp")
    for _ in range(3):
        _, writer = await asyncio.open_connection("127.0.0.1", int(place.rpartition(":")[2]))
        writer.close()
        await writer.wait_closed()
    wire = await connected(place)
    response = await wire.ask("workspace/executeCommand", {"command": "patchpoint.listPendingEdits"})
    assert response["error"]["code"] == -32002
    wire.tell("initialized", {})
    await wire.begin()
    assert await wire.is_alive()
    process.kill()
    await process.wait()


@pytest.mark.parametrize("own", [None, "a token of sixteen or more"])
async def test_a_client_over_tcp_shows_the_token_if_it_is_asked_for_one(own: str | None) -> None:
    process, place = await (
        listening("--tcp", "--token") if own is None else listening("--tcp", PATCHPOINT_TOKEN=own)
    )
    address, _, token = place.partition(" with token ")
    assert token == own if own is not None else len(token) > 40
    for wrong in (None, "", token[:-1], token + "x", 7, [token]):
        refused = await connected(address)
        response = await refused.ask("initialize", initialize(wrong))
        assert response["error"]["data"]["code"] == "wrong-token"
        assert token not in response["error"]["message"]
    wire = await connected(address)
    assert "capabilities" in (await wire.ask("initialize", initialize(token)))["result"]
    wire.tell("initialized", {})
    assert await wire.is_alive()
    process.kill()
    await process.wait()


@pytest.mark.parametrize("transport", ["--tcp", "--ws"])
async def test_other_machines_have_to_be_allowed(transport: str) -> None:
    refused = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "patchpoint", "serve", transport, "--host", "0.0.0.0", "--port", "0",
        stderr=subprocess.PIPE, env=ENVIRONMENT,
    )  # fmt: skip
    _, errors = await asyncio.wait_for(refused.communicate(), PATIENCE)
    assert (refused.returncode, b"--allow-remote" in errors) == (2, True)
    process, place = await listening(transport, "--host", "0.0.0.0", "--allow-remote")
    assert "token" in place
    assert process.stderr is not None
    assert b"warning" in await asyncio.wait_for(process.stderr.readline(), PATIENCE)
    process.kill()
    await process.wait()


async def test_a_client_is_served_over_a_websocket_and_the_server_ends_with_it() -> None:
    from websockets.asyncio.client import connect

    process, url = await listening("--ws")
    async with connect(url, max_size=None) as socket:
        await socket.send(INITIALIZE.decode())
        answer = json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
        assert answer["result"]["serverInfo"]["name"] == "patchpoint"
        async with connect(url) as second:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(second.recv(), PATIENCE)
            assert second.close_code == 1013
        await socket.send(json.dumps({"jsonrpc": "2.0", "id": 2, "method": "shutdown"}))
        while json.loads(answer_text := await asyncio.wait_for(socket.recv(), PATIENCE)).get("id") != 2:
            assert answer_text
        await socket.send(json.dumps({"jsonrpc": "2.0", "method": "exit"}))
        assert await asyncio.wait_for(process.wait(), PATIENCE) == 0


async def test_a_web_page_cannot_open_a_websocket_unless_it_is_allowed() -> None:
    from websockets.asyncio.client import connect
    from websockets.exceptions import InvalidStatus

    process, url = await listening("--ws", "--allow-origin", "https://Mine.example/")
    bare = url.partition("?")[0]
    for place, origin in (
        (bare, None),
        (f"{bare}?token=guess", None),
        (url, "https://page.example"),
        (url, "null"),
        (bare, "https://mine.example"),
    ):
        with pytest.raises(InvalidStatus) as refused:
            await connect(place, origin=cast(Any, origin))
        assert refused.value.response.status_code == 403
        assert url.partition("=")[2].encode() not in (refused.value.response.body or b"")
    rebound = url.replace("127.0.0.1", "page.example")
    with pytest.raises(InvalidStatus):
        await connect(rebound, host="127.0.0.1")
    async with connect(url, origin=cast(Any, "https://mine.example")) as socket:
        await socket.send(INITIALIZE.decode())
        assert "result" in json.loads(await asyncio.wait_for(socket.recv(), PATIENCE))
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 1


async def test_the_types_of_the_library_are_not_loaded_before_the_first_response() -> None:
    loaded = "import sys, patchpoint.lsp.server; print(sorted(m for m in sys.modules))"
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-c", loaded, stdout=subprocess.PIPE, env=ENVIRONMENT
    )
    output, _ = await process.communicate()
    for heavy in ("lsprotocol", "pygls", "cattrs", "attrs", "asyncio", "dulwich", "rapidfuzz", "tree_sitter"):
        assert f"'{heavy}" not in output.decode(), heavy
