"""A restore is killed before each thing that it does to the file system, and the next start is watched."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from tests.checkpoints.killing import run_and_kill, state
from tests.git.git_judge import WorkingTree

KILLS = int(os.environ.get("PATCHPOINT_KILLS", "16"))
"""How many instants, spread evenly over the whole restore, are tried; 0 means every one."""


class Scenario:
    """A repository with a checkpoint and much done since, to be copied for each kill."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        tree = WorkingTree.create(folder / "template")
        tree.write({"gone.txt": "g\n", "becomes/a/folder": "f\n", "run.sh": "#!/bin/sh\n"})
        tree.commit("second")
        tree.write({"a.txt": "staged\n", "untracked/u.txt": "u\n"})
        tree.git("add", "a.txt")
        tree.write({"a.txt": "unstaged\n"})
        self.target = state(tree)
        store = CheckpointStore.open(tree.root)
        store.take(session="chat", message="m1")
        later = store.take(session="chat", message="m2", label="later")
        self.later = later.id
        tree.write(
            {"src/b.txt": "run\n", "gone.txt": None, "new/deep/n.txt": "n\n", "becomes/a/folder": None}
        )
        (tree.root / "becomes/a").rmdir()
        tree.write({"becomes/a": "a file\n", "untracked/u.txt": None})
        (tree.root / "run.sh").chmod(0o755)
        (tree.root / "link").symlink_to("a.txt")
        tree.commit("by the run")
        tree.write({"a.txt": "after the run\n", "x.log": "ignored\n"})
        tree.git("add", "a.txt")
        tree.git("pack-refs", "--all")
        self.before = state(tree)
        self.target[0]["x.log"] = self.before[0]["x.log"]

    def copy(self, name: str) -> WorkingTree:
        root = self.folder / name
        shutil.copytree(self.folder / "template", root, symlinks=True)
        tree = WorkingTree(root)
        tree.git("update-index", "-q", "--refresh", check=False)
        return tree


def restore(tree: WorkingTree) -> None:
    CheckpointStore.open(tree.root).restore(session="chat", message="m1")


@pytest.fixture(scope="module")
def scenario(tmp_path_factory: pytest.TempPathFactory) -> Scenario:
    return Scenario(tmp_path_factory.mktemp("killed"))


def test_after_the_next_start_it_is_the_old_state_or_the_new_one_and_nothing_is_lost(
    scenario: Scenario,
) -> None:
    whole = scenario.copy("whole")
    events = run_and_kill(lambda: restore(whole), 0)
    assert state(whole) == scenario.target
    assert events > 100
    tries = range(1, events + 1) if KILLS == 0 else sorted({1 + events * k // KILLS for k in range(KILLS)})
    ended = {"old": 0, "new": 0}
    for at in tries:
        tree = scenario.copy("killed")
        run_and_kill(lambda tree=tree: restore(tree), at)  # type: ignore[misc]
        ended[watch_next_start(tree, scenario)] += 1
        shutil.rmtree(tree.root)
    print(f"killed {len(tries)} times in {events} events: {ended}")
    assert min(ended.values()) > 0


def watch_next_start(tree: WorkingTree, scenario: Scenario) -> str:
    """In which state the tree is after the next start, having seen that the other is to be had as well."""
    store = CheckpointStore.open(tree.root)
    assert not (tree.root / ".git/index.lock").exists()
    assert store.doctor(repair=True).healthy
    assert store.doctor().findings == ()
    tree.refuse_damage()
    if state(tree) == scenario.before:
        assert scenario.later in {each.id for each in store.list()}
        store.restore(session="chat", message="m1")
        assert state(tree) == scenario.target
        store.undo()
        assert state(tree) == scenario.before
        return "old"
    assert state(tree) == scenario.target
    assert scenario.later not in {each.id for each in store.list()}
    assert store.session("chat").fresh_start
    store.undo()
    assert state(tree) == scenario.before
    assert scenario.later in {each.id for each in store.list()}
    store.undo()
    assert state(tree) == scenario.target
    return "new"


def test_the_next_start_releases_the_index_of_a_restore_that_died_when_all_else_was_done(
    scenario: Scenario, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = scenario.copy("locked")
    lock = tree.root / ".git/index.lock"
    with monkeypatch.context() as patch:
        unlink = Path.unlink
        patch.setattr(Path, "unlink", lambda self, **how: None if self == lock else unlink(self, **how))
        restore(tree)
    assert lock.exists()
    CheckpointStore.open(tree.root)
    assert not lock.exists()
    assert state(tree) == scenario.target
    lock.write_text("git's own")
    CheckpointStore.open(tree.root)
    assert lock.exists()


def test_what_did_not_reach_the_disk_when_the_power_failed_is_written_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"big.txt": "content\n" * 100, "third.txt": "t\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    before = tree.files()
    tree.write({"a.txt": "run\n", "src/b.txt": None, "big.txt": "run\n", "third.txt": "run\n"})
    store.restore(taken.id)
    tree.write({"a.txt": "", "src/b.txt": b"\0\0", "big.txt": "edited since\n"})
    CheckpointStore.open(tree.root)
    assert (tree.root / "a.txt").read_text() == ""
    monkeypatch.setattr("patchpoint.checkpoints.restore.phases.boot_id", lambda: "the next boot")
    CheckpointStore.open(tree.root)
    assert {path: tree.files()[path] for path in ("a.txt", "src/b.txt", "third.txt")} == {
        path: before[path] for path in ("a.txt", "src/b.txt", "third.txt")
    }
    assert (tree.root / "big.txt").read_text() == "edited since\n"
    tree.write({"a.txt": ""})
    CheckpointStore.open(tree.root)
    assert (tree.root / "a.txt").read_text() == ""


def test_a_start_that_is_itself_killed_is_taken_up_by_the_one_after(scenario: Scenario) -> None:
    whole = scenario.copy("first")
    events = run_and_kill(lambda: restore(whole), 0)
    for part in (0.6, 0.8):
        tree = scenario.copy("twice")
        run_and_kill(lambda tree=tree: restore(tree), int(events * part))  # type: ignore[misc]
        for at in (40, 60, 80, 100):
            run_and_kill(lambda tree=tree: CheckpointStore.open(tree.root), at)  # type: ignore[misc]
        watch_next_start(tree, scenario)
        shutil.rmtree(tree.root)
