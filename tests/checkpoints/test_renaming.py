"""Checkpoints are given another name, and pinned: what they hold stays as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.checkpoints import CheckpointStore, RetentionPolicy, StoreOptions
from patchpoint.checkpoints.errors import CheckpointNotFoundError, ObjectsVanishedError
from patchpoint.checkpoints.record import relabel
from tests.git.git_judge import WorkingTree


def test_a_renamed_checkpoint_holds_what_it_held(tree: WorkingTree) -> None:
    tree.write({"new.txt": "untracked\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take(label="before", session="chat", message="3", buffers={"new.txt": "unsaved\n"})
    renamed = store.relabel(taken.id, "Before the great mishap")
    assert renamed.label == "Before the great mishap"
    same = ("id", "tree", "state", "session", "message", "branch", "head", "kind", "files", "created_at")
    assert [getattr(renamed, name) for name in same] == [getattr(taken, name) for name in same]
    assert store.list() == (renamed,)
    subject = tree.git("log", "-1", "--format=%s", f"refs/patchpoint/checkpoints/{taken.id}")
    assert subject.strip() == "Before the great mishap"
    assert tree.git("fsck", "--strict", "--no-dangling") == ""
    (tree.root / "new.txt").write_text("mishap\n")
    store.restore(taken.id)
    assert (tree.root / "new.txt").read_text() == "untracked\n"


def test_a_pin_follows_the_new_name_and_outlives_every_limit(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(retention=RetentionPolicy(keep=1)))
    taken = store.take(label="before")
    renamed = store.relabel(taken.id, "keep me", pinned=True)
    assert renamed.pinned
    assert store.relabel(taken.id, "keep me still").pinned
    for _ in range(3):
        store.take()
    tree.git("gc", "--prune=now", "--quiet")
    (kept,) = (one for one in store.list() if one.pinned)
    assert (kept.id, kept.label) == (taken.id, "keep me still")
    assert tree.git("rev-parse", f"refs/patchpoint/pinned/{taken.id}").strip() == kept.commit
    assert not store.relabel(taken.id, pinned=False).pinned
    assert store.show(taken.id).label == "keep me still"


def test_a_restore_is_undone_though_its_checkpoint_was_renamed(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(session="chat", message="1")
    tree.write({"a.txt": "later\n"})
    later = store.take(session="chat", message="2")
    store.relabel(later.id, "the second")
    restored = store.restore(session="chat", message="1")
    store.relabel(taken.id, "the first")
    assert restored.safety is not None
    store.relabel(restored.safety.id, "the safe side")
    store.undo()
    assert (tree.root / "a.txt").read_text() == "later\n"
    assert [one.label for one in store.list()] == ["the second", "the first"]


def test_a_name_that_vanishes_as_it_is_written_leaves_the_one_before(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(label="before")
    monkeypatch.setattr(relabel, "has_all", lambda *_: False)
    with pytest.raises(ObjectsVanishedError):
        store.relabel(taken.id, "after", pinned=True)
    assert store.list() == (taken,)


def test_what_is_not_there_cannot_be_renamed(tree: WorkingTree) -> None:
    with pytest.raises(CheckpointNotFoundError):
        CheckpointStore.open(tree.root).relabel("06ak0r7m2bpbkf", "x")


@given(label=st.text(max_size=200).filter(lambda text: "\0" not in text))
def test_every_label_is_read_back_as_it_was_given(
    tmp_path_factory: pytest.TempPathFactory, label: str
) -> None:
    folder: Path = tmp_path_factory.mktemp("labels")
    store = CheckpointStore.open(folder)
    taken = store.take()
    assert store.relabel(taken.id, label).label == label
