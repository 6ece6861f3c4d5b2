"""A snapshot of a working tree, and what git makes of the same files."""

from __future__ import annotations

import os
import shutil
import subprocess

from patchpoint.checkpoints.options import SnapshotOptions
from patchpoint.checkpoints.snapshot.take import Snapshot, take_snapshot
from patchpoint.git.repository import Repository
from tests.git.git_judge import WorkingTree, environment


def snapshot_of(tree: WorkingTree, **options: object) -> Snapshot:
    return take_snapshot(Repository.open(tree.root), SnapshotOptions(**options))  # type: ignore[arg-type]


def tree_of_git(tree: WorkingTree) -> str:
    """The tree that git makes of the working tree, in an index of its own."""
    index = tree.root.parent / "judge-index"
    shutil.copy2(tree.git("rev-parse", "--path-format=absolute", "--git-path", "index").strip(), index)

    def git(*arguments: str) -> str:
        done = subprocess.run(
            ["git", "-c", "core.autocrlf=false", "-c", "advice.addEmbeddedRepo=false", *arguments],
            cwd=tree.root,
            env={**environment(), "GIT_INDEX_FILE": str(index)},
            capture_output=True,
            text=True,
            check=True,
        )
        return done.stdout.strip()

    git("add", "-A", "--sparse")
    return git("write-tree")


def conflict(tree: WorkingTree) -> None:
    tree.git("checkout", "-q", "-b", "other")
    tree.write({"a.txt": "theirs\n"})
    tree.commit("theirs")
    tree.git("checkout", "-q", "-")
    tree.write({"a.txt": "ours\n"})
    tree.commit("ours")
    tree.git("merge", "-q", "other", check=False)


def wait_until_settled(tree: WorkingTree) -> None:
    """Make all files and the index old enough that the index is believed."""
    for path in tree.root.rglob("*"):
        if ".git" not in path.parts:
            os.utime(path, (1_600_000_000, 1_600_000_000), follow_symlinks=False)
    tree.git("update-index", "-q", "--refresh", check=False)
    tree.git("update-index", "--force-write-index", check=False)
