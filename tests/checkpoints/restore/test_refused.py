from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, RestoreRefusedError, StoreOptions
from patchpoint.checkpoints.errors import (
    BranchChangedError,
    CheckpointDamagedError,
    CheckpointError,
    HistoryChangedError,
    HunkNotFoundError,
    OperationInProgressError,
    PathObstructedError,
    RepositoryBusyError,
    RestoreFailedError,
    TreeMovedError,
    UnsafePathError,
)
from patchpoint.checkpoints.restore.worktree import WorktreeWriter
from patchpoint.checkpoints.snapshot import blobs
from patchpoint.checkpoints.undo import DoneHere
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.git.index.lock import index_lock
from patchpoint.git.repository import Repository
from patchpoint.progress import CancelledError
from tests.git.git_judge import WorkingTree


def refused(
    tree: WorkingTree, store: CheckpointStore, id_: str, error: type[CheckpointError], **how: bool
) -> str:
    """The code of the refusal, having seen that nothing was changed by it."""
    before = (tree.files(), tree.staged(), tree.refs(), len(store.list(safety=True)))
    with pytest.raises(error) as caught:
        store.restore(id_, **how)  # type: ignore[arg-type]
    assert (tree.files(), tree.staged(), tree.refs(), len(store.list(safety=True))) == before
    assert not (tree.root / ".git/index.lock").exists()
    assert not [name for name in os.listdir(tree.root / ".git/patchpoint") if "restore" in name]
    return caught.value.code


def test_another_branch_is_refused_and_forced_for_files_alone(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("checkout", "-q", "-b", "other")
    tree.write({"a.txt": "run\n"})
    commit = tree.commit("on the other branch")
    assert refused(tree, store, taken.id, BranchChangedError) == "branch-changed"
    restored = store.restore(taken.id, force=True)
    assert (restored.head_from, restored.head_to, restored.staged) == (commit, commit, False)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert tree.git("symbolic-ref", "HEAD").strip() == "refs/heads/other"
    assert tree.git("rev-parse", "HEAD").strip() == commit


def test_some_files_are_restored_on_another_branch_with_a_remark(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert store.restore(taken.id, paths=["a.txt"], dry_run=True).remark == ""
    tree.git("checkout", "-q", "-b", "other")
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n"})
    commit = tree.commit("on the other branch")
    planned = store.restore(taken.id, paths=["a.txt"], dry_run=True)
    assert planned.remark == "The checkpoint was taken on branch 'main'; branch 'other' is checked out now."
    restored = store.restore(taken.id, paths=["a.txt"])
    assert (restored.written, restored.head_from, restored.head_to) == (("a.txt",), commit, commit)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"
    assert (tree.root / "src/b.txt").read_text() == "run\n"
    assert tree.git("rev-parse", "HEAD").strip() == commit


def test_a_branch_that_was_rewritten_is_refused_and_what_it_held_is_kept_by_force(tree: WorkingTree) -> None:
    tree.write({"a.txt": "second\n"})
    tree.commit("second")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("reset", "-q", "--hard", "HEAD^")
    tree.write({"a.txt": "another second\n"})
    rewritten = tree.commit("another second")
    assert refused(tree, store, taken.id, HistoryChangedError) == "history-changed"
    store.restore(taken.id, force=True)
    assert tree.git("rev-parse", "HEAD").strip() == taken.head
    assert rewritten in tree.git("for-each-ref", "refs/patchpoint/undone")
    store.undo(force=True)
    assert tree.git("rev-parse", "HEAD").strip() == rewritten
    store.restore(taken.id, force=True)
    DoneHere(tree.root).undo()
    assert tree.git("rev-parse", "HEAD").strip() == rewritten
    DoneHere(tree.root).undo()
    assert tree.git("rev-parse", "HEAD").strip() == taken.head


def test_a_commit_that_git_has_lost_is_not_missed_once_the_branch_is_elsewhere(tree: WorkingTree) -> None:
    """As `git gc --prune=now` may lose a commit that is made at the same time."""
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "second\n"})
    lost = tree.commit("second")
    (tree.root / ".git" / "objects" / lost[:2] / lost[2:]).unlink()
    tree.write({"a.txt": "worked on\n"})
    meanwhile = store.take(label="meanwhile")
    assert (meanwhile.head, meanwhile.branch) == (None, None)
    store.restore(taken.id, force=True)
    assert tree.git("rev-parse", "HEAD").strip() == taken.head
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    assert "missing" not in tree.git("fsck")
    store.restore(meanwhile.id, force=True)
    assert (tree.root / "a.txt").read_text() == "worked on\n"


def test_a_branch_that_was_set_back_goes_forth_again(tree: WorkingTree) -> None:
    tree.write({"a.txt": "second\n"})
    second = tree.commit("second")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("reset", "-q", "--hard", "HEAD^")
    assert store.restore(taken.id).head_to == second
    assert tree.git("rev-parse", "HEAD").strip() == second
    assert tree.git("status", "--porcelain") == ""


def test_a_conflicted_index_is_recorded_while_a_merge_is_in_progress(tree: WorkingTree) -> None:
    tree.git("checkout", "-q", "-b", "topic")
    tree.write({"a.txt": "topic\n"})
    tree.commit("topic")
    tree.git("checkout", "-q", "main")
    tree.write({"a.txt": "mine\n"})
    tree.commit("mine")
    tree.git("merge", "topic", check=False)
    staged = tree.staged()
    taken = CheckpointStore.open(tree.root).take()
    assert tree.staged() == staged
    assert "conflicts" in tree.git("ls-tree", "--name-only", taken.state)


def test_a_checkpoint_with_a_missing_object_is_refused_whole(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "unique\n", "src/b.txt": "also unique\n"})
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n"})
    tree.loosen()
    oid = tree.git("rev-parse", f"{taken.commit}:src/b.txt").strip()
    (tree.root / ".git/objects" / oid[:2] / oid[2:]).unlink()
    assert refused(tree, store, taken.id, CheckpointDamagedError) == "checkpoint-damaged"
    assert refused(tree, store, taken.id, CheckpointDamagedError, force=True) == "checkpoint-damaged"
    assert [finding.code for finding in store.doctor().findings] == ["checkpoint-damaged"]


def test_an_object_whose_content_is_not_what_its_name_says_is_refused(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    tree.write({"a.txt": "unique\n"})
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    tree.loosen()
    oid = tree.git("rev-parse", f"{taken.commit}:a.txt").strip()
    other = tree.git("hash-object", "-w", "--stdin", stdin="something else\n").strip()
    place = tree.root / ".git/objects" / oid[:2] / oid[2:]
    place.unlink()
    place.write_bytes((tree.root / ".git/objects" / other[:2] / other[2:]).read_bytes())
    assert refused(tree, store, taken.id, CheckpointDamagedError) == "checkpoint-damaged"


@pytest.mark.parametrize(
    "path", [".git/hooks/post-checkout", ".GIT/config", "git~1/config", "sub/.git/config"]
)
def test_a_path_into_a_git_folder_is_refused_in_every_spelling(tree: WorkingTree, path: str) -> None:
    refuse_forged_path(tree, path.encode())


def test_a_path_that_the_mac_takes_for_a_git_folder_is_refused(tree: WorkingTree) -> None:
    refuse_forged_path(tree, ".g\u200cit/config".encode())


@pytest.mark.parametrize("path", [b"../escaped", b"..", b"."])
def test_a_path_out_of_the_tree_is_refused(tree: WorkingTree, path: bytes) -> None:
    refuse_forged_path(tree, path)


def refuse_forged_path(tree: WorkingTree, path: bytes) -> None:
    """See that a checkpoint into which `path` was forged is refused."""
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    blob = tree.git("hash-object", "-w", "--stdin", stdin="forged\n").strip()
    forged = hash_tree(tree, path.split(b"/"), blob)
    message = tree.git("cat-file", "commit", taken.commit).replace(taken.tree, forged)
    commit = tree.git("hash-object", "-w", "-t", "commit", "--stdin", "--literally", stdin=message).strip()
    tree.git("update-ref", f"refs/patchpoint/checkpoints/{taken.id}", commit)
    assert refused(tree, store, taken.id, UnsafePathError) == "unsafe-path"


def hash_tree(tree: WorkingTree, names: list[bytes], blob: str) -> str:
    """A tree with one path, whatever it is called."""
    if len(names) > 1:
        entry = b"40000 %s\0%s" % (names[0], bytes.fromhex(hash_tree(tree, names[1:], blob)))
    else:
        entry = b"100644 %s\0%s" % (names[0], bytes.fromhex(blob))
    done = subprocess.run(
        ["git", "hash-object", "-w", "-t", "tree", "--stdin", "--literally"],
        cwd=tree.root,
        input=entry,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def test_a_folder_with_ignored_files_is_not_removed_for_a_file(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": None, "a.txt/precious.log": "p\n"})
    assert refused(tree, store, taken.id, PathObstructedError) == "path-obstructed"


def test_a_lock_of_the_index_is_respected(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root, options=StoreOptions(wait=0.1))
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    lock = tree.root / ".git/index.lock"
    lock.touch()
    with pytest.raises(RepositoryBusyError) as caught:
        store.restore(taken.id)
    assert caught.value.code == "repository-busy"
    assert lock.read_bytes() == b""
    assert (tree.root / "a.txt").read_text() == "run\n"
    lock.unlink()
    store.restore(taken.id)
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"


class Cancelling:
    """Progress that is not wanted any more from a certain step on, and does something there first."""

    def __init__(self, at: str, tree: WorkingTree | None = None) -> None:
        self.at = at
        self.tree = tree
        self.reached = False

    def check(self) -> None:
        if self.reached and self.tree is None:
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message == self.at and not self.reached:
            self.reached = True
            if self.tree is not None:
                self.tree.write({"a.txt": "edited meanwhile\n"})


@pytest.mark.parametrize("step", ["Scanning the working tree", "Preparing the files", "Locking the index"])
def test_a_restore_that_is_cancelled_has_done_nothing(tree: WorkingTree, step: str) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "new.txt": "n\n"})
    before = tree.files()
    with pytest.raises(CancelledError):
        store.restore(taken.id, progress=Cancelling(step))
    assert tree.files() == before
    assert store.list(safety=True) == ()


def test_a_file_that_changes_while_it_is_prepared_is_saved_as_it_is_then(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    restored = store.restore(taken.id, progress=Cancelling("Preparing the files", tree))
    assert restored.safety is not None
    assert store.read(restored.safety.id, "a.txt") == b"edited meanwhile\n"
    assert len(store.list(safety=True)) == 1


class Writing:
    """A program that writes to files whenever a restore prepares them."""

    def __init__(self, *files: Path) -> None:
        self.files = files

    def check(self) -> None:
        """It is not cancelled."""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        if message == "Preparing the files" and not done:
            for file in self.files:
                with file.open("a") as log:
                    log.write("one more line\n")


def test_a_file_that_is_written_all_the_time_is_left_and_reported(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    logs = [tree.root / f"{number}.txt" for number in range(9)]
    tree.write({"0.txt": "start\n"})
    taken = store.take()
    tree.write({"a.txt": "run\n", "0.txt": "start\nand on\n"})
    restored = store.restore(taken.id, progress=Writing(logs[0]))
    assert [left.path for left in restored.kept] == ["0.txt"]
    assert restored.written == ("a.txt",)
    assert logs[0].read_text().startswith("start\nand on\none more line\n")
    store.undo()
    assert (tree.root / "a.txt").read_text() == "run\n"


def test_a_file_that_is_restored_by_name_is_not_left_nor_are_many(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    logs = [tree.root / f"{number}.txt" for number in range(9)]
    tree.write({"a.txt": "run\n"} | {log.name: "start\n" for log in logs})
    for paths, written in (["0.txt"], logs[:1]), (None, logs):
        with pytest.raises(TreeMovedError):
            store.restore(taken.id, paths=paths, progress=Writing(*written))
    assert (tree.root / "a.txt").read_text() == "run\n"
    assert all(log.exists() for log in logs)


def test_a_file_that_changes_at_the_last_instant_is_left_alone_and_reported(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    restored = store.restore(taken.id, progress=Cancelling("Restoring the files", tree))
    assert (tree.root / "a.txt").read_text() == "edited meanwhile\n"
    assert [left.path for left in restored.kept] == ["a.txt"]
    assert sorted(tree.files()) == [".gitignore", "a.txt", "src/b.txt"]


def test_when_a_file_cannot_be_changed_all_is_put_back(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n", "z.txt": "z\n"})
    before = (tree.files(), tree.staged(), tree.refs())

    rename_over = OpenDirectory.rename_over

    def failing(source: OpenDirectory, old: bytes, new: bytes, target: OpenDirectory | None = None) -> None:
        if new == b"b.txt":
            monkeypatch.setattr(OpenDirectory, "rename_over", rename_over)
            raise PermissionError(13, "Permission denied", "src/b.txt")
        rename_over(source, old, new, target)

    monkeypatch.setattr(OpenDirectory, "rename_over", failing)
    monkeypatch.setattr(OpenDirectory, "exchange", lambda *_: False)
    with pytest.raises(RestoreFailedError, match=r"src/b\.txt") as caught:
        store.restore(taken.id)
    assert caught.value.code == "restore-failed"
    assert (tree.files(), tree.staged(), tree.refs()) == before
    assert store.doctor().findings == ()


def test_when_the_disk_is_full_nothing_is_changed(tree: WorkingTree, monkeypatch: pytest.MonkeyPatch) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n", "src/b.txt": "run\n"})

    def full(_: WorktreeWriter, directory: OpenDirectory, name: bytes, *__: object) -> None:
        directory.write_new(name, b"half")
        raise OSError(28, "No space left on device", os.fsdecode(name))

    monkeypatch.setattr(WorktreeWriter, "_write", full)
    assert refused(tree, store, taken.id, RestoreFailedError) == "restore-failed"


def test_the_lock_of_the_index_works_without_hard_links(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr("patchpoint.git.index.lock.os.link", unsupported)
    repository = Repository.open(tree.root)
    with index_lock(repository, "one"):
        assert tree.git("add", "a.txt", check=False) == ""
        with pytest.raises(RepositoryBusyError), index_lock(repository, "other", patience=0.05):
            pytest.fail("it was held")
        with index_lock(repository, "one"):
            pass
    tree.git("add", "a.txt")


def test_a_hunk_that_is_gone_is_refused(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "one\n2\nthree\n"})
    (hunk,) = store.diff(taken.id)[0].hunks
    tree.write({"a.txt": "one\nzwei\nthree\n"})
    with pytest.raises(HunkNotFoundError):
        store.restore(taken.id, paths=["a.txt"], hunk=hunk)
    assert (tree.root / "a.txt").read_text() == "one\nzwei\nthree\n"


def test_every_refusal_is_one_kind_of_error_with_a_code_of_its_own() -> None:
    def kinds(error: type[CheckpointError]) -> list[type[CheckpointError]]:
        return [error, *(kind for below in error.__subclasses__() for kind in kinds(below))]

    codes = [kind.code for kind in kinds(CheckpointError) if kind is not OperationInProgressError]
    assert len(set(codes)) == len(codes)
    assert issubclass(BranchChangedError, RestoreRefusedError)


def test_a_repository_that_cannot_be_written_to_is_said_so(tree: WorkingTree) -> None:
    (tree.root / ".git/patchpoint").write_text("in the way")
    with pytest.raises(RepositoryBusyError, match="cannot be written"):
        CheckpointStore.open(tree.root).take()


def test_a_file_that_cannot_be_read_and_is_not_in_the_checkpoint_is_named(
    tree: WorkingTree, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"new.txt": "cannot be read\n", "a.txt": "run\n"})
    read = blobs.read_raw_bytes

    def failing(path: bytes, size: int) -> bytes:
        if path.endswith(b"new.txt"):
            raise OSError(5, "Input/output error")
        return read(path, size)

    monkeypatch.setattr(blobs, "read_raw_bytes", failing)
    restored = store.restore(taken.id)
    assert (tree.root / "new.txt").read_text() == "cannot be read\n"
    assert [left.path for left in restored.kept] == ["new.txt"]
    assert restored.written == ("a.txt",)
