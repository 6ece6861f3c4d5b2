"""Owners and processes of Windows, with libraries that answer as the system's do."""

from __future__ import annotations

import ctypes
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from patchpoint.filesystem import errors, lock
from patchpoint.filesystem.process import host_name
from patchpoint.filesystem.windows import calls
from patchpoint.filesystem.windows.calls import ADMINISTRATORS

ME, ANOTHER = "S-1-5-21-1-2-3-1001", "S-1-5-21-1-2-3-1002"


class System:
    """What two libraries of Windows answer: `owner` owns each file, and `running` are all processes."""

    def __init__(self, owner: str = ME, *, is_administrator: bool = False) -> None:
        self.owner = owner
        self.is_administrator = is_administrator
        self.running: dict[int, str] = {7: "ours", 9: "another user's", 11: "ended, its handle open"}
        self.error = 0
        self.freed = 0
        self.asked = 0
        self.replaced: list[tuple[str, str]] = []
        self.users: list[tuple[int, str]] = []
        self.registered: list[str] = []
        self.sessions = 0
        self.manager_error = 0
        self.block = (ctypes.c_ubyte * 8)(0, 0, 0, 0x04)
        self._names = {1: owner, 2: ME}

    def GetCurrentProcess(self) -> int:  # noqa: N802 - these are Windows's names
        return 1

    def OpenProcessToken(self, process: Any, access: int, token: Any) -> int:  # noqa: N802
        token._obj.value = 1
        return 1

    def GetTokenInformation(self, token: Any, kind: int, said: Any, length: Any, needed: Any) -> int:  # noqa: N802
        needed._obj.value = 16
        if said is not None:
            said[0] = 2
        return 1

    def GetNamedSecurityInfoW(self, path: Any, *rest: Any) -> int:  # noqa: N802
        self.asked += 1
        if "missing" in path.value:
            return 2
        rest[2]._obj.value, rest[6]._obj.value = 1, 99
        return 0

    def ConvertSidToStringSidW(self, sid: Any, name: Any) -> int:  # noqa: N802
        name._obj.value = self._names[sid.value]
        self.asked += 1
        return 1

    def CheckTokenMembership(self, token: Any, sid: Any, is_member: Any) -> int:  # noqa: N802
        is_member._obj.value = self.is_administrator
        return 1

    def LocalFree(self, what: Any) -> None:  # noqa: N802
        self.freed += 1

    def CloseHandle(self, what: Any) -> None:  # noqa: N802
        pass

    def OpenProcess(self, access: int, inherit: bool, process: int) -> int | None:  # noqa: N802
        said = self.running.get(process)
        self.error = {None: 87, "another user's": 5}.get(said, 0)
        return None if self.error else process

    def WaitForSingleObject(self, handle: Any, milliseconds: int) -> int:  # noqa: N802
        return 0x102 if self.running[handle.value] == "ours" else 0

    def ReplaceFileW(self, target: str, source: str, *rest: Any) -> int:  # noqa: N802
        self.replaced.append((source, target))
        return 1

    def RmStartSession(self, session: Any, flags: int, key: Any) -> int:  # noqa: N802
        session._obj.value = 3
        self.sessions += 1
        return self.manager_error

    def RmRegisterResources(self, session: Any, count: int, files: Any, *nothing: Any) -> int:  # noqa: N802
        self.registered = list(files)
        return 0

    def RmGetList(self, session: Any, needed: Any, count: Any, users: Any, reasons: Any) -> int:  # noqa: N802
        assert ctypes.sizeof(users._type_) == 668, "the size of RM_PROCESS_INFO in rstrtmgr.h"
        for place, (process, name) in enumerate(self.users):
            users[place].process_id = process
            ctypes.memmove(users[place].name, f"{name}\0".encode("utf-16-le"), 2 * len(name) + 2)
        needed._obj.value = count._obj.value = len(self.users)
        return 0

    def RmEndSession(self, session: Any) -> int:  # noqa: N802
        self.sessions -= 1
        return 0

    def RtlGetCurrentPeb(self) -> int:  # noqa: N802
        return ctypes.addressof(self.block)


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch) -> Callable[..., System]:
    def answers(owner: str = ME, **options: bool) -> System:
        system = System(owner, **options)
        monkeypatch.setattr(calls, "_library", lambda name: system)
        monkeypatch.setattr(calls, "_last_error", lambda: system.error)
        calls.users_sid.cache_clear()
        return system

    return answers


@pytest.mark.parametrize(
    ("owner", "is_administrator", "own"),
    [
        (ME, False, True),
        (ANOTHER, True, False),
        (ADMINISTRATORS, True, True),
        (ADMINISTRATORS, False, False),
    ],
)
def test_a_file_is_this_users_by_its_security_identifier(
    windows: Callable[..., System], owner: str, is_administrator: bool, own: bool
) -> None:
    system = windows(owner, is_administrator=is_administrator)
    assert calls.is_own("C:\\work\\repo") is own
    assert system.freed == system.asked, "what the system allocates is given back"


def test_a_file_whose_owner_nobody_knows_is_not_this_users(windows: Callable[..., System]) -> None:
    windows()
    assert not calls.is_own("E:\\missing")
    with pytest.raises(OSError, match="owner is not known"):
        calls.owner_name("E:\\missing")


@pytest.mark.parametrize(("process", "running"), [(7, True), (9, True), (11, False), (13, False)])
def test_a_process_runs_until_it_has_ended(
    windows: Callable[..., System], process: int, running: bool
) -> None:
    windows()
    assert calls.is_running(process) is running


@pytest.mark.parametrize(("process", "abandoned"), [(7, False), (13, True)])
def test_a_lock_of_a_process_that_was_killed_is_abandoned(
    windows: Callable[..., System],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    process: int,
    abandoned: bool,
) -> None:
    windows()
    monkeypatch.setattr(lock, "is_alive", calls.is_running)
    monkeypatch.setattr(lock, "boot_id", lambda: "")  # Windows has none
    held = tmp_path / "lock.held"
    held.write_text(json.dumps({"pid": process, "host": host_name(), "boot": ""}))
    assert lock._is_abandoned(held) is abandoned


def test_a_file_takes_the_place_of_another_by_one_call(windows: Callable[..., System]) -> None:
    system = windows()
    assert calls.replace_file("C:\\new", "C:\\a.py")
    assert system.replaced == [("C:\\new", "C:\\a.py")]


@pytest.mark.parametrize(("build", "flags"), [(15063, 0x84), (26100, 0x84), (14393, 0x04)])
def test_this_process_takes_long_paths_where_windows_lets_it(
    windows: Callable[..., System], monkeypatch: pytest.MonkeyPatch, build: int, flags: int
) -> None:
    system = windows()
    monkeypatch.setattr(sys, "getwindowsversion", lambda: SimpleNamespace(build=build), raising=False)
    calls.takes_long_paths.cache_clear()
    assert calls.takes_long_paths() is (build >= 15063)
    assert list(system.block) == [0, 0, 0, flags, 0, 0, 0, 0]
    calls.takes_long_paths.cache_clear()


@pytest.mark.parametrize(
    ("users", "manager_error", "said"),
    [
        ([(4711, "Excel")], 0, "Excel (process 4711) has it open"),
        ([(4711, "Excel"), (12, "Indexer")], 0, "Excel (process 4711) and Indexer (process 12) have it open"),
        ([], 0, "another program has it open"),
        ([(4711, "Excel")], 353, "another program has it open"),
    ],
)
def test_a_file_that_is_held_is_refused_with_the_names_of_those_who_hold_it(
    windows: Callable[..., System],
    monkeypatch: pytest.MonkeyPatch,
    users: list[tuple[int, str]],
    manager_error: int,
    said: str,
) -> None:
    system = windows()
    system.users, system.manager_error = users, manager_error
    monkeypatch.setattr(errors, "sys", SimpleNamespace(platform="win32"))
    held = PermissionError(13, "held")
    held.winerror = 32  # type: ignore[attr-defined]
    path = Path("a.xlsx")
    assert said in str(errors.writing_problem(path, held))
    assert system.registered == ([] if manager_error else [str(path)])
    assert system.sessions == (1 if manager_error else 0), "each session that began is ended"


def test_a_windows_without_the_restart_manager_says_that_another_program_has_the_file(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def missing(name: str) -> None:
        raise OSError(126, f"{name} is not there")

    monkeypatch.setattr(calls, "_library", missing)
    assert calls.users_of("C:\\a.py") == ()
