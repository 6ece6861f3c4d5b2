"""Two files get each other's names, or nothing is done."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from patchpoint.filesystem import open_directory
from patchpoint.filesystem.open_directory import OpenDirectory


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Two folders with a file each."""
    for name in ("one", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / f"{name}.txt").write_text(name)
    return tmp_path / "one", tmp_path / "other"


def exchanged(folders: tuple[Path, Path], name: bytes = b"one.txt") -> bool:
    one, other = folders
    with OpenDirectory(one) as first, OpenDirectory(other) as second:
        return first.exchange(name, b"other.txt", second)


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux can exchange names")
def test_both_files_are_there_under_each_others_names(folders: tuple[Path, Path]) -> None:
    one, other = folders
    numbers = (one / "one.txt").stat().st_ino, (other / "other.txt").stat().st_ino
    assert exchanged(folders)
    assert ((one / "one.txt").read_text(), (other / "other.txt").read_text()) == ("other", "one")
    assert ((other / "other.txt").stat().st_ino, (one / "one.txt").stat().st_ino) == numbers


def test_nothing_is_done_where_one_of_them_is_missing(folders: tuple[Path, Path]) -> None:
    assert not exchanged(folders, b"missing.txt")
    assert [path.name for folder in folders for path in folder.iterdir()] == ["one.txt", "other.txt"]
    assert folders[1].joinpath("other.txt").read_text() == "other"


def test_nothing_is_done_where_the_system_cannot(
    folders: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(open_directory, "_renameat2", lambda: None)
    assert not exchanged(folders)
    assert folders[0].joinpath("one.txt").read_text() == "one"
