"""A checkpoint is one of the working tree at hand, whatever path that had when it was taken."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree

OLD = "one\ntwo\nthree\n"
NEW = "one\n2\nthree\n"


def taken_then_changed(tree: WorkingTree) -> Checkpoint:
    """A checkpoint of `OLD`; after it there is `NEW`."""
    checkpoint = CheckpointStore.open(tree.root).take(label="before")
    tree.write({"a.txt": NEW})
    return checkpoint


def test_a_copied_project_restores_itself_and_not_the_original(tree: WorkingTree) -> None:
    checkpoint = taken_then_changed(tree)
    copy = shutil.copytree(tree.root, tree.root.with_name("copy"), symlinks=True)
    store = CheckpointStore.open(copy)
    assert [each.root for each in store.list()] == [str(copy)]
    assert store.show(checkpoint.id).root == str(copy)
    store.restore(checkpoint.id)
    assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (OLD, NEW)
    assert [each.root for each in store.list(safety=True)] == [str(copy)]
    store.undo()
    assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (NEW, NEW)
    assert [each.root for each in CheckpointStore.open(tree.root).list()] == [str(tree.root)]


def test_a_moved_project_has_its_checkpoints(tree: WorkingTree) -> None:
    checkpoint = taken_then_changed(tree)
    moved = tree.root.rename(tree.root.with_name("moved"))
    store = CheckpointStore.open(moved)
    assert store.show(checkpoint.id).root == str(moved)
    renamed = store.relabel(checkpoint.id, "again")
    assert (renamed.root, store.list()) == (str(moved), (renamed,))
    store.restore(checkpoint.id)
    assert (moved / "a.txt").read_text() == OLD
    store.undo()
    assert (moved / "a.txt").read_text() == NEW


def test_a_restore_of_the_original_is_not_undone_in_the_copy(tree: WorkingTree) -> None:
    checkpoint = taken_then_changed(tree)
    CheckpointStore.open(tree.root).restore(checkpoint.id)
    copy = shutil.copytree(tree.root, tree.root.with_name("copy"), symlinks=True)
    store = CheckpointStore.open(copy)
    with pytest.raises(Exception, match="the folder was copied or moved"):
        store.undo()
    assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (OLD, OLD)
    (saved,) = store.list(safety=True)
    store.restore(saved.id)
    assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (NEW, OLD)
    store.undo()
    assert (copy / "a.txt").read_text() == OLD


def test_a_linked_working_tree_has_its_own_checkpoints_under_its_own_root(
    tree: WorkingTree, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    tree.git("worktree", "add", "-q", str(linked))
    here, there = CheckpointStore.open(tree.root), CheckpointStore.open(linked)
    one, other = here.take(), there.take()
    assert [(each.id, each.root) for each in here.list()] == [(one.id, str(tree.root))]
    assert [(each.id, each.root) for each in there.list()] == [(other.id, str(linked))]
    moved = tmp_path / "elsewhere"
    tree.git("worktree", "move", str(linked), str(moved))
    (found,) = CheckpointStore.open(moved).list()
    assert (found.id, found.root) == (other.id, str(moved))


def test_the_root_is_the_working_trees_where_a_folder_below_it_is_opened(tree: WorkingTree) -> None:
    taken_then_changed(tree)
    moved = tree.root.rename(tree.root.with_name("moved"))
    (found,) = CheckpointStore.open(moved / "src").list()
    assert found.root == str(moved) == str(Path(Repository.open(moved).worktree.decode()))


def test_a_folder_without_git_has_none_of_another_path(tmp_path: Path) -> None:
    plain = tmp_path / "plain"
    plain.mkdir()
    (plain / "a.txt").write_text(OLD)
    taken = CheckpointStore.open(plain).take()
    assert taken.root == str(plain)
    copy = shutil.copytree(plain, tmp_path / "copy")
    assert CheckpointStore.open(copy).list() == ()
