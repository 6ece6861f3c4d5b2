"""Run something in a process that is killed before one of the things that it does to the file system, and see
what it leaves."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable

from tests.git.git_judge import WorkingTree

FILE_EVENTS = {
    "open",
    "os.rename",
    "os.remove",
    "os.mkdir",
    "os.rmdir",
    "os.symlink",
    "os.link",
    "os.chmod",
    "os.truncate",
}
"""What Python announces before it does something to a file."""


def run_and_kill(action: Callable[[], object], at: int) -> int:
    """Run `action` in a process of its own that is killed before its event number `at`; how many there
    were."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        seen = 0

        def count(event: str, arguments: tuple[object, ...]) -> None:
            nonlocal seen
            if event in FILE_EVENTS:
                seen += 1
                if seen == at:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(count)
            action()
            os.write(writing, str(seen).encode())
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
