"""A process that is killed while it deletes checkpoints, and locks that other programs hold meanwhile."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, RetentionPolicy, StoreOptions
from patchpoint.checkpoints.errors import RepositoryBusyError
from tests.git.git_judge import WorkingTree

KILLED = 9
PRUNE = f"""
import os, sys
from patchpoint.checkpoints import CheckpointStore
store = CheckpointStore.open(sys.argv[1])
left = int(sys.argv[2])
locked = False
def hook(event, arguments):
    global left, locked
    locked |= event == "os.link"
    if locked and event in ("os.link", "open", "os.rename", "os.remove", "os.rmdir", "os.chmod"):
        left -= 1
        if left < 0:
            os._exit({KILLED})
sys.addaudithook(hook)
store.prune(keep=1)
"""


def locks(tree: WorkingTree) -> list[Path]:
    git = tree.root / ".git"
    return [*git.glob("*.lock"), *(git / "refs").rglob("*.lock"), *(git / "patchpoint").glob("refs.*")]


@pytest.mark.parametrize("packed", [True, False])
def test_the_next_turn_removes_the_locks(tree: WorkingTree, packed: bool) -> None:
    store = CheckpointStore.open(tree.root)
    for step in range(0, 100, 2):
        for _ in range(2):
            store.take()
        if packed:
            tree.git("pack-refs", "--all", "--prune")
        before = {each.id for each in store.list()}
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        command = [sys.executable, "-c", PRUNE, str(tree.root), str(step)]
        done = subprocess.run(command, env=environment, check=False)
        assert done.returncode in (0, KILLED)
        taken = CheckpointStore.open(tree.root).take()
        assert locks(tree) == []
        assert {each.id for each in store.list()} <= before | {taken.id}
        assert tree.git("log", "-1", "--format=%s", "refs/heads/main") == "first\n"
        tree.git("pack-refs", "--all")
        store.prune(keep=1)
        if done.returncode == 0:
            assert step > 5
            return
    pytest.fail("it was killed each time")


def test_a_lock_of_git_stays_and_fails_no_checkpoint(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(retention=RetentionPolicy(keep=1)))
    first = store.take()
    tree.git("pack-refs", "--all")
    lock = tree.root / ".git/packed-refs.lock"
    lock.write_bytes(b"")
    begun = time.monotonic()
    second = store.take()
    assert time.monotonic() - begun < 4
    assert [each.id for each in store.list()] == [second.id, first.id]
    with pytest.raises(RepositoryBusyError, match=r"packed-refs\.lock'.*left the file behind: delete it"):
        store.delete(first.id)
    assert lock.exists()
    assert store.show(first.id).id == first.id
    lock.unlink()
    third = store.take()
    assert [each.id for each in store.list()] == [third.id]


def test_the_lock_of_a_ref_is_named(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    lock = tree.root / ".git/refs/patchpoint/checkpoints" / f"{taken.id}.lock"
    lock.write_bytes(b"")
    with pytest.raises(RepositoryBusyError, match=f"{taken.id}.lock"):
        store.delete(taken.id)
    lock.unlink()
    store.delete(taken.id)
    assert store.list() == ()


def test_the_other_packed_refs_stay_as_they_are(tree: WorkingTree) -> None:
    tree.git("tag", "-a", "-m", "annotated", "v1")
    store = CheckpointStore.open(tree.root)
    taken = [store.take() for _ in range(5)]
    tree.git("pack-refs", "--all")
    place = tree.root / ".git/packed-refs"
    before = place.read_text().splitlines()
    assert set(store.prune(keep=1)) == {each.id for each in taken[:4]}
    gone = tuple(each.id for each in taken[:4])
    assert place.read_text().splitlines() == [line for line in before if not line.endswith(gone)]
    assert tree.git("rev-parse", "v1^{}") == tree.git("rev-parse", "HEAD")
    tree.refuse_damage()
