"""Going back to a chat message takes repositories inside of the folder, and elsewhere, back as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import call_hook
from tests.lsp.editor import Editor, Habits, running
from tests.lsp.sessions import VSCODE, session

pytestmark = pytest.mark.asyncio

MINE = "not committed\n"


async def test_a_message_restores_a_repository_inside_and_its_open_file(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        inner = WorkingTree.create(editor.folder / "lib")
        inner.write({"a.txt": MINE, "b.txt": MINE})
        await editor.command("takeCheckpoint", {"session": "chat", "message": "1"})
        buffer = editor.open(inner.root / "a.txt")
        editor.type(buffer, 0, 0, "typed, ")
        inner.write({"b.txt": None})
        asked = {"session": "chat", "message": "1"}
        planned = await editor.command("restoreCheckpoint", {**asked, "dryRun": True})
        assert planned["written"] == [(inner.root / "b.txt").as_uri()]
        alone = await editor.command("restoreCheckpoint", {**asked, "dryRun": True, "only": True})
        assert alone["written"] == []
        done = await editor.command("restoreCheckpoint", asked)
        assert done["created"] == [(inner.root / "b.txt").as_uri()]
        assert (inner.root / "b.txt").read_text() == MINE
        assert buffer.text == MINE
        await editor.command("undoRestore")
        assert not (inner.root / "b.txt").exists()
        assert buffer.text == f"typed, {MINE}"


async def test_a_repository_elsewhere_is_restored_only_where_its_folder_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    own, other = WorkingTree.create(tmp_path / "own"), WorkingTree.create(tmp_path / "other")
    other.write({"a.txt": MINE})
    call_hook(
        own.root, hook_event_name="UserPromptSubmit", session_id="s", prompt_id="1", prompt="Do it",
        workspace_roots=[str(own.root), str(other.root)],
    )  # fmt: skip
    (taken,) = CheckpointStore.open(own.root).list()
    other.write({"a.txt": "later\n"})
    editor = Editor(VSCODE)
    async with running(editor, own.root, state=tmp_path / "state"):
        done = await editor.command("restoreCheckpoint", {"checkpoint": taken.id})
        assert done["kept"] == [
            {"path": str(other.root), "reason": "it is outside of the folders that are open"}
        ]
        assert (other.root / "a.txt").read_text() == "later\n"
    editor = Editor(VSCODE)
    async with running(editor, own.root, other.root, state=tmp_path / "state"):
        await editor.command("restoreCheckpoint", {"checkpoint": taken.id})
        assert (other.root / "a.txt").read_text() == MINE
