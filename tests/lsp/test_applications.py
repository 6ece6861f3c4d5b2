"""What was applied is listed, over restarts too, and reverted by name."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from patchpoint.checkpoints.errors import ChangedSinceError
from patchpoint.headless.undo import UndoRequest, undo
from patchpoint.progress import Silent
from tests.lsp.editor import APP, Editor, Habits, opened
from tests.lsp.sessions import CHANGED, return_3, session

pytestmark = pytest.mark.asyncio

REVERT = ["source.patchpoint.revert"]


def edit(search: str, replace: str) -> dict[str, Any]:
    return {"path": "app.py", "search": search, "replace": replace}


async def applications(editor: Editor, **arguments: Any) -> list[dict[str, Any]]:
    listed = await editor.command("listApplications", arguments)
    return list(listed["applications"])


async def test_an_application_is_reverted_by_its_name_after_a_restart(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        applied = await editor.command("applyEdits", {"text": return_3(editor)})
        editor.save(buffer)
    async with session(tmp_path, Habits()) as editor:
        buffer = editor.open(editor.folder / "app.py")
        assert buffer.text == CHANGED
        (one,) = await applications(editor)
        assert one["id"] == applied["application"]
        assert one["files"] == [buffer.uri]
        assert one["edits"] == [applied["edits"][0]["id"]]
        assert (one["revertedAt"], one["reverts"], one["session"]) == (None, None, None)
        (action,) = await editor.actions(buffer, 0, only=REVERT)
        assert re.fullmatch(r"Revert: answer of (\S+ )?\d\d:\d\d, 1 edit in 1 file", action.title)
        await editor.choose(action)
        assert buffer.text == APP
        again, first = await applications(editor)
        assert first["revertedAt"] is not None
        assert again["reverts"] == first["id"]
        assert await editor.actions(buffer, 0, only=REVERT) == []


async def test_an_application_is_called_by_its_answer_and_by_the_rest_of_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        text = f"It has to be three. So:\n\n{return_3(editor)}"
        shown = await editor.command("previewEdits", {"text": text})
        edit_id = shown["edits"][0]["id"]
        decided = {"review": shown["preview"], "edit": edit_id, "decision": "open"}
        await editor.command("reviewHunk", decided)
        await editor.command("finishReview", {"review": shown["preview"]})
        await editor.command("resolveEdit", {"edit": edit_id, "candidate": 1})
        assert buffer.text == CHANGED
        (one,) = await applications(editor)
        assert (one["title"], one["isRest"]) == ("It has to be three", True)
        (action,) = await editor.actions(buffer, 0, only=REVERT)
        assert action.title == "Revert: rest of “It has to be three”, 1 edit in 1 file"


async def test_nothing_is_offered_to_be_reverted_to_an_editor_that_asks_in_passing(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        await editor.command("applyEdits", {"text": return_3(editor)})
        asked = await editor.actions(buffer, 0, trigger=types.CodeActionTriggerKind.Automatic)
        assert not [action for action in asked if action.title.startswith("Revert:")]


async def test_a_dry_run_of_a_revert_changes_nothing(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        applied = await editor.command("applyEdits", {"text": return_3(editor)})
        foreseen = await editor.command(
            "revertEdits", {"application": applied["application"], "dryRun": True}
        )
        assert "-    return 3\n+    return 2\n" in foreseen["files"][0]["diff"]
        assert not foreseen["applied"]
        assert buffer.text == CHANGED
        assert (await applications(editor))[0]["revertedAt"] is None


async def test_what_a_chat_applied_is_reverted_newest_first_or_one_message_of_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        for message, change in (("1", edit("return 2", "return 3")), ("2", edit("return 3", "return 4"))):
            await editor.command("applyEdits", {"edits": [change], "session": "chat", "message": message})
        await editor.command("applyEdits", {"edits": [edit("return 4", "return 5")], "session": "other"})
        assert [one["message"] for one in await applications(editor, session="chat")] == ["2", "1"]
        assert len(await applications(editor, limit=2)) == 2
        # The other chat has changed the same line since.
        refused = await editor.command("revertEdits", {"session": "chat"})
        assert not refused["applied"]
        assert "return 5" in buffer.text
        await editor.command("revertEdits", {"session": "other"})
        done = await editor.command("revertEdits", {"session": "chat", "turn": "2"})
        assert [one["status"] for one in done["edits"]] == ["reverted"]
        assert buffer.text == CHANGED
        await editor.command("applyEdits", {"edits": [edit("return 3", "return 4")], "session": "chat"})
        done = await editor.command("revertEdits", {"session": "chat"})
        assert [one["status"] for one in done["edits"]] == ["reverted", "reverted"]
        assert buffer.text == APP
        with pytest.raises(JsonRpcException, match="Nothing that chat chat applied is left"):
            await editor.command("revertEdits", {"session": "chat"})


@pytest.mark.parametrize(
    "arguments", [{}, {"application": "x", "session": "y"}, {"application": "x", "turn": "1"}]
)
async def test_what_is_to_be_reverted_has_one_name(tmp_path: Path, arguments: dict[str, Any]) -> None:
    async with session(tmp_path, Habits()) as editor:
        with pytest.raises(JsonRpcException) as refused:
            await editor.command("revertEdits", arguments)
        assert refused.value.code == -32602


async def test_what_was_written_to_disk_is_undone_outside_and_what_an_editor_did_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        path.write_bytes(APP.encode())
        closed = await editor.command("applyEdits", {"text": return_3(editor)})
        assert path.read_text() == CHANGED
        assert undo(editor.folder, UndoRequest(), Silent()).operation.id == closed["application"]
        assert path.read_text() == APP
        opened(editor, path, APP)
        shown = await editor.command("applyEdits", {"text": return_3(editor)})
        with pytest.raises(ChangedSinceError, match=rf"{shown['application']}.*app.py is as it was before"):
            undo(editor.folder, UndoRequest(), Silent())
        assert path.read_text() == APP
