"""The process that a hook leaves behind, which answers the next ones: real hooks, as programs."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.mirror.register import is_behind
from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.hooks.meeting_place import OFFERED, MeetingPlace, working_tree_of
from patchpoint.hooks.sharing.ask import ask_to_leave
from tests.demo.project import make_project

pytestmark = pytest.mark.skipif(
    not OFFERED or not Path("/proc/self/fd").exists(), reason="only Linux says which processes have what open"
)

SERVER = Path(__file__).parents[2] / "server"
HOOK = "import sys; from patchpoint.cli import main; status = main(['hook', 'claude']); "
NAMES_WHAT_IS_LOADED = HOOK + "print(*sorted(sys.modules), file=sys.stderr); sys.exit(status)"
HAS_NO_TIME_FOR_A_MIRROR = (
    "from patchpoint.checkpoints.mirror import update; "
    "update._LEAST_S = update._SHARE = 0.0; update._FREE_LINKS = 0; "
)
TAKES_IT = "patchpoint.checkpoints.taking"
"""The module that only a process has loaded which takes a checkpoint itself."""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def state(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The state directory of hooks that leave a process behind, which is ended with the test."""
    with tempfile.TemporaryDirectory(prefix="pp-", dir="/tmp") as folder:
        monkeypatch.setenv("PATCHPOINT_STATE_HOME", folder)
        monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")  # a busy machine may take its time
        monkeypatch.setenv("PATCHPOINT_HOOK_STAY", "300")
        yield Path(folder)
        for process in left_behind(Path(folder)):
            os.kill(process, signal.SIGKILL)


def left_behind(state: Path) -> list[int]:
    """The processes that have the lock of a meeting place open."""
    locks = str(state / "sockets")
    found = []
    for directory in Path("/proc").glob("[0-9]*/fd"):
        opened = []
        with suppress(OSError):  # it has ended, or is another user's
            for one in directory.iterdir():
                with suppress(OSError):  # it has closed that one since
                    opened.append(str(one.readlink()))
        if any(one.startswith(locks) and one.endswith(".lock") for one in opened):
            found.append(int(directory.parent.name))
    return found


def call_hook(folder: Path, turn: str = "p-1", program: str = NAMES_WHAT_IS_LOADED, **sent: Any) -> list[str]:
    """Call the hook, and return the modules that it has loaded; all that it wrote to has been closed."""
    data = {
        "hook_event_name": "UserPromptSubmit", "session_id": "s-1", "prompt_id": turn, "prompt": "Go on",
        "cwd": str(folder), **sent,
    }  # fmt: skip
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=folder,
        input=json.dumps(data),
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 0, done.stderr
    return done.stderr.split()


def turns(project: Path) -> list[str | None]:
    """The turns that have a checkpoint, in their order."""
    return [one.message for one in reversed(CheckpointStore.open(project).list())]


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_the_next_hooks_are_answered_by_what_the_first_one_left_behind(project: Path, state: Path) -> None:
    assert TAKES_IT in call_hook(project)
    (process,) = left_behind(state)
    assert TAKES_IT not in call_hook(project, "p-2")
    assert TAKES_IT not in call_hook(project / "till", "p-3")
    assert turns(project) == ["p-1", "p-2", "p-3"]
    assert left_behind(state) == [process]


def test_it_has_nothing_open_but_its_place(project: Path, state: Path) -> None:
    reading, writing = os.pipe()
    os.set_inheritable(writing, True)
    subprocess.run(
        [sys.executable, "-c", HOOK], cwd=project, input=b"{}", close_fds=False, check=True, timeout=120
    )
    os.close(writing)
    assert os.read(reading, 1) == b""  # nobody has the other end any more
    os.close(reading)
    (process,) = left_behind(state)
    assert os.getsid(process) == process
    ours = (str(state), os.devnull, "socket:", "anon_inode:[eventpoll]")

    def others() -> list[str]:
        opened = []
        for one in Path(f"/proc/{process}/fd").iterdir():
            with suppress(FileNotFoundError):  # just closed
                opened.append(str(one.readlink()))
        return [one for one in opened if not one.startswith(ours)]

    wait_for(lambda: not others())  # but for what it may have to do yet
    assert Path(f"/proc/{process}/cwd").readlink() == Path("/")


def test_it_holds_no_lock_that_another_command_waits_for(project: Path, state: Path) -> None:
    call_hook(project)
    assert left_behind(state)
    with exclusive_lock(project / ".git" / "patchpoint" / "lock", timeout=60):
        pass


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_killed_it_is_replaced_by_the_next_hook(project: Path, state: Path, number: signal.Signals) -> None:
    call_hook(project)
    (process,) = left_behind(state)
    os.kill(process, number)
    wait_for(lambda: not left_behind(state))
    assert TAKES_IT in call_hook(project, "p-2")
    assert turns(project) == ["p-1", "p-2"]
    assert len(left_behind(state)) == 1


def test_stopped_it_is_done_without(project: Path, state: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    call_hook(project)
    (process,) = left_behind(state)
    os.kill(process, signal.SIGSTOP)
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "5")
    monkeypatch.setenv("PATCHPOINT_HOOK_STAY", "0")
    assert TAKES_IT in call_hook(project, "p-2")
    assert turns(project) == ["p-1", "p-2"]


def test_it_ends_when_no_hook_has_come_for_its_time(
    project: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_HOOK_STAY", "0.2")
    call_hook(project)
    wait_for(lambda: not left_behind(state) and not list((state / "sockets").glob("*.sock")))


def test_with_no_time_to_stay_nothing_is_left_behind(
    project: Path, state: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_HOOK_STAY", "0")
    call_hook(project)
    assert left_behind(state) == []


def test_it_ends_when_the_program_is_another_one(
    project: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SERVER / "patchpoint", tmp_path / "server" / "patchpoint")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "server"))
    call_hook(project)
    (process,) = left_behind(state)
    assert TAKES_IT not in call_hook(project, "p-2")
    version = tmp_path / "server" / "patchpoint" / "hooks" / "take.py"
    version.write_bytes(version.read_bytes() + b"\n")
    assert TAKES_IT in call_hook(project, "p-3")
    assert turns(project) == ["p-1", "p-2", "p-3"]
    assert process not in left_behind(state)


@pytest.mark.parametrize(("stays", "whole"), [("0", 0), ("300", 1)])
def test_it_goes_on_with_what_the_mirror_lacks(
    project: Path, state: Path, monkeypatch: pytest.MonkeyPatch, stays: str, whole: int
) -> None:
    monkeypatch.setenv("PATCHPOINT_HOOK_STAY", stays)
    call_hook(project, program=HAS_NO_TIME_FOR_A_MIRROR + NAMES_WHAT_IS_LOADED)

    (mirror,) = (state / "mirrors").iterdir()
    if whole:
        wait_for(lambda: not is_behind(mirror))
    found = CheckpointStore.open(project).doctor().mirror
    assert found is not None
    assert found.whole == whole


def test_a_process_that_is_kept_answers_a_line_for_each_event(project: Path, state: Path) -> None:
    sent = {"hook_event_name": "UserPromptSubmit", "session_id": "s-1", "cwd": str(project)}
    with subprocess.Popen(
        [sys.executable, "-m", "patchpoint", "hook", "opencode", "--lines"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=project,
    ) as kept:
        assert kept.stdin is not None
        assert kept.stdout is not None
        for turn in ("p-1", "p-2", "p-3"):
            line = json.dumps({**sent, "prompt_id": turn, "prompt": "Go on"})
            kept.stdin.write(f"{line}\n".encode())
            kept.stdin.flush()
            assert kept.stdout.readline() == b"\n"
            assert turns(project)[-1] == turn
            assert len(left_behind(state)) == 1
        # It holds nothing of the place that what was left behind has.
        os.kill(left_behind(state)[0], signal.SIGKILL)
        wait_for(lambda: not left_behind(state))
        kept.stdin.write(b"no JSON\n" + line.encode() + b"\n")
        kept.stdin.close()
        assert kept.stdout.read() == b"\n\n"
        assert kept.wait(timeout=60) == 0
    assert len(left_behind(state)) == 1
    assert turns(project) == ["p-1", "p-2", "p-3", "p-3"]


def test_a_process_that_is_kept_ends_unasked_when_the_program_is_another_one(
    project: Path, state: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(SERVER / "patchpoint", tmp_path / "server" / "patchpoint")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path / "server"))
    line = json.dumps({"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt": "Go on"})
    with subprocess.Popen(
        [sys.executable, "-c", "import sys; from patchpoint.cli import main; main(sys.argv[1:])", "hook",
         "opencode", "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=project,
    ) as kept:  # fmt: skip
        assert kept.stdin is not None
        assert kept.stdout is not None
        kept.stdin.write(f"{line}\n".encode())
        kept.stdin.flush()
        assert kept.stdout.readline() == b"\n"
        changed = tmp_path / "server" / "patchpoint" / "hooks" / "take.py"
        changed.write_bytes(changed.read_bytes() + b"\n")
        kept.stdin.write(f"{line}\n".encode())
        kept.stdin.flush()
        assert kept.stdout.read() == b""
    assert len(turns(project)) == 1


def test_it_leaves_its_place_to_a_server_that_asks(project: Path, state: Path) -> None:
    call_hook(project)
    place = MeetingPlace(working_tree_of(str(project)))
    try:
        assert place.try_lock() is None
        ask_to_leave(place)
        wait_for(lambda: not left_behind(state))
        lock = place.try_lock()
        assert lock is not None
        os.close(lock)
    finally:
        place.close()


def test_there_are_no_more_than_eight_of_them(project: Path, state: Path, tmp_path: Path) -> None:
    for number in range(9):
        folder = tmp_path / f"folder-{number}"
        folder.mkdir()
        (folder / "a.txt").write_text("1\n", encoding="utf-8")
        call_hook(folder)
    assert len(left_behind(state)) == 8
    os.kill(left_behind(state)[0], signal.SIGKILL)
    wait_for(lambda: len(left_behind(state)) == 7)
    call_hook(project)
    assert len(left_behind(state)) == 8
