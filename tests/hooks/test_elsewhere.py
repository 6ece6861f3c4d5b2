"""What an agent's tools name outside of its folder is recorded where it is, and goes back with the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import call_hook

MINE = "not committed\n"


@pytest.fixture
def trees(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[WorkingTree, WorkingTree]:
    """The agent's repository, and another next to it."""
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    own, other = WorkingTree.create(tmp_path / "own"), WorkingTree.create(tmp_path / "other")
    other.write({"a.txt": MINE})
    return own, other


def prompt(tree: WorkingTree, turn: str = "1", **more: object) -> None:
    sent = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt_id": turn, "prompt": "Do it"}
    call_hook(tree.root, **sent, **more)


def step(tree: WorkingTree, tool: str, **given: str) -> None:
    sent = {"hook_event_name": "PreToolUse", "session_id": "s", "prompt_id": "1", "tool_name": tool}
    call_hook(tree.root, **sent, tool_input=given)


@pytest.mark.parametrize(
    ("tool", "given"),
    [
        ("Bash", {"command": "cd ../other && rm a.txt"}),
        ("Bash", {"command": 'rm "../other/a.txt"'}),
        ("Edit", {"file_path": "../other/a.txt", "old_string": "not", "new_string": "now"}),
        ("Write", {"file_path": "../other/new/deep.txt", "content": "x"}),
    ],
)
def test_what_a_tool_names_elsewhere_goes_back_together(
    trees: tuple[WorkingTree, WorkingTree], tool: str, given: dict[str, str]
) -> None:
    own, other = trees
    prompt(own)
    step(own, tool, **given)
    own.write({"a.txt": "changed\n"})
    other.write({"a.txt": None})
    store = CheckpointStore.open(own.root)
    newest = store.list()[0]
    assert [each.path for each in newest.companions] == [str(other.root)]
    store.restore(newest.id)
    assert (own.root / "a.txt").read_text() != "changed\n"
    assert (other.root / "a.txt").read_text() == MINE
    store.undo()
    assert not (other.root / "a.txt").exists()


def test_a_repository_that_was_named_stays_with_the_session(
    trees: tuple[WorkingTree, WorkingTree],
) -> None:
    own, other = trees
    prompt(own)
    step(own, "Bash", command="ls ../other")
    prompt(own, "2")
    other.write({"a.txt": None})
    store = CheckpointStore.open(own.root)
    store.restore(session="s", message="2")
    assert (other.root / "a.txt").read_text() == MINE


def test_the_other_folders_of_an_agent_are_recorded_at_its_prompt(
    trees: tuple[WorkingTree, WorkingTree],
) -> None:
    own, other = trees
    prompt(own, workspace_roots=[str(own.root), str(other.root)])
    (taken,) = CheckpointStore.open(own.root).list()
    assert [each.path for each in taken.companions] == [str(other.root)]


def test_what_is_in_no_other_repository_is_passed_over(
    trees: tuple[WorkingTree, WorkingTree], tmp_path: Path
) -> None:
    own, _ = trees
    (tmp_path / "plain").mkdir()
    prompt(own)
    step(own, "Bash", command=f"cat {own.root}/a.txt /etc/hostname {tmp_path}/plain/x ~/nothing src/b.txt")
    assert not any(each.companions for each in CheckpointStore.open(own.root).list())


def test_a_repository_that_git_ignores_is_recorded_when_a_tool_names_it(
    trees: tuple[WorkingTree, WorkingTree],
) -> None:
    own, _ = trees
    own.write({".gitignore": "/vendor/\n"})
    vendored = WorkingTree.create(own.root / "vendor/lib")
    vendored.write({"a.txt": MINE})
    prompt(own)
    step(own, "Bash", command="rm -rf vendor/lib/a.txt")
    vendored.write({"a.txt": None})
    store = CheckpointStore.open(own.root)
    newest = store.list()[0]
    assert [each.path for each in newest.companions] == ["vendor/lib"]
    store.restore(newest.id)
    assert (vendored.root / "a.txt").read_text() == MINE
