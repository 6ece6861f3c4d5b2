"""Hold the files that a restore replaces, so that their space is freed while nobody waits.

Removing the last name of a file frees its blocks, which costs more than the rename that replaces it
(measured: 45 of 85 ms for a thousand files, and seconds on a disk that is busy). One that is open has its
blocks until it is closed, which a thread does.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress

from patchpoint.filesystem.open_directory import OpenDirectory

_WORTH = 50
"""Fewest files for which it is worth its cost."""
_MOST_HELD = 256
"""Files that are held, and that the thread has to close, at a time: a process may often open 1,024."""


class ReplacedFiles:
    """The replaced files of one restore of `count` files."""

    def __init__(self, count: int) -> None:
        # Measured on Linux alone; elsewhere a file that is open may not be replaced.
        self._is_worth_it = sys.platform == "linux" and count >= _WORTH
        self._held: list[int] = []
        self._closing: threading.Thread | None = None

    def keep(self, directory: OpenDirectory, name: bytes) -> None:
        """Hold the file `name` of `directory`, which is about to be replaced."""
        if not self._is_worth_it:
            return
        try:
            self._held.append(directory.hold(name))
        except OSError:
            self._is_worth_it = False
        if len(self._held) >= _MOST_HELD:
            self.release()

    def release(self) -> None:
        """Let go of the files in the background."""
        if self._closing is not None:
            self._closing.join()
        held, self._held = self._held, []
        closing = threading.Thread(target=_close, args=(held,))
        try:
            closing.start()
            self._closing = closing
        except RuntimeError:  # no thread can be started, as while the interpreter ends
            _close(held)

    def release_now(self) -> None:
        """Let go of the files, because their space may be needed."""
        self.release()
        if self._closing is not None:
            self._closing.join()


def _close(held: Iterable[int]) -> None:
    for descriptor in held:
        with suppress(OSError):
            os.close(descriptor)
