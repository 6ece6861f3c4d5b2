"""`git repack -ad` between a checkpoint's objects and its ref."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.git import refs
from tests.git.git_judge import WorkingTree


@pytest.mark.parametrize("count", [5, 60])
def test_nothing_of_the_checkpoint_is_lost(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    create = refs.create

    def create_after_repack(store: refs.Refs, name: bytes, commit: str) -> bool:
        tree.git("repack", "-adq")
        return create(store, name, commit)

    monkeypatch.setattr(refs, "create", create_after_repack)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("fsck", "--full", "--strict", "--no-dangling")
    before = tree.files()
    tree.write({"new/1.txt": None, "new/2.txt": "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before
    assert list((tree.root / ".git/objects/pack").glob("*.keep")) == []
    tree.git("gc", "-q")
    assert len(list((tree.root / ".git/objects/pack").glob("*.pack"))) == 1


@pytest.mark.parametrize("command", ["repack -adq", "gc -q --prune=now", "prune --expire=now"])
@pytest.mark.parametrize("count", [5, 60])
def test_what_only_a_deleted_checkpoint_reached_is_written_again(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, count: int, command: str
) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    create = refs.create
    collected: list[str] = []

    def create_after_collection(stored: refs.Refs, name: bytes, commit: str) -> bool:
        if not collected:
            collected.append(tree.git(*command.split()))
        return create(stored, name, commit)

    monkeypatch.setattr(refs, "create", create_after_collection)
    taken = store.take()
    assert [checkpoint.id for checkpoint in store.list()] == [taken.id]
    tree.git("fsck", "--full", "--strict", "--no-dangling")
    before = tree.files()
    tree.write({"new/1.txt": None, "new/2.txt": "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before
    tree.git("gc", "-q")


KILLED_BEFORE_THE_REF = """
import os, signal, sys
from patchpoint.checkpoints import CheckpointStore
from patchpoint.git import refs
refs.create = lambda *arguments: os.kill(os.getpid(), signal.SIGKILL)
CheckpointStore.open(sys.argv[1]).take()
"""


def test_the_marks_of_a_process_that_was_killed_are_swept_and_no_others(tree: WorkingTree) -> None:
    tree.git("repack", "-adq")
    packs = tree.root / ".git/objects/pack"
    (pack,) = packs.glob("*.pack")
    others = pack.with_suffix(".keep")
    others.write_text("kept by the user\n")
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run(
        [sys.executable, "-c", KILLED_BEFORE_THE_REF, str(tree.root)], env=environment, check=False
    )
    assert done.returncode == -signal.SIGKILL
    assert len(list(packs.glob("*.keep"))) == 2
    CheckpointStore.open(tree.root).take()
    assert list(packs.glob("*.keep")) == [others]


@pytest.mark.parametrize("times", [1, 2])
def test_what_is_pruned_before_the_ref_exists_is_recorded_again(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(5)})
    create = refs.create
    left = [True] * times

    def create_after_prune(found: refs.Refs, name: bytes, commit: str) -> bool:
        if left:
            left.pop()
            tree.git("prune", "--expire=now")
        return create(found, name, commit)

    monkeypatch.setattr(refs, "create", create_after_prune)
    taken = store.take()
    assert [each.id for each in store.list()] == [taken.id]
    assert left == []
    tree.refuse_damage()
    before = tree.files()
    tree.write({"new/1.txt": None, "new/2.txt": "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before
    tree.git("gc", "-q", "--prune=now")
    tree.refuse_damage()


@pytest.mark.parametrize("sign", ["a running collection", "an earlier collection"])
def test_while_git_collects_a_checkpoint_is_in_packs_that_are_kept(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, sign: str
) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    (tree.root / "new.txt").write_text("new\n")
    if sign == "a running collection":
        (tree.root / ".git/gc.pid").write_text("1 elsewhere")
    else:
        tree.git("repack", "-adq")
        tree.git("prune-packed")
    create = refs.create

    def create_after_prune(found: refs.Refs, name: bytes, commit: str) -> bool:
        tree.git("prune", "--expire=now")
        assert tree.git("cat-file", "-t", commit) == "commit\n"
        return create(found, name, commit)

    monkeypatch.setattr(refs, "create", create_after_prune)
    taken = store.take()
    assert store.read(taken.id, "new.txt") == b"new\n"
    tree.refuse_damage()
    assert list((tree.root / ".git/objects/pack").glob("*.keep")) == []
