from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.checkpoints.snapshot_judge import conflict, snapshot_of, tree_of_git
from tests.git.git_judge import WorkingTree


def split(tree: WorkingTree) -> None:
    tree.git("update-index", "--split-index")
    tree.write({"more.txt": "more\n", "a.txt": "changed\n"})
    tree.git("add", "more.txt", "a.txt")


def sparse(tree: WorkingTree) -> None:
    tree.write({"left/out.txt": "out\n"})
    tree.commit("more")
    tree.git("sparse-checkout", "set", "--cone", "--sparse-index", "src")


def untracked_cache(tree: WorkingTree) -> None:
    tree.git("update-index", "--force-untracked-cache")
    tree.git("status")


def file_system_monitor(tree: WorkingTree) -> None:
    tree.git("config", "core.fsmonitor", "sh -c 'exit 1'")
    tree.git("update-index", "--fsmonitor", check=False)


def intended(tree: WorkingTree) -> None:
    tree.write({"meant.txt": "meant\n"})
    tree.git("add", "-N", "meant.txt")


KINDS_OF_INDEX: dict[str, Callable[[WorkingTree], object]] = {
    "plain": lambda tree: None,
    "split": split,
    "sparse": sparse,
    "untracked cache": untracked_cache,
    "file system monitor": file_system_monitor,
    "version 4": lambda tree: tree.git("update-index", "--index-version", "4"),
    "intent to add": intended,
    "conflict": conflict,
}


def everything(tree: WorkingTree) -> dict[str, tuple[int, ...] | bytes]:
    """All that a snapshot leaves alone: files with their times, and git's own files but for objects and
    ours."""
    found: dict[str, tuple[int, ...] | bytes] = {}
    gitdir = Path(tree.git("rev-parse", "--absolute-git-dir").strip())
    for top in (tree.root, gitdir):
        for folder, names, files in os.walk(top):
            names[:] = [name for name in names if name not in (".git", "objects", "patchpoint")]
            for name in [*files, *names]:
                path = Path(folder) / name
                status = path.lstat()
                found[str(path)] = (status.st_mtime_ns, status.st_mode, status.st_ino, status.st_ctime_ns)
                if stat.S_ISREG(status.st_mode):
                    found[f"{path} holds"] = path.read_bytes()
    return found


@pytest.mark.parametrize("kind", KINDS_OF_INDEX)
@pytest.mark.parametrize("place", ["main", "linked", "sha256"])
def test_nothing_of_the_users_is_touched(tmp_path: Path, kind: str, place: str) -> None:
    tree = WorkingTree.create(tmp_path / "repo", *(["--object-format=sha256"] if place == "sha256" else []))
    if place == "linked":
        tree.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "aside")
        tree = WorkingTree(tmp_path / "linked")
    tree.write({"stash.txt": "stashed\n"})
    tree.git("stash", "-q", "-u")
    KINDS_OF_INDEX[kind](tree)
    tree.write({"src/b.txt": "edited\n", "new/file.txt": "new\n", "x.log": "noise\n"})
    before = everything(tree)
    first = snapshot_of(tree)
    second = snapshot_of(tree)
    assert everything(tree) == before
    assert first.tree == second.tree == tree_of_git(tree)
    tree.refuse_damage()
