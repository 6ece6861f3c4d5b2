from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import AnchorNotFoundError, CheckpointNotFoundError
from tests.git.git_judge import WorkingTree


def chat(tree: WorkingTree, store: CheckpointStore) -> dict[str, str]:
    """Three messages of a session, each preceded by a checkpoint and followed by an edit; ids by message."""
    ids = {}
    for message in ("m1", "m2", "m3"):
        ids[message] = store.take(session="chat", message=message).id
        tree.write({"a.txt": f"after {message}\n"})
    return ids


def test_going_back_to_a_message_drops_what_came_after_and_starts_the_session_afresh(
    tree: WorkingTree,
) -> None:
    store = CheckpointStore.open(tree.root)
    ids = chat(tree, store)
    other = store.take(session="other", message="m9").id
    restored = store.restore(session="chat", message="m2")
    assert (tree.root / "a.txt").read_text() == "after m1\n"
    assert restored.checkpoint.id == ids["m2"]
    assert restored.dropped == (ids["m3"],)
    assert (restored.session, restored.message, restored.session_reset) == ("chat", "m2", True)
    assert [each.id for each in store.list()] == [other, ids["m2"], ids["m1"]]
    assert store.session("chat").fresh_start
    assert not store.session("other").fresh_start
    store.begin_session("chat")
    assert not store.session("chat").fresh_start


def test_dropped_checkpoints_stay_reachable_and_come_back_with_an_undo(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    ids = chat(tree, store)
    third = store.show(ids["m3"])
    restored = store.restore(session="chat", message="m2")
    assert restored.safety is not None
    assert third.commit in tree.git("rev-list", restored.safety.commit)
    tree.git("gc", "-q", "--prune=now")
    undone = store.undo()
    assert store.show(ids["m3"]) == third
    assert (tree.root / "a.txt").read_text() == "after m3\n"
    assert not undone.session_reset
    assert not store.session("chat").fresh_start
    assert store.undo().dropped == (ids["m3"],)


def test_the_first_of_several_checkpoints_of_a_message_is_the_one_before_it(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take(session="chat", message="m1")
    tree.write({"a.txt": "half way\n"})
    second = store.take(session="chat", message="m1")
    restored = store.restore(session="chat", message="m1")
    assert (restored.checkpoint.id, restored.dropped) == (first.id, (second.id,))


def test_after_going_back_the_message_sent_again_has_a_new_anchor(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    chat(tree, store)
    store.restore(session="chat", message="m2")
    tree.write({"a.txt": "by hand, in between\n"})
    again = store.take(session="chat", message="m2")
    tree.write({"a.txt": "by the second run\n"})
    assert store.restore(session="chat", message="m2").checkpoint.id == again.id
    assert (tree.root / "a.txt").read_text() == "by hand, in between\n"


def test_restoring_one_file_or_by_id_leaves_the_session_alone(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    ids = chat(tree, store)
    assert store.restore(session="chat", message="m1", paths=["a.txt"]).dropped == ()
    assert store.restore(ids["m2"]).dropped == ()
    assert not store.session("chat").fresh_start
    assert len(store.list(session="chat")) == 3


def test_a_session_in_a_folder_below_the_root_goes_back_too(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root / "src")
    store.take(session="chat", message="m1")
    later = store.take(session="chat", message="m2")
    tree.write({"src/b.txt": "run\n", "a.txt": "run\n"})
    restored = store.restore(session="chat", message="m1")
    assert (restored.written, restored.dropped, restored.session_reset) == (("src/b.txt",), (later.id,), True)
    assert (tree.root / "a.txt").read_text() == "run\n"
    assert store.undo().written == ("src/b.txt",)
    assert len(store.list()) == 2


def test_a_dry_run_drops_nothing(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    ids = chat(tree, store)
    assert store.restore(session="chat", message="m2", dry_run=True).dropped == (ids["m3"],)
    assert len(store.list(session="chat")) == 3
    assert not store.session("chat").fresh_start


def test_a_message_without_a_checkpoint_is_said_to_have_none(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    with pytest.raises(AnchorNotFoundError) as caught:
        store.restore(session="chat", message="m1")
    assert caught.value.code == "anchor-not-found"
    with pytest.raises(CheckpointNotFoundError):
        store.restore()
