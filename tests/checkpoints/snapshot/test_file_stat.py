"""What tells that a file was not touched: asked of the C library, and of Python where there is none."""

from __future__ import annotations

import os
import sys
import threading
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints.snapshot import file_stat, file_stat_linux
from patchpoint.checkpoints.snapshot.file_stat import COLUMNS, MISSING, MODE, FileStat, FileStats, stat_files
from patchpoint.checkpoints.snapshot.file_stat_linux import FstatatReader

needs_links = pytest.mark.skipif(sys.platform == "win32", reason="links need a right there")


@pytest.fixture(params=["by the C library", "with Python alone"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr(file_stat, "_FEW", 0)
    if request.param == "with Python alone":
        monkeypatch.setattr(file_stat, "_c_library", lambda: None)
    return str(request.param)


def seen(root: Path, paths: list[bytes]) -> list[FileStat]:
    stats = stat_files(os.fsencode(root), paths)
    modes = [stats.mode(at) for at in range(len(stats))]
    return [(*stats[at][:MODE], modes[at], *stats[at][MODE + 1 :]) for at in range(len(stats))]


def truth(path: Path) -> FileStat:
    status = path.lstat()
    modified, changed = divmod(status.st_mtime_ns, 10**9), divmod(status.st_ctime_ns, 10**9)
    return (status.st_ino, status.st_mode, status.st_size, modified[0] % 2**64, modified[1], *changed)


def test_a_signature_says_what_the_system_says_of_a_file(tmp_path: Path, way: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "grün.txt").write_text("text")
    with (tmp_path / "large").open("wb") as file:
        file.truncate(5 << 30)
    for name, time in (("old", 0), ("before the epoch", -86_400), ("far", 1 << 33)):
        (tmp_path / name).touch()
        os.utime(tmp_path / name, (time, time))
    paths = ["folder", "folder/grün.txt", "large", "old", "before the epoch", "far"]
    assert seen(tmp_path, [os.fsencode(path) for path in paths]) == [truth(tmp_path / path) for path in paths]
    assert seen(tmp_path, [b"."]) == [truth(tmp_path)]


@needs_links
def test_a_link_is_looked_at_itself_but_followed_on_the_way(tmp_path: Path, way: str) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "file").write_text("text")
    (tmp_path / "link").symlink_to("folder")
    (tmp_path / "dangling").symlink_to("nowhere")
    assert seen(tmp_path, [b"link", b"dangling", b"link/file"]) == [
        truth(tmp_path / "link"),
        truth(tmp_path / "dangling"),
        truth(tmp_path / "folder" / "file"),
    ]


def test_a_missing_file_has_no_stat_and_does_not_disturb_its_neighbours(tmp_path: Path, way: str) -> None:
    count = 3_000
    for number in range(0, count, 2):
        (tmp_path / str(number)).touch()
    stats = stat_files(os.fsencode(tmp_path), [b"%d" % number for number in range(count)])
    assert [stats[at] == MISSING for at in range(count)] == [number % 2 == 1 for number in range(count)]
    assert seen(tmp_path, [b"0/below", b"x" * 300, b"0"]) == [MISSING, MISSING, truth(tmp_path / "0")]


def test_both_ways_give_the_same_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    os.link(tmp_path / "file", tmp_path / "its other name")
    paths = [b".", b"file", b"its other name", b"missing"]
    few = stat_files(os.fsencode(tmp_path), paths)
    monkeypatch.setattr(file_stat, "_FEW", 0)
    assert stat_files(os.fsencode(tmp_path), paths) == few


def test_nothing_is_seen_below_a_root_that_is_none(tmp_path: Path, way: str) -> None:
    (tmp_path / "file").touch()
    assert seen(tmp_path / "gone", [b"a", b"b"]) == [MISSING, MISSING]
    assert seen(tmp_path / "file", [b"a"]) == [MISSING]
    assert len(stat_files(os.fsencode(tmp_path), [])) == 0


def test_looking_leaves_no_file_open(tmp_path: Path, way: str) -> None:
    if not os.path.isdir("/proc/self/fd"):
        pytest.skip("only Linux tells which files are open")
    before = set(os.listdir("/proc/self/fd"))
    for _ in range(5):
        stat_files(os.fsencode(tmp_path), [b"."])
    assert set(os.listdir("/proc/self/fd")) == before


@pytest.mark.parametrize("chosen", [[], [0], [127, 128], [5, 300, 999], list(range(1_000))])
def test_what_changed_is_found_wherever_it_is(chosen: list[int]) -> None:
    before = FileStats()
    before.extend([(at, 0o100644, at * 7, 1, at, 2, at) for at in range(1_000)])
    after = FileStats([column[:] for column in before.columns])
    for number, at in enumerate(chosen):
        after.columns[number % COLUMNS][at] += 1
    assert after.changed_since(before) == chosen
    assert before.changed_since(after) == chosen


@pytest.mark.parametrize("chosen", [[], [0], [127, 128], list(range(3, 1_000, 7)), list(range(1_000))])
def test_the_modes_of_many_files_are_counted(chosen: list[int]) -> None:
    stats = FileStats()
    stats.extend([(at, 0o100755 if at in chosen else 0o100644, 0, 0, 0, 0, 0) for at in range(1_000)])
    assert +stats.modes() == +Counter({0o100755: len(chosen), 0o100644: 1_000 - len(chosen)})
    assert FileStats().modes() == Counter()


@pytest.mark.skipif(sys.platform != "linux", reason="special files, and names that other systems refuse")
def test_a_whole_tree_is_seen_as_one_by_one(tmp_path: Path, way: str) -> None:
    shut = tmp_path / "shut"
    for folder in (tmp_path / "a" / "b", shut):
        folder.mkdir(parents=True)
    os.mkfifo(tmp_path / "a" / "fifo")
    (tmp_path / "a" / "link").symlink_to("b")
    (tmp_path / "a" / "b" / "loop").symlink_to("loop")
    (shut / "file").write_text("x")
    strange = os.fsencode(tmp_path) + b"/a/\xff\n name"
    with open(strange, "wb"):
        pass
    paths = [
        b"a",
        b"a/b",
        b"a/fifo",
        b"a/link",
        b"a/b/loop",
        b"a/\xff\n name",
        b"shut",
        b"shut/file",
        b"gone",
    ]
    shut.chmod(0)
    try:
        expected = []
        for path in paths:
            try:
                expected.append(truth(tmp_path / os.fsdecode(path)))
            except OSError:
                expected.append(MISSING)
        assert seen(tmp_path, paths) == expected
    finally:
        shut.chmod(0o700)


def refuse_to_start(thread: threading.Thread) -> None:
    raise RuntimeError("can't start new thread")


@pytest.mark.skipif(not FstatatReader.load(), reason="only Linux's stats are taken so")
@pytest.mark.parametrize("help_", ["of another thread", "that fails", "that cannot begin", "of nobody"])
def test_many_files_are_seen_in_their_order_with_the_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, help_: str
) -> None:
    count = 400
    for number in range(count):
        (tmp_path / str(number)).write_bytes(b"x" * number)
    (tmp_path / "7").unlink()
    monkeypatch.setattr(file_stat_linux, "_BATCH", 16)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0} if help_ == "of nobody" else {0, 1})
    looked: set[int] = set()
    look, helped, here = FstatatReader._look, threading.Event(), threading.get_ident()

    def looking(reader: FstatatReader, *of: Any) -> None:
        looked.add(threading.get_ident())
        if threading.get_ident() != here:
            if help_ == "that fails":
                of[2].popleft()
                helped.set()
                raise MemoryError
            of[2].append(of[2].popleft())
            helped.set()
        elif help_ in ("of another thread", "that fails"):
            assert helped.wait(60)
        look(reader, *of)

    monkeypatch.setattr(FstatatReader, "_look", looking)
    if help_ == "that cannot begin":
        monkeypatch.setattr(threading.Thread, "start", refuse_to_start)
    seen_now = seen(tmp_path, [b"%d" % number for number in range(count)])
    assert seen_now == [MISSING if number == 7 else truth(tmp_path / str(number)) for number in range(count)]
    assert len(looked) == (2 if help_ in ("of another thread", "that fails") else 1)
    assert here in looked
    assert not any(each.name == "stats" for each in threading.enumerate())
