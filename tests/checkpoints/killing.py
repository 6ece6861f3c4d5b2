"""Run something in a process that is killed before one of the things that it does to the file system, and see
what it leaves."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable

from tests.checkpoints.file_events import signal_before
from tests.git.git_judge import WorkingTree


def run_and_kill(action: Callable[[], object], at: int) -> int:
    """Run `action` in a process of its own that is killed before its event number `at`; how many there
    were."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            seen = signal_before(at, signal.SIGKILL)
            action()
            os.write(writing, str(seen()).encode())
        finally:
            os._exit(0)
    os.close(writing)
    with open(reading) as answer:
        events = int(answer.read() or 0)
    os.waitpid(child, 0)
    return events


State = tuple[dict[str, tuple[int, bytes]], str, str]


def state(tree: WorkingTree) -> State:
    """The files, the staged state, and the refs that are git's."""
    return tree.files(), tree.staged(), tree.refs()
