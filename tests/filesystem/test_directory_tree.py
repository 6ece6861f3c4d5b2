"""Directories are reached from a root without following links, however deep, and with few files open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint.filesystem.directory_tree import DirectoryTree
from patchpoint.filesystem.open_directory import OpenDirectory

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")


@posix_only
@pytest.mark.parametrize("known_by_descriptor", [True, False])
def test_no_link_is_followed_on_the_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, known_by_descriptor: bool
) -> None:
    monkeypatch.setattr("patchpoint.filesystem.open_directory._HAS_DIR_FD", known_by_descriptor)
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a")
    (tmp_path / "a/file").write_bytes(b"")
    tree = DirectoryTree(tmp_path)
    assert tree.at(b"a/b").path == os.fsencode(tmp_path / "a/b")
    for path in (b"link", b"link/b", b"a/file", b"a/file/x"):
        with pytest.raises(NotADirectoryError):
            tree.at(path)
    with pytest.raises(FileNotFoundError):
        tree.at(b"a/missing")
    tree.close()
    with OpenDirectory(tmp_path) as root, pytest.raises(NotADirectoryError):
        root.below(b"link/b")


@posix_only
def test_a_directory_that_was_swapped_is_not_taken_for_the_one_that_was_open(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/old").touch()
    tree = DirectoryTree(tmp_path)
    assert tree.at(b"a/b").has(b"old")
    (tmp_path / "a").rename(tmp_path / "moved")
    with pytest.raises(FileNotFoundError):
        tree.at(b"a/b")
    (tmp_path / "a/b").mkdir(parents=True)
    assert not tree.at(b"a/b").has(b"old")
    (tmp_path / "a").rename(tmp_path / "again")
    (tmp_path / "a").symlink_to("moved")
    with pytest.raises(NotADirectoryError):
        tree.at(b"a/b")
    tree.close()


def test_missing_directories_are_created_on_request(tmp_path: Path) -> None:
    tree = DirectoryTree(tmp_path)
    directory, name = tree.of(b"a/b/c/file", create=True)
    directory.write_new(name, b"content")
    tree.close()
    assert (tmp_path / "a/b/c/file").read_bytes() == b"content"


@pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="open files are counted there")
def test_few_files_are_open_however_deep_it_is(tmp_path: Path) -> None:
    deep = b"/".join([b"d"] * 200)
    before = len(list(Path("/proc/self/fd").iterdir()))
    tree = DirectoryTree(tmp_path)
    for _ in range(2):
        tree.at(deep, create=True)
        assert len(list(Path("/proc/self/fd").iterdir())) - before < 50
        tree.remove_empty(b"d")
        assert list(tmp_path.iterdir()) == []
    tree.close()
    assert len(list(Path("/proc/self/fd").iterdir())) == before


def test_only_what_is_empty_is_removed(tmp_path: Path) -> None:
    (tmp_path / "a/b/c").mkdir(parents=True)
    (tmp_path / "a/b/file").touch()
    tree = DirectoryTree(tmp_path)
    with pytest.raises(OSError, match="not empty"):
        tree.remove_empty(b"a")
    tree.close()
    assert (tmp_path / "a/b/c").is_dir()
    assert (tmp_path / "a/b/file").exists()
