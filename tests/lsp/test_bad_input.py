"""What no client should send and no user should do: the server lives on, and nothing is lost."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Editor, Habits
from tests.lsp.sessions import session
from tests.lsp.wire import Wire, started

pytestmark = pytest.mark.asyncio

HUGE = "untitled:huge"
LINE = "x" * 998 + " \n"
LAST = "the only one of its kind\n"
TWICE = "this occurs twice\n"
LINES = 100_000


def opened_with(wire: Wire, uri: str, text: str) -> None:
    item = {"uri": uri, "languageId": "plaintext", "version": 1, "text": text}
    wire.tell("textDocument/didOpen", {"textDocument": item})


def changed(
    wire: Wire, uri: str, version: int, start: tuple[int, int], end: tuple[int, int], text: str
) -> None:
    first, last = ({"line": line, "character": character} for line, character in (start, end))
    change = {"range": {"start": first, "end": last}, "text": text}
    identifier = {"uri": uri, "version": version}
    wire.tell("textDocument/didChange", {"textDocument": identifier, "contentChanges": [change]})


async def applied(wire: Wire, edit: dict[str, Any]) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    """What the client was asked to change, which it does as a buffer would, and the outcome.

    Something else is asked meanwhile, and is answered first.
    """
    wire.ids += 1
    command = {"command": "patchpoint.applyEdits", "arguments": [{"edits": [edit]}]}
    wire.send({"jsonrpc": "2.0", "id": wire.ids, "method": "workspace/executeCommand", "params": command})
    other = {"command": "patchpoint.listPendingEdits"}
    wire.send({"jsonrpc": "2.0", "id": "other", "method": "workspace/executeCommand", "params": other})
    is_answered = False
    asked: list[dict[str, Any]] = []
    while True:
        message = await wire.receive()
        if message.get("method") == "workspace/applyEdit":
            (document,) = message["params"]["edit"]["documentChanges"]
            for one in document["edits"]:
                asked.append(one)
                first, last = (one["range"][side] for side in ("start", "end"))
                wire.tell(
                    "textDocument/didChange",
                    {
                        "textDocument": {"uri": edit["uri"], "version": 9},
                        "contentChanges": [{"range": {"start": first, "end": last}, "text": one["newText"]}],
                    },
                )
            wire.send({"jsonrpc": "2.0", "id": message["id"], "result": {"applied": True}})
        elif message.get("id") == "other":
            is_answered = True
        elif message.get("id") == wire.ids and "method" not in message:
            assert is_answered
            return asked, message["result"]["edits"][0]


async def test_a_document_of_a_hundred_megabytes_is_opened_changed_and_edited() -> None:
    process, wire = await started(loaded=True)
    try:
        edit = {"documentChanges": True}
        await wire.begin(capabilities={"workspace": {"applyEdit": True, "workspaceEdit": edit}})
        opened_with(wire, HUGE, TWICE + LINE * LINES + TWICE + LAST)
        changed(wire, HUGE, 2, (5, 3), (5, 4), "yy")
        assert await wire.is_alive()
        asked, outcome = await applied(wire, {"uri": HUGE, "search": LAST, "replace": "changed\n"})
        assert outcome["status"] == "applied"
        assert [one["range"]["start"]["line"] for one in asked] == [LINES + 2]
        asked, outcome = await applied(wire, {"uri": HUGE, "search": TWICE, "replace": "changed\n"})
        assert (asked, outcome["status"]) == ([], "ambiguous")
        wire.tell("textDocument/didClose", {"textDocument": {"uri": HUGE}})
        assert "result" in await wire.ask("shutdown")
    finally:
        process.kill()
        await process.wait()


async def test_changes_out_of_order_are_followed_as_they_come() -> None:
    process, wire = await started(loaded=True)
    try:
        edit = {"documentChanges": True}
        await wire.begin(capabilities={"workspace": {"applyEdit": True, "workspaceEdit": edit}})
        uri = "untitled:order"
        changed(wire, uri, 1, (0, 0), (0, 0), "before it was opened\n")
        opened_with(wire, uri, "one\ntwo\n")
        changed(wire, uri, 7, (0, 0), (0, 0), "new\n")
        changed(wire, uri, 3, (2, 0), (2, 3), "2")
        asked, outcome = await applied(wire, {"uri": uri, "search": "one\n2\n", "replace": "one\n3\n"})
        assert outcome["status"] == "applied"
        assert [one["range"]["start"] for one in asked] == [{"line": 2, "character": 0}]
        wire.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
        changed(wire, uri, 4, (0, 0), (0, 0), "after it was closed\n")
        opened_with(wire, uri, "opened again\n")
        opened_with(wire, uri, "and once more\n")
        _, outcome = await applied(wire, {"uri": uri, "search": "and once more\n", "replace": "x\n"})
        assert outcome["status"] == "applied"
    finally:
        process.kill()
        await process.wait()


FILES = 1500


async def restoring(editor: Editor) -> tuple[str, asyncio.Future[Any]]:
    """A checkpoint of many files, all changed since, and its restore, which has begun."""
    for number in range(FILES):
        (editor.folder / f"{number}.txt").write_text(f"{number}\n")
    checkpoint = (await editor.command("takeCheckpoint"))["id"]
    for number in range(FILES):
        (editor.folder / f"{number}.txt").write_text(f"{number} changed\n")
    request = {"checkpoint": checkpoint}
    running = asyncio.ensure_future(editor.command("restoreCheckpoint", request, token="restoring"))
    await editor.until(lambda: "report" in editor.progress_kinds("restoring"))
    assert not running.done()
    return checkpoint, running


def texts(folder: Path) -> set[str]:
    return {path.read_text() for path in folder.iterdir()}


AS_THEY_WERE = {f"{number}\n" for number in range(FILES)}
AS_CHANGED = {f"{number} changed\n" for number in range(FILES)}


async def test_a_folder_that_is_closed_while_a_restore_runs_is_restored(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        editor.progress_reports["restoring"] = []
        _, running = await restoring(editor)
        gone = types.WorkspaceFolder(uri=editor.folder.as_uri(), name="workspace")
        event = types.WorkspaceFoldersChangeEvent(added=[], removed=[gone])
        editor.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=event))
        restored = await running
        assert restored["safety"]
        assert texts(editor.folder) == AS_THEY_WERE
        with pytest.raises(JsonRpcException, match="no folder open"):
            await editor.command("undoRestore")
        await editor.command("undoRestore", {"root": editor.folder.as_uri()})
        assert texts(editor.folder) == AS_CHANGED


async def test_a_folder_that_is_deleted_while_a_restore_runs_can_be_had_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        editor.progress_reports["restoring"] = []
        checkpoint, running = await restoring(editor)
        shutil.rmtree(editor.folder, ignore_errors=True)
        with contextlib.suppress(JsonRpcException):
            await running
        assert (await editor.command("listPendingEdits")) == {"edits": [], "feedback": ""}
        shutil.rmtree(editor.folder, ignore_errors=True)
        editor.folder.mkdir()
        restored = await editor.command("restoreCheckpoint", {"checkpoint": checkpoint})
        assert restored["checkpoint"] == checkpoint
        assert texts(editor.folder) == AS_THEY_WERE


@pytest.mark.parametrize("depth", [900, 990, 3000, 100_000])
@pytest.mark.parametrize("nested", [("[", "]"), ('{"id":', "}")])
async def test_a_request_that_is_nested_too_deeply_is_answered(depth: int, nested: tuple[str, str]) -> None:
    process, wire = await started(loaded=True)
    await wire.begin()
    deep = nested[0] * depth + "1" + nested[1] * depth
    method = '"method":"workspace/executeCommand"'
    command = f'"params":{{"command":"patchpoint.listCheckpoints","arguments":[{deep}]}}'
    for number, msg_id in enumerate(("7", '"seven"')):
        # The id may precede the parameters or follow them.
        parts = [f'"id" : {msg_id}', command] if number else [command, f'"id":{msg_id}']
        wire.send(f'{{"jsonrpc":"2.0","note":"\\"{{[",{method},{",".join(parts)}}}'.encode())
        assert "error" in await wire.response(7 if msg_id == "7" else "seven")
    assert await wire.is_alive()
    process.kill()
    await process.wait()
