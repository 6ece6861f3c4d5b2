"""Lock files: one process or thread at a time holds one.

The lock is the operating system's own on an open file. It ends with the process that holds it, however that
ends, so there is nothing stale to clean up. The content of the file (process, boot, host) is for messages to
people, and for a file system without such locks: there the existence of a second file is the lock, and one
whose process has ended, or was of an earlier boot, counts as abandoned.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.filesystem.atomic_write import rename_over
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.filesystem.process import boot_id, is_alive
from patchpoint.progress import Progress, Silent

_FIRST_PAUSE = 0.005
"""Seconds until the lock is tried again; each pause is twice as long as the one before."""
_LONGEST_PAUSE = 0.1
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


class LockBusyError(Exception):
    """The lock could not be acquired: `holder` has it, or its file cannot be created (then the cause is an
    `OSError`)."""

    def __init__(self, path: Path, holder: str = "Another process", remedy: str = "try again") -> None:
        super().__init__(f"{holder} holds '{path}'; {remedy}.")
        self.path = path
        self.holder = holder
        self.remedy = remedy


@contextmanager
def exclusive_lock(path: Path, *, timeout: float = 60.0, progress: Progress | None = None) -> Iterator[None]:
    """Hold the lock file at `path`, which is created if need be, while the block runs.

    A symbolic link in its place is not followed: the content of the file would replace that of another one.
    Waits up to `timeout` seconds for another process or thread. Raises `LockBusyError` after that, and
    `CancelledError` when `progress` is cancelled while it waits.
    """
    watch = progress or Silent()
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, _OPEN, 0o666)
    except OSError as error:
        raise LockBusyError(path) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise LockBusyError(path) from OSError(errno.EINVAL, "it is not a regular file")
        while not (locked := _try_lock(descriptor)):
            if locked is None:
                break
            watch.check()
            if time.monotonic() > deadline:
                raise LockBusyError(path, _holder(descriptor))
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        if locked is None:
            with _lock_by_existence(path.with_name(path.name + ".held"), deadline, watch):
                yield
            return
        # The lock is held; without the name of its holder, as on a full disk, only messages say less.
        with suppress(OSError):
            _write_holder(descriptor)
        yield
    finally:
        os.close(descriptor)


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool | None:
        """Return whether the lock was acquired; `None` when the file system has no locks."""
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in _UNSUPPORTED else False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool | None:
        """Return whether the lock was acquired; `None` when the file system has no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return None if error.errno in _UNSUPPORTED else False
        return True


@contextmanager
def _lock_by_existence(path: Path, deadline: float, watch: Progress) -> Iterator[None]:
    """Hold the lock `path`, a file whose creator is the holder."""
    pause = _FIRST_PAUSE
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            break
        except FileExistsError:
            if _is_abandoned(path):
                _remove_abandoned(path)
                continue
        watch.check()
        if time.monotonic() > deadline:
            raise LockBusyError(path, remedy=f"when there is none, delete '{path}'")
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
    try:
        _write_holder(descriptor)
        os.close(descriptor)
        yield
    finally:
        path.unlink(missing_ok=True)


def _is_abandoned(path: Path) -> bool:
    try:
        holder = json.loads(read_file_bytes(path))
    except (OSError, ValueError):
        return False
    if not isinstance(holder, dict) or holder.get("host") != socket.gethostname():
        return False
    pid = holder.get("pid")
    has_ended = not isinstance(pid, int) or pid <= 0 or is_alive(pid) is False
    return holder.get("boot") != boot_id() or has_ended


def _remove_abandoned(path: Path) -> None:
    """Remove an abandoned lock; of several processes that try, only one finds it under its own name."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        rename_over(path, aside)
        if not _is_abandoned(aside):
            os.link(aside, path)
        aside.unlink()


def _write_holder(descriptor: int) -> None:
    holder = {"pid": os.getpid(), "boot": boot_id(), "host": socket.gethostname()}
    os.ftruncate(descriptor, 0)
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, json.dumps(holder).encode())


def _holder(descriptor: int) -> str:
    os.lseek(descriptor, 0, os.SEEK_SET)
    try:
        return f"Process {json.loads(os.read(descriptor, 4096))['pid']}"
    except (ValueError, KeyError, TypeError):
        return "Another process"
