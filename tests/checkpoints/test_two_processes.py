"""Several processes on one repository take turns, and no checkpoint is lost."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree

TAKES = int(os.environ.get("PATCHPOINT_TAKES", "15"))
"""Checkpoints that each process takes."""

TAKE_MANY = """
import sys
from pathlib import Path
from patchpoint.checkpoints import CheckpointStore, RetentionPolicy, StoreOptions
root, name, takes = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
store = CheckpointStore.open(root, options=StoreOptions(retention=RetentionPolicy(), wait=60))
for number in range(takes):
    (root / f"{name}.txt").write_text(f"{name} {number}")
    print(store.take(label=f"{name} {number}").id, flush=True)
"""


def take_many(root: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", TAKE_MANY, str(root), name, str(TAKES)],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )


def test_two_processes_take_checkpoints_and_none_is_lost(tree: WorkingTree) -> None:
    processes = {name: take_many(tree.root, name) for name in ("first", "second")}
    ids = {name: process.communicate()[0].split() for name, process in processes.items()}
    assert [process.returncode for process in processes.values()] == [0, 0]
    store = CheckpointStore.open(tree.root)
    listed = {each.id: each for each in store.list()}
    assert len(listed) == 2 * TAKES
    for name, own in ids.items():
        assert own == sorted(own)
        for number, id_ in enumerate(own):
            assert listed[id_].label == f"{name} {number}"
            assert store.read(id_, f"{name}.txt") == f"{name} {number}".encode()
    tree.refuse_damage()


def test_linked_working_trees_of_one_repository_do_not_get_in_each_others_way(tree: WorkingTree) -> None:
    linked = tree.root.parent / "linked"
    tree.git("worktree", "add", "-q", "-b", "topic", str(linked))
    processes = [take_many(root, "own") for root in (tree.root, linked)]
    for process in processes:
        process.communicate()
    assert [process.returncode for process in processes] == [0, 0]
    assert len(CheckpointStore.open(tree.root).list()) == TAKES
    assert len(CheckpointStore.open(linked).list()) == TAKES
    tree.refuse_damage()
