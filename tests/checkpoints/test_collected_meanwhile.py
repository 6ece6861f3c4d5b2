"""Garbage collections of git that begin before a checkpoint has its ref, and delete after it has."""

from __future__ import annotations

import os
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.maintenance import transfer
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.snapshot import stat_cache
from patchpoint.git import refs
from patchpoint.git.odb import kept_packs
from patchpoint.git.odb.pack_writer import PackWriter
from tests.checkpoints.before_ref import happens_before_each_ref
from tests.git.git_judge import WorkingTree
from tests.git.stopped_git import CAN_STOP, stopped_git

COMMANDS = ["prune --expire=now", "repack -ad", "gc --prune=now"]
stopped = pytest.mark.skipif(not CAN_STOP, reason="git is stopped by a terminal that is full")
every_command = pytest.mark.parametrize("command", COMMANDS)


def packs_of(tree: WorkingTree) -> Path:
    return tree.root / ".git/objects/pack"


def grow_old(tree: WorkingTree, days: float = 2.0) -> None:
    """As if what there is had been written days ago."""
    then = time.time() - days * 86_400
    for path in packs_of(tree).iterdir():
        os.utime(path, (then, then))


def forget(tree: WorkingTree) -> None:
    """As a process that knows nothing of an earlier checkpoint."""
    stat_cache._kept.clear()
    (tree.root / ".git/patchpoint/stat-cache").unlink(missing_ok=True)


def release(tree: WorkingTree) -> None:
    """As if an hour had passed, and a day: git may collect what no ref reaches."""
    grow_old(tree)
    CheckpointStore.open(tree.root).delete(CheckpointStore.open(tree.root).take().id)
    for mark in packs_of(tree).glob("*.keep"):
        mark.unlink()


def unreached(tree: WorkingTree) -> None:
    """Have something that `git prune` and `git repack` find unreached, so that they look at all refs."""
    tree.git("hash-object", "-w", "--stdin", stdin="unreached")
    tree.git("commit", "-q", "--allow-empty", "-m", "there is something to repack")


def is_whole(tree: WorkingTree, store: CheckpointStore) -> None:
    """Everything of every checkpoint can be read, and git collects garbage as ever."""
    tree.refuse_damage()
    assert store.doctor().findings == ()
    for checkpoint in (*store.list(), *store.list(safety=True)):
        tree.git("rev-list", "--objects", f"{checkpoint.commit}^!")
    tree.git("gc", "-q", "--prune=now")


@stopped
@every_command
@pytest.mark.parametrize("count", [0, 5, 60])
def test_what_is_new_outlives_a_collection_that_began_before(
    tree: WorkingTree, command: str, count: int
) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    unreached(tree)
    tree.write({f"new/{number}.txt": f"{number} changed\n" for number in range(count)})
    with stopped_git(tree, *command.split()):
        taken = store.take()
    is_whole(tree, store)
    before = tree.files()
    tree.write({"a.txt": "changed\n"})
    store.restore(taken.id)
    assert tree.files() == before


@stopped
@every_command
@pytest.mark.parametrize("known", ["a deleted checkpoint", "a comparison", "by chance", "staged once"])
@pytest.mark.parametrize("remembered", [True, False])
def test_what_was_there_and_no_ref_reached_outlives_it(
    tree: WorkingTree, command: str, known: str, remembered: bool
) -> None:
    store = CheckpointStore.open(tree.root)
    unreached(tree)
    count = 5
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    if known == "a deleted checkpoint":
        store.delete(store.take().id)
    elif known == "a comparison":
        store.diff(store.take().id)
        tree.write({f"new/{number}.txt": f"{number} changed\n" for number in range(count)})
        store.diff(store.list()[0].id)
    elif known == "by chance":
        tree.git("hash-object", "-w", *(f"new/{number}.txt" for number in range(count)))
    else:
        tree.git("add", "new")
    release(tree)
    if known == "staged once":
        tree.git("reset", "-q")
    if not remembered:
        forget(tree)
    with stopped_git(tree, *command.split()):
        store.take()
    is_whole(tree, store)


@stopped
@every_command
def test_what_is_staged_when_the_checkpoint_is_taken_outlives_it(tree: WorkingTree, command: str) -> None:
    store = CheckpointStore.open(tree.root)
    unreached(tree)
    tree.write({"staged.txt": "staged\n"})
    tree.git("add", "staged.txt")
    release(tree)
    tree.git("rm", "-q", "--cached", "staged.txt")
    with stopped_git(tree, *command.split()):
        tree.git("add", "staged.txt")
        tree.write({"staged.txt": "changed since\n"})
        store.take()
        tree.git("rm", "-qf", "--cached", "staged.txt")
    is_whole(tree, store)


@stopped
@every_command
def test_the_safety_checkpoints_of_a_restore_and_of_its_undo_outlive_it(
    tree: WorkingTree, command: str
) -> None:
    store = CheckpointStore.open(tree.root)
    unreached(tree)
    taken = store.take()
    tree.write({"ignored.log": "ignored\n", "new.txt": "new\n"})
    release(tree)
    with stopped_git(tree, *command.split()):
        store.restore(taken.id)
    with stopped_git(tree, *command.split()):
        tree.write({"new.txt": "other\n"})
        store.undo(force=True)
    assert len(store.list(safety=True)) == 2
    is_whole(tree, store)
    store.undo()
    assert (tree.root / "new.txt").read_text() == "other\n"


def test_no_two_packs_have_the_same_name(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    names: set[str] = set()
    for _ in range(3):
        tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
        store.delete(store.take().id)
        found = {path.name for path in packs_of(tree).glob("*.pack")}
        assert found.isdisjoint(names)
        names |= found
        for path in packs_of(tree).iterdir():
            path.unlink()
        tree.write({f"new/{number}.txt": None for number in range(60)})
        forget(tree)


@every_command
def test_what_is_fetched_outlives_a_collection_before_its_refs_exist(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    tree.git("clone", "-q", str(tree.root), str(tmp_path / "clone"))
    clone = WorkingTree(tmp_path / "clone")
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    taken = CheckpointStore.open(tree.root).take()
    happens_before_each_ref(monkeypatch, lambda: clone.git(*command.split()), transfer)
    store = CheckpointStore.open(clone.root)
    assert store.fetch(str(tree.root)) == (taken.id,)
    assert store.read(taken.id, "new/7.txt") == b"7\n"
    is_whole(clone, store)
    assert list((clone.root / ".git/patchpoint").glob("fetched.*")) == []


@stopped
@every_command
def test_what_is_merged_outlives_a_collection_that_began_before(tree: WorkingTree, command: str) -> None:
    store = CheckpointStore.open(tree.root)
    for number in range(kept_packs.MOST_SMALL):
        tree.write({"a.txt": f"{number}\n"})
        store.take()
    unreached(tree)
    assert len(list(packs_of(tree).glob("*.keep"))) == kept_packs.MOST_SMALL
    with stopped_git(tree, *command.split()):
        store.take()
        store.take()
        assert len(list(packs_of(tree).glob("*.keep"))) == 2
    is_whole(tree, store)


def test_a_pack_that_is_being_written_outlives_a_prune(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish = PackWriter.finish

    def finish_after_prune(writer: PackWriter, *options: Any) -> bytes:
        tree.git("prune", "--expire=now")
        return finish(writer, *options)

    monkeypatch.setattr(PackWriter, "finish", finish_after_prune)
    tree.write({"new.txt": "new\n"})
    store = CheckpointStore.open(tree.root)
    assert store.read(store.take().id, "new.txt") == b"new\n"
    is_whole(tree, store)


@stopped
def test_what_is_shared_with_a_checkpoint_that_git_did_not_see_outlives_its_prune(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(mirror_bytes=None))
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(5)})
    first = store.take()
    tree.loosen()
    create = refs.create
    with ExitStack() as stopping:

        def create_after_deletion(found: refs.Refs, name: bytes, commit: str) -> bool:
            if store.list():
                tree.git("update-ref", "-d", f"refs/patchpoint/checkpoints/{first.id}")
                stopping.enter_context(stopped_git(tree, "prune", "--expire=now"))
            return create(found, name, commit)

        monkeypatch.setattr(refs, "create", create_after_deletion)
        store.take()
    is_whole(tree, store)
