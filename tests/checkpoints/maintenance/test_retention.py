from __future__ import annotations

import time
from dataclasses import fields
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore, RetentionPolicy, StoreOptions
from patchpoint.checkpoints.errors import CheckpointNotFoundError, NothingToUndoError
from patchpoint.checkpoints.maintenance.retention import outdated
from patchpoint.checkpoints.record.checkpoint import new_id
from patchpoint.checkpoints.restore import journal
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree

DAY = 86_400.0


def keeping(count: int) -> StoreOptions:
    return StoreOptions(retention=RetentionPolicy(keep=count))


def ids(count: int) -> list[str]:
    """Ids made just now, newest first."""
    made = [new_id()]
    for _ in range(count - 1):
        made.append(new_id(made[-1]))
    return made[::-1]


def test_the_newest_are_kept() -> None:
    made = ids(5)
    assert outdated(made, RetentionPolicy(keep=3)) == made[3:]
    assert outdated(made, RetentionPolicy()) == []


def test_the_old_go() -> None:
    made = ids(2)
    policy = RetentionPolicy(older_than_days=2)
    assert outdated(made, policy, now=time.time() + DAY) == []
    assert outdated(made, policy, now=time.time() + 3 * DAY) == made


def test_those_beyond_the_size_go() -> None:
    made = ids(3)
    sizes = dict(zip(made, (60, 60, 10), strict=True))
    assert outdated(made, RetentionPolicy(max_bytes=100), sizes=sizes) == made[1:]


@pytest.mark.parametrize("limit", [limit.name for limit in fields(RetentionPolicy)])
def test_a_limit_of_nothing_keeps_nothing(limit: str) -> None:
    made = ids(3)
    policy = RetentionPolicy(**{limit: 0})
    assert outdated(made, policy, sizes=dict.fromkeys(made, 1), now=time.time() + DAY) == made


def test_none_goes_before_its_time() -> None:
    made = ids(3)
    policy = RetentionPolicy(keep=1)
    assert outdated(made, policy, spared_days=7, now=time.time() + 6 * DAY) == []
    assert outdated(made, policy, spared_days=7, now=time.time() + 8 * DAY) == made[1:]


def test_each_session_is_counted_apart() -> None:
    made = ids(6)
    sessions = {made[0]: "a", made[1]: "b", made[2]: "a", made[3]: "a", made[4]: "b"}
    assert outdated(made, RetentionPolicy(keep=2), series=sessions) == [made[3]]
    assert outdated(made, RetentionPolicy(keep=1), series=sessions) == made[2:5]


def test_taking_one_too_many_forgets_the_oldest(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(3))
    taken = [store.take().id for _ in range(5)]
    assert [each.id for each in store.list()] == taken[:1:-1]


def test_a_busy_session_pushes_out_neither_anothers_nor_the_persons_own(
    tree: WorkingTree,
) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(3))
    own = [store.take(label="mine").id for _ in range(2)]
    quiet = [store.take(session="quiet").id for _ in range(3)]
    busy = [store.take(session="busy").id for _ in range(6)]
    assert {each.id for each in store.list()} == {*own, *quiet, *busy[3:]}
    assert [each.id for each in store.list(session="busy")] == busy[:2:-1]


def test_a_damaged_checkpoint_does_not_keep_others_from_being_counted(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(2))
    damaged = store.take(session="a")
    tree.loosen()
    (tree.root / ".git/objects" / damaged.commit[:2] / damaged.commit[2:]).unlink()
    taken = [store.take(session="a").id for _ in range(3)]
    assert [each.id for each in store.list()] == taken[:0:-1]


@pytest.mark.parametrize("call", ["prune", "delete"])
def test_an_old_checkpoint_outlives_a_new_one_while_git_may_be_reading_refs(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(1))
    now = time.time()
    with monkeypatch.context() as past:
        past.setattr(time, "time", lambda: now - 7200)
        first = store.take()
    second = store.take()
    assert [each.id for each in store.list()] == [second.id, first.id]
    waited: list[float] = []
    monkeypatch.setattr(time, "sleep", waited.append)
    monkeypatch.setattr(time, "time", lambda: now + 0.5)
    if call == "prune":
        store.prune(keep=1)
    else:
        store.delete(first.id)
    assert 0.5 < max(waited) <= 2
    assert [each.id for each in store.list()] == [second.id]


def test_a_pinned_checkpoint_is_never_pruned(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(2))
    first = store.take(label="first")
    assert store.pin(first.id).pinned
    taken = [store.take().id for _ in range(4)]
    assert [each.id for each in store.list()] == [*taken[:1:-1], first.id]
    assert [each.pinned for each in store.list()] == [False, False, True]
    store.prune(keep=0, older_than_days=0, max_bytes=0)
    assert [each.id for each in store.list()] == [first.id]
    assert not store.pin(first.id, pinned=False).pinned
    store.prune(keep=0)
    assert store.list() == ()


def test_a_pinned_checkpoint_outlives_a_restore_to_before_it_and_goes_when_it_is_deleted(
    tree: WorkingTree,
) -> None:
    store = CheckpointStore.open(tree.root)
    store.take(session="chat", message="1")
    tree.write({"a.txt": "changed\n"})
    later = [store.take(session="chat", message=str(number)) for number in (2, 3)]
    store.pin(later[0].id)
    store.restore(session="chat", message="1")
    assert later[0].id in {each.id for each in store.list()}
    assert later[1].id not in {each.id for each in store.list()}
    store.delete(later[0].id)
    assert tree.git("for-each-ref", f"--contains={later[0].commit}") == ""


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
    monkeypatch.setattr("patchpoint.checkpoints.maintenance.retention.time.time", lambda: later)
    assert len(store.prune(keep=1, older_than_days=0)) == 1 + 3
    assert [each.id for each in store.list(safety=True)] == [last]
    store.undo()
    assert (tree.root / "a.txt").read_text() == "3\n"


def test_the_journal_is_read_only_where_something_is_outdated(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(2))
    taken = store.take()
    tree.write({"a.txt": "changed\n"})
    store.restore(taken.id)
    reads: list[Phase] = []
    read = journal.read

    def reading(repository: Repository, phase: Phase) -> journal.RestoreJournal | None:
        reads.append(phase)
        return read(repository, phase)

    monkeypatch.setattr(journal, "read", reading)
    store.take()
    assert reads == []
    store.take()
    assert reads != []


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
    with pytest.raises(NothingToUndoError, match="is gone"):
        store.undo()


def test_disk_use_is_what_git_would_free_without_them(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    assert store.disk_use().total == 0
    tree.write({"large.txt": "".join(f"{number}\n" for number in range(30_000))})
    store.take()
    tree.write({"other.txt": "".join(f"{number * 7}\n" for number in range(3_000))})
    store.take()
    tree.loosen()
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


def test_steps_of_a_session_take_no_place_of_its_other_checkpoints(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=keeping(2))
    before_turn = store.take(session="s", message="1", kind=CheckpointKind.RUN).id
    steps = [store.take(session="s", message="1", kind=CheckpointKind.STEP).id for _ in range(4)]
    assert [each.id for each in store.list(session="s")] == [steps[3], steps[2], before_turn]
