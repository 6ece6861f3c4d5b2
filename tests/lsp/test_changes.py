"""How the user's own changes of a file stand to an edit that waits for it."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.lsp.editor import APP, Editor, Habits, block, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

SAME = "    value = 1\n"


def commit(folder: Path) -> None:
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    for words in (("init", "-q"), ("add", "."), (*identity, "commit", "-q", "-m", "All")):
        subprocess.run(["git", *words], cwd=folder, check=True)


async def changes(editor: Editor, name: str) -> str:
    listed = (await editor.command("listPendingEdits"))["edits"]
    (found,) = (edit["changes"] for edit in listed if edit["uri"].endswith(name))
    return str(found)


async def test_each_pending_edit_says_what_the_user_changed(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        path.write_text(APP)
        commit(editor.folder)
        buffer = editor.open(path)
        new = opened(editor, editor.folder / "new.py")
        text = "".join(
            block(editor.folder / name, SAME, SAME.replace("1", "5"), editor) for name in ("app.py", "new.py")
        )
        await editor.command("applyEdits", {"text": text})
        assert [await changes(editor, name) for name in ("app.py", "new.py")] == ["", "A"]
        editor.type(buffer, 0, 0, "# typed\n")
        assert await changes(editor, "app.py") == "~M"
        await editor.until(lambda: any("~M: " in d.message for d in editor.diagnostics.get(buffer.uri, [])))
        await editor.until(lambda: any("A: " in d.message for d in editor.diagnostics.get(new.uri, [])))
        editor.save(buffer)
        commit(editor.folder)
        assert [await changes(editor, name) for name in ("app.py", "new.py")] == ["~", ""]
        await editor.command("discardEdit", {"all": True})
        editor.type(buffer, 0, 0, "# more\n")
        await editor.command("applyEdits", {"text": text})
        assert await changes(editor, "app.py") == "M"


async def test_in_a_folder_without_a_repository_nothing_is_called_new(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        opened(editor, editor.folder / "app.py")
        text = block(editor.folder / "app.py", SAME, SAME.replace("1", "5"), editor)
        await editor.command("applyEdits", {"text": text})
        assert await changes(editor, "app.py") == ""


@pytest.mark.skipif(os.name == "nt", reason="no such file names")
async def test_a_comparison_makes_no_markup_of_a_files_name(tmp_path: Path) -> None:
    name = "[x](command:quit) <img src=x>.py"
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / name, "one\n````\nsame\u202e\n```\nsame\u202e\n")
        edit = {"uri": buffer.uri, "search": "same\u202e", "replace": "```\n[y](command:quit)"}
        await editor.command("applyEdits", {"edits": [edit]})
        (pending,) = (await editor.command("listPendingEdits"))["edits"]
        shown = await editor.content((await editor.command("compareEdit", {"edit": pending["id"]}))["uri"])
    outside = re.sub(r"(?ms)^(`{3,})[a-z]*\n.*?^\1$", "", shown)
    assert "same" not in outside
    assert not re.search(r"(?<!\\)[\[<]", outside)
    assert "\u202e" not in shown


async def test_an_edit_whose_file_moved_on_is_compared_with_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = block(editor.folder / "app.py", SAME, SAME.replace("1", "5"), editor)
        await editor.command("applyEdits", {"text": text})
        at = APP.index(SAME)
        compare = "Compare what the model quoted with what the file has and what the model wants"
        assert compare not in [action.title for action in await editor.actions(buffer, at)]
        editor.type(buffer, 0, 0, "# ```` typed\n")
        await editor.command("listPendingEdits")
        actions = await editor.actions(buffer, buffer.text.index(SAME))
        (action,) = (action for action in actions if action.title == compare)
        shown = await editor.content((await editor.choose(action))["uri"])
        assert f"## What the model quoted\n\n```\n{SAME}```\n" in shown
        assert f"## What app.py has, line 3 (candidate 1, in first)\n\n```\n{SAME}```\n" in shown
        assert "## What the model wants there\n\n```\n    value = 5\n```\n" in shown
        assert "-    value = 1\n+    value = 5\n" in shown
        assert buffer.text == "# ```` typed\n" + APP
