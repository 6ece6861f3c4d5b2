"""Whoever takes a checkpoint, the mirror has it: `.git` can be deleted, and all of them are offered again."""

from __future__ import annotations

import shutil
from collections.abc import Callable

import pytest

from patchpoint.checkpoints import CheckpointStore, fork_checkpoint
from patchpoint.checkpoints.naming import id_named
from patchpoint.checkpoints.session_revert import revert_session
from patchpoint.review.tree import SinceCheckpoint
from tests.git.git_judge import WorkingTree
from tests.hooks.busy_folder import call_hook


def by_an_agents_hooks(tree: WorkingTree) -> None:
    call_hook(tree.root, hook_event_name="UserPromptSubmit", session_id="s", prompt="Go on")
    given = {"tool_name": "Bash", "tool_input": {"command": "make"}, "tool_use_id": "1"}
    call_hook(tree.root, hook_event_name="PreToolUse", session_id="s", **given)
    tree.write({"a.txt": "made\n"})
    call_hook(tree.root, hook_event_name="PostToolUse", session_id="s", **given)
    call_hook(tree.root, hook_event_name="Stop", session_id="s")


def by_a_review(tree: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take(label="before")
    tree.write({"a.txt": "changed\n"})
    review = SinceCheckpoint.open(CheckpointStore.open(tree.root), taken.id)
    (file,) = review.files()
    review.take_back({file.path: [file.hunks[0].id]})


def by_reverting_a_session(tree: WorkingTree) -> None:
    by_an_agents_hooks(tree)
    assert revert_session(tree.root, "s").restored is not None


def by_a_fork(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    fork_checkpoint(store, store.take(label="to fork").id, tree.root.parent / "fork")
    shutil.copytree(tree.root.parent / "fork", tree.root.parent / "kept", symlinks=True)


@pytest.mark.parametrize(
    "take",
    [by_an_agents_hooks, by_a_review, by_reverting_a_session, by_a_fork],
    ids=lambda each: each.__name__,
)
def test_whoever_takes_it_the_mirror_has_it(tree: WorkingTree, take: Callable[[WorkingTree], None]) -> None:
    take(tree)
    store = CheckpointStore.open(tree.root)
    state = store.doctor().mirror
    assert state is not None
    assert (state.problem, state.whole) == (None, state.checkpoints)
    here = {each.id for each in store.list(safety=True)} | {each.id for each in store.list()}
    assert len(here) > 1 or take is by_a_fork
    shutil.rmtree(tree.root / ".git")
    offered = {entry.id for group in CheckpointStore.open(tree.root).elsewhere() for entry in group.entries}
    assert here <= offered


def test_what_an_agent_wrote_comes_back_where_git_was_deleted(tree: WorkingTree) -> None:
    by_an_agents_hooks(tree)
    last = CheckpointStore.open(tree.root).list()[0].id
    shutil.rmtree(tree.root / ".git")
    (tree.root / "a.txt").unlink()
    store = CheckpointStore.open(tree.root)
    store.restore(id_named(store, last))
    assert (tree.root / "a.txt").read_text() == "made\n"
