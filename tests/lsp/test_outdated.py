"""Documents whose files Patchpoint itself has changed on the disk, in clients that cannot apply edits."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.git.git_judge import WorkingTree
from tests.lsp.editor import APP, Buffer, Editor, Habits, block, opened
from tests.lsp.sessions import CHANGED, VSCODE, return_3, session, without

pytestmark = pytest.mark.asyncio

UNABLE = without("workspace", "applyEdit")
RESOLVED = CHANGED.replace("value = 1", "value = 5", 1)


async def half_applied(editor: Editor) -> tuple[Buffer, dict[str, Any]]:
    """Apply an edit that fits and one with two places; return the document, and the pending edit."""
    buffer = opened(editor, editor.folder / "app.py")
    ambiguous = block(editor.folder / "app.py", "    value = 1\n", "    value = 5\n", editor)
    answer = await editor.command("applyEdits", {"text": return_3(editor) + ambiguous, "atomic": "edit"})
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "ambiguous"]
    assert (editor.folder / "app.py").read_text() == CHANGED
    assert buffer.text == APP, "the client has not read the file again"
    return buffer, answer["edits"][1]


async def test_a_pending_edit_is_resolved_on_the_disk_before_the_client_reloads(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), UNABLE) as editor:
        buffer, _ = await half_applied(editor)
        said = [one.message for one in editor.messages]
        assert "Changed on disk: app.py. Reload the buffers." in said
        fixes = await editor.actions(buffer, buffer.text.index("value = 1"), only=["quickfix"])
        result = await editor.choose(next(one for one in fixes if "candidate 1" in one.title))
        assert [edit["status"] for edit in result["edits"]] == ["applied"]
        assert (editor.folder / "app.py").read_text() == RESOLVED


async def test_what_was_typed_over_the_older_text_is_not_to_be_saved(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), UNABLE) as editor:
        buffer, pending = await half_applied(editor)
        editor.type(buffer, 0, 0, "# mine\n")
        (listed,) = (await editor.command("listPendingEdits"))["edits"]
        refused = await editor.command("resolveEdit", {"edit": listed["id"], "candidate": 1})
        (edit,) = refused["edits"]
        assert edit["status"] == "conflict"
        assert "save it, then" not in edit["message"]
        assert edit["message"].startswith("app.py has changed on disk, and the editor has an older text")
        assert (editor.folder / "app.py").read_text() == CHANGED
        editor.undo(buffer)
        result = await editor.command("resolveEdit", {"edit": pending["id"], "candidate": 1})
        assert [edit["status"] for edit in result["edits"]] == ["applied"]
        assert (editor.folder / "app.py").read_text() == RESOLVED


async def test_what_its_user_undoes_after_reloading_is_unsaved_text(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), UNABLE) as editor:
        buffer, pending = await half_applied(editor)
        editor.replace(buffer, CHANGED)
        editor.undo(buffer)
        refused = await editor.command("resolveEdit", {"edit": pending["id"], "candidate": 1})
        assert "app.py has unsaved changes; save it" in refused["edits"][0]["message"]
        editor.save(buffer)
        result = await editor.command("resolveEdit", {"edit": pending["id"], "candidate": 1})
        assert (editor.folder / "app.py").read_text() == RESOLVED.replace("return 3", "return 2")
        assert result["applied"]


async def test_an_older_text_is_not_recorded_as_unsaved(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), UNABLE) as editor:
        await half_applied(editor)
        taken = await editor.command("takeCheckpoint", {"label": "with edits"})
        (editor.folder / "app.py").write_text("other\n")
        restored = await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert restored["unsaved"] == []
        assert (editor.folder / "app.py").read_text() == CHANGED


@pytest.mark.parametrize("capabilities", [UNABLE, VSCODE], ids=["unable", "able"])
async def test_edits_fit_after_a_restore_that_the_client_has_not_read(
    tmp_path: Path, capabilities: dict[str, Any]
) -> None:
    async with session(tmp_path, Habits(), capabilities) as editor:
        path = editor.folder / "app.py"
        path.write_text(APP)
        taken = await editor.command("takeCheckpoint", {"label": "first"})
        path.write_text("other\n")
        editor.open(path)
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert path.read_text() == APP
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert [edit["status"] for edit in answer["edits"]] == ["applied"]
        assert path.read_text() == CHANGED
        assert [one.message for one in editor.messages][-1].startswith("Changed on disk: app.py.")


async def test_an_able_client_that_was_asked_for_the_disk_reloads_without_a_word(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        opened(editor, editor.folder / "app.py")
        await editor.command("applyEdits", {"text": return_3(editor), "target": "disk"})
        assert (editor.folder / "app.py").read_text() == CHANGED
        assert not [one for one in editor.messages if "Changed on disk" in one.message]


async def test_a_change_is_taken_back_on_the_disk_before_the_client_reloads(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), UNABLE) as editor:
        WorkingTree(editor.folder).git("init", "-q", "-b", "main")
        (editor.folder / "app.py").write_text(APP)
        await editor.command("takeCheckpoint", {"label": "before"})
        await half_applied(editor)
        review = await editor.command("reviewChanges")
        (hunk,) = review["files"][0]["hunks"]
        named = {"review": review["review"], "hunk": hunk["id"], "decision": "takeBack"}
        await editor.command("reviewHunk", named)
        assert (editor.folder / "app.py").read_text() == APP
