"""A path that the system cannot take, and of which it says that nothing is there, is named, not lost.

So does Windows before 10.0.15063 with paths of more than 259 characters.
"""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints.snapshot import file_stat
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.filesystem import errors
from patchpoint.filesystem.errors import (
    MissingFileError,
    UnreadableFileError,
    UnwritableFileError,
    reading_problem,
    writing_problem,
)
from patchpoint.filesystem.read import read_file
from tests.checkpoints.snapshot_judge import snapshot_of
from tests.git.git_judge import WorkingTree

LONGEST = 259


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    return WorkingTree.create(tmp_path / "repo")


@pytest.fixture
def short_sighted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the system say of each longer path that nothing is there, until the test ends."""
    monkeypatch.setattr(errors, "longest_path", lambda: LONGEST)
    monkeypatch.setattr(file_stat, "_c_library", lambda: None)
    for name in ("lstat", "stat", "open", "listdir", "scandir"):
        real: Any = getattr(os, name)

        def called(path: Any = ".", *rest: Any, real: Any = real, **more: Any) -> Any:
            if not isinstance(path, int) and len(os.fsdecode(path)) > LONGEST:
                raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), path)
            return real(path, *rest, **more)

        monkeypatch.setattr(os, name, called)


def long_path(tree: WorkingTree, characters: int) -> str:
    """Return a path in the tree whose whole path has that many characters; its folder is short enough."""
    folder = "d" * 100
    return f"{folder}/{'f' * (characters - len(str(tree.root / folder)) - 1)}"


def left_out(snapshot: Snapshot) -> dict[str, str]:
    return {os.fsdecode(each.path): each.reason.name for each in snapshot.skipped}


def test_the_longest_path_that_can_be_taken_is_in_the_checkpoint_and_a_longer_one_is_named(
    tree: WorkingTree, short_sighted: None
) -> None:
    most, more = long_path(tree, LONGEST), long_path(tree, LONGEST + 1)
    folder = os.open(tree.root, os.O_RDONLY)
    os.mkdir(os.path.dirname(most), dir_fd=folder)
    for path in (most, more):
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, dir_fd=folder))
    os.close(folder)
    taken = snapshot_of(tree)
    assert left_out(taken) == {more: "UNREADABLE"}
    assert most in tree.git("ls-tree", "-r", "--name-only", taken.tree).splitlines()


def test_one_that_git_tracks_is_not_taken_for_deleted(
    tree: WorkingTree, request: pytest.FixtureRequest
) -> None:
    path = long_path(tree, LONGEST + 1)
    tree.write({path: "kept\n"})
    tree.commit("with a long path")
    request.getfixturevalue("short_sighted")
    assert left_out(snapshot_of(tree)) == {path: "UNREADABLE"}


def test_a_file_that_is_too_deep_is_not_taken_for_one_that_is_missing(
    tmp_path: Path, short_sighted: None
) -> None:
    deep = tmp_path / ("d" * 250) / "a.py"
    with pytest.raises(UnreadableFileError, match="path is too long for this Windows"):
        read_file(deep)
    with pytest.raises(MissingFileError):
        read_file(tmp_path / "a.py")
    missing = FileNotFoundError(errno.ENOENT, "no such file")
    assert type(writing_problem(deep, missing)) is UnwritableFileError
    assert type(writing_problem(tmp_path / "a.py", missing)) is MissingFileError
    assert type(reading_problem(deep, missing)) is UnreadableFileError
