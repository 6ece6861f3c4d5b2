"""Open a regular file without ever waiting: a FIFO in its place would have a plain `open` wait for a writer.

For the files of git and of Patchpoint that lie in a folder, which may have come from anybody.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from io import BufferedReader
from pathlib import Path

from patchpoint.filesystem.open_directory import AnyPath, OpenDirectory

READ_FLAGS: int = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
"""With these, a FIFO without a writer reads as empty."""
_MOST_HELD = 200
"""So many files are held open where nobody says how many a process may have: often no more than 256."""
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


class HeldFiles:
    """Files that are about to be replaced, held open, or by another name that they have got.

    Another program may have opened one before, and write to it when it has lost its name.
    """

    def __init__(self) -> None:
        self._held: list[tuple[bytes, int, os.stat_result]] = []
        self._named: list[tuple[bytes, OpenDirectory, bytes, os.stat_result]] = []
        self._most = _MOST_HELD

    def hold(self, path: bytes, directory: OpenDirectory, name: bytes, status: os.stat_result) -> bool:
        """Hold the file `name` of a directory with this `lstat`; return whether it is still that one.

        One that cannot be opened is not held, nor is any on Windows, which renames no open file.
        """
        if sys.platform == "win32" or not stat.S_ISREG(status.st_mode):
            return True
        if len(self._held) >= self._most:
            self._most = max(self._most, _half_of_all())
            if len(self._held) >= self._most:
                return True
        try:
            descriptor = directory.open_file(name)
        except OSError:
            return True
        if not _is_same(os.fstat(descriptor), status):
            os.close(descriptor)
            return False
        self._held.append((path, descriptor, status))
        return True

    def hold_by_name(
        self, path: bytes, directory: OpenDirectory, name: bytes, status: os.stat_result
    ) -> None:
        """Hold the file of `path`, of which this was the `lstat`, by the `name` that it has now.

        However many they are, that takes nothing that a process has little of.
        """
        self._named.append((path, directory, name, status))

    def written(self) -> Iterator[tuple[bytes, bytes, int]]:
        """Yield the path, the bytes and the permissions of each that was written to since it is held."""
        for path, directory, name, before in self._named:
            with suppress(OSError):
                if _is_same(directory.status(name), before):
                    continue
                with directory.opened_file(name) as descriptor, open(os.dup(descriptor), "rb") as file:
                    yield path, file.read(), stat.S_IMODE(os.fstat(descriptor).st_mode)
        for path, descriptor, before in self._held:
            now = os.fstat(descriptor)
            if not _is_same(now, before):
                with open(os.dup(descriptor), "rb") as file:
                    yield path, file.read(), stat.S_IMODE(now.st_mode)

    def close(self) -> None:
        """Let go of them. Raises nothing."""
        for _, descriptor, _ in self._held:
            with suppress(OSError):
                os.close(descriptor)
        self._held.clear()
        self._named.clear()


def _half_of_all() -> int:
    """Return half of how many files this process may have open."""
    if sys.platform == "win32":
        return 0
    import resource

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return sys.maxsize if most == resource.RLIM_INFINITY else most // 2


def _is_same(one: os.stat_result, other: os.stat_result) -> bool:
    fields = ((each.st_ino, each.st_mtime_ns, each.st_size) for each in (one, other))
    return len(set(fields)) == 1


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


def age_of(path: Path) -> float:
    """Return the seconds since a file was written; of one that is not there, infinitely many."""
    try:
        return time.time() - os.stat(path).st_mtime
    except OSError:
        return float("inf")
