"""An operation, its undo or its redo is killed at any instant: the next undo takes back the right thing."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import NothingToUndoError
from patchpoint.workspace.unfinished import recover_unfinished
from tests.checkpoints.killing import run_and_kill
from tests.git.git_judge import WorkingTree
from tests.operations.working import applied, created, deleted, files_in, redone, replaced, restored, undone

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="a process is forked and killed")

KILLS = int(os.environ.get("PATCHPOINT_KILLS", "16"))
"""How many instants, spread evenly over the whole operation, are tried; 0 means every one."""

ACTS: dict[str, Callable[[Path, str], object]] = {
    "apply": lambda root, _: applied(
        root,
        [replaced("a.txt", "two\n", "TWO\n"), created("new/n.txt", "n\n"), deleted("old.txt")],
        checkpoint=False,
    ),
    "restore": lambda root, checkpoint: restored(root, checkpoint),
    "undo": lambda root, _: undone(root),
    "redo": lambda root, _: redone(root),
}


@pytest.mark.parametrize("last", ["apply", "restore"])
@pytest.mark.parametrize("killed", ["first", "undo", "redo"])
def test_after_a_kill_undo_goes_back_to_the_state_before_and_to_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, last: str, killed: str
) -> None:
    template = tmp_path / "template"
    tree = WorkingTree.create(tmp_path / "repo")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tree.write({"a.txt": "one\ntwo\n", "old.txt": "old\n", "first.txt": "1\n"})
    checkpoint = CheckpointStore.open(tree.root).take().id
    states = [files_in(tree.root)]
    applied(tree.root, [replaced("first.txt", "1\n", "0\n"), created("second.txt", "2\n")], checkpoint=False)
    states.append(files_in(tree.root))
    steps = ["first", "undo", "redo"]
    for name in steps[: steps.index(killed)]:
        ACTS[last if name == "first" else name](tree.root, checkpoint)
    before = files_in(tree.root)
    shutil.copytree(tmp_path / "repo", template / "repo", symlinks=True)
    shutil.copytree(tmp_path / "state", template / "state", symlinks=True)

    def act() -> None:
        ACTS[last if killed == "first" else killed](tree.root, checkpoint)

    def copied() -> None:
        for name in ("repo", "state"):
            shutil.rmtree(tmp_path / name)
            shutil.copytree(template / name, tmp_path / name, symlinks=True)
        tree.git("update-index", "-q", "--refresh", check=False)

    copied()
    events = run_and_kill(act, 0)
    after = files_in(tree.root)
    assert after != before
    ends = {"before": 0, "after": 0}
    for at in (tries := instants(events)):
        copied()
        run_and_kill(act, at)
        list(recover_unfinished())
        CheckpointStore.open(tree.root)
        now = files_in(tree.root)
        assert now in (before, after)
        ends["before" if now == before else "after"] += 1
        # Undo takes back: first what was done last, then what was done before.
        standing = [states[0]] if now == states[1] else [states[1], states[0]]
        for wanted in standing:
            undone(tree.root)
            assert files_in(tree.root) == wanted, f"killed before event {at} of {events}"
        with pytest.raises(NothingToUndoError):
            undone(tree.root)
    print(f"{last}, {killed}: killed {len(tries)} times in {events} events: {ends}")
    assert min(ends.values()) > 0


def instants(events: int) -> list[int]:
    """Return the events before which it is killed, half of them around the last ones: there it is decided.

    How many there are is not the same each time: git's index may have to be looked at more closely.
    """
    if KILLS == 0:
        return list(range(1, events + 1))
    late = max(events // 5, KILLS)
    spread = {1 + events * k // (KILLS // 2) for k in range(KILLS // 2)}
    return sorted(spread | {events + late - 2 * late * k // (KILLS // 2) for k in range(KILLS // 2)})
