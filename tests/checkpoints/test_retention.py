from __future__ import annotations

import time
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.checkpoint import new_id
from patchpoint.checkpoints.errors import CheckpointNotFoundError, NothingToUndoError
from patchpoint.checkpoints.retention import outdated
from tests.checkpoints.fixtures import tree
from tests.checkpoints.git_judge import WorkingTree

__all__ = ["tree"]

DAY = 86_400.0


def ids(count: int) -> list[str]:
    """Ids made just now, newest first."""
    made = [new_id()]
    for _ in range(count - 1):
        made.append(new_id(made[-1]))
    return made[::-1]


def test_the_newest_are_kept() -> None:
    made = ids(5)
    assert outdated(made, keep=3) == made[3:]
    assert outdated(made) == []


def test_the_old_go() -> None:
    made = ids(2)
    assert outdated(made, older_than_days=2, now=time.time() + DAY) == []
    assert outdated(made, older_than_days=2, now=time.time() + 3 * DAY) == made


def test_those_beyond_the_size_go() -> None:
    made = ids(3)
    assert outdated(made, max_bytes=100, sizes=dict(zip(made, (60, 60, 10), strict=True))) == made[1:]


def test_none_goes_before_its_time() -> None:
    made = ids(3)
    limits = {"keep": 1, "spared_days": 7.0}
    assert outdated(made, **limits, now=time.time() + 6 * DAY) == []  # type: ignore[arg-type]
    assert outdated(made, **limits, now=time.time() + 8 * DAY) == made[1:]  # type: ignore[arg-type]


def test_taking_one_too_many_forgets_the_oldest(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, keep=3)
    taken = [store.take().id for _ in range(5)]
    assert [each.id for each in store.list()] == taken[:1:-1]


def test_safety_checkpoints_do_not_count_and_stay_a_week(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    for number in range(4):
        tree.write({"a.txt": f"{number}\n"})
        store.restore(taken.id)
    assert store.prune(keep=1) == ()
    assert len(store.list(safety=True)) == 4
    last = store.list(safety=True)[0].id
    later = time.time() + 8 * DAY
    monkeypatch.setattr("patchpoint.checkpoints.retention.time.time", lambda: later)
    assert len(store.prune(keep=1, older_than_days=0)) == 1 + 3
    assert [each.id for each in store.list(safety=True)] == [last]
    store.undo()
    assert (tree.root / "a.txt").read_text() == "3\n"


def test_one_can_be_forgotten(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    store.delete(taken.id)
    assert store.list() == ()
    with pytest.raises(CheckpointNotFoundError):
        store.delete(taken.id)


def test_when_the_state_before_a_restore_was_forgotten_there_is_nothing_to_undo(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    restored = store.restore(taken.id)
    assert restored.safety is not None
    store.delete(restored.safety.id)
    with pytest.raises(NothingToUndoError, match="no longer kept"):
        store.undo()


def test_disk_use_is_what_git_would_free_without_them(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    assert store.disk_use().total == 0
    tree.write({"large.txt": "".join(f"{number}\n" for number in range(30_000))})
    store.take()
    tree.write({"other.txt": "".join(f"{number * 7}\n" for number in range(3_000))})
    store.take()
    used = store.disk_use()
    loose = {path: path.stat().st_size for path in (tree.root / ".git/objects").glob("??/*")}
    for each in store.list():
        store.delete(each.id)
    tree.git("prune", "--expire=now")
    freed = sum(size for path, size in loose.items() if not path.exists())
    assert used.total == pytest.approx(freed, rel=0.02)
    assert used.checkpoints == 2
    assert list(used.by_checkpoint) == sorted(used.by_checkpoint, reverse=True)


def test_pruning_to_a_size_keeps_the_newest(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    for name in ("first", "second", "third"):
        tree.write({f"{name}.bin": bytes(range(256)) * 40 + name.encode() * 500})
        store.take(label=name)
    sizes = list(store.disk_use().by_checkpoint.values())
    store.prune(max_bytes=sum(sizes[:2]))
    assert [each.label for each in store.list()] == ["third", "second"]


def test_deleting_in_a_private_store_frees_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    folder.mkdir()
    store = CheckpointStore.open(folder)

    def stored() -> int:
        return sum(
            path.stat().st_size for path in (tmp_path / "state").rglob("objects/**/*") if path.is_file()
        )

    kept = None
    for number in range(3):
        for name in range(150):
            (folder / f"{name}.txt").write_text(f"{number} {name} " + str(number * name) * 300)
        kept = store.take()
    full = stored()
    store.prune(keep=1)
    assert stored() < full / 2
    assert kept is not None
    (folder / "7.txt").write_text("changed")
    store.restore(kept.id)
    assert (folder / "7.txt").read_text().startswith("2 7 ")
    assert store.doctor().findings == ()
