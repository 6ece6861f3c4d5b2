"""A checkpoint is named by its id or the beginning of it, by its age, or by the message that it precedes."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import AmbiguousCheckpointError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named
from patchpoint.checkpoints.options import RetentionPolicy, StoreOptions
from tests.git.git_judge import WorkingTree


@pytest.fixture
def store(tree: WorkingTree) -> CheckpointStore:
    return CheckpointStore.open(tree.root)


def name(store: CheckpointStore, text: str) -> str:
    return id_named(store, text)


def missing(store: CheckpointStore, *names: str) -> None:
    for one in names:
        with pytest.raises(CheckpointNotFoundError):
            id_named(store, one)


def test_the_newest_is_the_last_and_those_before_it_are_counted(store: CheckpointStore) -> None:
    missing(store, "last", "last~0")
    ids = [store.take(label=str(number)).id for number in range(3)]
    assert [name(store, text) for text in ("last", "last~0", "last~1", "last~2")] == [
        *ids[:0:-1][:1],
        *ids[::-1],
    ]
    missing(store, "last~3", "last~999999999", "last~", "last~-1", "last~x", "LAST", "last ")


def test_the_beginning_of_an_id_is_enough_where_no_other_has_it(
    store: CheckpointStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Ids so old that they would not be kept.
    store = CheckpointStore.open(store.root, options=StoreOptions(retention=RetentionPolicy()))
    ids = iter(["00000000000aaa", "00000000000abb", "00000001000abb"])
    monkeypatch.setattr("patchpoint.checkpoints.record.write.new_id", lambda _=None: next(ids))
    for _ in range(3):
        store.take()
    assert name(store, "00000000000aaa") == name(store, "00000000000aa") == "00000000000aaa"
    assert name(store, "00000001") == "00000001000abb"
    assert name(store, "00000000000ABB") == "00000000000abb"
    for text in ("00000000", "0000"):
        with pytest.raises(AmbiguousCheckpointError) as error:
            id_named(store, text)
        assert "00000000000aaa" in str(error.value)
        assert "give more characters" in str(error.value)
    missing(
        store, "000", "", "00000000000aac"[:13] + "u", "x", "0000000000000000", "refs/heads/main", "../.."
    )


def test_a_safety_checkpoint_has_a_beginning_and_is_never_the_last(
    tree: WorkingTree, store: CheckpointStore
) -> None:
    taken = store.take()
    tree.write({"a.txt": "changed\n"})
    safety = store.restore(taken.id).safety
    assert safety is not None
    assert name(store, "last") == taken.id
    assert name(store, safety.id[:13]) == safety.id


def test_a_message_names_the_checkpoint_before_it(store: CheckpointStore) -> None:
    first = store.take(session="abc-1", message="17").id
    second = store.take(session="abc-1", message="18").id
    other = store.take(session="file:///chat.md", message="a:b").id
    for text in ("@17", "@prompt:17", "@abc-1:17", "@abc:17"):
        assert name(store, text) == first
    assert name(store, "@18") == second
    for text in ("@a:b", "@file:///chat.md:a:b"):
        assert name(store, text) == other
    missing(store, "@", "@19", "@abc-2:17", "@:", "@prompt:", "@abc-1:", "@abc-1", "@b")


def test_a_message_that_two_sessions_have_needs_its_session(store: CheckpointStore) -> None:
    ids = {session: store.take(session=session, message="1").id for session in ("one", "oneself", "two")}
    for text in ("@1", "@prompt:1", "@o:1"):
        with pytest.raises(AmbiguousCheckpointError, match="of session one"):
            id_named(store, text)
    assert [name(store, f"@{session}:1") for session in ids] == list(ids.values())
    assert name(store, "@t:1") == ids["two"]


def test_of_several_before_one_message_it_is_the_one_that_a_restore_to_it_takes(
    tree: WorkingTree, store: CheckpointStore
) -> None:
    store.take(session="chat", message="1")
    tree.write({"a.txt": "one\n"})
    store.take(session="chat", message="1")
    wanted = store.restore(session="chat", message="1", dry_run=True).checkpoint.id
    assert name(store, "@chat:1") == wanted
    store.restore(session="chat", message="1")
    again = store.take(session="chat", message="1").id
    assert name(store, "@1") == store.restore(session="chat", message="1", dry_run=True).checkpoint.id
    assert again


def test_a_name_that_is_no_id_is_that_of_the_one_that_is_called_exactly_so(store: CheckpointStore) -> None:
    tax = store.take(label="before-tax").id
    store.take(label="before-tax-2")
    assert id_named(store, "before-tax") == tax
    with pytest.raises(CheckpointNotFoundError):
        id_named(store, "before")
    store.take(label="before-tax")
    with pytest.raises(AmbiguousCheckpointError):
        id_named(store, "before-tax")
