"""A garbage collection of git, stopped between its look at what refs reach and its first deletion."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.git.git_judge import WorkingTree, environment

CAN_STOP = hasattr(os, "openpty") and os.path.exists("/proc/self/syscall")
_STANDARD_ERROR = "0x2"


@contextmanager
def stopped_git(tree: WorkingTree, *command: str) -> Iterator[None]:
    """Run git until it knows what refs reach, then the block, then the rest of git.

    What `git prune`, `git repack` and `git gc` find is followed by a line about it on the terminal, before
    anything is deleted. Nobody reads the terminal, and it is full: git waits with that line.
    """
    ours, theirs = os.openpty()
    _fill(theirs)
    process = subprocess.Popen(
        ["git", *command],
        cwd=tree.root,
        env={**environment(), "GIT_PROGRESS_DELAY": "0"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=theirs,
    )
    os.close(theirs)
    try:
        deadline = time.monotonic() + 30
        while not any(_waits_for_terminal(each) for each in _with_children(process.pid)):
            assert process.poll() is None, "git did not stop"
            assert time.monotonic() < deadline, "git did not come to the line"
            time.sleep(0.005)
        yield
    finally:
        shown = b""
        with suppress(OSError):  # as soon as nobody has the terminal open any more
            while piece := os.read(ours, 4096):
                shown += piece
        os.close(ours)
        assert process.wait(30) == 0, shown.lstrip(b"x")


def _fill(terminal: int) -> None:
    """Write until nothing more is taken, also when the system has moved on what was written."""
    os.set_blocking(terminal, False)
    idle = 0
    while idle < 5:
        idle += 1
        with suppress(BlockingIOError):
            while os.write(terminal, b"x"):
                idle = 0
        time.sleep(0.001)
    os.set_blocking(terminal, True)


def _with_children(pid: int) -> list[int]:
    found = [pid]
    for each in found:
        with suppress(OSError):
            found += map(int, Path(f"/proc/{each}/task/{each}/children").read_text().split())
    return found


def _waits_for_terminal(pid: int) -> bool:
    with suppress(OSError):
        call = Path(f"/proc/{pid}/syscall").read_text().split()
        return len(call) > 1 and call[1] == _STANDARD_ERROR
    return False
