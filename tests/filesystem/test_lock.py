from __future__ import annotations

import json
import os
import threading
from pathlib import Path

import pytest

from patchpoint.filesystem import lock
from patchpoint.filesystem.lock import LockBusyError, exclusive_lock
from patchpoint.filesystem.process import boot_id
from patchpoint.progress import CancelledError


@pytest.fixture(params=["by the system", "by file"])
def place(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock on a file system that knows locks, and on one that does not."""
    if request.param == "by file":
        monkeypatch.setattr(lock, "_try_lock", lambda descriptor: None)
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
            with exclusive_lock(place):
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
    monkeypatch.setattr(lock, "_try_lock", lambda descriptor: None)
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
