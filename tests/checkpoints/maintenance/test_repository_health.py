"""What is wrong with a repository is named, although or because git itself would only complain."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from patchpoint.checkpoints.errors import BrokenRepositoryError
from patchpoint.checkpoints.maintenance.repository_health import repository_problems
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree


def problems(folder: Path) -> list[str]:
    return list(repository_problems(Repository.open(folder)))


def problem(folder: Path) -> str:
    (found,) = problems(folder)
    return found


def test_a_sound_repository_has_no_problem(tree: WorkingTree) -> None:
    assert not problems(tree.root)
    (tree.root / "sub").mkdir()
    assert not problems(tree.root / "sub")


def test_a_folder_without_a_repository_has_no_problem(tmp_path: Path) -> None:
    assert not problems(tmp_path)


def refusal(folder: Path) -> str:
    with pytest.raises(BrokenRepositoryError) as raised:
        Repository.open(folder)
    return str(raised.value)


def test_a_repository_without_head_is_refused(tree: WorkingTree) -> None:
    (tree.root / ".git/HEAD").unlink()
    assert f"'{tree.root / '.git'}' has no HEAD" in refusal(tree.root)
    assert "no checkpoints are taken; 'patchpoint doctor --repair'" in refusal(tree.root / "src")


def test_a_repository_without_objects_is_refused(tree: WorkingTree) -> None:
    (tree.root / ".git/objects").rename(tree.root / "objects")
    assert "it lacks objects" in refusal(tree.root)


def test_a_file_that_points_to_no_repository_is_refused(tree: WorkingTree, tmp_path: Path) -> None:
    linked = tmp_path / "linked"
    tree.git("worktree", "add", "-q", str(linked))
    assert not problems(linked)
    tree.root.rename(tmp_path / "moved")
    assert f"'{linked / '.git'}' points to '{tree.root / '.git/worktrees/linked'}'" in refusal(linked)
    assert "git worktree repair" in refusal(linked)
    (linked / ".git").write_text("not what git writes\n")
    assert "does not say where its repository is" in refusal(linked)


def test_a_damaged_index_is_named(tree: WorkingTree) -> None:
    (tree.root / ".git/index").write_bytes(b"garbage")
    assert "index" in problem(tree.root)


def test_a_lock_of_the_index_is_named_once_no_command_of_git_takes_as_long(tree: WorkingTree) -> None:
    lock = tree.root / ".git/index.lock"
    lock.touch()
    assert not problems(tree.root)
    old = time.time() - 3600
    os.utime(lock, (old, old))
    assert f"'{lock}' is 60 min old" in problem(tree.root)


def test_an_operation_whose_file_names_no_commit_is_named(tree: WorkingTree) -> None:
    (tree.root / ".git/MERGE_HEAD").write_text(tree.git("rev-parse", "HEAD"))
    assert not problems(tree.root)
    (tree.root / ".git/MERGE_HEAD").write_text("garbage\n")
    assert f"'{tree.root / '.git/MERGE_HEAD'}' does not name a commit" in problem(tree.root)
