"""What a restore did in repositories inside the working tree is undone and redone with it."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import ChangedSinceError
from tests.git.git_judge import WorkingTree
from tests.operations.working import redone, restored, undone


@pytest.fixture
def inner(tree: WorkingTree) -> WorkingTree:
    """A repository inside of `tree`, both with text that no commit has."""
    inner = WorkingTree.create(tree.root / "pkg/inner")
    for each in (tree, inner):
        each.write({"a.txt": "not committed\n"})
    return inner


def texts_in(tree: WorkingTree) -> dict[str, str]:
    places = (tree.root / within / name for within in ("", "pkg/inner") for name in ("a.txt", "new.txt"))
    return {str(place.relative_to(tree.root)): place.read_text() for place in places if place.exists()}


def test_all_repositories_that_were_restored_go_back_and_forth_together(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    taken = CheckpointStore.open(tree.root).take()
    for each in (tree, inner):
        each.write({"a.txt": None, "new.txt": "new\n"})
    before = texts_in(tree)
    restored(tree.root, taken.id)
    after = texts_in(tree)
    assert {"a.txt", "pkg/inner/a.txt"} <= after.keys()
    for _ in range(2):
        done = undone(tree.root)
        assert {path for _, path in done.files} == {
            "a.txt",
            "new.txt",
            "pkg/inner/a.txt",
            "pkg/inner/new.txt",
        }
        assert texts_in(tree) == before
        redone(tree.root)
        assert texts_in(tree) == after
    for each in (tree, inner):
        each.refuse_damage()


def test_what_only_the_repository_inside_had_changed_is_undone(tree: WorkingTree, inner: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take()
    inner.write({"a.txt": "later\n"})
    restored(tree.root, taken.id)
    undone(tree.root)
    assert (inner.root / "a.txt").read_text() == "later\n"


def test_a_change_in_the_repository_inside_keeps_all_of_it_from_being_undone(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    taken = CheckpointStore.open(tree.root).take()
    for each in (tree, inner):
        each.write({"a.txt": "later\n"})
    restored(tree.root, taken.id)
    inner.write({"a.txt": "mine again\n"})
    before = texts_in(tree)
    with pytest.raises(ChangedSinceError):
        undone(tree.root)
    assert texts_in(tree) == before
