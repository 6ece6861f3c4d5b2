import json
import os
import secrets
import stat
import sys
from pathlib import Path

import pytest

from patchpoint.filesystem.user_state import (
    known_secret_key,
    read_json,
    secret_key,
    set_aside,
    state_directory,
    state_home,
    write_json,
)


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("PATCHPOINT_STATE_HOME", "XDG_STATE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("USERPROFILE", str(tmp_path))
    return tmp_path


def test_the_override_decides(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(home / "mine"))
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "xdg"))
    assert state_home() == home / "mine"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="where Linux keeps state")
def test_state_lives_where_linux_keeps_it(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert state_home() == home / ".local/state/patchpoint"
    monkeypatch.setenv("XDG_STATE_HOME", "not/absolute")
    assert state_home() == home / ".local/state/patchpoint"
    monkeypatch.setenv("XDG_STATE_HOME", str(home / "xdg"))
    assert state_home() == home / "xdg/patchpoint"


@pytest.mark.parametrize(
    ("platform", "expected"),
    [("darwin", "Library/Application Support/patchpoint"), ("win32", "AppData/Local/patchpoint")],
)
def test_state_lives_where_each_system_keeps_it(
    platform: str, expected: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert state_home() == home / expected


def test_every_folder_has_state_of_its_own_however_it_is_spelt(home: Path) -> None:
    for name in ("one", "two"):
        (home / name).mkdir()
    assert state_directory(home / "one") != state_directory(home / "two")
    assert state_directory(home / "one/../one") == state_directory(home / "one")
    if os.name != "nt":
        (home / "link").symlink_to("one")
        assert state_directory(home / "link") == state_directory(home / "one")
    assert (state_directory(home / "one") / "folder").read_text() == f"{home / 'one'}\n"


@pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX permissions")
def test_state_is_for_this_user_alone(home: Path) -> None:
    folder = state_directory(home)
    write_json(folder / "x.json", 1, [])
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert stat.S_IMODE((folder / "x.json").stat().st_mode) == 0o600


def test_what_was_written_is_read(home: Path) -> None:
    content = {"path": "déjà\udcff", "numbers": [1, None]}
    write_json(home / "deep/x.json", 3, content)
    assert read_json(home / "deep/x.json", 3) == content
    assert [path.name for path in (home / "deep").iterdir()] == ["x.json"]


def test_what_is_missing_or_of_another_version_is_nothing(home: Path) -> None:
    assert read_json(home / "x.json", 1) is None
    write_json(home / "x.json", 2, "from the future")
    assert read_json(home / "x.json", 1) is None
    assert read_json(home / "x.json", 2) == "from the future"


@pytest.mark.parametrize(
    "damage",
    [b"", b'{"version": 1, "con', b"\xff\0", b"[]", b'{"version": "1", "content": 1}', b"[" * 100_000],
)
def test_a_damaged_file_is_set_aside_not_lost(damage: bytes, home: Path) -> None:
    (home / "x.json").write_bytes(damage)
    assert read_json(home / "x.json", 1) is None
    [aside] = home.glob("x.json.damaged-*")
    assert aside.read_bytes() == damage
    assert not (home / "x.json").exists()


def test_what_cannot_be_said_in_json_leaves_the_old_file(home: Path) -> None:
    write_json(home / "x.json", 1, "old")
    with pytest.raises(TypeError):
        write_json(home / "x.json", 1, {1, 2})
    assert json.loads((home / "x.json").read_bytes())["content"] == "old"


def test_setting_aside_what_is_not_there_is_no_error(home: Path) -> None:
    assert set_aside(home / "gone.json") is None


def test_every_folder_has_a_secret_key_for_this_user_alone(home: Path) -> None:
    assert known_secret_key(home / "one") is None
    key = secret_key(home / "one")
    assert len(key) == 32
    assert secret_key(home / "one") == known_secret_key(home / "one") == key
    assert secret_key(home / "two") != key
    (place,) = state_directory(home / "one").glob("key")
    if os.name != "nt":
        assert stat.S_IMODE(place.stat().st_mode) == 0o600
    place.write_bytes(b"too short")
    assert known_secret_key(home / "one") is None
    assert secret_key(home / "one") not in (key, b"too short")


def test_the_key_of_the_process_that_was_first_is_the_key_of_both(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = state_directory(home) / "key"

    def another_process_is_first(size: int) -> bytes:
        key.write_bytes(b"1" * size)
        return b"2" * size

    monkeypatch.setattr(secrets, "token_bytes", another_process_is_first)
    assert secret_key(home) == known_secret_key(home) == b"1" * 32


def test_a_state_folder_that_cannot_be_written_is_named_with_what_to_do(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", os.devnull)
    with pytest.raises(OSError, match="name another one in PATCHPOINT_STATE_HOME") as refused:
        state_directory(home)
    assert refused.value.filename == os.devnull


def test_where_no_key_can_be_kept_it_lasts_as_long_as_the_process(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "a file").touch()
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(home / "a file"))
    key = secret_key(home)
    assert secret_key(home) == known_secret_key(home) == key
