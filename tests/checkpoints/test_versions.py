"""One file through the checkpoints, and which restores are refused."""

from __future__ import annotations

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.diff import hunks_of
from patchpoint.checkpoints.errors import UnsafePathError
from tests.git.git_judge import WorkingTree


def test_the_newest_checkpoint_with_another_content_is_found(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"f.txt": "one\n"})
    one = store.take()
    tree.write({"f.txt": "two\n"})
    two = store.take()
    tree.write({"other.txt": "other\n"})
    store.take()
    assert store.newest_other("f.txt", b"two\n") == one
    assert store.newest_other(str(tree.root / "f.txt"), b"one\n") is not None
    newest = store.newest_other("f.txt", b"three\n")
    assert newest is not None
    assert newest.id > two.id


def test_checkpoints_without_the_file_are_passed_over(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    store.take()
    assert store.newest_other("made/later.txt", b"x\n") is None
    assert store.newest_other("src", b"x\n") is None
    with pytest.raises(UnsafePathError):
        store.newest_other("../outside.txt", b"")


def test_a_restore_that_would_be_refused_is_known_at_once(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert store.refusal(taken.id) is None
    tree.git("checkout", "-q", "-b", "other")
    refused = store.refusal(taken.id)
    assert refused is not None
    assert refused.code == "branch-changed"
    tree.git("checkout", "-q", "main")
    (tree.root / ".git" / "MERGE_HEAD").write_text(tree.git("rev-parse", "HEAD"))
    assert store.refusal(taken.id) is None
    (tree.root / ".git" / "MERGE_HEAD").unlink()
    tree.git("bisect", "start")
    refused = store.refusal(taken.id)
    assert refused is not None
    assert refused.code == "bisect-in-progress"


def test_one_of_the_marks_changes_with_every_checkpoint(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    refs, packed = store.marks
    taken = store.take()
    assert (refs / taken.id).exists()
    tree.git("pack-refs", "--all")
    assert taken.id in packed.read_text()


def test_the_hunks_of_two_texts_are_listed() -> None:
    old = "".join(f"{number}\n" for number in range(30))
    new = old.replace("3\n", "three\n", 1).replace("25\n", "")
    first, second = hunks_of(old.encode(), new.encode())
    assert "-3\n+three\n" in first
    assert "-25\n" in second
    assert hunks_of(b"\0", b"x") == ()


def test_small_changes_all_over_a_long_file_are_small_hunks() -> None:
    lines = [f"{number}\n" for number in range(20_000)]
    changed = [*lines]
    for number in range(0, 20_000, 500):
        changed[number] = "changed\n"
    hunks = hunks_of("".join(lines).encode(), "".join(changed).encode())
    assert len(hunks) == 40
    assert all(len(hunk.splitlines()) <= 9 for hunk in hunks)
