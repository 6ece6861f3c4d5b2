from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from patchpoint.filesystem import lock
from patchpoint.filesystem.lock import LockBusyError, exclusive_lock
from patchpoint.filesystem.process import boot_id
from patchpoint.progress import CancelledError, Silent


@pytest.fixture(params=["by the system", "by file"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock on a file system that knows locks, and on one that does not."""
    if request.param == "by file":
        monkeypatch.setattr(lock, "try_lock", lambda descriptor: None)
    return tmp_path / "lock"


def test_one_holder_at_a_time(place: Path) -> None:
    with exclusive_lock(place), pytest.raises(LockBusyError), exclusive_lock(place, timeout=0.05):
        pytest.fail("two at a time")
    with exclusive_lock(place, timeout=0):
        pass


def test_threads_exclude_each_other_too(place: Path) -> None:
    inside = 0
    most = 0

    def work() -> None:
        nonlocal inside, most
        for _ in range(20):
            with exclusive_lock(place, timeout=60):
                inside += 1
                most = max(most, inside)
                inside -= 1

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 1


def test_the_lock_of_a_process_that_died_is_free(place: Path) -> None:
    child = os.fork()
    if child == 0:
        held = exclusive_lock(place)
        held.__enter__()
        os._exit(0)
    os.waitpid(child, 0)
    with exclusive_lock(place, timeout=0.5):
        pass


def test_the_lock_of_an_earlier_boot_is_free_though_a_process_has_its_number(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lock, "try_lock", lambda descriptor: None)
    held = tmp_path / "lock.held"
    holder = {"pid": os.getpid(), "boot": "another", "host": os.uname().nodename}
    held.write_text(json.dumps(holder))
    with exclusive_lock(tmp_path / "lock", timeout=0.5):
        assert json.loads(held.read_text())["boot"] == boot_id()


class Cancelled:
    def check(self) -> None:
        raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        pass


def test_waiting_can_be_cancelled(place: Path) -> None:
    with exclusive_lock(place), pytest.raises(CancelledError), exclusive_lock(place, progress=Cancelled()):
        pytest.fail("it was held")


@pytest.mark.skipif(not hasattr(os, "O_NOFOLLOW"), reason="this system follows every link")
def test_a_link_in_place_of_the_lock_is_not_followed(place: Path) -> None:
    other = place.with_name("other")
    other.write_text("precious")
    place.symlink_to(other)
    with pytest.raises(LockBusyError), exclusive_lock(place, timeout=0):
        pytest.fail("held")
    assert other.read_text() == "precious"


HOLD = """
import sys
from pathlib import Path
from patchpoint.filesystem import lock
if sys.argv[2] == "by file":
    lock.try_lock = lambda descriptor: None
sys.argv[0] = "/usr/bin/an-agent"
with lock.exclusive_lock(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.mark.parametrize("kind", ["by the system", "by file"])
def test_who_holds_the_lock_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    if kind == "by file":
        monkeypatch.setattr(lock, "try_lock", lambda descriptor: None)
    place = tmp_path / "lock"
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, str(place), kind],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    ) as other:
        assert other.stdout is not None
        assert other.stdin is not None
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(LockBusyError) as caught, exclusive_lock(place, timeout=0):
            pytest.fail("held by both")
        named = rf"Process {other.pid} \(an-agent, for \d+ seconds?\)"
        assert re.fullmatch(named, caught.value.holder)
        other.stdin.close()
    with exclusive_lock(place, timeout=0):
        pass


@pytest.mark.parametrize("before", ["", "short", "{" * 300, "x" * 5000])
def test_a_holder_is_named_whatever_the_file_had_before(tmp_path: Path, before: str) -> None:
    place = tmp_path / "lock"
    place.write_text(before)
    with exclusive_lock(place):
        with pytest.raises(LockBusyError) as caught, exclusive_lock(place, timeout=0):
            pytest.fail("held by both")
        assert f"Process {os.getpid()} (" in caught.value.holder


def test_a_lock_that_is_taken_again_is_not_cut_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    place = tmp_path / "lock"
    with exclusive_lock(place):
        pass
    monkeypatch.setattr(os, "ftruncate", lambda *_: pytest.fail("waits for the disk"))
    with exclusive_lock(place):
        pass


def test_another_thread_is_waited_for_longer_than_another_process(tmp_path: Path) -> None:
    place = tmp_path / "lock"
    begun, done = threading.Event(), threading.Event()

    def work() -> None:
        with exclusive_lock(place):
            begun.set()
            done.wait(60)

    thread = threading.Thread(target=work)
    thread.start()
    begun.wait(60)
    waiting = Waiting(done)
    with exclusive_lock(place, timeout=0.01, thread_timeout=60, progress=waiting):
        assert waiting.looks > 5
    thread.join()


class Waiting(Silent):
    """Lets the other one go after some looks at the lock."""

    def __init__(self, done: threading.Event) -> None:
        self.looks = 0
        self._done = done

    def check(self) -> None:
        self.looks += 1
        if self.looks > 5:
            self._done.set()


_STRANGE = [
    *("", "null", "[]", "{", "1", '"text"', "[" * 5000, "{}"),
    *(json.dumps({"pid": value}) for value in (-1, 0, "1", None, 1.5, 1 << 40, [1])),
    *(json.dumps({"program": value}) for value in (1, "\x1b[31mred", "x" * 300, ["x"], "two\nlines")),
    *(json.dumps({"since": value}) for value in ("1", -1, 1e300, None)),
    '{"since": NaN}',
]


@pytest.mark.parametrize("content", _STRANGE)
def test_nothing_strange_in_a_lock_file_is_shown(tmp_path: Path, content: str) -> None:
    place = tmp_path / "lock"
    with exclusive_lock(place):
        place.write_text(content)
        with pytest.raises(LockBusyError) as caught, exclusive_lock(place, timeout=0):
            pytest.fail("held by both")
        assert caught.value.holder == "Another process"
