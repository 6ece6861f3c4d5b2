"""Code actions for checkpoints: which are offered where, and which are disabled now."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Habits, declared_by, opened
from tests.lsp.sessions import VSCODE, session, without

pytestmark = pytest.mark.asyncio

RESTORE = ["source.patchpoint.restore"]


async def test_the_three_newest_checkpoints_are_offered_for_the_workspace(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        assert await editor.actions(buffer, 0, only=RESTORE) == []
        for label in ("one", "two", "three", ""):
            await editor.command("takeCheckpoint", {"label": label})
        titles = [action.title for action in await editor.actions(buffer, 0, only=RESTORE)]
        assert titles == [
            "Restore the workspace to the checkpoint of less than a minute ago",
            "Restore the workspace to “three” (less than a minute ago)",
            "Restore the workspace to “two” (less than a minute ago)",
        ]
        asked_in_passing = await editor.actions(buffer, 0, trigger=types.CodeActionTriggerKind.Automatic)
        assert asked_in_passing == []


async def test_a_hunk_of_a_file_that_is_not_saved_waits_until_it_is(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        await editor.command("takeCheckpoint", {"label": "before"})
        editor.type(buffer, 0, 0, "# typed\n")
        (hunk, file, _) = await editor.actions(buffer, 0, only=RESTORE)
        assert hunk.title.startswith("Restore this hunk (lines 1 to 4)")
        assert hunk.disabled is not None
        assert hunk.disabled.reason == "app.py has unsaved changes; save it first."
        assert file.title.startswith("Restore app.py")
        diff = "@@ -1,3 +1,4 @@\n+# typed\n def first():\n     value = 1\n     return value\n"
        checkpoint = (await editor.command("listCheckpoints"))["checkpoints"][0]["id"]
        given = {"checkpoint": checkpoint, "uris": [buffer.uri], "hunk": diff}
        with pytest.raises(JsonRpcException, match="save it") as caught:
            await editor.command("restoreCheckpoint", given)
        assert caught.value.data == {"code": "unsaved-changes"}
        assert buffer.text == "# typed\n" + APP

        editor.save(buffer)
        (hunk, *_) = await editor.actions(buffer, 0, only=RESTORE)
        await editor.choose(hunk)
        assert (editor.folder / "app.py").read_text() == APP
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("restoreCheckpoint", given)
        assert isinstance(caught.value.data, dict)
        assert caught.value.data["code"] in ("hunk-not-found", "unsaved-changes")


async def test_a_file_that_the_editor_shows_without_carriage_returns_is_not_taken_for_unsaved(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        before, after = b"one\r\ntwo\r\n", b"one\r\nthree\r\n"
        path.write_bytes(before)
        buffer = editor.open(path, "one\ntwo\n")
        taken = await editor.command("takeCheckpoint", {})
        path.write_bytes(after)
        editor.replace(buffer, "one\nthree\n")

        (hunk, *_) = await editor.actions(buffer, 1, only=RESTORE)
        assert hunk.title.startswith("Restore this hunk (lines 1 to 2)")
        assert hunk.disabled is None
        await editor.choose(hunk)
        assert path.read_bytes() == before
        # It reads the file again by itself, and is not asked to show what it shows already.
        editor.replace(buffer, "one\ntwo\n")
        await editor.command("undoRestore")
        assert path.read_bytes() == after
        editor.replace(buffer, "one\nthree\n")
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert path.read_bytes() == before
        assert editor.edits == []


async def test_the_file_is_restored_to_the_newest_checkpoint_in_which_it_differs(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path, "x = 1\n")
        await editor.command("takeCheckpoint", {"label": "one"})
        path.write_text("x = 2\n")
        editor.replace(buffer, "x = 2\n")
        await editor.command("takeCheckpoint", {"label": "two"})
        (editor.folder / "other.py").write_text("y = 1\n")
        await editor.command("takeCheckpoint", {"label": "also two"})
        titles = [action.title for action in await editor.actions(buffer, 0, only=RESTORE)]
        assert titles[:2] == [
            "Restore this hunk (line 1) to “one” (less than a minute ago)",
            "Restore app.py to “one” (less than a minute ago)",
        ]
        made_since = opened(editor, editor.folder / "new.py", "z = 1\n")
        titles = [action.title for action in await editor.actions(made_since, 0, only=RESTORE)]
        assert all(title.startswith("Restore the workspace") for title in titles)


async def test_edits_in_a_repository_inside_can_be_gone_back_from(tmp_path: Path) -> None:
    inside = tmp_path / "workspace" / "vendor" / "a lib"
    inside.mkdir(parents=True)
    git(inside, "init", "-q")
    async with session(tmp_path, Habits()) as editor:
        outer = editor.folder / "app.py"
        outer.write_text("x = 1\n")
        (inside / "names.py").write_text("first = 1\n")
        buffer = opened(editor, inside / "names.py", "first = 1\n")
        edits = [
            {"path": "app.py", "search": "x = 1", "replace": "x = 2"},
            {"path": "vendor/a lib/names.py", "search": "first = 1", "replace": "last = 1"},
        ]
        await editor.command("applyEdits", {"edits": edits, "checkpoint": True})
        taken = [params for method, params in editor.notified if method == "patchpoint/didTakeCheckpoint"]
        assert {one.root for one in taken} == {str(editor.folder), str(inside)}
        editor.save(buffer)
        offered = await editor.actions(buffer, 0, only=RESTORE)
        titles = [action.title.rpartition(" to ")[0] for action in offered]
        assert titles == [
            "Restore this hunk (line 1)",
            "Restore names.py",
            "Restore the repository a lib",
        ]
        await editor.choose(offered[-1])
        assert (inside / "names.py").read_text() == "first = 1\n"
        assert outer.read_text() == "x = 2\n"


async def test_the_checkpoint_of_edits_has_the_file_that_they_change(tmp_path: Path) -> None:
    inside = tmp_path / "workspace" / "lib"
    inside.mkdir(parents=True)
    git(inside, "init", "-q")
    async with session(tmp_path, Habits()) as editor:
        (inside / "names.py").write_text("first = 1\n")
        edits = [{"path": "lib/names.py", "search": "first = 1", "replace": "last = 1"}]
        done = await editor.command("applyEdits", {"edits": edits, "target": "disk"})
        taken = done["checkpoint"]
        assert taken["root"] == str(inside)
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"], "root": taken["root"]})
        assert (inside / "names.py").read_text() == "first = 1\n"


@pytest.mark.parametrize("able", [True, False], ids=["shows disabled actions", "does not"])
async def test_a_restore_that_would_be_refused_says_why(tmp_path: Path, able: bool) -> None:
    capabilities = VSCODE if able else without("textDocument", "codeAction", "disabledSupport")
    folder = tmp_path / "workspace"
    folder.mkdir()
    git(folder, "init", "-q", "-b", "main")
    async with session(tmp_path, Habits(), capabilities) as editor:
        buffer = opened(editor, folder / "app.py")
        await editor.command("takeCheckpoint", {"label": "on main"})
        git(folder, "symbolic-ref", "HEAD", "refs/heads/other")
        offered = await editor.actions(buffer, 0, only=RESTORE)
        if not able:
            assert offered == []
            return
        (workspace,) = offered
        assert workspace.disabled is not None
        assert "'main'" in workspace.disabled.reason
        assert "other" in workspace.disabled.reason


async def test_a_message_with_a_checkpoint_is_gone_back_to_by_an_action_where_there_are_no_lenses(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits(), declared_by("helix-25.01.1")) as editor:
        path = editor.folder / "closed.py"
        path.write_text("x = 1\n")
        edit = "closed.py\n<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n"
        chat = editor.open("untitled:chat", f"# Question\n\nMore.\n\n# Answer\n\n{edit}", "markdown")
        offered = await editor.actions(chat, chat.text.index("x = 1"))
        await editor.choose(next(action for action in offered if action.title == "Apply this edit"))
        assert path.read_text() == "x = 2\n"
        editor.type(chat, len(chat.text), len(chat.text), "\n# Question\n\nAnd then?\n")
        offered = await editor.actions(chat, chat.text.index("x = 1"), only=RESTORE)
        assert offered[-1].title == "Restore to here"
        above = await editor.actions(chat, 0, only=RESTORE)
        assert "Restore to here" not in [action.title for action in above]
        restored = await editor.choose(offered[-1])
        assert path.read_text() == "x = 1\n"
        assert restored["transcript"]["messagesRemoved"] == 1
        assert "And then?" not in chat.text


async def test_an_edit_that_cannot_be_applied_says_why(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        opened(editor, editor.folder / "app.py")
        edit = "app.py\n<<<<<<< SEARCH\n    value = 1\n=======\n    value = 2\n>>>>>>> REPLACE\n"
        chat = editor.open("untitled:chat", edit, "markdown")
        offered = await editor.actions(chat, edit.index("value"), only=["refactor.rewrite"])
        apply = next(action for action in offered if action.title == "Apply this edit")
        assert apply.disabled is not None
        assert apply.disabled.reason
        assert apply.command is None


def git(folder: Path, *arguments: str) -> None:
    subprocess.run(["git", *arguments], cwd=folder, check=True, capture_output=True)


async def test_checkpoints_before_edits_are_called_by_what_follows(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        first = {"path": "app.py", "search": "return 2", "replace": "return 3"}
        second = {"path": "src/new.py", "operation": "create", "content": "new\n"}
        applied = await editor.command("applyEdits", {"edits": [first, second]})
        await editor.command("revertEdits", {"application": applied["application"]})
        titles = [action.title for action in await editor.actions(buffer, 0, only=RESTORE)]
        workspace = [title for title in titles if "the workspace" in title]
        assert workspace == [
            "Restore the workspace to “Before reverting: app.py, new.py” (less than a minute ago)",
            "Restore the workspace to “Before 2 edits: app.py, new.py” (less than a minute ago)",
        ]


async def test_a_checkpoint_is_renamed_and_pinned(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        taken = await editor.command("takeCheckpoint", {"label": "before"})
        renamed = await editor.command(
            "renameCheckpoint", {"checkpoint": taken["id"], "label": "the good one", "pinned": True}
        )
        assert renamed == taken | {"label": "the good one", "pinned": True, "commit": renamed["commit"]}
        assert (await editor.command("listCheckpoints"))["checkpoints"] == [renamed]
        titles = [action.title for action in await editor.actions(buffer, 0, only=RESTORE)]
        assert titles == ["Restore the workspace to “the good one” (less than a minute ago)"]
        with pytest.raises(JsonRpcException, match="`pinned`"):
            await editor.command("renameCheckpoint", {"checkpoint": taken["id"]})
