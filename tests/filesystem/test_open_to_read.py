from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.open_to_read import HeldFiles, read_file_bytes, read_own_file
from patchpoint.filesystem.user_state import read_json, write_json


def test_a_regular_file_is_read_whole(tmp_path: Path) -> None:
    place = tmp_path / "file"
    for content in (b"", b"x", b"x" * 1000):
        place.write_bytes(content)
        assert read_own_file(place, largest=1000) == content


def make_too_large(place: Path) -> None:
    place.write_bytes(b"x" * 1001)


def make_missing(place: Path) -> None:
    place.unlink()


def make_link(place: Path) -> None:
    place.rename(place.with_name("target"))
    place.symlink_to("target")


def make_pipe(place: Path) -> None:
    place.unlink()
    os.mkfifo(place)


def make_directory(place: Path) -> None:
    place.unlink()
    place.mkdir()


@pytest.mark.parametrize("change", [make_too_large, make_missing, make_link, make_pipe, make_directory])
def test_nothing_else_is_read_or_waited_for(tmp_path: Path, change: Callable[[Path], None]) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"content")
    change(place)
    with pytest.raises(OSError):  # noqa: PT011 - any of them
        read_own_file(place, largest=1000)


@pytest.mark.parametrize("change", [make_link, make_pipe, make_directory])
def test_records_are_read_from_such_a_file_alone(tmp_path: Path, change: Callable[[Path], None]) -> None:
    place = tmp_path / "records.json"
    write_json(place, 1, ["record"])
    assert read_json(place, 1) == ["record"]
    change(place)
    assert read_json(place, 1) is None
    assert os.path.lexists(place)


def test_the_null_device_alone_of_all_devices_reads_as_an_empty_file(tmp_path: Path) -> None:
    assert read_file_bytes(os.devnull) == b""
    (tmp_path / "link").symlink_to(os.devnull)
    assert read_file_bytes(tmp_path / "link") == b""
    if os.name != "nt":
        with pytest.raises(OSError, match="not a regular file"):
            read_file_bytes("/dev/zero")


@pytest.mark.skipif(os.name == "nt", reason="Windows renames no open file")
def test_as_many_files_are_held_open_as_half_of_what_a_process_may_have(tmp_path: Path) -> None:
    import resource

    held = HeldFiles()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(600, hard), hard))
    try:
        names = [b"%d" % number for number in range(400)]
        with OpenDirectory(tmp_path) as directory:
            for name in names:
                directory.write_new(name, b"before")
                assert held.hold(name, directory, name, directory.status(name))
                (tmp_path / os.fsdecode(name)).write_bytes(b"written")
                directory.remove(name)
            assert [(path, content) for path, content, _ in held.written()] == [
                (name, b"written") for name in names[:300]
            ]
    finally:
        held.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
