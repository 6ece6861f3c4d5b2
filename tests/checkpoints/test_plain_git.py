"""What the documentation says plain git can do with checkpoints."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree

REFS = "refs/patchpoint/checkpoints"


def test_git_lists_them(tree: WorkingTree) -> None:
    store = CheckpointStore.open(tree.root)
    taken = [store.take(label=label) for label in ("first", "second")]
    listed = tree.git(
        "for-each-ref", "--sort=-refname", "--format=%(refname:lstrip=3) %(subject)", f"{REFS}/"
    )
    assert listed == f"{taken[1].id} second\n{taken[0].id} first\n"


def test_git_reads_what_is_known_of_them(tree: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take(label="x", session="chat", message="m 1")
    shown = tree.git(
        "log", "-1", "--format=%(trailers:key=Patchpoint-Message,valueonly)", f"{REFS}/{taken.id}"
    )
    assert shown.strip() == "m 1"


def test_git_shows_one_against_its_commit_and_against_the_working_tree(tree: WorkingTree) -> None:
    tree.write({"a.txt": "one\n2\nthree\n"})
    taken = CheckpointStore.open(tree.root).take()
    ref = f"{REFS}/{taken.id}"
    assert "+2" in tree.git("show", "--first-parent", ref)
    assert "+2" in tree.git("diff", f"{ref}^", ref)
    tree.write({"a.txt": "one\nzwei\nthree\n"})
    assert "-2\n+zwei\n" in tree.git("diff", ref)
    assert tree.git("show", f"{ref}:a.txt") == "one\n2\nthree\n"


def test_git_restores_one_file(tree: WorkingTree) -> None:
    taken = CheckpointStore.open(tree.root).take()
    tree.write({"a.txt": "run\n"})
    tree.git("restore", f"--source={REFS}/{taken.id}", "--", "a.txt")
    assert (tree.root / "a.txt").read_text() == "one\ntwo\nthree\n"


def test_git_finds_what_was_staged_and_what_was_unsaved(tree: WorkingTree) -> None:
    tree.write({"a.txt": "staged\n"})
    tree.git("add", "a.txt")
    taken = CheckpointStore.open(tree.root).take(buffers={"src/b.txt": "unsaved\n"})
    ref = f"{REFS}/{taken.id}"
    assert tree.git("show", f"{ref}^2:index/a.txt") == "staged\n"
    assert tree.git("show", f"{ref}^2:buffers/src/b.txt") == "unsaved\n"


def test_git_pushes_and_fetches_them(tree: WorkingTree, tmp_path: Path) -> None:
    taken = CheckpointStore.open(tree.root).take(label="along")
    tree.git("init", "-q", "--bare", str(tmp_path / "remote.git"))
    tree.git("push", "-q", str(tmp_path / "remote.git"), f"{REFS}/*:{REFS}/*")
    tree.git("clone", "-q", str(tree.root), str(tmp_path / "there"))
    there = WorkingTree(tmp_path / "there")
    there.git("fetch", "-q", str(tmp_path / "remote.git"), f"{REFS}/*:{REFS}/*")
    assert CheckpointStore.open(there.root).show(taken.id) == replace(taken, root=str(there.root))


def test_they_are_neither_branches_nor_tags_and_a_clone_does_not_bring_them(
    tree: WorkingTree, tmp_path: Path
) -> None:
    CheckpointStore.open(tree.root).take()
    assert tree.git("branch", "-a") == "* main\n"
    assert tree.git("tag") == ""
    tree.git("clone", "-q", str(tree.root), str(tmp_path / "there"))
    assert "patchpoint" not in WorkingTree(tmp_path / "there").git("for-each-ref")


def test_git_takes_their_commits_trees_and_refs_for_sound(tree: WorkingTree) -> None:
    tree.write({"new/deep.txt": "n\n"})
    tree.git("add", "-N", "new/deep.txt")
    store = CheckpointStore.open(tree.root)
    taken = store.take(label="x" * 300 + "\nsecond line", buffers={"a.txt": ""})
    tree.write({"a.txt": "run\n"})
    store.restore(taken.id)
    assert tree.git("fsck", "--strict", "--full") == ""
    assert tree.git("log", "-1", "--format=%s", taken.commit) == "x" * 72 + "\n"


def test_a_mirror_brings_commits_that_a_restore_took_off_a_branch(tree: WorkingTree, tmp_path: Path) -> None:
    store = CheckpointStore.open(tree.root)
    taken = store.take()
    tree.write({"a.txt": "run\n"})
    made = tree.commit("by the run")
    store.restore(taken.id)
    tree.git("reflog", "expire", "--expire=now", "--all")
    tree.git("gc", "-q", "--prune=now")
    assert tree.git("log", "-1", "--format=%s", made) == "by the run\n"
    tree.git("clone", "-q", "--mirror", str(tree.root), str(tmp_path / "mirror.git"))
    assert WorkingTree(tmp_path / "mirror.git").git("cat-file", "-t", made) == "commit\n"
