"""The way back after the refs, a part of `.git` or all of it is gone: from the mirror."""

from __future__ import annotations

import os
import shutil
import stat
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import BrokenRepositoryError, CheckpointNotFoundError
from patchpoint.checkpoints.maintenance.elsewhere import Why, said_of_broken
from patchpoint.checkpoints.mirror.give_back import repair_repository
from patchpoint.checkpoints.naming import id_named
from tests.git.git_judge import WorkingTree

WORK = {"a.txt": "changed\n", "new/mine.txt": "only copy\n", "src/b.txt": "b\n"}


def worked_in(tree: WorkingTree, label: str = "work") -> str:
    """A checkpoint of changes that are in no commit; its id."""
    tree.write(WORK)
    return CheckpointStore.open(tree.root).take(label=label).id


def without_refs(tree: WorkingTree) -> None:
    names = tree.git("for-each-ref", "--format=delete %(refname)", "refs/patchpoint")
    tree.git("update-ref", "--stdin", stdin=names)


def contents(root: Path) -> dict[str, str]:
    return {path: (root / path).read_text() for path in WORK}


def test_refs_that_git_deleted_are_missed_and_come_back(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    before = CheckpointStore.open(tree.root).show(id_)
    without_refs(tree)
    store = CheckpointStore.open(tree.root)
    assert store.list() == ()
    (lost,) = store.elsewhere()
    assert (lost.why, [each.id for each in lost.entries]) == (Why.LOST, [id_])
    assert "there was 1 checkpoint of" in lost.says
    with pytest.raises(CheckpointNotFoundError, match=r"there was 1 checkpoint of .*doctor --repair"):
        id_named(store, "claude#1")
    (finding,) = store.doctor().findings
    assert (finding.code, finding.repaired) == ("checkpoints-lost", False)
    assert store.doctor(repair=True).healthy
    assert store.list() == (before,)
    assert store.elsewhere() == ()
    tree.write({"new/mine.txt": None})
    store.restore(id_)
    assert contents(tree.root) == WORK
    tree.refuse_damage()


def test_refs_come_back_although_git_has_deleted_the_objects(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    without_refs(tree)
    for keep in (tree.root / ".git/objects/pack").glob("*.keep"):
        keep.unlink()
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    CheckpointStore.open(tree.root).take(label="in between")
    tree.write({"new/mine.txt": None, "a.txt": "one\n"})
    store = CheckpointStore.open(tree.root)
    assert id_named(store, id_) == id_
    store.restore(id_)
    assert contents(tree.root) == WORK
    tree.refuse_damage()


def test_all_of_git_can_be_deleted(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    shutil.rmtree(tree.root / ".git")
    tree.write(dict.fromkeys(WORK, None))
    store = CheckpointStore.open(tree.root)
    assert store.is_private
    (lost,) = store.elsewhere()
    assert lost.folder == str(tree.root)
    assert id_named(store, "last") == id_
    store.restore(id_)
    assert contents(tree.root) == WORK
    store.undo()
    assert not (tree.root / "new/mine.txt").exists()


def test_what_came_back_into_a_new_repository_does_not_trouble_git(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    CheckpointStore.open(tree.root).restore(id_, paths=["a.txt"], force=True)
    shutil.rmtree(tree.root / ".git")
    tree.git("init", "-q", "-b", "other")
    store = CheckpointStore.open(tree.root)
    assert store.doctor(repair=True).healthy
    (found,) = store.list()
    assert (found.id, found.label, found.head, found.branch) == (id_, "work", None, None)
    tree.write({"a.txt": "else\n"})
    store.restore(id_)
    assert contents(tree.root) == WORK
    tree.refuse_damage()
    tree.git("gc", "-q", "--prune=now")
    tree.refuse_damage()


def test_the_history_can_be_cloned_from_the_mirror(
    tree: WorkingTree, tmp_path: Path, state_home: Path
) -> None:
    tree.write({"c.txt": "c\n"})
    commit = tree.commit("second")
    worked_in(tree)
    shutil.rmtree(tree.root / ".git")
    (mirror,) = (state_home / "mirrors").iterdir()
    tree.git("clone", "-q", str(mirror), str(tmp_path / "clone"))
    assert WorkingTree(tmp_path / "clone").git("rev-parse", "main").strip() == commit


@pytest.mark.parametrize("part", ["refs", "HEAD", "objects"])
def test_a_part_of_git_can_be_deleted(tree: WorkingTree, part: str) -> None:
    id_ = worked_in(tree)
    before = tree.refs()
    gone = tree.root / ".git" / part
    gone.unlink() if gone.is_file() else shutil.rmtree(gone)
    with pytest.raises(BrokenRepositoryError, match=f"{part}.*'patchpoint doctor --repair'"):
        CheckpointStore.open(tree.root / "src")
    assert "there was 1 checkpoint of" in said_of_broken(str(tree.root / ".git"))
    assert repair_repository(tree.root / "src")
    store = CheckpointStore.open(tree.root)
    assert store.doctor(repair=True).healthy
    assert [each.id for each in store.list()] == [id_]
    assert tree.refs() == before
    tree.write({"new/mine.txt": None})
    store.restore(id_)
    assert contents(tree.root) == WORK
    tree.refuse_damage()


def test_where_git_is_broken_no_checkpoint_is_taken_elsewhere(tree: WorkingTree, state_home: Path) -> None:
    (tree.root / ".git/HEAD").unlink()
    with pytest.raises(BrokenRepositoryError):
        CheckpointStore.open(tree.root)
    assert not list(state_home.glob("folders/*/checkpoints"))


def test_an_empty_git_folder_is_no_broken_repository(tmp_path: Path) -> None:
    (tmp_path / "plain/.git").mkdir(parents=True)
    assert CheckpointStore.open(tmp_path / "plain").is_private


def test_objects_that_were_damaged_are_written_again(tree: WorkingTree, state_home: Path) -> None:
    id_ = worked_in(tree)
    tree.loosen()
    CheckpointStore.open(tree.root).doctor(repair=True)
    blob = tree.git("hash-object", "new/mine.txt").strip()
    loose = tree.root / ".git/objects" / blob[:2] / blob[2:]
    loose.unlink()
    store = CheckpointStore.open(tree.root)
    assert not store.doctor().healthy
    assert store.doctor(repair=True).healthy
    assert store.read(id_, "new/mine.txt") == b"only copy\n"


def test_what_was_deleted_on_purpose_is_not_missed(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = []
    for number in range(6):
        tree.write({"a.txt": f"{number}\n"})
        taken.append(store.take(session="s", message=str(number)).id)
    store.delete(taken[0])
    store.relabel(taken[1], "another name")
    store.restore(session="s", message="4")  # drops the later ones
    store.undo()
    store.prune(keep=2)
    store.restore(taken[5])
    assert store.elsewhere() == ()
    assert store.doctor().findings == ()


def test_a_checkpoint_that_was_lost_can_be_deleted(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    without_refs(tree)
    store = CheckpointStore.open(tree.root)
    store.delete(id_named(store, id_))
    assert store.elsewhere() == ()
    with pytest.raises(CheckpointNotFoundError):
        id_named(store, id_)


def test_pins_and_labels_come_back(tree: WorkingTree) -> None:
    id_ = worked_in(tree)
    CheckpointStore.open(tree.root).relabel(id_, "kept for good", pinned=True)
    without_refs(tree)
    store = CheckpointStore.open(tree.root)
    store.doctor(repair=True)
    (found,) = store.list()
    assert (found.label, found.pinned) == ("kept for good", True)


def test_nobody_else_can_read_the_mirror(tree: WorkingTree, state_home: Path) -> None:
    worked_in(tree)
    (mirror,) = (state_home / "mirrors").iterdir()
    assert stat.S_IMODE(mirror.stat().st_mode) == 0o700
    for name in ("register", "origin.json", "packed-refs"):
        assert stat.S_IMODE((mirror / name).stat().st_mode) == 0o600


def test_a_repository_with_sha256_has_a_mirror(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "sha256", "--object-format=sha256")
    id_ = worked_in(tree)
    without_refs(tree)
    store = CheckpointStore.open(tree.root)
    assert store.doctor(repair=True).healthy
    assert [each.id for each in store.list()] == [id_]
    shutil.rmtree(tree.root / ".git")
    tree.git("init", "-q", "--object-format=sha256")
    store = CheckpointStore.open(tree.root)
    assert id_named(store, "last") == id_
    assert os.path.isdir(tree.root / ".git")
