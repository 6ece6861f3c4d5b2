"""What Python announces before it does something to a file, and a signal at one of these instants."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

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


def only_reads(event: str, arguments: tuple[object, ...]) -> bool:
    """Return whether what is announced is a file that is opened to be read."""
    return event == "open" and not int(str(arguments[2] or 0)) & (os.O_WRONLY | os.O_RDWR)


def signal_before(at: int, number: int, only_changes: bool = False) -> Callable[[], int]:
    """Send this process a signal before event number `at`; return what ends that and counts them.

    With `only_changes`, a file that is opened to be read is no event.
    """
    seen = 0
    counts = True

    def count(event: str, arguments: tuple[object, ...]) -> None:
        nonlocal seen
        if not counts or event not in FILE_EVENTS or (only_changes and only_reads(event, arguments)):
            return
        seen += 1
        if seen == at:
            os.kill(os.getpid(), number)

    def counted() -> int:
        nonlocal counts
        counts = False
        return seen

    sys.addaudithook(count)
    return counted
