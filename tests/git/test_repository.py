from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from patchpoint.checkpoints.errors import FolderRefusedError, UnsupportedRepositoryError
from patchpoint.git.new_repository import private_store
from patchpoint.git.repository import Repository, checked_out_commit
from tests.git.git_judge import WorkingTree


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    return WorkingTree.create(tmp_path / "repo")


def test_folders_that_gather_everything_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path / "people" / "ada"
    (home / "Desktop").mkdir(parents=True)
    (home / "project").mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    for folder in ("/", home, home.parent, home / "Desktop"):
        with pytest.raises(FolderRefusedError):
            Repository.open(folder)
    assert Repository.open(home / "project").private
    WorkingTree(home).git("init", "-q")
    with pytest.raises(FolderRefusedError):
        Repository.open(home / "project")


def test_repositories_that_are_not_understood_are_refused(tree: WorkingTree) -> None:
    tree.git("config", "core.repositoryformatversion", "1")
    tree.git("config", "extensions.refStorage", "reftable")
    with pytest.raises(UnsupportedRepositoryError, match="reftable"):
        Repository.open(tree.root)
    tree_config = tree.root / ".git" / "config"
    tree_config.write_text(tree_config.read_text().replace("refStorage = reftable", "fromTheFuture = 1"))
    with pytest.raises(UnsupportedRepositoryError, match="fromthefuture"):
        Repository.open(tree.root)


def test_the_environment_of_a_git_hook_does_not_lead_astray(
    tree: WorkingTree, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = WorkingTree.create(tmp_path / "other")
    monkeypatch.setenv("GIT_DIR", str(other.root / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other.root / ".git" / "index"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(other.root / ".git" / "objects"))
    assert Repository.open(tree.root).gitdir == os.fsencode(tree.root / ".git")


def test_a_folder_in_a_repository_belongs_to_it(tree: WorkingTree) -> None:
    repository = Repository.open(tree.root / "src")
    assert repository.worktree == os.fsencode(tree.root)
    assert repository.prefix == b"src"


HEADS: dict[str, list[tuple[str, ...]]] = {
    "on a branch": [],
    "packed": [("pack-refs", "--all")],
    "detached": [("checkout", "-q", "--detach")],
    "unborn": [("symbolic-ref", "HEAD", "refs/heads/new/one")],
    "through another name": [
        ("symbolic-ref", "refs/heads/alias", "refs/heads/main"),
        ("symbolic-ref", "HEAD", "refs/heads/alias"),
    ],
    "in a circle": [
        ("symbolic-ref", "refs/heads/alias", "refs/heads/other"),
        ("symbolic-ref", "refs/heads/other", "refs/heads/alias"),
        ("symbolic-ref", "HEAD", "refs/heads/alias"),
    ],
}


@pytest.mark.parametrize("name", HEADS)
def test_head_is_where_git_sees_it(tree: WorkingTree, name: str) -> None:
    for command in HEADS[name]:
        tree.git(*command)
    head = Repository.open(tree.root).head()
    commit = tree.git("rev-parse", "-q", "--verify", "HEAD", check=False).strip() or None
    assert head.commit == commit
    assert checked_out_commit(os.fsencode(tree.root)) == (None if commit is None else bytes.fromhex(commit))
    if name != "in a circle":  # there is no branch then
        assert head.branch == (tree.git("symbolic-ref", "-q", "HEAD", check=False).strip() or None)


def test_inside_gits_own_folder_nothing_is_kept(tree: WorkingTree) -> None:
    with pytest.raises(FolderRefusedError, match="git's own"):
        Repository.open(tree.root / ".git" / "refs")


def test_a_private_store_can_be_made_by_several_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    for number in range(20):
        folder = tmp_path / f"folder{number}"
        folder.mkdir()
        with ThreadPoolExecutor(4) as pool:
            stores = list(pool.map(private_store, [os.fsencode(folder)] * 4))
        assert len(set(stores)) == 1
        assert sorted(path.name for path in Path(os.fsdecode(stores[0])).iterdir()) == [
            "HEAD",
            "config",
            "objects",
            "refs",
        ]


@pytest.mark.parametrize("folder", ["/", "/proc", "/proc/self", "/sys", "/dev"])
def test_a_folder_that_the_kernel_makes_up_has_no_checkpoints(folder: str) -> None:
    if not os.path.isdir(folder):
        pytest.skip(f"there is no {folder} here")
    with pytest.raises(FolderRefusedError, match="No checkpoints are kept"):
        Repository.open(folder)
