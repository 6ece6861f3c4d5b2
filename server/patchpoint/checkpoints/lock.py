"""Taking turns: one process at a time writes the checkpoints of a repository.

The lock is the operating system's own on an open file, so it is gone the moment its holder is, however that
came about, and there is nothing stale to clean up. What the file says (process, boot, host) is for
messages to people, and for a file system that knows no such locks: there the file itself is the lock, and
one whose process is gone or was of an earlier boot counts as left behind.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.checkpoints.errors import RepositoryBusyError
from patchpoint.progress import Progress, Silent

_FIRST_PAUSE = 0.005
_LONGEST_PAUSE = 0.1
_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


@contextmanager
def turn(path: Path, *, timeout: float = 60.0, progress: Progress | None = None) -> Iterator[None]:
    """Hold the lock file at `path` (made when it is not there) while the block runs.

    Waits up to `timeout` seconds for another process or thread. Raises `RepositoryBusyError` after that, and
    `CancelledError` when the waiting is no longer wanted.
    """
    watch = progress or Silent()
    deadline = time.monotonic() + timeout
    pause = _FIRST_PAUSE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
    except OSError as error:
        raise RepositoryBusyError(
            f"'{path}' cannot be written ({error.strerror}); checkpoints need the right to write there."
        ) from error
    try:
        while not (locked := _try_lock(descriptor)):
            if locked is None:
                break
            watch.check()
            if time.monotonic() > deadline:
                raise RepositoryBusyError(f"{_holder(descriptor)} is working on the checkpoints; try again.")
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        if locked is None:
            with _turn_by_file(path.with_name(path.name + ".held"), deadline, watch):
                yield
            return
        _write_holder(descriptor)
        yield
    finally:
        os.close(descriptor)


def boot_id() -> str:
    """What tells this boot of the machine from every other; empty where the system does not say."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    return ""


if sys.platform == "win32":
    import msvcrt

    def _try_lock(descriptor: int) -> bool | None:
        """Whether the lock is ours now; `None` when the file system knows no locks."""
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in _UNSUPPORTED else False
        return True

else:
    import fcntl

    def _try_lock(descriptor: int) -> bool | None:
        """Whether the lock is ours now; `None` when the file system knows no locks."""
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            return None if error.errno in _UNSUPPORTED else False
        return True


@contextmanager
def _turn_by_file(path: Path, deadline: float, watch: Progress) -> Iterator[None]:
    """Hold `path` by being the one who created it."""
    pause = _FIRST_PAUSE
    while True:
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL, 0o666)
            break
        except FileExistsError:
            if _left_behind(path):
                _take_away(path)
                continue
        watch.check()
        if time.monotonic() > deadline:
            raise RepositoryBusyError(
                f"Another process is working on the checkpoints; when there is none, delete '{path}'."
            )
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
    try:
        _write_holder(descriptor)
        os.close(descriptor)
        yield
    finally:
        path.unlink(missing_ok=True)


def _left_behind(path: Path) -> bool:
    try:
        holder = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return False
    if not isinstance(holder, dict) or holder.get("host") != socket.gethostname():
        return False
    return holder.get("boot") != boot_id() or not _is_alive(holder.get("pid"))


def _take_away(path: Path) -> None:
    """Remove a lock left behind; of several processes that try, only one finds it under its own name."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        path.rename(aside)
        if not _left_behind(aside):
            os.link(aside, path)
        aside.unlink()


def _is_alive(pid: object) -> bool:
    if not isinstance(pid, int) or pid <= 0:
        return False
    if sys.platform == "win32":
        return True  # where asking a process with signal 0 would end it
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True


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
