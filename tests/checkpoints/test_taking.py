from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore, SnapshotOptions, StoreOptions
from patchpoint.checkpoints.errors import (
    CheckpointDamagedError,
    CheckpointNotFoundError,
    UnsafePathError,
)
from tests.git.git_judge import WorkingTree

SMALL_FILES = StoreOptions(snapshot=SnapshotOptions(max_file_size=1000))


def test_taking_one_leaves_everything_of_the_user_as_it_was(tree: WorkingTree) -> None:
    tree.write({"a.txt": "staged\n", "untracked.txt": "u\n", "x.log": "ignored\n"})
    tree.git("add", "a.txt")
    tree.write({"a.txt": "unstaged\n"})
    tree.git("stash", "push", "-q", "--keep-index")
    git = tree.root / ".git"
    kept = {name: (git / name).read_bytes() for name in ("index", "HEAD", "config", "logs/HEAD")}
    times = {path: (tree.root / path).stat().st_mtime_ns for path in tree.files()}
    before = (tree.files(), tree.staged(), tree.refs(), tree.git("stash", "list"), kept, times)
    CheckpointStore.open(tree.root).take(label="x", buffers={"a.txt": "buffer"})
    kept = {name: (git / name).read_bytes() for name in kept}
    times = {path: (tree.root / path).stat().st_mtime_ns for path in tree.files()}
    assert (tree.files(), tree.staged(), tree.refs(), tree.git("stash", "list"), kept, times) == before
    tree.refuse_damage()


def test_tracked_and_untracked_files_are_in_it_and_ignored_ones_are_not(tree: WorkingTree) -> None:
    tree.write({"untracked.txt": "u\n", "x.log": "ignored\n", "run.sh": "#!/bin/sh\n"})
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "link").symlink_to("a.txt")
    checkpoint = CheckpointStore.open(tree.root).take()
    listed = tree.git("ls-tree", "-r", checkpoint.commit).splitlines()
    assert {line.split("\t")[1]: line.split()[0] for line in listed} == {
        ".gitignore": "100644",
        "a.txt": "100644",
        "link": "120000",
        "run.sh": "100755",
        "src/b.txt": "100644",
        "untracked.txt": "100644",
    }
    assert checkpoint.files == 6


def test_it_says_what_was_asked_where_and_when(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take(label="before the run", session="s1", message="m1", kind=CheckpointKind.RUN)
    shown = store.show(taken.id)
    assert shown == taken
    assert (shown.label, shown.session, shown.message, shown.kind) == (
        "before the run",
        "s1",
        "m1",
        CheckpointKind.RUN,
    )
    assert (shown.branch, shown.head) == ("refs/heads/main", tree.git("rev-parse", "HEAD").strip())
    assert shown.root == str(tree.root)
    assert shown.created_at.startswith("20")
    assert shown.created_at.endswith("Z")


def test_a_file_too_large_is_left_out_and_reported(tree: WorkingTree) -> None:
    tree.write({"large.bin": b"x" * 5000})
    store = CheckpointStore.open(tree.root, options=SMALL_FILES)
    taken = store.take()
    assert [left.path for left in taken.skipped] == ["large.bin"]
    assert store.show(taken.id).skipped == taken.skipped
    assert store.list()[0].skipped == taken.skipped


def test_a_second_one_of_an_unchanged_tree_is_one_more_commit_and_nothing_else(tree: WorkingTree) -> None:
    tree.write({"untracked.txt": "u\n", "large.bin": b"x" * 5000})
    store = CheckpointStore.open(tree.root, options=SMALL_FILES)
    first = store.take(buffers={"a.txt": "unsaved"})
    before = tree.objects()
    second = store.take(buffers={"a.txt": "unsaved"})
    assert (first.unchanged, second.unchanged) == (False, True)
    assert tree.objects() - before == {second.commit}
    tree.write({"a.txt": "changed\n"})
    assert not store.take().unchanged


def test_they_are_listed_newest_first_and_by_session(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    ids = [store.take(session=session).id for session in ("s1", "s2", "s1")]
    assert [each.id for each in store.list()] == ids[::-1]
    assert [each.id for each in store.list(session="s1")] == [ids[2], ids[0]]
    assert [each.id for each in store.list(limit=1)] == [ids[2]]


def test_the_state_of_an_unborn_branch_can_be_taken(tmp_path: Path) -> None:
    root = tmp_path / "new"
    root.mkdir()
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main")
    tree.write({"a.txt": "a\n"})
    taken = CheckpointStore.open(root).take()
    assert (taken.head, taken.branch) == (None, "refs/heads/main")
    assert tree.git("show", f"{taken.commit}:a.txt") == "a\n"


def test_a_folder_without_a_repository_has_a_store_of_its_own(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    store = CheckpointStore.open(folder)
    taken = store.take(label="plain")
    (folder / "a.txt").write_text("b\n")
    (folder / "new.txt").write_text("n\n")
    assert [each.path for each in store.diff(taken.id)] == ["a.txt", "new.txt"]
    restored = store.restore(taken.id)
    assert (folder / "a.txt").read_text() == "a\n"
    assert not (folder / "new.txt").exists()
    assert (restored.head_from, restored.head_to) == (None, None)
    assert os.listdir(folder) == ["a.txt"]
    assert store.is_private


def test_one_file_can_be_read_as_it_was(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "changed\n"})
    assert store.read(taken.id, "a.txt") == b"one\ntwo\nthree\n"
    assert store.read(taken.id, str(tree.root / "src" / "b.txt")) == b"b\n"
    with pytest.raises(FileNotFoundError, match=r"nowhere\.txt"):
        store.read(taken.id, "nowhere.txt")


def test_two_checkpoints_can_be_compared(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take()
    tree.write({"a.txt": "one\n2\nthree\n", "src/c.txt": "c\n"})
    second = store.take()
    assert [each.path for each in store.diff(first.id, second.id)] == ["a.txt", "src/c.txt"]
    assert [each.path for each in store.diff(first.id, second.id, path="src")] == ["src/c.txt"]
    assert "-two\n+2\n" in store.diff(first.id)[0].diff


def test_what_a_checkpoint_could_not_hold_is_not_said_to_have_been_created(tree: WorkingTree) -> None:
    tree.write({"large.bin": b"x" * 5000})
    taken = CheckpointStore.open(tree.root, options=SMALL_FILES).take()
    assert CheckpointStore.open(tree.root).diff(taken.id) == ()


@pytest.mark.parametrize("id_", ["", "nonsense", "../../heads/main", "0" * 14])
def test_an_id_that_there_is_not_is_said_so(tree: WorkingTree, id_: str) -> None:
    with pytest.raises(CheckpointNotFoundError) as caught:
        CheckpointStore.open(tree.root).show(id_)
    assert caught.value.code == "checkpoint-not-found"


def test_a_ref_that_is_no_checkpoint_is_damaged_and_does_not_spoil_the_list(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    forged = "0" * 14
    tree.git("update-ref", f"refs/patchpoint/checkpoints/{forged}", "HEAD")
    assert [each.id for each in store.list()] == [taken.id]
    with pytest.raises(CheckpointDamagedError):
        store.show(forged)


def test_a_path_that_leads_through_a_link_to_the_root_is_understood(
    tree: WorkingTree, tmp_path: Path
) -> None:
    (tmp_path / "alias").symlink_to(tree.root)
    store = CheckpointStore.open(tmp_path / "alias")
    taken = store.take()
    assert store.read(taken.id, str(tmp_path / "alias/a.txt")) == b"one\ntwo\nthree\n"


def test_a_restore_of_no_path_at_all_is_not_taken_for_one_of_everything(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    with pytest.raises(ValueError, match="`paths` is empty"):
        store.restore(taken.id, paths=[])


@pytest.mark.parametrize("path", ["../outside.txt", "/etc/passwd"])
def test_a_path_outside_the_working_tree_is_refused(tree: WorkingTree, path: str) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    with pytest.raises(UnsafePathError):
        store.read(taken.id, path)
    with pytest.raises(UnsafePathError):
        store.restore(taken.id, paths=[path])
    with pytest.raises(UnsafePathError):
        store.take(buffers={path: "text"})


def test_garbage_collection_leaves_checkpoints_alone(tree: WorkingTree) -> None:
    tree.write({"untracked.txt": "u\n"})
    store = CheckpointStore.open(tree.root)
    taken = store.take(buffers={"a.txt": "unsaved"})
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    (tree.root / "untracked.txt").unlink()
    restored = CheckpointStore.open(tree.root).restore(taken.id)
    assert (tree.root / "untracked.txt").read_text() == "u\n"
    assert restored.buffers == {"a.txt": "unsaved"}
    assert store.doctor().findings == ()


def test_none_is_made_where_only_changes_are_wanted_and_nothing_has_changed(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    first = store.take(label="first", only_changes=True)
    same = store.take(label="second", only_changes=True)
    assert (same.id, same.label, same.unchanged) == (first.id, "first", True)
    tree.write({"a.txt": b"other"})
    assert store.take(only_changes=True).id != first.id
    store.restore(first.id)
    back = store.take(label="after", only_changes=True)
    assert (back.label, back.kind) == ("after", CheckpointKind.MANUAL)
    assert [each.label for each in store.list()] == ["after", "", "first"]
