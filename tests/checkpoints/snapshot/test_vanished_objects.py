"""Objects of an earlier checkpoint that a garbage collection of git removed, all or some of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.snapshot import stat_cache
from tests.git.git_judge import WorkingTree


def remove_loose(tree: WorkingTree, oid: str) -> None:
    (tree.root / ".git/objects" / oid[:2] / oid[2:]).unlink()


def in_new_process() -> None:
    stat_cache._kept.clear()


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize(
    "name", [":new", ":new/deep", ":new/deep/file.txt", "^2:untracked/new", "^2:index/staged"]
)
def test_a_checkpoint_after_an_interrupted_prune_is_whole(tree: WorkingTree, name: str, kept: bool) -> None:
    tree.write({"new/deep/file.txt": "untracked\n", "new/b": "b\n", "staged/c.txt": "staged\n"})
    tree.git("add", "staged/c.txt")
    store = CheckpointStore.open(tree.root)
    first = store.take()
    oid = tree.git("rev-parse", first.commit + name).strip()
    store.delete(first.id)
    remove_loose(tree, oid)
    if not kept:
        in_new_process()
    second = store.take()
    tree.git("fsck", "--strict", "--no-dangling")
    tree.git("gc", "-q")
    before = tree.files()
    tree.write({"new/deep/file.txt": None, "a.txt": "changed\n"})
    store.restore(second.id)
    assert tree.files() == before
    assert tree.git("status", "--porcelain", "staged") == "A  staged/c.txt\n"


def test_an_object_that_is_empty_since_is_written_again(tree: WorkingTree) -> None:
    tree.write({"new.txt": "untracked\n"})
    store = CheckpointStore.open(tree.root)
    oid = tree.git("rev-parse", f"{store.take().commit}:new.txt").strip()
    place: Path = tree.root / ".git/objects" / oid[:2] / oid[2:]
    place.chmod(0o644)
    place.write_bytes(b"")
    in_new_process()
    store.take()
    assert tree.git("cat-file", "blob", oid) == "untracked\n"


def test_a_prune_of_all_that_is_unreachable_costs_nothing_but_time(tree: WorkingTree) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(60)})
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    tree.git("repack", "-adq")
    tree.git("prune", "--expire=now")
    second = store.take()
    tree.git("fsck", "--strict", "--no-dangling")
    assert store.show(second.id).files == 63


def test_what_is_not_checked_out_need_not_be_there(tree: WorkingTree, tmp_path: Path) -> None:
    tree.git("config", "uploadpack.allowFilter", "true")
    place = tmp_path / "partial"
    tree.git("clone", "-q", "--filter=blob:none", "--sparse", tree.root.as_uri(), str(place))
    partial = WorkingTree(place)
    store = CheckpointStore.open(partial.root)
    for _ in range(2):
        assert store.take().files == 3
        partial.write({"a.txt": "changed\n"})
