"""What a person saves in an editor is the person's, whatever agents do to the same file meanwhile."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from patchpoint.checkpoints.record.steps import SavedFile, recorded_steps
from patchpoint.checkpoints.session_revert import revert_session
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import call_hook
from tests.lsp.editor import PATIENCE, Editor, Habits
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

LINES = "".join(f"line {number}\n" for number in range(1, 21))


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    tree = WorkingTree.create(tmp_path / "workspace")
    tree.write({"n.txt": LINES})
    return tree


def command(tree: WorkingTree, event: str) -> None:
    named = {"session_id": "one", "tool_name": "Bash", "tool_use_id": "1"}
    call_hook(tree.root, hook_event_name=event, tool_input={"command": "make"}, **named)


async def saved(tree: WorkingTree, count: int) -> list[SavedFile]:
    """Wait until so many saves are recorded."""

    async def wait() -> list[SavedFile]:
        while True:
            events = recorded_steps(tree.root / ".git/patchpoint")
            found = [each for each in events if isinstance(each, SavedFile)]
            if len(found) >= count:
                return found
            await asyncio.sleep(0.01)

    return await asyncio.wait_for(wait(), PATIENCE)


async def replace_line(editor: Editor, path: Path, number: int, text: str) -> None:
    """Type over one line of a file and save it, as slowly as a person."""
    buffer = editor.buffers.get(path.as_uri()) or editor.open(path)
    await answered(editor)
    old = f"line {number}\n"
    start = buffer.text.index(old)
    editor.type(buffer, start, start + len(old), text)
    await answered(editor)
    editor.save(buffer)


async def answered(editor: Editor) -> None:
    """Wait until the server has done what it was asked before, and something that takes longer."""
    for _ in range(3):
        await editor.command("listCheckpoints", {"root": editor.folder.as_uri()})


async def test_what_is_saved_while_a_command_runs_stays(tmp_path: Path, tree: WorkingTree) -> None:
    path = tree.root / "n.txt"
    async with session(tmp_path, Habits()) as editor:
        call_hook(tree.root, hook_event_name="UserPromptSubmit", session_id="one", prompt="Go on")
        buffer = editor.open(path)
        command(tree, "PreToolUse")
        path.write_text(path.read_text().replace("line 3\n", "ONE\n"))
        editor.replace(buffer, path.read_text())
        await replace_line(editor, path, 10, "MINE\n")
        await saved(tree, 1)
        command(tree, "PostToolUse")
        call_hook(tree.root, hook_event_name="Stop", session_id="one")
    done = revert_session(tree.root, "one")
    assert not done.left
    assert path.read_text() == LINES.replace("line 10\n", "MINE\n")


async def test_nothing_is_recorded_where_no_hook_is_called(tmp_path: Path, tree: WorkingTree) -> None:
    path, other = tree.root / "n.txt", tree.root / "m.txt"
    tree.write({"m.txt": LINES})
    async with session(tmp_path, Habits()) as editor:
        await replace_line(editor, path, 10, "MINE\n")
        await answered(editor)
        assert not (tree.root / ".git/patchpoint/steps").exists()
        call_hook(tree.root, hook_event_name="UserPromptSubmit", session_id="one", prompt="Go on")
        await replace_line(editor, other, 10, "MINE\n")
        assert [each.path for each in await saved(tree, 1)] == ["m.txt"]
