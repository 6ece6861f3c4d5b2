"""Checkpoints of a folder that are not among its own are offered, and taken by their ids."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import CheckpointNotFoundError
from patchpoint.checkpoints.fork import fork_checkpoint
from patchpoint.checkpoints.maintenance.elsewhere import Why
from patchpoint.checkpoints.naming import id_named
from tests.git.git_judge import WorkingTree


def plain_with_checkpoint(folder: Path) -> str:
    folder.mkdir()
    (folder / "a.txt").write_text("before git\n")
    return CheckpointStore.open(folder).take(label="plain").id


def test_checkpoints_of_before_git_init_are_offered_and_restored(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    id_ = plain_with_checkpoint(folder)
    tree = WorkingTree(folder)
    tree.git("init", "-q", "-b", "main")
    (folder / "a.txt").write_text("after\n")
    store = CheckpointStore.open(folder)
    (group,) = store.elsewhere()
    assert (group.why, [each.id for each in group.entries]) == (Why.PRIVATE, [id_])
    assert id_named(store, "last") == id_
    store.restore(id_)
    assert (folder / "a.txt").read_text() == "before git\n"
    assert store.elsewhere() == ()
    tree.refuse_damage()


def test_checkpoints_of_before_a_folder_was_renamed_are_offered(tmp_path: Path) -> None:
    id_ = plain_with_checkpoint(tmp_path / "plain")
    moved = (tmp_path / "plain").rename(tmp_path / "renamed")
    store = CheckpointStore.open(moved)
    (group,) = store.elsewhere()
    assert (group.why, group.folder) == (Why.MOVED, str(tmp_path / "plain"))
    (moved / "a.txt").unlink()
    store.restore(id_named(store, id_[:8]))
    assert (moved / "a.txt").read_text() == "before git\n"


def test_checkpoints_of_another_folder_that_is_there_are_not_offered(tmp_path: Path) -> None:
    plain_with_checkpoint(tmp_path / "plain")
    shutil.copytree(tmp_path / "plain", tmp_path / "copy")
    assert CheckpointStore.open(tmp_path / "copy").elsewhere() == ()


def test_a_repository_that_was_renamed_and_then_lost_is_offered(tree: WorkingTree, tmp_path: Path) -> None:
    id_ = CheckpointStore.open(tree.root).take().id
    moved = tree.root.rename(tmp_path / "renamed")
    assert CheckpointStore.open(moved).elsewhere() == ()  # its refs moved with it
    shutil.rmtree(moved / ".git")
    (group,) = CheckpointStore.open(moved).elsewhere()
    assert (group.why, [each.id for each in group.entries]) == (Why.MOVED, [id_])


def worktree(tree: WorkingTree, folder: Path) -> CheckpointStore:
    tree.git("worktree", "add", "-q", "--detach", str(folder))
    return CheckpointStore.open(folder)


def test_checkpoints_of_a_removed_worktree_are_offered_shown_forked_and_restored(
    tree: WorkingTree, tmp_path: Path
) -> None:
    linked = tmp_path / "linked"
    (linked_store := worktree(tree, linked)).take(label="empty")
    (linked / "only.txt").write_text("only copy\n")
    id_ = linked_store.take(label="in the worktree").id
    store = CheckpointStore.open(tree.root)
    assert store.elsewhere() == ()  # it is there
    tree.git("worktree", "remove", "--force", str(linked))
    (group,) = store.elsewhere()
    assert (group.why, group.folder, len(group.entries)) == (Why.REMOVED, "linked", 2)
    with pytest.raises(CheckpointNotFoundError):
        id_named(store, "last")  # another tree's is never meant by it
    assert id_named(store, id_) == id_
    assert store.read(id_, "only.txt") == b"only copy\n"
    fork = fork_checkpoint(store, id_, tmp_path / "again")
    assert (fork.path / "only.txt").read_text() == "only copy\n"
    store.restore(id_, force=True)
    assert (tree.root / "only.txt").read_text() == "only copy\n"


def test_a_worktree_whose_folder_was_deleted_counts_as_removed(tree: WorkingTree, tmp_path: Path) -> None:
    id_ = worktree(tree, tmp_path / "linked").take().id
    shutil.rmtree(tmp_path / "linked")
    (group,) = CheckpointStore.open(tree.root).elsewhere()
    assert (group.why, [each.id for each in group.entries]) == (Why.REMOVED, [id_])


def test_a_new_worktree_of_the_same_name_inherits_nothing(tree: WorkingTree, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    first = worktree(tree, linked).take(label="of the first").id
    tree.git("worktree", "remove", "--force", str(linked))
    again = worktree(tree, linked)
    assert again.list() == ()
    second = again.take(label="of the second").id
    assert [each.id for each in CheckpointStore.open(linked).list()] == [second]
    (group,) = CheckpointStore.open(linked).elsewhere()
    assert (group.why, [each.id for each in group.entries]) == (Why.REMOVED, [first])
    (group,) = CheckpointStore.open(tree.root).elsewhere()
    assert [each.id for each in group.entries] == [first]
    tree.git("worktree", "remove", "--force", str(linked))
    third = worktree(tree, linked)
    assert third.list() == ()
    third.take()
    assert {each.id for group in third.elsewhere() for each in group.entries} == {first, second}


def test_a_worktree_of_an_earlier_version_keeps_its_checkpoints(tree: WorkingTree, tmp_path: Path) -> None:
    """Those say nowhere under which name they keep them."""
    id_ = worktree(tree, tmp_path / "linked").take().id
    assert not (tree.root / ".git/worktrees/linked/patchpoint-namespace").exists()
    assert [each.id for each in CheckpointStore.open(tmp_path / "linked").list()] == [id_]


def test_lost_checkpoints_of_another_worktree_are_left_to_it(tree: WorkingTree, tmp_path: Path) -> None:
    linked = worktree(tree, tmp_path / "linked")
    id_ = linked.take().id
    names = tree.git("for-each-ref", "--format=delete %(refname)", "refs/patchpoint")
    tree.git("update-ref", "--stdin", stdin=names)
    assert CheckpointStore.open(tree.root).elsewhere() == ()
    (group,) = CheckpointStore.open(tmp_path / "linked").elsewhere()
    assert (group.why, [each.id for each in group.entries]) == (Why.LOST, [id_])
