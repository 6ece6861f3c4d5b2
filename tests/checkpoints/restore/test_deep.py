"""Directories nested deeper than Python's calls may be: as deep as a path reaches."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.restore.plan import directories_above
from tests.git.git_judge import WorkingTree

_LEVELS = 1100
_DEEP = "d/" * _LEVELS


@pytest.fixture(autouse=True)
def removed(tmp_path: Path) -> Iterator[None]:
    """Remove the deep directories: what pytest removes its own with is recursive."""
    yield
    subprocess.run(["rm", "-rf", *tmp_path.iterdir()], check=True)


@pytest.fixture
def deep(tree: WorkingTree) -> WorkingTree:
    """A repository with one file, one ignored file and their rules below `_LEVELS` directories."""
    make_directories(tree.root)
    tree.write({_DEEP + "leaf": "leaf\n", _DEEP + ".gitignore": "*.tmp\n", _DEEP + "a.tmp": "ignored\n"})
    return tree


def make_directories(root: Path) -> None:
    above = os.open(root, os.O_RDONLY)
    for _ in range(_LEVELS):
        os.mkdir("d", dir_fd=above)
        made = os.open("d", os.O_RDONLY, dir_fd=above)
        os.close(above)
        above = made
    os.close(above)


def test_a_deep_file_comes_back(deep: WorkingTree) -> None:
    store = CheckpointStore.open(deep.root)
    before = store.take(buffers={_DEEP + "leaf": "unsaved\n"})
    subprocess.run(["rm", "-rf", str(deep.root / "d")], check=True)
    store.restore(before.id)
    assert (deep.root / _DEEP / "leaf").read_text() == "leaf\n"
    store.undo()
    assert not (deep.root / "d").exists()


def test_a_named_deep_file_comes_back_and_a_new_one_goes(deep: WorkingTree) -> None:
    store = CheckpointStore.open(deep.root)
    before = store.take()
    deep.write({_DEEP + "leaf": "changed\n", _DEEP + "new": "new\n", "a.txt": "changed\n"})
    store.restore(before.id, paths=["d"])
    assert (deep.root / _DEEP / "leaf").read_text() == "leaf\n"
    assert not (deep.root / _DEEP / "new").exists()
    assert (deep.root / "a.txt").read_text() == "changed\n"


def test_changed_rules_of_a_deep_directory_are_read(deep: WorkingTree) -> None:
    CheckpointStore.open(deep.root).take()
    deep.write({_DEEP + ".gitignore": "leaf\n", _DEEP + "later": "later\n"})
    store = CheckpointStore.open(deep.root)
    taken = store.take()
    assert store.read(taken.id, _DEEP + "a.tmp") == b"ignored\n"
    assert taken.id == store.list()[0].id


def test_a_file_in_place_of_deep_directories_is_replaced_by_them(deep: WorkingTree) -> None:
    store = CheckpointStore.open(deep.root)
    before = store.take()
    subprocess.run(["rm", "-rf", str(deep.root / "d")], check=True)
    deep.write({"d": "a file\n"})
    in_between = store.take()
    store.restore(before.id)
    assert (deep.root / _DEEP / "leaf").read_text() == "leaf\n"
    (deep.root / _DEEP / "a.tmp").unlink(missing_ok=True)
    store.restore(in_between.id)
    assert (deep.root / "d").read_text() == "a file\n"


def test_empty_deep_directories_make_way_for_a_file(tree: WorkingTree) -> None:
    tree.write({"d": "a file\n"})
    store = CheckpointStore.open(tree.root)
    before = store.take()
    (tree.root / "d").unlink()
    make_directories(tree.root)
    store.restore(before.id)
    assert (tree.root / "d").read_text() == "a file\n"


def test_the_deep_files_of_a_repository_are_checked_and_measured(deep: WorkingTree) -> None:
    store = CheckpointStore.open(deep.root)
    store.take()
    left = deep.root / _DEEP / ".patchpoint-06abcdefghjkmn-1"
    left.write_text("left behind")
    [found] = store.doctor(repair=True).findings
    assert found.code == "left-behind"
    assert not left.exists()
    assert store.disk_use().total > 0


def test_what_a_private_store_needs_is_found_at_any_depth(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    root = tmp_path / "plain"
    root.mkdir()
    make_directories(root)
    (root / _DEEP / "leaf").write_text("leaf\n")
    store = CheckpointStore.open(root)
    assert store.is_private
    kept, gone = store.take(), store.take()
    store.delete(gone.id)
    (root / _DEEP / "leaf").unlink()
    store.restore(kept.id)
    assert (root / _DEEP / "leaf").read_text() == "leaf\n"


def test_the_directories_above_a_path_are_listed_innermost_first() -> None:
    assert directories_above(b"a/b/c") == (b"a/b", b"a")
    assert directories_above(b"a") == ()
    deep = directories_above(os.fsencode(_DEEP + "leaf"))
    assert (len(deep), deep[-1]) == (_LEVELS, b"d")
