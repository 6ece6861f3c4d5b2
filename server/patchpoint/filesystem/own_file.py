"""Read a file that Patchpoint wrote for itself, in a folder that somebody else may have filled."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from patchpoint.filesystem.open_to_read import READ_FLAGS

_FLAGS = READ_FLAGS | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def read_own_file(path: Path, *, largest: int) -> bytes:
    """Return the bytes of the regular file at `path`, of `largest` bytes at most.

    A symbolic link in its place is not followed, and a pipe not waited for. Raises `OSError`, also for what
    is no such file.
    """
    descriptor = os.open(path, _FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            raise OSError(f"'{path}' is no regular file of {largest} bytes at most")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(largest)
    finally:
        os.close(descriptor)
