"""Whatever goes over standard input, only the protocol comes back, and the server stays."""

from __future__ import annotations

import json
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.asked_again import asked_to_end
from tests.mcp.clients import STARTED, Wire, request, wire
from tests.workspace.struck import struck

EDIT = {"path": "a.txt", "search": "one\n", "replace": "two\n"}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.txt").write_text("one\n")
    return folder


def nested(depth: int) -> bytes:
    return b'{"jsonrpc":"2.0","id":7,"method":"tools/list","params":' + b"[" * depth + b"]" * depth + b"}"


MALFORMED: list[bytes | dict[str, Any]] = [
    b"",
    b"no json",
    b"{",
    b"null",
    b"[]",
    b"[1, 2]",
    b'"text"',
    b"\xff\xfe\x00",
    b"Content-Length: 12\r\n\r\n{}",
    b"{}" * 1000,
    nested(10),
    nested(200_000),
    b'{"jsonrpc":"2.0","id":8,"method":"tools/call","params":{"name":"\\ud800"}}',
    {"jsonrpc": "2.0"},
    {"jsonrpc": "1.0", "id": 9, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": None, "method": "tools/list"},
    {"jsonrpc": "2.0", "id": 10, "method": 5},
    {"jsonrpc": "2.0", "id": 11, "result": {}},
    {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 99}},
    {"jsonrpc": "2.0", "method": "notifications/nothing"},
    request(12, "no/such"),
    request(13, "tools/call"),
    request(14, "tools/call", {"name": "nothing"}),
    request(15, "tools/call", {"name": "apply_edits", "arguments": []}),
    request(16, "tools/call", {"name": "apply_edits", "arguments": {"text": 5}}),
    request(17, "tools/call", {"name": "apply_edits", "arguments": {"text": "", "edits": []}}),
    request(18, "tools/call", {"name": "apply_edits", "arguments": {"text": "prose"}}),
    request(19, "tools/call", {"name": "diff_checkpoint", "arguments": {"checkpoint": "../../x"}}),
    request(20, "resources/read", {"uri": "file:///etc/passwd"}),
    request(21, "resources/read", {"uri": "patchpoint:/checkpoint/x/../../../etc/passwd"}),
    request(22, "resources/read", {"uri": "patchpoint:/checkpoint/"}),
    request(23, "initialize"),
]


def is_alive(server: Wire, number: int = 1000) -> bool:
    server.send(request(number, "tools/list"))
    return "tools" in server.answer(number)["result"]


def test_no_malformed_message_ends_the_server(folder: Path) -> None:
    with wire(folder, program=STARTED) as server:
        for message in MALFORMED[:14]:
            server.send(message)  # what comes before the first request
        server.initialize()
        for number, message in enumerate(MALFORMED):
            server.send(message)
            assert is_alive(server, 1000 + number), message
    assert (folder / "a.txt").read_text() == "one\n"


def test_a_huge_message_is_answered(folder: Path) -> None:
    with wire(folder) as server:
        server.initialize()
        huge = {"path": "a.txt", "search": "x" * 30_000_000 + "\n", "replace": "y\n"}
        assert server.call(1, "preview_edits", {"edits": [huge]})["isError"] is True
        server.send(b"x" * 30_000_000)
        assert is_alive(server)


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_every_revision_with_a_handshake_is_served(folder: Path, version: str) -> None:
    with wire(folder) as server:
        who = {"name": "wire", "version": "0"}
        opening = {"protocolVersion": version, "capabilities": {}, "clientInfo": who}
        server.send(request(0, "initialize", opening))
        assert server.answer(0)["result"]["protocolVersion"] == version
        server.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
        result = server.call(1, "apply_edits", {"edits": [EDIT]})
        assert "applied" in result["content"][0]["text"]
    assert (folder / "a.txt").read_text() == "two\n"


def test_the_same_calls_have_the_same_answers_in_every_process(folder: Path) -> None:
    (folder / "b.txt").write_text("same\nsame\n")
    calls: list[tuple[str, dict[str, Any]]] = [
        ("preview_edits", {"edits": [EDIT, {"path": "b.txt", "search": "same\n", "replace": "x\n"}]}),
        ("preview_edits", {"text": "```\na.txt\n<<<<<<< SEARCH\none \n=======\nuno\n>>>>>>> REPLACE\n```\n"}),
        ("preview_edits", {"edits": [{"path": "c.txt", "search": "a", "replace": "b"}]}),
    ]
    answers = []
    for _ in range(2):
        with wire(folder) as server:
            server.initialize()
            server.send(request(1, "tools/list"))
            tools = server.answer(1)
            answers.append(
                [tools, *(server.call(n, tool, given) for n, (tool, given) in enumerate(calls, 2))]
            )
    assert answers[0] == answers[1]


def test_what_is_printed_by_accident_does_not_reach_the_client(folder: Path) -> None:
    """A setting that is wrong is named on standard error; a file's name may be no UTF-8."""
    (folder / ".git").mkdir()
    (folder / ".git" / "config").write_text('[patchpoint "checkpoints"]\n\tkeep = many\n')
    odd = folder / "na\udcffme.txt"
    odd.write_text("one\n")
    with wire(folder, str(folder)) as server:
        server.initialize()
        result = server.call(
            1, "preview_edits", {"edits": [{"path": "nme.txt", "search": "one", "replace": "x"}]}
        )
        assert result["isError"] is True
        assert is_alive(server)


def test_calls_that_write_are_done_one_after_the_other(folder: Path) -> None:
    (folder / "n.txt").write_text("".join(f"line {number}\n" for number in range(20)))
    with wire(folder) as server:
        server.initialize()
        for number in range(20):
            edit = {"path": "n.txt", "search": f"line {number}\n", "replace": f"Zeile {number}\n"}
            server.send(
                request(number + 1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}})
            )
        results: dict[int, dict[str, Any]] = {}
        while len(results) < 20:
            message = server.read()
            results[message["id"]] = message["result"]
        assert all(result["structuredContent"]["applied"] for result in results.values())
        names = {result["structuredContent"]["application"] for result in results.values()}
        kept = json.loads(next((folder.parent / "state").rglob("applications.json")).read_text())
        assert names == {one["id"] for one in kept["records"]} if "records" in kept else len(names) == 20
    assert "line" not in (folder / "n.txt").read_text()


def test_a_question_is_asked_by_a_request_and_another_call_need_not_wait(folder: Path) -> None:
    (folder / "b.txt").write_text("same\n-\nsame\n")
    with wire(folder) as server:
        server.initialize(elicitation={})
        edit = {"path": "b.txt", "search": "same\n", "replace": "x\n"}
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}}))
        question = server.read()
        assert question["method"] == "elicitation/create"
        assert server.call(2, "apply_edits", {"edits": [EDIT]})["structuredContent"]["applied"]
        answer = {"action": "accept", "content": {"edit1": "line 3"}}
        server.send({"jsonrpc": "2.0", "id": question["id"], "result": answer})
        assert server.answer(1)["result"]["structuredContent"]["applied"]
    assert (folder / "b.txt").read_text() == "same\n-\nx\n"


@pytest.mark.parametrize(
    "answer",
    [
        {"error": {"code": -1, "message": "no"}},
        {"result": {}},
        {"result": {"action": "x"}},
        {"result": {"action": "ACCEPT"}},
        {"result": {"action": "cancel"}},
        {"result": []},
        {"result": None},
        {"result": "x"},
    ],
)
def test_a_client_that_cannot_answer_is_no_reason_to_write(folder: Path, answer: dict[str, Any]) -> None:
    (folder / "b.txt").write_text("same\n-\nsame\n")
    with wire(folder) as server:
        server.initialize(elicitation={})
        edit = {"path": "b.txt", "search": "same\n", "replace": "x\n"}
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}}))
        question = server.read()
        server.send({"jsonrpc": "2.0", "id": question["id"], **answer})
        assert server.answer(1)["result"]["isError"]
        assert is_alive(server)
    assert (folder / "b.txt").read_text() == "same\n-\nsame\n"


@pytest.mark.parametrize("answer", [{"action": "cancel"}, {"action": "ACCEPT"}, [], None])
def test_where_nobody_answered_nobody_is_said_to_have_declined(folder: Path, answer: object) -> None:
    with wire(folder) as server:
        server.initialize(elicitation={})
        edit = {"path": ".envrc", "operation": "create", "content": "x\n"}
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}}))
        question = server.read()
        server.send({"jsonrpc": "2.0", "id": question["id"], "result": answer})
        edit = server.answer(1)["result"]["structuredContent"]["edits"][0]
    assert "closed the question" in edit["message"]
    assert not (folder / ".envrc").exists()


def test_a_question_that_nobody_answers_ends_with_the_request(folder: Path) -> None:
    (folder / "b.txt").write_text("same\n-\nsame\n")
    with wire(folder) as server:
        server.initialize(elicitation={})
        edit = {"path": "b.txt", "search": "same\n", "replace": "x\n"}
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": [edit]}}))
        assert server.read()["method"] == "elicitation/create"
        server.send({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})
        assert is_alive(server)
    assert (folder / "b.txt").read_text() == "same\n-\nsame\n"


def test_an_interrupt_ends_the_server(folder: Path) -> None:
    with wire(folder, program=STARTED) as server:
        server.initialize()
        with asked_to_end(server.process, partial(server.process.send_signal, signal.SIGINT)):
            assert server.process.wait(60) == -signal.SIGINT


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_signal_while_files_are_written_leaves_all_or_nothing(number: signal.Signals, folder: Path) -> None:
    names = ("a.txt", "b.txt", "c.txt")
    for name in names:
        (folder / name).write_text("one\n")
    with wire(folder, program=struck(number, "mcp")) as server:
        server.initialize()
        edits = [{"path": name, "search": "one\n", "replace": "two\n"} for name in names]
        server.send(request(1, "tools/call", {"name": "apply_edits", "arguments": {"edits": edits}}))
        assert server.process.wait(60) == -number
    assert len({(folder / name).read_text() for name in names}) == 1
    assert sorted(path.name for path in folder.iterdir()) == list(names)
    assert not list((folder.parent / "state" / "unfinished").iterdir())
