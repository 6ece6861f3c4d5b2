"""Checkpoints that several ask for at once, taken of one snapshot."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from patchpoint.checkpoints.errors import ObjectsVanishedError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record import write
from patchpoint.checkpoints.record.checkpoint import Checkpoint, new_id
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.taking import take_checkpoints
from patchpoint.git.repository import Repository
from patchpoint.progress import Silent
from tests.git.git_judge import WorkingTree


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    tree = WorkingTree.create(tmp_path / "tree")
    tree.write({"a.txt": "one\n"})
    return tree


def request(session: str, turn: str, kind: CheckpointKind = CheckpointKind.RUN) -> CheckpointRequest:
    only_changes = kind is CheckpointKind.STEP
    return CheckpointRequest(
        kind=kind, label=turn, session=session, message=turn, buffers={}, only_changes=only_changes
    )


def take(tree: WorkingTree, *requests: CheckpointRequest) -> list[Checkpoint]:
    repository = Repository.open(tree.root)
    try:
        return take_checkpoints(Records(repository, None), requests, StoreOptions(), Silent())
    finally:
        repository.objects.close()


def test_each_has_a_checkpoint_of_its_own_in_the_order_of_the_requests(tree: WorkingTree) -> None:
    taken = take(tree, *(request("s", f"t-{number}") for number in range(20)))
    listed = CheckpointStore.open(tree.root).list()
    assert [one.message for one in reversed(listed)] == [f"t-{number}" for number in range(20)]
    assert [one.id for one in taken] == sorted(one.id for one in listed)
    assert [one.commit for one in taken] == [one.commit for one in reversed(listed)]
    assert len({one.tree for one in taken}) == 1
    assert [one.unchanged for one in taken] == [False] + 19 * [True]
    tree.git("fsck", "--strict", "--no-dangling")


def test_a_step_is_content_with_the_checkpoint_before_it_of_the_same_session(tree: WorkingTree) -> None:
    step = CheckpointKind.STEP
    taken = take(
        tree,
        request("s", "t-1"),
        request("s", "t-1", step),
        request("r", "t-2", step),
        request("r", "t-2", step),
        request("s", "t-1", step),
    )
    first, same, second, again, third = (one.id for one in taken)
    assert first == same
    assert second == again
    assert len({first, second, third}) == 3
    assert len(CheckpointStore.open(tree.root).list()) == 3


def test_a_name_that_is_taken_is_no_checkpoint_lost(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = CheckpointStore.open(tree.root).take(label="there")
    free = [True, False]

    def chosen(after: str | None = None) -> str:
        # The second name of the first attempt is taken.
        return new_id(after) if not free or free.pop(0) else there.id

    monkeypatch.setattr(write, "new_id", chosen)
    taken = take(tree, request("s", "t-1"), request("s", "t-2"))
    assert [one.message for one in CheckpointStore.open(tree.root).list()] == ["t-2", "t-1", None]
    assert there.id not in [one.id for one in taken]


def test_if_objects_have_vanished_there_is_none_of_them(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(write, "has_all", lambda *_: False)
    with pytest.raises(ObjectsVanishedError):
        take(tree, request("s", "t-1"), request("s", "t-2"))
    assert CheckpointStore.open(tree.root).list() == ()
