"""In a workspace that the user does not trust, the server recovers nothing."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from patchpoint.checkpoints import CheckpointStore
from tests.checkpoints.interrupted_restore import interrupt
from tests.git.git_judge import WorkingTree
from tests.lsp.editor import Habits
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    """A repository in which a restore was cut short, in the workspace of the session."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tree = WorkingTree.create(tmp_path / "workspace")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    interrupt(lambda: store.restore(taken.id))
    return tree


@pytest.mark.parametrize("trusted", [False, "true", 0])
async def test_a_restore_that_was_cut_short_is_not_finished_there(
    tree: WorkingTree, tmp_path: Path, trusted: object
) -> None:
    before = tree.files()
    options = {"trusted": trusted}
    async with session(tmp_path, Habits(), initializationOptions=options) as editor:
        await editor.command("listCheckpoints")
        await editor.command("listPendingEdits")
        for command in ("restoreCheckpoint", "undoRestore", "redoRestore"):
            given = {"checkpoint": CheckpointStore.open(tree.root, recover=False).list()[0].id}
            with pytest.raises(JsonRpcException, match="not trusted"):
                await editor.command(command, given if command == "restoreCheckpoint" else {})
        assert not any("trusted" in line.message for line in editor.log_messages)
    assert tree.files() == before


@pytest.mark.parametrize("options", [None, {}, {"trusted": True}, {"trusted": None}])
async def test_elsewhere_it_is_finished(
    tree: WorkingTree, tmp_path: Path, options: dict[str, Any] | None
) -> None:
    async with session(tmp_path, Habits(), initializationOptions=options) as editor:
        await editor.command("listCheckpoints")
    assert (tree.root / "a.txt").read_text() != "run\n"
