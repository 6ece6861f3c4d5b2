import codecs
import os
import resource
import socket
import stat
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from patchpoint.filesystem.errors import (
    BinaryFileError,
    DiskFullError,
    ExistingFileError,
    FileError,
    MissingFileError,
    NotRegularFileError,
    ReadOnlyFileError,
    StaleFileError,
    TooLargeFileError,
    UnencodableTextError,
    UnknownEncodingFileError,
    UnreadableFileError,
    UnwritableFileError,
)
from patchpoint.filesystem.read import read_file, read_unchanged
from patchpoint.filesystem.write import write_file

posix_only = pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")
BODIES = {
    "LF": b"one\ntwo\n",
    "CRLF": b"one\r\ntwo\r\n",
    "mixed endings": b"one\r\ntwo\nthree\r",
    "no final newline": b"one\ntwo",
    "a byte-order mark": codecs.BOM_UTF8 + b"one\ntwo\n",
    "UTF-16 LE": codecs.BOM_UTF16_LE + "one\r\ntwö\r\n".encode("utf-16-le"),
    "UTF-16 BE": codecs.BOM_UTF16_BE + "one\ntwö\n".encode("utf-16-be"),
    "Latin-1": "one\ndéjà vu\n".encode("latin-1"),
    "Windows-1252": "one\n“two”\n".encode("cp1252"),
    "form feeds": b"one\x0ctwo\x0b\n",
    "nothing": b"",
}


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "file.txt"
    path.write_bytes(b"one\ntwo\n")
    return path


@pytest.fixture
def as_nobody() -> Iterator[Path]:
    """A folder of a user who is not root, the test being run as that user: root may do everything."""
    with tempfile.TemporaryDirectory() as folder:
        nobody = 65534 if os.geteuid() == 0 else os.geteuid()
        os.chown(folder, nobody, -1)
        before = os.geteuid()
        os.seteuid(nobody)
        try:
            yield Path(folder)
        finally:
            os.seteuid(before)
            Path(folder).chmod(0o755)


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


@pytest.mark.parametrize("body", BODIES.values(), ids=BODIES)
def test_a_file_survives_a_round_trip_byte_for_byte(body: bytes, tmp_path: Path) -> None:
    path = tmp_path / "file.txt"
    path.write_bytes(body)
    was = read_file(path)
    write_file(path, was.text + "x", was)
    now = read_file(path)
    assert (now.encoding, now.bom, now.text) == (was.encoding, was.bom, was.text + "x")
    write_file(path, was.text, now)
    assert path.read_bytes() == body
    assert names(tmp_path) == ["file.txt"]


def test_what_was_written_is_what_would_be_read(file: Path) -> None:
    written = write_file(file, "new\n", read_file(file))
    assert written == read_file(file)


@posix_only
@pytest.mark.parametrize("mode", [0o600, 0o644, 0o755, 0o664, 0o2750])
def test_the_mode_is_kept(file: Path, mode: int) -> None:
    file.chmod(mode)
    write_file(file, "new\n", read_file(file))
    assert stat.S_IMODE(file.stat().st_mode) == mode


@posix_only
def test_a_new_file_gets_the_mode_of_any_new_file(tmp_path: Path) -> None:
    before = os.umask(0o027)
    try:
        write_file(tmp_path / "new.txt", "new\n", None)
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "new.txt").stat().st_mode) == 0o640


@pytest.mark.skipif(not hasattr(os, "setxattr"), reason="no extended attributes here")
def test_extended_attributes_are_kept(file: Path) -> None:
    try:
        os.setxattr(file, "user.origin", b"kept")
    except OSError:
        pytest.skip("this file system has no extended attributes")
    write_file(file, "new\n", read_file(file))
    assert os.getxattr(file, "user.origin") == b"kept"


@posix_only
def test_access_and_attributes_of_a_file_of_macos_are_kept(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied: list[tuple[bytes, bytes, int]] = []

    def fcopyfile(source: int, target: int, flags: int) -> None:
        copied.append((os.pread(source, 100, 0), os.pread(target, 100, 0), flags))

    monkeypatch.delattr(os, "listxattr", raising=False)
    monkeypatch.setattr("posix._fcopyfile", fcopyfile, raising=False)
    before = file.read_bytes()
    write_file(file, "new\n", read_file(file))
    assert copied == [(before, b"new\n", 0b101)]
    assert file.read_bytes() == b"new\n"


@posix_only
def test_a_symbolic_link_stays_one_and_its_file_is_written(file: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.txt"
    link.symlink_to("file.txt")
    write_file(link, "new\n", read_file(link))
    assert link.is_symlink()
    assert file.read_bytes() == b"new\n"


def test_a_file_that_changed_after_it_was_read_is_left_alone(file: Path, tmp_path: Path) -> None:
    was = read_file(file)
    file.write_bytes(b"somebody else's\n")
    with pytest.raises(StaleFileError, match="has changed on disk since it was read"):
        write_file(file, "new\n", was)
    assert file.read_bytes() == b"somebody else's\n"
    assert names(tmp_path) == ["file.txt"]


def test_a_file_that_changes_while_the_new_content_is_staged_is_left_alone(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    was = read_file(file)
    monkeypatch.setattr(os, "fsync", lambda _: file.write_bytes(b"somebody else's\n"))
    with pytest.raises(StaleFileError):
        write_file(file, "new\n", was)
    assert file.read_bytes() == b"somebody else's\n"
    assert names(tmp_path) == ["file.txt"]


def test_a_change_of_the_same_size_and_time_is_noticed(file: Path) -> None:
    was, status = read_file(file), file.stat()
    file.write_bytes(b"ONE\nTWO\n")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    with pytest.raises(StaleFileError):
        write_file(file, "new\n", was)


def test_a_file_that_was_only_touched_has_not_changed(file: Path) -> None:
    was = read_file(file)
    os.utime(file, ns=(1, 1))
    assert read_unchanged(file, was.identity).data == b"one\ntwo\n"


def test_a_file_deleted_after_it_was_read_does_not_come_back(file: Path, tmp_path: Path) -> None:
    was = read_file(file)
    file.unlink()
    with pytest.raises(StaleFileError, match="has been deleted since"):
        write_file(file, "new\n", was)
    assert names(tmp_path) == []


def test_a_new_file_never_replaces_one_that_is_there(file: Path, tmp_path: Path) -> None:
    with pytest.raises(ExistingFileError, match="already exists"):
        write_file(file, "new\n", None)
    assert file.read_bytes() == b"one\ntwo\n"
    assert names(tmp_path) == ["file.txt"]


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"gone\.txt does not exist"):
        read_file(tmp_path / "gone.txt")
    with pytest.raises(MissingFileError):
        read_file(tmp_path / "nul\0byte")


def test_a_path_below_a_file_does_not_exist(file: Path) -> None:
    with pytest.raises(MissingFileError):
        read_file(file / "below.txt")


def test_a_folder_is_no_file(tmp_path: Path) -> None:
    with pytest.raises(NotRegularFileError, match="is a folder"):
        read_file(tmp_path)


@posix_only
def test_devices_pipes_and_sockets_are_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(NotRegularFileError, match="is a named pipe"):
        read_file(tmp_path / "pipe")
    with pytest.raises(NotRegularFileError, match="is a device"):
        read_file(Path(os.devnull))
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(tmp_path / "socket"))
        with pytest.raises(NotRegularFileError, match="is a socket"):
            read_file(tmp_path / "socket")


@posix_only
def test_a_symbolic_link_to_itself_is_named(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    with pytest.raises(UnreadableFileError, match="leads back to itself"):
        read_file(tmp_path / "loop")


def test_a_binary_file_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0")
    with pytest.raises(BinaryFileError, match=r"logo\.png is binary"):
        read_file(tmp_path / "logo.png")


def test_a_file_in_no_known_encoding_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "sjis.txt").write_bytes("日本語、".encode("shift-jis"))
    with pytest.raises(UnknownEncodingFileError, match=r"sjis\.txt is in no known encoding"):
        read_file(tmp_path / "sjis.txt")


def test_a_file_that_is_too_large_is_refused_unread(file: Path) -> None:
    with pytest.raises(TooLargeFileError, match="8 bytes; at most 7"):
        read_file(file, largest=7)


def test_a_text_that_the_encoding_lacks_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("déjà\n".encode("latin-1"))
    with pytest.raises(UnencodableTextError, match="is Latin-1, which has no '“'"):
        write_file(path, "“déjà”\n", read_file(path))
    assert path.read_bytes() == "déjà\n".encode("latin-1")
    assert names(tmp_path) == ["latin.txt"]


def test_a_read_only_file_is_left_alone(file: Path, tmp_path: Path) -> None:
    was = read_file(file)
    file.chmod(0o444)
    with pytest.raises(ReadOnlyFileError, match="is read-only; make it writable first"):
        write_file(file, "new\n", was)
    assert file.read_bytes() == b"one\ntwo\n"
    assert names(tmp_path) == ["file.txt"]


def test_a_new_file_in_a_folder_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="its folder does not"):
        write_file(tmp_path / "no" / "new.txt", "new\n", None)
    assert names(tmp_path) == []


@posix_only
def test_permissions_that_forbid_it_are_named(as_nobody: Path) -> None:
    file = as_nobody / "file.txt"
    file.write_bytes(b"one\n")
    was = read_file(file)
    as_nobody.chmod(0o555)
    with pytest.raises(UnwritableFileError, match="permission denied"):
        write_file(file, "new\n", was)
    with pytest.raises(UnwritableFileError, match="permission denied"):
        write_file(as_nobody / "new.txt", "new\n", None)
    assert names(as_nobody) == ["file.txt"]
    file.chmod(0)
    with pytest.raises(UnreadableFileError, match="permission denied"):
        read_file(file)


@pytest.mark.skipif(sys.platform == "win32", reason="no limit on file sizes here")
def test_when_there_is_no_room_the_old_content_stays(file: Path, tmp_path: Path) -> None:
    was = read_file(file)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(DiskFullError, match="disk is full"):
            write_file(file, "x" * 10_000, was)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert file.read_bytes() == b"one\ntwo\n"
    assert names(tmp_path) == ["file.txt"]
