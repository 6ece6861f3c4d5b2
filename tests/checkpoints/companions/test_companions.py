"""Repositories inside a working tree go back together with it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from patchpoint.checkpoints.errors import BranchChangedError, RestoreFailedError, RestoreRefusedError
from patchpoint.checkpoints.restore.replaced import ReplacedFiles
from patchpoint.checkpoints.restore.worktree import RestoreStep, WorktreeWriter
from patchpoint.checkpoints.undo import DoneHere
from patchpoint.progress import CancelledError
from tests.git.git_judge import WorkingTree

MINE = "not committed\n"


@pytest.fixture
def inner(tree: WorkingTree) -> WorkingTree:
    """A repository inside of `tree`, both with text that no commit has."""
    inner = WorkingTree.create(tree.root / "pkg/inner")
    for each in (tree, inner):
        each.write({"a.txt": MINE})
    return inner


def text(tree: WorkingTree, path: str = "a.txt") -> str | None:
    place = tree.root / path
    return place.read_text() if place.exists() else None


def test_a_repository_inside_goes_back_with_the_one_around_it(tree: WorkingTree, inner: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(label="before")
    assert [each.path for each in taken.companions] == ["pkg/inner"]
    assert not taken.left_out
    for each in (tree, inner):
        each.write({"a.txt": None, "new.txt": "new\n"})
    planned = store.restore(taken.id, dry_run=True)
    assert text(inner) is None
    done = store.restore(taken.id)
    assert [(place, one.written, one.deleted) for place, one in done.parts(tree.root)] == [
        (tree.root, ("a.txt",), ("new.txt",)),
        (inner.root, ("a.txt",), ("new.txt",)),
    ]
    assert [one.written for _, one in planned.parts(tree.root)] == [("a.txt",), ("a.txt",)]
    assert text(tree) == text(inner) == MINE

    store.undo()
    assert text(tree) is text(inner) is None
    assert text(inner, "new.txt") == "new\n"
    store.redo()
    assert text(tree) == text(inner) == MINE
    tree.refuse_damage()
    inner.refuse_damage()


def test_what_changed_in_the_repository_inside_alone_goes_back_and_can_be_undone(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    inner.write({"a.txt": None})
    store.restore(taken.id)
    assert text(inner) == MINE
    store.undo()
    assert text(inner) is None
    assert text(tree) == MINE


def test_a_repository_that_has_not_changed_gets_no_checkpoint_of_its_own(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take(session="s", kind=CheckpointKind.RUN)
    tree.write({"a.txt": "other\n"})
    second = store.take(session="s", kind=CheckpointKind.STEP, only_changes=True)
    assert second.companions == first.companions
    inner.write({"a.txt": "other\n"})
    third = store.take(session="s", kind=CheckpointKind.STEP, only_changes=True)
    assert third.id != second.id
    assert third.companions != second.companions
    assert len(CheckpointStore.open(inner.root).list()) == 2


def test_only_leaves_the_repository_inside_as_it_is(tree: WorkingTree, inner: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    for each in (tree, inner):
        each.write({"a.txt": None})
    assert not store.restore(taken.id, only=True).companions
    assert text(tree) == MINE
    assert text(inner) is None


def test_paths_choose_files_in_the_repository_inside(tree: WorkingTree, inner: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    inner.write({"b.txt": MINE})
    taken = store.take()
    tree.write({"a.txt": None})
    inner.write({"a.txt": None, "b.txt": None})
    store.restore(taken.id, paths=["pkg/inner/b.txt"])
    assert (text(tree), text(inner), text(inner, "b.txt")) == (None, None, MINE)
    store.restore(taken.id, paths=["pkg"])
    assert (text(tree), text(inner)) == (None, MINE)


def test_a_submodule_goes_back_too(tree: WorkingTree, tmp_path: Path) -> None:
    library = WorkingTree.create(tmp_path / "library")
    tree.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(library.root), "lib")
    sub = WorkingTree(tree.root / "lib")
    sub.write({"a.txt": MINE})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    sub.write({"a.txt": None})
    store.restore(taken.id)
    assert text(sub) == MINE
    sub.refuse_damage()


def test_a_linked_working_tree_inside_goes_back_too(tree: WorkingTree) -> None:
    tree.git("worktree", "add", "-q", "--detach", "trees/one")
    linked = WorkingTree(tree.root / "trees/one")
    linked.write({"a.txt": MINE})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    linked.write({"a.txt": None})
    store.restore(taken.id)
    assert text(linked) == MINE
    assert len(CheckpointStore.open(linked.root).list()) == 1
    tree.refuse_damage()


def test_a_merge_in_the_repository_inside_is_put_away_and_goes_on_after_the_undo(tree: WorkingTree) -> None:
    inner = WorkingTree.create(tree.root / "inner")
    inner.git("checkout", "-q", "-b", "topic")
    inner.write({"a.txt": "topic\n"})
    inner.commit("topic")
    inner.git("checkout", "-q", "main")
    inner.write({"a.txt": "mine\n"})
    inner.commit("mine")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    inner.git("merge", "topic", check=False)
    tree.write({"a.txt": "by the run\n"})
    merging = (inner.files(), inner.staged(), inner.git("status"), tree.files())
    done = store.restore(taken.id)
    assert [one.remark[:25] for _, one in done.companions] == ["The merge under way is sa"]
    assert inner.git("status", "--porcelain") == ""
    DoneHere(tree.root).undo()
    assert (inner.files(), inner.staged(), inner.git("status"), tree.files()) == merging
    assert "git merge --abort" in inner.git("status")


def test_a_repository_inside_of_one_inside_goes_back(tree: WorkingTree, inner: WorkingTree) -> None:
    deepest = WorkingTree.create(inner.root / "vendor/deep")
    deepest.write({"a.txt": MINE})
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    deepest.write({"a.txt": None})
    done = store.restore(taken.id)
    assert [place for place, _ in done.parts(tree.root)] == [tree.root, inner.root, deepest.root]
    assert text(deepest) == MINE
    store.undo()
    assert text(deepest) is None


def test_a_folder_in_no_repository_has_the_repositories_in_it_as_companions(tmp_path: Path) -> None:
    above = tmp_path / "projects"
    one = WorkingTree.create(above / "one")
    one.write({"a.txt": MINE})
    store = CheckpointStore.open(above)
    taken = store.take()
    one.write({"a.txt": None})
    store.restore(taken.id)
    assert text(one) == MINE


def test_where_the_repository_inside_refuses_nothing_changes_in_any(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    for each in (tree, inner):
        each.write({"a.txt": "later\n"})
    inner.git("switch", "-q", "-c", "other")
    with pytest.raises(RestoreRefusedError, match=r"In 'pkg/inner'.*--only") as caught:
        store.restore(taken.id)
    assert caught.value.code == BranchChangedError.code
    assert text(tree) == text(inner) == "later\n"
    store.restore(taken.id, force=True)
    assert text(tree) == text(inner) == MINE


def test_where_the_one_around_it_refuses_nothing_changes_in_any(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    inner.write({"a.txt": "later\n"})
    tree.git("switch", "-q", "-c", "other")
    with pytest.raises(BranchChangedError):
        store.restore(taken.id)
    assert text(inner) == "later\n"


def test_where_the_one_around_it_fails_in_the_end_the_one_inside_is_put_back(
    tree: WorkingTree, inner: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"only-around": MINE})
    taken = store.take()
    for each in (tree, inner):
        each.write({"a.txt": "later\n"})
    tree.write({"only-around": None})
    replace = WorktreeWriter.apply

    def fail(writer: WorktreeWriter, step: RestoreStep, replaced: ReplacedFiles) -> bool:
        if step.change.path == b"only-around":
            raise OSError(28, "No space left on device", "only-around")
        return replace(writer, step, replaced)

    monkeypatch.setattr(WorktreeWriter, "apply", fail)
    with pytest.raises(RestoreFailedError):
        store.restore(taken.id)
    assert text(tree) == text(inner) == "later\n"


def test_a_repository_that_is_gone_is_named_with_the_way_to_bring_it_back(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    shutil.rmtree(inner.root)
    done = store.restore(taken.id)
    (left,) = done.kept
    assert left.path == "pkg/inner"
    assert "git init pkg/inner" in left.reason
    assert taken.companions[0].id in left.reason


def test_a_link_in_place_of_a_repository_is_not_followed(
    tree: WorkingTree, inner: WorkingTree, tmp_path: Path
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    moved = WorkingTree(inner.root.rename(tmp_path / "moved"))
    inner.root.symlink_to(moved.root)
    moved.write({"a.txt": "later\n"})
    assert [left.path for left in store.restore(taken.id).kept] == ["pkg/inner"]
    assert text(moved) == "later\n"


def test_undo_leaves_a_repository_that_was_restored_again_since(
    tree: WorkingTree, inner: WorkingTree
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    for each in (tree, inner):
        each.write({"a.txt": None})
    store.restore(taken.id)
    own = CheckpointStore.open(inner.root)
    inner.write({"a.txt": "later\n"})
    own.restore(taken.companions[0].id)
    done = store.undo()
    assert [left.path for left in done.kept] == ["pkg/inner"]
    assert text(tree) is None
    assert text(inner) == MINE


def test_a_repository_that_cannot_be_recorded_hinders_nothing(tree: WorkingTree, inner: WorkingTree) -> None:
    (inner.root / ".git/patchpoint").symlink_to(tree.root)
    taken = CheckpointStore.open(tree.root).take()
    assert not taken.companions
    assert [left.path for left in taken.left_out] == ["pkg/inner"]


def test_who_cancels_cancels_all_of_it(tree: WorkingTree, inner: WorkingTree) -> None:
    class Cancelling:
        is_cancelled = False

        def check(self) -> None:
            if self.is_cancelled:
                raise CancelledError("no more")

        def report(self, message: str, done: int = 0, total: int | None = None) -> None:
            self.is_cancelled = True

    with pytest.raises(CancelledError):
        CheckpointStore.open(tree.root).take(progress=Cancelling())


@pytest.mark.parametrize("how", [["rm", "-q", "-f", "sub"], ["submodule", "deinit", "-q", "-f", "sub"]])
@pytest.mark.parametrize("branch", [True, False])
def test_the_files_of_a_submodule_that_is_gone_come_back_as_the_restore_says(
    tree: WorkingTree, tmp_path: Path, how: list[str], branch: bool
) -> None:
    source = WorkingTree.create(tmp_path / "source")
    tree.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(source.root), "sub")
    tree.commit("with a submodule")
    inside = WorkingTree(tree.root / "sub")
    if not branch:
        inside.git("checkout", "-q", "--detach")
    inside.write({"a.txt": MINE, "new.txt": MINE})
    before = inside.files()
    taken = CheckpointStore.open(tree.root).take()
    tree.git(*how)
    (left,) = CheckpointStore.open(tree.root).restore(taken.id).kept
    assert "after 'git submodule update --init sub', 'patchpoint restore --root sub" in left.reason
    tree.git("-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init", "sub")
    CheckpointStore.open(inside.root).restore(taken.companions[0].id, force=branch)
    assert inside.files() == before
    assert tree.git("submodule", "status")[:1] == " "
