from __future__ import annotations

from collections.abc import Callable

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import ChangedSinceError
from patchpoint.checkpoints.undo import DoneHere
from tests.git.git_judge import WorkingTree


def stage_and_change(tree: WorkingTree) -> None:
    tree.write({"a.txt": "staged\n", "new.txt": "new\n"})
    tree.git("add", "a.txt", "new.txt")
    tree.write({"a.txt": "changed after\n"})


def stage_a_deletion(tree: WorkingTree) -> None:
    tree.git("rm", "-q", "--cached", "a.txt")


def intend_to_add(tree: WorkingTree) -> None:
    tree.write({"later.txt": "later\n", "later.sh": "later\n"})
    (tree.root / "later.sh").chmod(0o755)
    (tree.root / "link").symlink_to("later.txt")
    tree.git("add", "-N", "later.txt", "later.sh", "link")


def flag_entries(tree: WorkingTree) -> None:
    tree.git("update-index", "--assume-unchanged", "a.txt")
    tree.git("update-index", "--skip-worktree", "src/b.txt")


def change_the_executable_bit(tree: WorkingTree) -> None:
    tree.git("update-index", "--chmod=+x", "a.txt")


STATES: list[Callable[[WorkingTree], None]] = [
    stage_and_change,
    stage_a_deletion,
    intend_to_add,
    flag_entries,
    change_the_executable_bit,
]
VERSIONS = {
    "version 2": [],
    "version 4": ["update-index", "--index-version", "4"],
    "split": ["update-index", "--split-index"],
    "with an untracked cache": ["update-index", "--untracked-cache"],
}


@pytest.mark.parametrize(
    ("state", "version"),
    [*((state, "version 2") for state in STATES), *((stage_and_change, version) for version in VERSIONS)],
)
def test_what_was_staged_comes_back_as_it_was(
    tree: WorkingTree, state: Callable[[WorkingTree], None], version: str
) -> None:
    if VERSIONS[version]:
        tree.git(*VERSIONS[version])
    state(tree)
    status, staged, files = tree.git("status", "--porcelain"), tree.staged(), tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    assert (tree.staged(), tree.git("status", "--porcelain")) == (staged, status)
    tree.git("update-index", "--no-assume-unchanged", "--no-skip-worktree", "src/b.txt")
    tree.git("rm", "-q", "-r", "-f", "--cached", ".")
    tree.write({"a.txt": "run\n", "made.txt": "m\n"})
    tree.commit("by the run")
    tree.write({"a.txt": "more\n"})
    tree.git("add", "-A")
    restored = store.restore(taken.id)
    assert restored.staged
    assert (tree.staged(), tree.git("status", "--porcelain"), tree.files()) == (staged, status, files)
    tree.refuse_damage()
    store.undo()
    assert tree.git("diff", "--cached", "--name-only") == "a.txt\n"


def test_an_index_that_needs_no_change_is_not_written(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    before = (tree.root / ".git/index").stat()
    store.restore(taken.id)
    after = (tree.root / ".git/index").stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize("commits", [False, True])
@pytest.mark.parametrize("how", ["autocrlf", "attributes"])
def test_a_file_whose_line_endings_alone_come_back_is_not_modified_for_git(
    tree: WorkingTree, how: str, commits: bool
) -> None:
    if how == "autocrlf":
        tree.git("config", "core.autocrlf", "true")
    else:
        tree.write({".gitattributes": "* text=auto\n"})
    tree.write({"w.txt": "one\r\ntwo\r\n"})
    tree.commit("with the line endings of Windows")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"w.txt": "one\ntwo\n", **({"a.txt": "run\n"} if commits else {})})
    tree.git("add", "-A")
    if commits:
        tree.git("commit", "-q", "-m", "by the run")
    assert tree.git("status", "--porcelain") == ""
    store.restore(taken.id)
    assert (tree.root / "w.txt").read_bytes() == b"one\r\ntwo\r\n"
    assert tree.git("status", "--porcelain") == ""
    store.undo()
    assert (tree.root / "w.txt").read_bytes() == b"one\ntwo\n"
    assert tree.git("status", "--porcelain") == ""


def test_a_sparse_index_comes_back_as_the_same_staged_state(tree: WorkingTree) -> None:
    tree.write({"kept/x.txt": "x\n", "hidden/deep/y.txt": "y\n"})
    tree.commit("more")
    tree.git("sparse-checkout", "set", "--cone", "--sparse-index", "kept")
    staged, files = tree.git("ls-files", "-s", "-v"), tree.files()
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"kept/x.txt": "run\n"})
    tree.git("commit", "-q", "-a", "-m", "by the run")
    store.restore(taken.id)
    assert (tree.git("ls-files", "-s", "-v"), tree.files()) == (staged, files)
    assert tree.git("status", "--porcelain") == ""


@pytest.mark.parametrize("sparse_index", ["--no-sparse-index", "--sparse-index"])
def test_what_a_sparse_checkout_hides_since_a_checkpoint_does_not_come_back_as_deleted(
    tree: WorkingTree, sparse_index: str
) -> None:
    tree.write({"kept/x.txt": "x\n", "hidden/deep/y.txt": "y\n"})
    tree.commit("more")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.git("sparse-checkout", "set", "--cone", sparse_index, "kept")
    staged = tree.git("ls-files", "-s", "-v")
    tree.write({"kept/x.txt": "run\n"})
    store.restore(taken.id)
    assert (tree.root / "kept/x.txt").read_text() == "x\n"
    assert tree.git("status", "--porcelain") == ""
    assert tree.git("ls-files", "-s", "-v") == staged
    store.undo()
    assert tree.git("status", "--porcelain") == " M kept/x.txt\n"
    assert not (tree.root / "hidden").exists()


@pytest.mark.parametrize("is_staged", [False, True])
def test_what_a_sparse_checkout_hides_since_is_not_taken_for_staged_when_that_is_undone(
    tree: WorkingTree, is_staged: bool
) -> None:
    tree.write({"kept/x.txt": "x\n", "hidden/y.txt": "y\n"})
    tree.commit("more")
    taken = CheckpointStore.open(tree.root).take()
    tree.write({"a.txt": "since\n"})
    tree.git("sparse-checkout", "set", "--cone", "kept")
    before, staged = tree.files(), tree.git("ls-files", "-s", "-v")
    CheckpointStore.open(tree.root).restore(taken.id)
    if is_staged:
        tree.write({"kept/new.txt": "new\n"})
        tree.git("add", "kept/new.txt")
        with pytest.raises(ChangedSinceError, match="staged since"):
            DoneHere(tree.root).undo()
    else:
        DoneHere(tree.root).undo()
        assert (tree.files(), tree.git("ls-files", "-s", "-v")) == (before, staged)


def test_a_file_that_a_sparse_checkout_hides_goes_back_in_the_index_and_stays_hidden(
    tree: WorkingTree,
) -> None:
    tree.write({"kept/x.txt": "x\n", "hidden/deep/y.txt": "y\n"})
    tree.commit("more")
    tree.git("sparse-checkout", "set", "--cone", "kept")
    staged = tree.git("ls-files", "-s", "-v")
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    oid = tree.git("hash-object", "-w", "--stdin", stdin="changed\n").strip()
    tree.git("update-index", "--cacheinfo", f"100644,{oid},hidden/deep/y.txt")
    tree.git("update-index", "--skip-worktree", "hidden/deep/y.txt")
    tree.git("commit", "-q", "-m", "by the run")
    restored = store.restore(taken.id)
    assert (restored.written, restored.kept) == ((), ())
    assert tree.git("ls-files", "-s", "-v") == staged
    assert tree.git("status", "--porcelain") == ""
    assert not (tree.root / "hidden").exists()
