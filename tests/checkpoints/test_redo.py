"""A restore that was undone is done again, and nothing else is."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import NothingToRedoError
from tests.git.git_judge import WorkingTree


def text(tree: WorkingTree) -> str:
    return (tree.root / "a.txt").read_text()


def test_what_was_undone_is_done_again_once(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "before\n"})
    taken = store.take()
    tree.write({"a.txt": "after\n", "new.txt": "new\n"})
    store.restore(taken.id)
    for _ in range(3):
        with pytest.raises(NothingToRedoError):
            store.redo()
        assert text(tree) == "before\n"
        store.undo()
        assert (text(tree), (tree.root / "new.txt").exists()) == ("after\n", True)
        foreseen = store.redo(dry_run=True)
        assert text(tree) == "after\n"
        done = store.redo()
        assert (
            (foreseen.written, foreseen.deleted) == (done.written, done.deleted) == (("a.txt",), ("new.txt",))
        )
        assert (text(tree), (tree.root / "new.txt").exists()) == ("before\n", False)


def test_without_an_undo_there_is_nothing_to_do_again(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    with pytest.raises(Exception, match="No undone restore"):
        store.redo()
    first = store.take()
    tree.write({"a.txt": "after\n"})
    store.restore(first.id)
    store.undo()
    store.restore(first.id)
    with pytest.raises(NothingToRedoError, match="No undone restore"):
        store.redo()


def test_a_session_that_was_set_back_is_set_back_again(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take(session="chat", message="1")
    tree.write({"a.txt": "one\n"})
    later = store.take(session="chat", message="2").id
    store.restore(session="chat", message="1")
    store.undo()
    assert later in [one.id for one in store.list()]
    assert not store.session("chat").fresh_start
    store.redo()
    assert later not in [one.id for one in store.list()]
    assert store.session("chat").fresh_start
