"""`git repack -ad` between a checkpoint's objects and its ref."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.git import refs
from tests.checkpoints.before_ref import comes_back, happens_before_each_ref
from tests.git.git_judge import WorkingTree


@pytest.mark.parametrize("count", [5, 60])
def test_nothing_of_the_checkpoint_is_lost(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, count: int
) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    happens_before_each_ref(monkeypatch, lambda: tree.git("repack", "-adq"))
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("fsck", "--full", "--strict", "--no-dangling")
    comes_back(tree, store, taken.id)
    tree.git("gc", "-q")
    tree.refuse_damage()


@pytest.mark.parametrize("command", ["repack -adq", "gc -q --prune=now", "prune --expire=now"])
@pytest.mark.parametrize("count", [5, 60])
def test_what_only_a_deleted_checkpoint_reached_is_written_again(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, count: int, command: str
) -> None:
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(count)})
    store = CheckpointStore.open(tree.root)
    store.delete(store.take().id)
    collected: list[str] = []

    def collect_once() -> None:
        if not collected:
            collected.append(tree.git(*command.split()))

    happens_before_each_ref(monkeypatch, collect_once)
    taken = store.take()
    assert [checkpoint.id for checkpoint in store.list()] == [taken.id]
    tree.git("fsck", "--full", "--strict", "--no-dangling")
    comes_back(tree, store, taken.id)
    tree.git("gc", "-q")


@pytest.mark.parametrize("times", [1, 3])
def test_what_vanishes_before_the_ref_exists_is_recorded_again(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(5)})
    left = [True] * times

    def lose_packs() -> None:
        if left:
            left.pop()
            for file in (tree.root / ".git/objects/pack").iterdir():
                file.unlink()

    happens_before_each_ref(monkeypatch, lose_packs)
    taken = store.take()
    assert [each.id for each in store.list()] == [taken.id]
    assert left == []
    tree.refuse_damage()
    comes_back(tree, store, taken.id)
    tree.git("gc", "-q", "--prune=now")
    tree.refuse_damage()


def test_a_checkpoint_whose_forerunner_is_deleted_meanwhile_is_whole(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(mirror_bytes=None))
    tree.write({f"new/{number}.txt": f"{number}\n" for number in range(5)})
    first = store.take()
    tree.loosen()
    create = refs.create

    def create_after_deletion(found: refs.Refs, name: bytes, commit: str) -> bool:
        tree.git("update-ref", "-d", f"refs/patchpoint/checkpoints/{first.id}")
        created = create(found, name, commit)
        tree.git("prune", "--expire=now")
        return created

    monkeypatch.setattr(refs, "create", create_after_deletion)
    taken = store.take()
    assert [each.id for each in store.list()] == [taken.id]
    tree.refuse_damage()
    assert store.doctor().findings == ()
