"""A restore that was undone is done again, and nothing else is."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import NothingToRedoError, PathObstructedError
from patchpoint.checkpoints.undo import DoneHere
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


@pytest.mark.parametrize("becomes", ["file", "link"])
def test_a_file_that_gave_way_to_a_folder_comes_back_unless_something_is_new_in_that(
    tree: WorkingTree, becomes: str
) -> None:
    tree.write({"d/a.txt": "a\n", "d/b/c.txt": "c\n"})
    taken = CheckpointStore.open(tree.root).take()
    tree.write({"d/a.txt": None, "d/b/c.txt": None})
    (tree.root / "d/b").rmdir()
    (tree.root / "d").rmdir()
    if becomes == "file":
        tree.write({"d": "precious\n"})
    else:
        (tree.root / "d").symlink_to("gone")
    before = tree.files()
    CheckpointStore.open(tree.root).restore(taken.id)
    after = tree.files()
    for expected in (before, after, before, after):
        DoneHere(tree.root).undo()
        assert tree.files() == expected
    tree.write({"d/new.txt": "new\n"})
    with pytest.raises(PathObstructedError, match=r"d/new\.txt"):
        DoneHere(tree.root).undo()
    assert set(tree.files()) == {*after, "d/new.txt"}


def test_what_a_restore_created_goes_with_the_undo_even_if_git_ignores_it(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"notes.txt": "mine\n", "kept/x.txt": "x\n"})
    taken = store.take()
    tree.write({".gitignore": "notes.txt\nkept/\n", "notes.txt": None, "kept/x.txt": "by the run\n"})
    before = tree.files()
    assert store.restore(taken.id, paths=["notes.txt", "kept"]).created == ("notes.txt",)
    restored = tree.files()
    assert restored["notes.txt"][1] == b"mine\n"
    DoneHere(tree.root).undo()
    assert tree.files() == before
    DoneHere(tree.root).undo()
    assert tree.files() == restored
    store.undo()
    assert tree.files() == before
    store.redo()
    assert tree.files() == restored
