import errno
import os
import stat
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from patchpoint.filesystem import open_directory
from patchpoint.filesystem.atomic_write import (
    Durability,
    put_in_place,
    rename_durably,
    rename_new,
    rename_over,
    write_atomically,
    write_new,
)
from patchpoint.filesystem.errors import writing_problem
from patchpoint.filesystem.open_directory import OpenDirectory, StagedFile

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")


def names(directory: Path) -> list[str]:
    return sorted(entry.name for entry in directory.iterdir())


@pytest.mark.parametrize("durability", Durability)
def test_content_is_replaced_whole_and_nothing_is_left_over(tmp_path: Path, durability: Durability) -> None:
    file = tmp_path / "file"
    write_atomically(file, b"old", durability=durability)
    write_atomically(file, [b"ne", b"w"], durability=durability)
    assert file.read_bytes() == b"new"
    assert names(tmp_path) == ["file"]


@posix_only
@pytest.mark.skipif(os.name == "nt", reason="there are no FIFOs")
def test_what_is_not_a_regular_file_is_not_replaced(tmp_path: Path) -> None:
    place = tmp_path / "fifo"
    os.mkfifo(place)
    with pytest.raises(OSError, match="not a regular file"):
        write_atomically(place, b"new")
    assert place.is_fifo()
    assert [one.name for one in tmp_path.iterdir()] == ["fifo"]


def test_a_file_gets_its_permissions_less_the_umask(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_atomically(tmp_path / "file", b"", permissions=0o666)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o640


def test_when_a_write_fails_the_old_content_stays(tmp_path: Path) -> None:
    def failing() -> object:
        yield b"half"
        raise OSError(5, "Input/output error")

    file = tmp_path / "file"
    file.write_bytes(b"old")
    with pytest.raises(OSError, match="Input/output"):
        write_atomically(file, failing())  # type: ignore[arg-type]
    assert file.read_bytes() == b"old"
    assert names(tmp_path) == ["file"]


def test_a_temporary_file_that_a_dead_process_left_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "file.new").write_bytes(b"half of a longer content")
    write_atomically(tmp_path / "file", b"new", temporary="file.new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert names(tmp_path) == ["file"]


@posix_only
def test_a_link_with_the_name_of_the_temporary_file_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "outside").write_bytes(b"outside")
    (tmp_path / "file.new").symlink_to("outside")
    write_atomically(tmp_path / "file", b"new", temporary="file.new")
    assert (tmp_path / "outside").read_bytes() == b"outside"
    assert not (tmp_path / "file").is_symlink()


@posix_only
def test_a_directory_swapped_for_a_link_leads_nothing_astray(tmp_path: Path) -> None:
    inside, outside = tmp_path / "inside", tmp_path / "outside"
    inside.mkdir()
    outside.mkdir()
    with OpenDirectory(inside) as directory:
        staged = directory.create_temporary(b"tmp_")
        staged.write(b"new")
        inside.rename(tmp_path / "moved")
        inside.symlink_to("outside")
        put_in_place([(staged, b"file")])
    assert names(outside) == []
    assert names(tmp_path / "moved") == ["file"]


@posix_only
def test_a_file_that_is_removed_first_is_there_until_the_new_one_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "file"
    for content in (b"first", b"second"):
        write_atomically(place, content, durability=Durability.NONE, removes_first=True)
        assert place.read_bytes() == content
    write, rename = StagedFile.write, StagedFile.rename_over

    def failing(file: StagedFile, piece: bytes) -> None:
        write(file, piece)
        raise OSError(errno.ENOSPC, "full")

    def looking(file: StagedFile, name: bytes) -> None:
        assert not place.exists()
        rename(file, name)

    with monkeypatch.context() as patched:
        patched.setattr(StagedFile, "write", failing)
        with pytest.raises(OSError, match="full"):
            write_atomically(place, b"third", removes_first=True)
    assert place.read_bytes() == b"second"
    monkeypatch.setattr(StagedFile, "rename_over", looking)
    write_atomically(place, b"third", removes_first=True)
    assert place.read_bytes() == b"third"
    assert names(tmp_path) == ["file"]


def test_several_files_get_their_names_together_and_what_fails_can_be_discarded(tmp_path: Path) -> None:
    with OpenDirectory(tmp_path) as directory:
        files = [(directory.create_temporary(b"tmp_"), name) for name in (b"one", b"two", b"no/three")]
        for file, name in files:
            file.write(name)
        with pytest.raises(OSError, match="tmp_"):
            put_in_place(files)
        for file, _ in files:
            file.discard()
    assert names(tmp_path) == ["one", "two"]


def test_while_several_files_are_waited_for_something_else_is_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    working, synced, sync = threading.Event(), [], StagedFile.sync

    def waiting(file: StagedFile) -> None:
        assert working.wait(60)
        sync(file)
        synced.append(file.name)

    monkeypatch.setattr(StagedFile, "sync", waiting)
    with OpenDirectory(tmp_path) as directory:
        files = [(directory.create_temporary(b"tmp_"), name) for name in (b"one", b"two")]

        def work() -> None:
            assert names(tmp_path) == sorted(os.fsdecode(file.name) for file, _ in files)
            working.set()

        before = {file.name for file, _ in files}
        put_in_place(files, work)
    assert set(synced) == before
    assert names(tmp_path) == ["one", "two"]


def test_a_file_that_cannot_be_synchronised_gets_no_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sync = StagedFile.sync

    def failing(file: StagedFile) -> None:
        if file is files[1][0]:
            raise OSError(errno.EIO, "the disk fails")
        sync(file)

    monkeypatch.setattr(StagedFile, "sync", failing)
    with OpenDirectory(tmp_path) as directory:
        files = [(directory.create_temporary(b"tmp_"), name) for name in (b"one", b"two")]
        with pytest.raises(OSError, match="the disk fails"):
            put_in_place(files)
        for file, _ in files:
            file.discard()
    assert names(tmp_path) == []


@posix_only
def test_without_directory_descriptors_paths_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchpoint.filesystem.open_directory._HAS_DIR_FD", False)
    write_atomically(tmp_path / "one", b"1")
    write_new(tmp_path / "two", b"2", exactly=0o600)
    rename_over(tmp_path / "two", tmp_path / "one")
    rename_new(tmp_path / "one", tmp_path / "three")
    rename_durably(tmp_path, "three", "four")
    assert {name: (tmp_path / name).read_bytes() for name in names(tmp_path)} == {"four": b"2"}


@posix_only
def test_a_directory_that_may_not_be_listed_can_be_written() -> None:
    with tempfile.TemporaryDirectory() as folder:
        closed = Path(folder)
        nobody = 65534 if os.geteuid() == 0 else os.geteuid()
        os.chown(closed, nobody, -1)
        closed.chmod(0o300)
        before = os.geteuid()
        os.seteuid(nobody)
        try:
            write_atomically(closed / "file", b"new")
        finally:
            os.seteuid(before)
            closed.chmod(0o700)
        assert names(closed) == ["file"]


@pytest.mark.parametrize("rename", [rename_over, rename_new])
def test_a_rename_between_directories(rename: Callable[[Path, Path], None], tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    (tmp_path / "a/file").write_bytes(b"content")
    rename(tmp_path / "a/file", tmp_path / "b/other")
    assert (names(tmp_path / "a"), names(tmp_path / "b")) == ([], ["other"])


def test_a_taken_name_is_kept_by_rename_new(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def unsupported(*_: object, **__: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    (tmp_path / "one").write_bytes(b"1")
    (tmp_path / "two").write_bytes(b"2")
    with pytest.raises(FileExistsError):
        rename_new(tmp_path / "one", tmp_path / "two")
    monkeypatch.setattr(os, "link", unsupported)
    with pytest.raises(FileExistsError):
        rename_new(tmp_path / "one", tmp_path / "two")
    assert (tmp_path / "two").read_bytes() == b"2"
    rename_new(tmp_path / "one", tmp_path / "three")
    assert names(tmp_path) == ["three", "two"]


def test_an_error_names_the_whole_path(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError) as caught:
        rename_over(tmp_path / "gone", tmp_path / "file")
    assert caught.value.filename == str(tmp_path / "gone")
    with pytest.raises(FileNotFoundError) as caught:
        write_atomically(tmp_path / "no" / "file", b"")
    assert caught.value.filename == str(tmp_path / "no")


class SharingViolationError(PermissionError):
    """What Windows raises for a file that another program has open."""

    winerror = 32


@pytest.mark.parametrize("act", ["replace", "unlink"])
@pytest.mark.parametrize(("times", "waited"), [(0, 0), (3, 3), (7, 7)])
def test_a_file_that_another_program_has_open_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, act: str, times: int, waited: int
) -> None:
    pauses = refused(monkeypatch, act, times)
    (tmp_path / "file").write_bytes(b"old")
    with OpenDirectory(tmp_path) as directory:
        if act == "replace":
            directory.rename_over(b"file", b"other")
        else:
            directory.remove(b"file")
    assert not (tmp_path / "file").exists()
    assert len(pauses) == waited
    assert sum(pauses) < 3
    assert pauses == sorted(pauses)


def test_one_that_stays_open_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = refused(monkeypatch, "replace", 1000)
    (tmp_path / "file").write_bytes(b"old")
    with pytest.raises(PermissionError) as raised:
        write_atomically(tmp_path / "file", b"new")
    assert 1 < sum(pauses) < 3
    assert str(tmp_path / "file") in str(raised.value.filename)
    assert "another program has it open" in str(writing_problem(tmp_path / "file", raised.value))
    assert (tmp_path / "file").read_bytes() == b"old"


def test_what_is_forbidden_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pauses = refused(monkeypatch, "unlink", 1, PermissionError)
    with OpenDirectory(tmp_path) as directory, pytest.raises(PermissionError):
        directory.remove(b"file")
    assert pauses == []


class AccessDeniedError(PermissionError):
    """What Windows raises for a file that is read-only."""

    winerror = 5


@pytest.mark.parametrize("by_path", [False, True])
def test_a_file_that_windows_holds_read_only_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, by_path: bool
) -> None:
    monkeypatch.setattr("patchpoint.filesystem.open_directory._HAS_DIR_FD", False)
    place = tmp_path / "pack"
    place.write_bytes(b"")
    place.chmod(0o444)
    unlink = os.unlink

    def of_windows(path: Path, **options: object) -> None:
        if not os.stat(path).st_mode & stat.S_IWRITE:  # noqa: PTH116
            raise AccessDeniedError(errno.EACCES, "Access denied")
        unlink(path)

    monkeypatch.setattr(os, "unlink", of_windows)
    monkeypatch.setattr(open_directory, "wait", lambda pause: None)
    if by_path:
        open_directory.remove_file(place)
    else:
        with OpenDirectory(tmp_path) as directory:
            directory.remove(b"pack")
    assert names(tmp_path) == []


@posix_only
def test_a_junction_of_windows_is_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchpoint.filesystem.open_directory._HAS_DIR_FD", False)
    (tmp_path / "junction").mkdir()
    (tmp_path / "folder").mkdir()
    lstat = OpenDirectory.status

    def of_windows(directory: OpenDirectory, name: bytes) -> SimpleNamespace:
        mode = lstat(directory, name).st_mode
        return SimpleNamespace(st_mode=mode, st_reparse_tag=0xA0000003 if name == b"junction" else 0)

    monkeypatch.setattr(OpenDirectory, "status", of_windows)
    with OpenDirectory(tmp_path) as directory:
        directory.subdirectory(b"folder").close()
        with pytest.raises(NotADirectoryError):
            directory.subdirectory(b"junction")


def refused(
    monkeypatch: pytest.MonkeyPatch,
    act: str,
    times: int,
    error: type[PermissionError] = SharingViolationError,
) -> list[float]:
    """Have one of the system's calls fail some times; the pauses that are made, without making them."""
    pauses: list[float] = []
    monkeypatch.setattr(open_directory, "wait", pauses.append)
    real, left = getattr(os, act), [times]

    def fail(*arguments: object, **options: object) -> None:
        if left[0]:
            left[0] -= 1
            raise error(errno.EACCES, "Access denied")
        real(*arguments, **options)

    monkeypatch.setattr(os, act, fail)
    return pauses


@pytest.mark.skipif(os.name == "nt", reason="macOS has this")
def test_where_the_disk_has_a_memory_of_its_own_that_is_written_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import fcntl

    asked: list[tuple[str, int]] = []
    monkeypatch.setattr(fcntl, "F_FULLFSYNC", 51, raising=False)
    monkeypatch.setattr(fcntl, "fcntl", lambda _, code: asked.append(("full", code)))
    monkeypatch.setattr(os, "fsync", lambda _: asked.append(("plain", 0)))
    write_atomically(tmp_path / "file", b"new")
    assert asked == [("full", 51)] * 2  # the file, and its directory

    def unknown(_: int, __: int) -> None:
        raise OSError(errno.ENOTSUP, "not supported")

    asked.clear()
    monkeypatch.setattr(fcntl, "fcntl", unknown)
    write_atomically(tmp_path / "file", b"newer")
    assert asked == [("plain", 0)] * 2
