"""The files that a restore replaces, each kept by a second name until the restore is done.

A file goes with its last name, and taking its content off the disk costs the system more than putting
another file in its place does (measured: 45 of 85 ms for a thousand files). So that is done afterwards, while
nobody waits. Nothing depends on these names: they may go at any time.
"""

from __future__ import annotations

import os
import shutil
import sys
import threading
from contextlib import suppress
from pathlib import Path

_PREFIX = "replaced-"
_WHATEVER_COMES = {"ignore_errors": True}
_WORTH = 50
"""For fewer files it is not worth the folder."""


class ReplacedFiles:
    """The files that one restore of `count` files replaces, in a new folder in `folder`."""

    def __init__(self, folder: Path, restore: str, count: int) -> None:
        """`restore` makes the new folder its own."""
        self._folder: Path | None = None
        self._prefix = b""
        self._kept = 0
        # Only there was it measured, and only some file systems of others give second names.
        if sys.platform != "linux" or count < _WORTH:
            return
        try:
            self._folder = folder / f"{_PREFIX}{restore}"
            self._folder.mkdir()
            self._prefix = os.path.join(os.fsencode(self._folder), b"")
        except OSError:
            self._folder = None

    def keep(self, path: bytes) -> None:
        """Give the file at `path` a second name, where the file system has such."""
        if not self._prefix:
            return
        try:
            os.link(path, b"%b%d" % (self._prefix, self._kept))
            self._kept += 1
        except OSError:
            self._prefix = b""

    def delete(self) -> None:
        """Let the files go, in the background."""
        if self._folder is None:
            return
        # While the interpreter ends there are no new threads; the next start deletes them then.
        with suppress(RuntimeError):
            threading.Thread(target=shutil.rmtree, args=(self._folder,), kwargs=_WHATEVER_COMES).start()


def delete_left_behind(folder: Path) -> None:
    """Let the files go that are in `folder` because a process ended early."""
    for left in folder.glob(f"{_PREFIX}*"):
        shutil.rmtree(left, ignore_errors=True)
