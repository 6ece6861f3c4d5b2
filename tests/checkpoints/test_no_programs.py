"""A repository's configuration may name programs; git runs them, and no checkpoint or restore does."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree

pytestmark = pytest.mark.skipif(os.name == "nt", reason="the programs are shell scripts")

HOOKS = ("pre-commit", "post-commit", "reference-transaction", "post-index-change", "post-checkout")


def name_programs(tree: WorkingTree, folder: Path) -> Path:
    """Let the repository name programs that each leave a file in the folder that is answered."""
    ran = folder / "ran"
    ran.mkdir()
    for name in (*HOOKS, "filter", "monitor"):
        place = folder / "programs" / name
        place.parent.mkdir(exist_ok=True)
        place.write_text(f"#!/bin/sh\ntouch '{ran}/{name}'\n" + ("cat\n" if name == "filter" else ""))
        place.chmod(0o755)
    programs = place.parent
    tree.git("config", "core.hooksPath", str(programs))
    tree.git("config", "core.fsmonitor", str(programs / "monitor"))
    for side in ("clean", "smudge"):
        tree.git("config", f"filter.loud.{side}", str(programs / "filter"))
    tree.write({".gitattributes": "*.txt filter=loud\n"})
    return ran


def work(tree: WorkingTree, content: str) -> None:
    tree.write({"a.txt": content, "new/file.txt": content})


def test_git_runs_what_a_repository_names(tree: WorkingTree, tmp_path: Path) -> None:
    ran = name_programs(tree, tmp_path)
    work(tree, "changed\n")
    tree.git("add", "-A")
    tree.git("commit", "-q", "-m", "second")
    tree.git("checkout", "-q", "HEAD~", "--", ".")
    assert {path.name for path in ran.iterdir()} == {*HOOKS, "filter", "monitor"}


def test_a_checkpoint_and_a_restore_run_nothing(tree: WorkingTree, tmp_path: Path) -> None:
    ran = name_programs(tree, tmp_path)
    store = CheckpointStore.open(tree.root)
    work(tree, "one\n")
    first = store.take()
    work(tree, "two\n")
    store.take()
    store.restore(first.id)
    assert (tree.root / "a.txt").read_text() == "one\n"
    assert list(ran.iterdir()) == []
