"""Forks: a checkpoint as a linked working tree, judged by git."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore, fork_checkpoint
from patchpoint.checkpoints.errors import CheckpointNotFoundError, ForkRefusedError
from patchpoint.checkpoints.restore import index
from tests.git.git_judge import WorkingTree


def busy(tree: WorkingTree) -> str:
    """Leave something staged, changed, deleted, untracked, executable and linked; a checkpoint of it."""
    tree.write({"staged.txt": "staged\n", "a.txt": "one\n2\nthree\n", "loose/new.txt": "new\n"})
    tree.git("add", "staged.txt")
    tree.write({"staged.txt": "changed after that\n", "src/b.txt": None})
    tree.write({"run.sh": "#!/bin/sh\n"})
    (tree.root / "run.sh").chmod(0o755)
    (tree.root / "link").symlink_to("a.txt")
    return CheckpointStore.open(tree.root).take(label="busy").id


def test_a_fork_has_the_files_and_the_staged_state_of_the_checkpoint(
    tree: WorkingTree, tmp_path: Path
) -> None:
    id_ = busy(tree)
    files, staged, refs = tree.files(), tree.staged(), tree.refs()
    status = tree.git("status", "--porcelain")
    tree.write({"a.txt": "later\n"})
    fork = fork_checkpoint(CheckpointStore.open(tree.root), id_, tmp_path / "fork")
    forked = WorkingTree(fork.path)
    found = forked.files()
    assert found.pop(".git")[1].startswith(b"gitdir: ")
    assert found == files
    assert (forked.staged(), forked.git("status", "--porcelain")) == (staged, status)
    assert forked.git("rev-parse", "HEAD") == tree.git("rev-parse", "HEAD")
    assert forked.git("branch", "--show-current") == ""
    assert (tree.root / "a.txt").read_text() == "later\n"
    assert tree.refs() == refs
    tree.refuse_damage()


def test_git_knows_the_fork_and_can_remove_it(tree: WorkingTree, tmp_path: Path) -> None:
    fork = fork_checkpoint(CheckpointStore.open(tree.root), busy(tree), tmp_path / "a fork, of mine")
    assert str(fork.path) in tree.git("worktree", "list", "--porcelain")
    assert "locked" not in tree.git("worktree", "list", "--porcelain")
    tree.git("worktree", "prune")
    assert fork.path.exists()
    tree.git("worktree", "remove", "--force", str(fork.path))
    assert not fork.path.exists()


def test_a_fork_begins_with_a_checkpoint_of_its_own_and_nothing_to_undo(
    tree: WorkingTree, tmp_path: Path
) -> None:
    store = CheckpointStore.open(tree.root)
    before = [each.id for each in store.list()] + [busy(tree)]
    fork = fork_checkpoint(store, before[-1], tmp_path / "fork")
    own = CheckpointStore.open(fork.path)
    assert [(each.id, each.label) for each in own.list()] == [(fork.checkpoint.id, "Fork of busy")]
    assert own.list(safety=True) == ()
    assert own.diff(fork.checkpoint.id) == ()
    (fork.path / "a.txt").write_text("an agent was here\n")
    own.restore(fork.checkpoint.id)
    assert (fork.path / "a.txt").read_text() == "one\n2\nthree\n"
    assert [each.id for each in store.list()] == before


def test_unsaved_text_is_in_the_files_in_their_encoding(tree: WorkingTree, tmp_path: Path) -> None:
    tree.write({"latin.txt": "caf\xe9\n".encode("latin-1"), "marked.txt": "\ufeffx\r\n".encode()})
    store = CheckpointStore.open(tree.root)
    buffers = {"latin.txt": "th\xe9\n", "marked.txt": "y\r\n", "a.txt": "one\n", "new/file.txt": "n\n"}
    fork = fork_checkpoint(store, store.take(buffers=buffers).id, tmp_path / "fork")
    assert fork.unsaved == tuple(sorted(buffers))
    assert (fork.path / "latin.txt").read_bytes() == "th\xe9\n".encode("latin-1")
    assert (fork.path / "marked.txt").read_bytes() == "\ufeffy\r\n".encode()
    assert (fork.path / "new/file.txt").read_text() == "n\n"
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_unsaved_text_of_a_link_is_not_written_where_it_points(tree: WorkingTree, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("mine\n")
    (tree.root / "link").symlink_to(outside)
    store = CheckpointStore.open(tree.root)
    fork = fork_checkpoint(store, store.take(buffers={"link": "theirs\n"}).id, tmp_path / "fork")
    assert outside.read_text() == "mine\n"
    assert [left.path for left in fork.kept] == ["link"]
    assert (fork.path / "link").is_symlink()


def test_a_fork_on_a_new_branch_has_it_checked_out(tree: WorkingTree, tmp_path: Path) -> None:
    fork = fork_checkpoint(CheckpointStore.open(tree.root), busy(tree), tmp_path / "f", branch="try/one")
    assert WorkingTree(fork.path).git("branch", "--show-current") == "try/one\n"
    assert tree.git("rev-parse", "try/one") == tree.git("rev-parse", "main")
    assert fork.checkpoint.branch == "refs/heads/try/one"


def test_a_fork_of_a_repository_without_commits_is_on_a_branch_without_commits(tmp_path: Path) -> None:
    root = tmp_path / "unborn"
    root.mkdir()
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main")
    tree.write({"a.txt": "a\n", "b.txt": "b\n"})
    tree.git("add", "a.txt")
    store = CheckpointStore.open(root)
    fork = fork_checkpoint(store, store.take().id, tmp_path / "fork")
    forked = WorkingTree(fork.path)
    assert forked.git("status", "--porcelain") == "A  a.txt\n?? b.txt\n"
    assert forked.git("branch", "--show-current") == "fork\n"


def test_a_fork_of_a_fork_is_possible(tree: WorkingTree, tmp_path: Path) -> None:
    first = fork_checkpoint(CheckpointStore.open(tree.root), busy(tree), tmp_path / "one")
    second = fork_checkpoint(CheckpointStore.open(first.path), first.checkpoint.id, tmp_path / "two")
    assert WorkingTree(second.path).git("status", "--porcelain") == tree.git("status", "--porcelain")


def test_the_checkpoints_of_a_removed_fork_are_not_those_of_the_next_one(
    tree: WorkingTree, tmp_path: Path
) -> None:
    store, id_ = CheckpointStore.open(tree.root), busy(tree)
    first = fork_checkpoint(store, id_, tmp_path / "fork")
    tree.git("worktree", "remove", "--force", str(first.path))
    second = fork_checkpoint(store, id_, tmp_path / "fork")
    assert [each.id for each in CheckpointStore.open(second.path).list()] == [second.checkpoint.id]


@pytest.mark.parametrize("place", ["repo/inside", "repo/.git/inside", "there", "file/below"])
def test_a_place_that_cannot_be_a_fork_is_refused_and_nothing_is_left(
    tree: WorkingTree, tmp_path: Path, place: str
) -> None:
    id_ = busy(tree)
    (tmp_path / "there").mkdir()
    (tmp_path / "file").write_text("")
    before = sorted(tmp_path.rglob("*"))
    with pytest.raises(ForkRefusedError):
        fork_checkpoint(CheckpointStore.open(tree.root), id_, tmp_path / place)
    assert sorted(tmp_path.rglob("*")) == before


@pytest.mark.parametrize(
    "branch",
    ["main", "two..dots", "-x", "a b", "refs/heads/main", "refs/heads/q", "x.lock", "", "HEAD", "@{-1}"],
)
def test_a_branch_that_exists_or_has_no_proper_name_is_refused(
    tree: WorkingTree, tmp_path: Path, branch: str
) -> None:
    with pytest.raises(ForkRefusedError):
        fork_checkpoint(CheckpointStore.open(tree.root), busy(tree), tmp_path / "f", branch=branch)
    assert not (tmp_path / "f").exists()


def test_a_fork_that_fails_leaves_nothing(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    id_ = busy(tree)
    refs = tree.git("for-each-ref")

    def fail(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(index, "restore_index", fail)
    with pytest.raises(Exception, match="No space left"):
        fork_checkpoint(CheckpointStore.open(tree.root), id_, tmp_path / "fork", branch="new")
    monkeypatch.undo()
    assert not (tmp_path / "fork").exists()
    assert tree.git("worktree", "list", "--porcelain").count("worktree ") == 1
    assert not list((tree.root / ".git").glob("worktrees"))
    assert tree.git("for-each-ref") == refs
    tree.refuse_damage()


def test_worktrees_that_lead_elsewhere_are_not_followed(tree: WorkingTree, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (tree.root / ".git" / "worktrees").symlink_to(elsewhere)
    with pytest.raises(ForkRefusedError):
        fork_checkpoint(CheckpointStore.open(tree.root), busy(tree), tmp_path / "fork")
    assert list(elsewhere.iterdir()) == []
    assert not (tmp_path / "fork").exists()


def test_a_folder_in_no_repository_has_no_forks(tmp_path: Path) -> None:
    folder = tmp_path / "plain"
    folder.mkdir()
    (folder / "a.txt").write_text("a\n")
    store = CheckpointStore.open(folder)
    with pytest.raises(ForkRefusedError, match="git init"):
        fork_checkpoint(store, store.take().id, tmp_path / "fork")


def test_a_checkpoint_that_is_not_there_makes_no_folder(tree: WorkingTree, tmp_path: Path) -> None:
    with pytest.raises(CheckpointNotFoundError):
        fork_checkpoint(CheckpointStore.open(tree.root), "0" * 14, tmp_path / "fork")
    assert not (tmp_path / "fork").exists()
