"""The files that a restore replaces, deleted after it.

Unlinking the last name of a file frees its blocks, which costs more than the rename that replaces it
(measured: 45 of 85 ms for a thousand files). So a replaced file gets the name of the one that was staged for
it, and the staging directory becomes the trash directory; where the system cannot exchange two names, it is
hard-linked into that one (64 ms for a thousand files, against 17). The trash directory is deleted later,
while nobody waits. Nothing depends on it: it may be deleted at any time.

Another program may have opened a file before it is replaced and write to it after, when it has no name any
more. So the replaced files are held until all are done, open or by the name that they have got, and one that
was written to since is put back.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path

from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.open_to_read import HeldFiles

_PREFIX = "replaced-"
_WORTH = 50
"""Fewest files for which the trash directory is worth its cost."""
_ABANDONED_AFTER_S = 600.0
"""Seconds without a change after which a trash directory counts as abandoned."""

_live: set[Path] = set()
"""The trash directories of this process: of running restores, or being deleted."""


class ReplacedFiles:
    """The trash directory of one restore of `count` files, in `directory`."""

    def __init__(self, directory: Path, restore: str, count: int) -> None:
        """`restore`, an id, makes the name of the trash directory unique."""
        self._directory: Path | None = None
        self._opened: OpenDirectory | None = None
        self._links = True
        self._kept = 0
        self.held = HeldFiles()
        """Those that another program may be writing to."""
        # Measured on Linux alone; elsewhere only some file systems have hard links.
        if sys.platform != "linux" or count < _WORTH:
            return
        # It must be there when the files have been replaced, whatever the system is short of by then.
        import shutil  # noqa: F401

        place = directory / f"{_PREFIX}{restore}"
        try:
            place.mkdir()
            self._opened = OpenDirectory(place)
        except OSError:
            return
        self._directory = place
        _live.add(place)

    @property
    def are_many(self) -> bool:
        """Whether they are so many that they are kept until there is time to delete them."""
        return self._opened is not None and self._links

    def keep(self, path: bytes, directory: OpenDirectory, name: bytes, status: os.stat_result) -> bool:
        """Keep the file `name` of `directory`, of which this was the `lstat`; return whether it still is.

        Where they are many, it is hard-linked, if the file system can, and held by that name; else it is held
        open. `path` is its path in the working tree.
        """
        if self._opened is not None and self._links:
            link = b"%d" % self._kept
            try:
                directory.link(name, link, self._opened)
            except OSError:
                self._links = False
            else:
                self._kept += 1
                self.held.hold_by_name(path, self._opened, link, status)
                return True
        return self.held.hold(path, directory, name, status)

    def adopt(self, staging: bytes) -> None:
        """Take the files that are left in a staging directory next to it, whose restore is done with it.

        They stay there where that cannot be, as when it is not there. Raises nothing.
        """
        if self._directory is not None and not self._kept:
            with suppress(OSError), OpenDirectory(self._directory.parent) as directory:
                directory.rename_over(staging, os.fsencode(self._directory.name))

    def delete(self) -> None:
        """Delete the trash directory in the background."""
        self._close()
        if self._directory is not None:
            _delete_in_background(self._directory)

    def delete_now(self) -> None:
        """Delete the trash directory at once, because its space may be needed."""
        self._close()
        if self._directory is not None:
            _delete(self._directory)

    def _close(self) -> None:
        opened, self._opened = self._opened, None
        if opened is not None:
            opened.close()


def delete_left_behind(directory: Path) -> None:
    """Delete in the background the trash directories in `directory` that dead processes left."""
    with suppress(OSError):
        for left in directory.glob(f"{_PREFIX}*"):
            if left not in _live and time.time() - left.stat().st_mtime > _ABANDONED_AFTER_S:
                _delete_in_background(left)


def _delete_in_background(directory: Path) -> None:
    _live.add(directory)
    # While the interpreter ends no thread can be started; a later process deletes the directory.
    with suppress(RuntimeError):
        threading.Thread(target=_delete, args=(directory,)).start()


def _delete(directory: Path) -> None:
    import shutil

    shutil.rmtree(directory, ignore_errors=True)
    _live.discard(directory)
