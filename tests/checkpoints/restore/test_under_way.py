"""Restores while git is in the middle of a merge, a cherry-pick, a revert, a rebase or a bisect."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import ChangedSinceError, OperationInProgressError
from patchpoint.checkpoints.undo import DoneHere
from tests.checkpoints.interrupted_restore import interrupt
from tests.git.git_judge import WorkingTree

MERGES = {
    "merge": ["merge", "topic"],
    "cherry-pick": ["cherry-pick", "topic"],
    "revert": ["revert", "--no-edit", "HEAD^"],
}
IN_STEPS = {
    "rebase": ["rebase", "topic"],
    "cherry-pick": ["cherry-pick", "topic^", "topic"],
    "revert": ["revert", "--no-edit", "HEAD^", "HEAD~2"],
    "bisect": ["bisect", "start"],
}
ALL = [*MERGES.values(), *IN_STEPS.values()]


def diverge(tree: WorkingTree) -> None:
    """Have branches main and topic with commits that are in conflict."""
    tree.git("checkout", "-q", "-b", "topic")
    for text in ("topic\n", "topic again\n"):
        tree.write({"a.txt": text, "topic.txt": text})
        tree.commit(text.strip())
    tree.git("checkout", "-q", "main")
    for text in ("mine\n", "mine again\n", "mine at last\n"):
        tree.write({"a.txt": text})
        tree.commit(text.strip())


def under_way(tree: WorkingTree) -> dict[str, bytes]:
    """What git has noted of the merge or the like: each file with its content."""
    directory = Path(tree.git("rev-parse", "--absolute-git-dir").strip())
    places = [each for each in directory.iterdir() if each.name.isupper()]
    places += [each for name in ("rebase-merge", "sequencer") for each in (directory / name).rglob("*")]
    others = ("HEAD", "ORIG_HEAD", "COMMIT_EDITMSG")
    return {
        str(each.relative_to(directory)): each.read_bytes()
        for each in places
        if each.is_file() and each.name not in others
    }


def all_of(tree: WorkingTree) -> tuple[object, ...]:
    """Everything that a person has there."""
    return tree.files(), tree.staged(), tree.refs(), under_way(tree), tree.git("status", "--porcelain=v2")


@pytest.mark.parametrize("command", ALL)
def test_one_file_is_restored_and_git_goes_on_where_it_was(tree: WorkingTree, command: list[str]) -> None:
    diverge(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git(*command, check=False)
    tree.write({"src/b.txt": "by the run\n"})
    before = all_of(tree)
    assert store.restore(taken.id, paths=["src/b.txt"]).written == ("src/b.txt",)
    assert (tree.root / "src/b.txt").read_text() == "b\n"
    assert (tree.staged(), tree.refs(), under_way(tree)) == before[1:4]
    DoneHere(tree.root).undo()
    assert all_of(tree) == before


@pytest.mark.parametrize("operation", MERGES)
def test_what_a_restore_puts_away_goes_on_after_the_undo(tree: WorkingTree, operation: str) -> None:
    diverge(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    clean = all_of(tree)
    tree.git(*MERGES[operation], check=False)
    tree.write({"a.txt": "half of it is resolved\n"})
    halfway = all_of(tree)
    assert under_way(tree)
    restored = store.restore(taken.id)
    assert restored.remark == f"The {operation} under way is saved and put away; an undo goes on with it."
    assert all_of(tree) == clean
    store.undo()
    assert all_of(tree) == halfway
    store.redo()
    assert all_of(tree) == clean
    DoneHere(tree.root).undo()
    assert all_of(tree) == halfway
    tree.git("commit", "-q", "-a", "--no-edit")
    assert len(tree.git("rev-list", "--parents", "-1", "HEAD").split()) == 2 + (operation == "merge")


@pytest.mark.parametrize("end", [["merge", "--abort"], ["commit", "-q", "-a", "--no-edit"]])
def test_a_merge_that_was_under_way_at_a_checkpoint_is_under_way_again(
    tree: WorkingTree, end: list[str]
) -> None:
    diverge(tree)
    tree.git("merge", "topic", check=False)
    halfway = all_of(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert all_of(tree) == halfway
    tree.git(*end)
    ended = all_of(tree)
    restored = store.restore(taken.id)
    assert restored.remark == "Git is in the middle of the merge again that was under way then."
    assert all_of(tree) == halfway
    DoneHere(tree.root).undo()
    assert all_of(tree) == ended
    tree.refuse_damage()


def test_what_is_merged_is_kept_as_long_as_the_checkpoint(tree: WorkingTree) -> None:
    diverge(tree)
    merged = tree.git("rev-parse", "topic").strip()
    tree.git("merge", "topic", check=False)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("merge", "--abort")
    tree.git("branch", "-q", "-D", "topic")
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    store.restore(taken.id)
    tree.git("commit", "-q", "-a", "--no-edit")
    assert tree.git("rev-parse", "HEAD^2").strip() == merged
    tree.refuse_damage()


def test_a_merge_without_conflicts_that_nobody_has_committed_is_put_away_and_brought_back(
    tree: WorkingTree,
) -> None:
    diverge(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    clean = all_of(tree)
    tree.git("merge", "-q", "-s", "ours", "--no-commit", "topic")
    merging = all_of(tree)
    store.restore(taken.id)
    assert all_of(tree) == clean
    DoneHere(tree.root).undo()
    assert all_of(tree) == merging


def test_a_merge_that_goes_on_since_a_checkpoint_stays_with_its_message(tree: WorkingTree) -> None:
    diverge(tree)
    tree.git("merge", "topic", check=False)
    conflicted = all_of(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "resolved by the run\n"})
    tree.git("add", "-A")
    resolved = all_of(tree)
    assert store.restore(taken.id).remark == ""
    assert all_of(tree) == conflicted
    DoneHere(tree.root).undo()
    assert all_of(tree) == resolved


def test_a_restore_is_not_undone_where_another_merge_was_begun_since(tree: WorkingTree) -> None:
    diverge(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("merge", "-q", "-s", "ours", "--no-commit", "topic")
    store.restore(taken.id)
    tree.git("merge", "-q", "-s", "ours", "--no-commit", "topic^")
    before = all_of(tree)
    with pytest.raises(ChangedSinceError, match="A merge was begun or ended since"):
        DoneHere(tree.root).undo()
    assert all_of(tree) == before


@pytest.mark.parametrize("operation", IN_STEPS)
def test_what_goes_on_in_steps_is_refused_whole_and_forced_for_files_alone(
    tree: WorkingTree, operation: str
) -> None:
    diverge(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git(*IN_STEPS[operation], check=False)
    tree.write({"src/b.txt": "by the run\n"})
    before = all_of(tree)
    with pytest.raises(OperationInProgressError) as refused:
        store.restore(taken.id)
    assert refused.value.code == f"{operation}-in-progress"
    refusal = store.refusal(taken.id)
    assert refusal is not None
    assert refusal.code == refused.value.code
    assert all_of(tree) == before
    assert not store.restore(taken.id, force=True).staged
    assert (tree.root / "src/b.txt").read_text() == "b\n"
    assert (tree.root / "a.txt").read_text() == "mine at last\n"
    assert (tree.staged(), tree.refs(), under_way(tree)) == before[1:4]
    DoneHere(tree.root).undo()
    assert all_of(tree) == before


def test_patches_that_are_applied_one_by_one_are_called_so(tree: WorkingTree) -> None:
    diverge(tree)
    tree.git("format-patch", "-q", "-o", "../patches", "main..topic")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("am", "-q", *map(str, sorted((tree.root.parent / "patches").iterdir())), check=False)
    before = all_of(tree)
    with pytest.raises(OperationInProgressError, match=r"An am is in progress; .* 'git am --abort'"):
        store.restore(taken.id)
    assert all_of(tree) == before
    in_between = store.take()
    tree.git("am", "--abort")
    restored = store.restore(in_between.id)
    assert restored.remark == "The am that was under way then does not go on."
    assert store.restore(in_between.id).safety is None


def test_a_rebase_goes_on_from_a_checkpoint_of_the_same_step(tree: WorkingTree) -> None:
    diverge(tree)
    tree.git("rebase", "topic", check=False)
    stopped = all_of(tree)
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "resolved by the run\n", "src/b.txt": "by the run\n"})
    tree.git("add", "-A")
    assert store.refusal(taken.id) is None
    assert store.restore(taken.id).staged
    assert all_of(tree) == stopped
    tree.git("checkout", "-q", "--ours", "a.txt")
    tree.git("add", "a.txt")
    tree.git("rebase", "--skip", check=False)
    with pytest.raises(OperationInProgressError):
        store.restore(taken.id)


def cut_short(store: CheckpointStore, id_: str) -> None:
    interrupt(lambda: store.restore(id_))


@pytest.mark.parametrize("restore", [CheckpointStore.restore, cut_short])
def test_in_a_linked_working_tree_with_long_ids_even_a_killed_restore_puts_all_of_it_away(
    tmp_path: Path, restore: Callable[[CheckpointStore, str], object]
) -> None:
    main = WorkingTree.create(tmp_path / "long", "--object-format=sha256")
    diverge(main)
    main.git("worktree", "add", "-q", "-b", "other", "../linked", "main")
    tree = WorkingTree(tmp_path / "linked")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    clean = all_of(tree)
    tree.git("merge", "topic", check=False)
    halfway = all_of(tree)
    restore(store, taken.id)
    CheckpointStore.open(tree.root).take()
    assert all_of(tree) == clean
    store.undo()
    assert all_of(tree) == halfway
