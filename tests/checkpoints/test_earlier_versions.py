"""Checkpoints that an earlier version of Patchpoint wrote are read and restored.

The repository in `version-1.fast-export` was made with commit c239abc and printed by `git fast-export --all`.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointKind, CheckpointStore, SkippedPath
from tests.git.git_judge import WorkingTree, environment

_EXPORT = Path(__file__).parent.parent / "data" / "checkpoints" / "version-1.fast-export"
_ID = "06ajabrcmg5zkk"


def imported(root: Path) -> WorkingTree:
    root.mkdir()
    tree = WorkingTree(root)
    tree.git("init", "-q", "-b", "main")
    subprocess.run(
        ["git", "fast-import", "--quiet"], cwd=root, env=environment(), input=_EXPORT.read_bytes(), check=True
    )
    tree.git("reset", "-q", "--hard", "main")
    return tree


def test_a_checkpoint_of_version_1_is_read(tmp_path: Path) -> None:
    store = CheckpointStore.open(imported(tmp_path / "repo").root)
    (found,) = store.list()
    assert found == store.show(_ID)
    assert (found.id, found.label, found.kind) == (_ID, "before: the run\n100% ü", CheckpointKind.MANUAL)
    assert (found.session, found.message, found.branch) == ("chat", "m1", "refs/heads/main")
    assert (found.files, found.root) == (7, str(store.root))
    assert found.skipped == (SkippedPath("large.bin", "larger than the limit"),)
    assert store.read(_ID, "a.txt") == b"unstaged\n"
    assert store.doctor().healthy


@pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")
def test_a_checkpoint_of_version_1_is_restored_with_what_was_staged_and_unsaved(tmp_path: Path) -> None:
    tree = imported(tmp_path / "repo")
    tree.write({"a.txt": "later\n", "large.bin": "kept", "came.txt": "later\n"})
    tree.commit("later")
    restored = CheckpointStore.open(tree.root).restore(session="chat", message="m1")
    files = tree.files()
    assert {path: content for path, (_, content) in files.items()} == {
        ".gitignore": b"*.log\nbuild/\n",
        "a.txt": b"unstaged\n",
        "large.bin": b"kept",
        "link": b"a.txt",
        "new.txt": b"intended\n",
        "run.sh": b"#!/bin/sh\n",
        "src/b.txt": b"b\n",
        "src/u.txt": b"untracked\n",
    }
    assert files["run.sh"][0] & 0o100
    assert tree.git("rev-parse", "HEAD").strip() == restored.checkpoint.head
    assert tree.git("show", ":a.txt") == "staged\n"
    assert " A new.txt" in tree.git("status", "--porcelain").splitlines()
    assert restored.buffers == {"a.txt": "unsaved\n"}
    assert [left.path for left in restored.kept] == ["large.bin"]
