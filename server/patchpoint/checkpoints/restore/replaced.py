"""Hold the files that a restore replaces, so that their space is freed while nobody waits.

Removing the last name of a file frees its blocks, which costs more than the rename that replaces it
(measured on ext4: 45 of 85 ms for a thousand files, and seconds on a disk that is busy). One that is open has
its blocks until it is closed, which a thread does.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from patchpoint.filesystem.open_directory import OpenDirectory

_WORTH = 50
"""Fewest files for which it is worth its cost."""
_MOST_HELD = 256
"""Files that are held at a time, while as many are being closed."""
_SHARE = 8
"""Of the files that a process may have open, one in so many is held at most."""
_MEASURED = frozenset({"ext2", "ext3", "ext4"})
"""The file systems where it was measured. On NFS, a file that is open gets another name in its folder when it
is removed."""


class ReplacedFiles:
    """The files that one restore of `count` files below `root` replaces."""

    def __init__(self, root: Path, count: int) -> None:
        self._most = _most_held(root) if count >= _WORTH else 0
        self._held: list[int] = []
        self._closing: threading.Thread | None = None

    def keep(self, directory: OpenDirectory, name: bytes) -> None:
        """Hold the file `name` of `directory`, which is about to be replaced."""
        if not self._most:
            return
        try:
            self._held.append(_hold(directory, name))
        except OSError:
            self._most = 0
            self.release_now()
            return
        if len(self._held) >= self._most:
            self.release()

    def release(self) -> None:
        """Let go of the files in the background."""
        self._wait()
        held, self._held = self._held, []
        closing = threading.Thread(target=_close, args=(held,))
        try:
            closing.start()
            self._closing = closing
        except RuntimeError:  # no thread can be started, as while the interpreter ends
            _close(held)

    def release_now(self) -> None:
        """Let go of the files, because their space may be needed."""
        held, self._held = self._held, []
        _close(held)
        self._wait()

    def _wait(self) -> None:
        if self._closing is not None:
            self._closing.join()


def _hold(directory: OpenDirectory, name: bytes) -> int:
    # By its path: whatever file that leads to, nothing is read or written by such a descriptor.
    return os.open(os.path.join(directory.path, name), getattr(os, "O_PATH", 0) | os.O_NOFOLLOW)


def _close(held: Iterable[int]) -> None:
    for descriptor in held:
        with suppress(OSError):
            os.close(descriptor)


def _most_held(root: Path) -> int:
    """Return how many files below `root` may be held at a time; 0 where that is not worth it."""
    if sys.platform != "linux":
        return 0
    import resource

    with suppress(OSError, ValueError):
        device = os.stat(root).st_dev
        wanted = f"{os.major(device)}:{os.minor(device)}"
        for line in Path("/proc/self/mountinfo").read_text(errors="replace").splitlines():
            before, _, after = line.partition(" - ")  # proc(5)
            if before.split()[2] == wanted and after.split()[0] in _MEASURED:
                most, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
                return _MOST_HELD if most == resource.RLIM_INFINITY else min(_MOST_HELD, most // _SHARE)
    return 0
