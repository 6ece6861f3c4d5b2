from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from patchpoint.checkpoints.diff import file_differences, hunks_of, revert_hunk
from patchpoint.checkpoints.errors import HunkNotFoundError
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.text.file_operation import FileOperation
from tests.git.git_judge import WorkingTree


def differences(tree: WorkingTree, old: str, new: str) -> dict[str, tuple[FileOperation, str]]:
    repository = Repository.open(tree.root)
    objects = ObjectReader(repository)
    old_tree, new_tree = (
        ObjectID(tree.git("rev-parse", f"{commit}^{{tree}}").strip().encode()) for commit in (old, new)
    )
    found = file_differences(objects, objects.changes(old_tree, new_tree))
    return {each.path: (each.operation, each.diff) for each in found}


def test_only_the_files_that_differ_are_shown(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"a.txt": "one\n2\nthree\n", "new/c.txt": "c\n", "src/b.txt": None})
    tree.commit("second")
    found = differences(tree, "HEAD^", "HEAD")
    assert {path: operation for path, (operation, _) in found.items()} == {
        "a.txt": FileOperation.UPDATE,
        "new/c.txt": FileOperation.CREATE,
        "src/b.txt": FileOperation.DELETE,
    }


def test_the_diff_of_a_text_file_is_what_git_prints(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"a.txt": "one\n2\nthree"})
    tree.commit("second")
    ours = differences(tree, "HEAD^", "HEAD")["a.txt"][1]
    theirs = tree.git("diff", "HEAD^", "HEAD")
    assert [line for line in theirs.splitlines() if not line.startswith("index ")] == ours.splitlines()


def test_a_moved_file_is_a_rename(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    (tree.root / "a.txt").rename(tree.root / "moved.txt")
    tree.commit("second")
    repository = Repository.open(tree.root)
    objects = ObjectReader(repository)
    trees = [
        ObjectID(tree.git("rev-parse", f"{name}^{{tree}}").strip().encode()) for name in ("HEAD^", "HEAD")
    ]
    (only,) = file_differences(objects, objects.changes(trees[0], trees[1]))
    assert (only.operation, only.path, only.new_path) == (FileOperation.RENAME, "a.txt", "moved.txt")


def test_a_binary_file_is_said_to_be_one(tmp_path: Path) -> None:
    tree = WorkingTree.create(tmp_path / "repo")
    tree.write({"a.txt": b"\0\1\2"})
    tree.commit("second")
    assert "Binary files a/a.txt and b/a.txt differ" in differences(tree, "HEAD^", "HEAD")["a.txt"][1]


_NAMES = st.sampled_from(["a.txt", "d/x", "d/y", "d/e/z", "tab\there", 'quo"te', "ünï", "sp ace"])
_CONTENTS = st.sampled_from(
    [
        b"",
        b"x\n",
        b"x",
        b"1\n2\n3\n4\n5\n6\n7\n8\n9\n",
        b"1\n2\n3\nX\n5\n6\n7\n8\n9",
        b"a\r\nb\r\n",
        b"a\x0cb\n",
    ]
)


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(old=st.dictionaries(_NAMES, _CONTENTS), new=st.dictionaries(_NAMES, _CONTENTS))
def test_git_applies_the_diffs_of_one_tree_to_another(
    tmp_path_factory: pytest.TempPathFactory, old: dict[str, bytes], new: dict[str, bytes]
) -> None:
    tree = WorkingTree.create(tmp_path_factory.mktemp("diff") / "repo")
    for files in (old, new):
        tree.git("rm", "-q", "-r", "-f", "--ignore-unmatch", ".")
        tree.write(files)
        tree.git("add", "-A", "-f")
        tree.git("commit", "-q", "--allow-empty", "-m", "state")
    patch = "".join(diff for _, diff in differences(tree, "HEAD^", "HEAD").values())
    tree.git("checkout", "-q", "HEAD^")
    if patch:
        (tree.root.parent / "patch").write_bytes(patch.encode())
        tree.git("apply", "--index", str(tree.root.parent / "patch"))
    assert tree.git("write-tree") == tree.git("rev-parse", "main^{tree}")


_LINES = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n", "d\r\n"]), max_size=40)


@settings(deadline=None)
@given(old=_LINES, new=_LINES)
def test_taking_back_every_hunk_gives_the_old_text(old: list[str], new: list[str]) -> None:
    before, after = "".join(old).encode(), "".join(new).encode()
    for _ in range(100):
        hunks = hunks_of(before, after)
        if not hunks:
            break
        after = revert_hunk(before, after, hunks[0])
    assert after == before


def test_text_in_an_unknown_encoding_shows_and_comes_back() -> None:
    old, new = b"caf\xe9\nx\n", b"caf\xe9s\nx\n"
    (hunk,) = hunks_of(old, new)
    assert "+cafés\n" in hunk
    assert revert_hunk(old, new, hunk) == old


def test_a_hunk_that_is_not_there_any_more_is_refused() -> None:
    (hunk,) = hunks_of(b"1\n2\n", b"1\nx\n")
    with pytest.raises(HunkNotFoundError):
        revert_hunk(b"1\n2\n", b"1\ny\n", hunk)
