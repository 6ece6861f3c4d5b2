"""What an editor applied is undone from the command line, and the other way round: there is one log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from patchpoint.headless.undo import Undone, UndoRequest, redo, undo
from patchpoint.mcp.call import Call
from patchpoint.mcp.tools.table import tools_allowed
from patchpoint.progress import Silent
from tests.lsp.editor import APP, Editor, Habits, opened
from tests.lsp.sessions import CHANGED, return_3, session
from tests.operations.working import applied, created, replaced

pytestmark = pytest.mark.asyncio

CHANGE: dict[str, Any] = {"path": "app.py", "search": "return 2", "replace": "return 3"}


@pytest.fixture(autouse=True)
def same_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """This process and the server keep their state in the same place."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("LOCALAPPDATA", str(tmp_path / "state"))


async def listed(editor: Editor, **arguments: Any) -> list[tuple[str, str]]:
    operations = (await editor.command("listOperations", arguments))["operations"]
    return [(one["kind"], one["state"]) for one in operations]


def undone(editor: Editor, **asked: Any) -> Undone:
    return undo(editor.folder, UndoRequest(**asked), Silent())


async def test_what_an_editor_applied_and_saved_is_undone_on_the_command_line(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path, APP)
        made = await editor.command("applyEdits", {"text": return_3(editor)})
        editor.save(buffer)
        assert path.read_text() == CHANGED
        assert undone(editor).operation.id == made["application"]
        assert path.read_text() == APP
        assert await listed(editor) == [("undo", "done"), ("apply", "undone")]
        redo(editor.folder, UndoRequest(), Silent())
        assert path.read_text() == CHANGED


async def test_what_is_not_saved_is_undone_in_the_buffer_and_nothing_is_written(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path, APP)
        made = await editor.command("applyEdits", {"text": return_3(editor)})
        assert (buffer.text, path.read_text()) == (CHANGED, APP)
        foreseen = await editor.command("undo", {"dryRun": True})
        assert buffer.text == CHANGED
        done = await editor.command("undo")
        assert done["operation"]["id"] == foreseen["operation"]["id"] == made["application"]
        assert [(one["uri"], one["change"]) for one in done["files"]] == [(path.as_uri(), "M")]
        assert buffer.text == APP
        await editor.command("redo")
        assert (buffer.text, path.read_text()) == (CHANGED, APP)
        assert await listed(editor) == [("redo", "done"), ("undo", "done"), ("apply", "done")]


async def test_an_edit_of_open_and_closed_files_is_undone_as_one(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path, other = editor.folder / "app.py", editor.folder / "other.py"
        buffer = opened(editor, path, APP)
        other.write_text("x = 1\n")
        edits = [CHANGE, {"path": "other.py", "search": "x = 1", "replace": "x = 2"}]
        await editor.command("applyEdits", {"edits": edits})
        assert (buffer.text, other.read_text()) == (CHANGED, "x = 2\n")
        await editor.command("undo")
        assert (buffer.text, other.read_text(), path.read_text()) == (APP, "x = 1\n", APP)
        await editor.command("redo")
        assert other.read_text() == "x = 2\n"
        assert await listed(editor) == [("redo", "done"), ("undo", "done"), ("apply", "done")]
        editor.save(buffer)
        other.write_text("mine\n")
        with pytest.raises(JsonRpcException, match=r"other\.py' has been changed since"):
            await editor.command("undo")
        assert (path.read_text(), other.read_text()) == (CHANGED, "mine\n")


async def test_where_the_editor_refuses_nothing_is_undone(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path, other = editor.folder / "app.py", editor.folder / "other.py"
        buffer = opened(editor, path, APP)
        other.write_text("x = 1\n")
        edits = [CHANGE, {"path": "other.py", "search": "x = 1", "replace": "x = 2"}]
        await editor.command("applyEdits", {"edits": edits})
        editor.habits = Habits(refuses_edits=True)
        with pytest.raises(JsonRpcException, match=r"Nothing was changed: the editor did not change app\.py"):
            await editor.command("undo")
        assert (buffer.text, other.read_text()) == (CHANGED, "x = 2\n")
        assert await listed(editor) == [("apply", "done")]


async def test_what_was_typed_since_is_never_lost(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        await editor.command("applyEdits", {"text": return_3(editor)})
        editor.type(buffer, 0, 0, "# mine\n")
        with pytest.raises(JsonRpcException, match="has been changed since"):
            await editor.command("undo")
        assert buffer.text == "# mine\n" + CHANGED


async def test_an_editor_undoes_what_was_applied_elsewhere_but_not_for_others_unasked(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path, other = editor.folder / "app.py", editor.folder / "other.py"
        buffer = opened(editor, path, APP)
        other.write_text("x = 1\n")
        applied(editor.folder, [replaced("other.py", "x = 1\n", "x = 2\n")], checkpoint=False)
        tool = tools_allowed(read_only=False, allow_restore=False)["apply_edits"]
        tool.run(Call(roots=(editor.folder,)), tool.decoded({"edits": [CHANGE]}))
        assert path.read_text() == CHANGED
        editor.replace(buffer, CHANGED)  # it reads the file again
        editor.save(buffer)
        done = await editor.command("undo")
        assert [one["session"] for one in done["passed"]] == ["mcp"]
        assert (other.read_text(), path.read_text()) == ("x = 1\n", CHANGED)
        with pytest.raises(JsonRpcException, match="Nothing of yours to undo"):
            await editor.command("undo")
        theirs = (await editor.command("listOperations", {"session": "mcp"}))["operations"]
        assert (await editor.command("undo", {"operation": theirs[0]["id"]}))["kind"] == "undo"
        assert (buffer.text, path.read_text()) == (APP, CHANGED), "what is open is changed in the editor"


async def test_a_file_that_an_editor_made_is_deleted_and_comes_back(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "new.py"
        create = {"path": "new.py", "operation": "create", "content": "x = 1\n"}
        await editor.command("applyEdits", {"edits": [create], "target": "editor"})
        buffer = editor.buffers.get(path.as_uri())
        if buffer is not None and buffer.dirty:
            editor.save(buffer)
        assert path.read_text() == "x = 1\n"
        await editor.command("undo")
        assert not path.exists()
        await editor.command("redo")
        assert path.read_text() == "x = 1\n"


async def test_a_restore_is_undone_by_either(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        path.write_text(APP)
        taken = await editor.command("takeCheckpoint", {"label": "before"})
        path.write_text(CHANGED)
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert path.read_text() == APP
        assert undone(editor).operation.cause.kind.value == "restore"
        assert path.read_text() == CHANGED
        done = await editor.command("redo")
        assert path.read_text() == APP
        assert done["restored"]["written"] == [path.as_uri()]
        await editor.command("undoRestore")
        assert path.read_text() == CHANGED
        assert (await listed(editor))[-1] == ("restore", "undone")
        redo(editor.folder, UndoRequest(), Silent())
        assert path.read_text() == APP


async def test_in_a_workspace_that_is_not_trusted_it_is_refused(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), initializationOptions={"trusted": False}) as editor:
        applied(editor.folder, [created("a.txt", "a\n")], checkpoint=False)
        assert await listed(editor) == [("apply", "done")]
        with pytest.raises(JsonRpcException, match="not trusted"):
            await editor.command("undo")
        assert (editor.folder / "a.txt").read_text() == "a\n"


async def test_one_operation_is_named_at_most(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        with pytest.raises(JsonRpcException, match="Give at most one of"):
            await editor.command("undo", {"operation": "a", "anySession": True})
        with pytest.raises(JsonRpcException, match="There is no operation 'abc'"):
            await editor.command("undo", {"operation": "abc"})
        with pytest.raises(JsonRpcException, match="Nothing was done here yet"):
            await editor.command("redo")
