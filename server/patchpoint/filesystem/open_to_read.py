"""Open a regular file without ever waiting: a FIFO in its place would have a plain `open` wait for a writer.

For the files of git and of Patchpoint that lie in a folder, which may have come from anybody.
"""

from __future__ import annotations

import errno
import os
import stat
from io import BufferedReader
from pathlib import Path

from patchpoint.filesystem.open_directory import AnyPath

READ_FLAGS: int = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""With these, a FIFO without a writer reads as empty."""
_OWN_FLAGS = READ_FLAGS | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def open_to_read(path: AnyPath) -> BufferedReader:
    """Open the regular file `path`, following symbolic links. Raises `OSError`, also for anything else.

    The null device reads as an empty file: git's manual has it named in the place of a configuration.
    """
    return open(path, "rb", opener=_opened)


def read_file_bytes(path: AnyPath) -> bytes:
    """Return the content of the regular file `path`, as `open_to_read` does."""
    with open_to_read(path) as file:
        return file.read()


def read_own_file(path: Path, *, largest: int) -> bytes:
    """Return the bytes of a file that Patchpoint wrote for itself, a regular one of `largest` bytes at most.

    A symbolic link in its place is not followed, and a pipe not waited for. Raises `OSError`, also for what
    is no such file.
    """
    descriptor = os.open(path, _OWN_FLAGS)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode) or status.st_size > largest:
            raise OSError(f"'{path}' is no regular file of {largest} bytes at most")
        with open(descriptor, "rb", closefd=False) as file:
            return file.read(largest)
    finally:
        os.close(descriptor)


def is_special(path: AnyPath) -> bool:
    """Return whether a FIFO, a device or a socket is at `path`, or a link to one: reading it may wait."""
    try:
        mode = os.stat(path).st_mode
    except (OSError, ValueError):
        return False
    return not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _opened(path: str | bytes, flags: int) -> int:
    descriptor = os.open(path, flags | READ_FLAGS)
    status = os.fstat(descriptor)
    mode = status.st_mode
    if stat.S_ISREG(mode) or _is_null_device(path, status):
        return descriptor
    os.close(descriptor)
    code = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
    problem = os.strerror(code) if stat.S_ISDIR(mode) else "it is not a regular file"
    raise OSError(code, problem, os.fsdecode(path))


def _is_null_device(path: str | bytes, status: os.stat_result) -> bool:
    if not stat.S_ISCHR(status.st_mode):
        return False
    if os.name == "nt":
        return os.path.basename(os.fsdecode(path)).casefold() == os.devnull
    null = os.stat(os.devnull)
    return stat.S_ISCHR(null.st_mode) and status.st_rdev == null.st_rdev
