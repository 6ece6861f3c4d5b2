"""Ignored files that a person wants back, such as `.env`, are recorded where the settings name them."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, SnapshotOptions, StoreOptions
from patchpoint.checkpoints.errors import TransferError
from tests.git.git_judge import WorkingTree

OPTIONS = StoreOptions(snapshot=SnapshotOptions(include=(".env", "secrets/")))


@pytest.fixture
def ignoring(tree: WorkingTree) -> WorkingTree:
    tree.write({".gitignore": ".env\nsecrets/\nbuild/\n*.log\n"})
    tree.write(
        {".env": "KEY=1\n", "src/.env": "KEY=2\n", "secrets/a": "s\n", "build/.env": "b", "x.log": "x"}
    )
    return tree


def opened(tree: WorkingTree) -> CheckpointStore:
    return CheckpointStore.open(tree.root, options=OPTIONS)


def test_what_git_clean_deletes_comes_back(ignoring: WorkingTree) -> None:
    taken = opened(ignoring).take()
    assert taken.included == 3
    ignoring.git("clean", "-fdxq")
    assert not (ignoring.root / ".env").exists()
    done = opened(ignoring).restore(taken.id)
    assert {".env", "src/.env", "secrets/a"} <= set(done.created)
    assert (ignoring.root / ".env").read_text() == "KEY=1\n"
    assert not (ignoring.root / "build").exists()


def test_without_the_setting_they_are_not_recorded(ignoring: WorkingTree) -> None:
    assert opened(ignoring).take().included == 3
    plain = CheckpointStore.open(ignoring.root)
    taken = plain.take()
    assert taken.included == 0
    with pytest.raises(FileNotFoundError):
        plain.read(taken.id, ".env")
    assert opened(ignoring).take().included == 3


def test_one_that_a_checkpoint_does_not_hold_is_never_deleted(ignoring: WorkingTree) -> None:
    before = CheckpointStore.open(ignoring.root).take()
    opened(ignoring).take()
    done = opened(ignoring).restore(before.id)
    assert not done.deleted
    assert (ignoring.root / ".env").read_text() == "KEY=1\n"


def test_a_change_of_one_is_recorded_and_undone(ignoring: WorkingTree) -> None:
    store = opened(ignoring)
    first = store.take()
    ignoring.write({".env": "KEY=lost\n"})
    second = store.take()
    assert [one.path for one in store.diff(first.id, second.id)] == [".env"]
    store.restore(first.id)
    assert (ignoring.root / ".env").read_text() == "KEY=1\n"
    store.undo()
    assert (ignoring.root / ".env").read_text() == "KEY=lost\n"


def test_one_that_is_created_again_is_for_its_owner_alone(ignoring: WorkingTree) -> None:
    place = ignoring.root / ".env"
    place.chmod(0o644)
    taken = opened(ignoring).take()
    place.unlink()
    opened(ignoring).restore(taken.id)
    assert stat.S_IMODE(place.stat().st_mode) == 0o600


def test_they_are_never_pushed_and_never_fetched(ignoring: WorkingTree, tmp_path: Path) -> None:
    other = WorkingTree.create(tmp_path / "other")
    plain = CheckpointStore.open(ignoring.root).take(label="plain")
    private = opened(ignoring).take(label="private")
    assert opened(ignoring).push(str(other.root)) == (plain.id,)
    with pytest.raises(TransferError, match=r"checkpoints\.include"):
        opened(ignoring).push(str(other.root), [private.id])
    assert private.id not in CheckpointStore.open(other.root).fetch(str(ignoring.root))
    assert {one.id for one in CheckpointStore.open(other.root).list()} == {plain.id}


def test_a_renamed_one_is_not_pushed_either(ignoring: WorkingTree, tmp_path: Path) -> None:
    other = WorkingTree.create(tmp_path / "other")
    store = opened(ignoring)
    store.relabel(store.take().id, "another name")
    assert store.push(str(other.root)) == ()
