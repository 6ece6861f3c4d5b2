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
import time
from contextlib import suppress
from pathlib import Path

_PREFIX = "replaced-"
_WORTH = 50
"""For fewer files it is not worth the folder."""
_ABANDONED = 600.0
"""Seconds after which nobody is at a folder any more in which nothing changes."""

_live: set[Path] = set()
"""The folders of this process: of restores that go on, or being deleted."""


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
        place = folder / f"{_PREFIX}{restore}"
        try:
            place.mkdir()
        except OSError:
            return
        self._folder, self._prefix = place, os.path.join(os.fsencode(place), b"")
        _live.add(place)

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
        if self._folder is not None:
            _delete_soon(self._folder)

    def delete_now(self) -> None:
        """Let the files go at once, because their room may be needed."""
        if self._folder is not None:
            _delete(self._folder)


def delete_left_behind(folder: Path) -> None:
    """Let the files go, in the background, that are in `folder` because a process ended early."""
    with suppress(OSError):
        for left in folder.glob(f"{_PREFIX}*"):
            if left not in _live and time.time() - left.stat().st_mtime > _ABANDONED:
                _delete_soon(left)


def _delete_soon(folder: Path) -> None:
    _live.add(folder)
    # While the interpreter ends there are no new threads; a later start deletes them then.
    with suppress(RuntimeError):
        threading.Thread(target=_delete, args=(folder,)).start()


def _delete(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    _live.discard(folder)
