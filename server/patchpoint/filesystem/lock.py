"""Lock files: one process or thread at a time holds one.

The lock is the operating system's own on an open file. It ends with the process that holds it, however that
ends, so there is nothing stale to clean up. The content of the file (process, program, boot, host, time) is
for messages to people, and for a file system without such locks: there the existence of a second file is the
lock, and one whose process has ended, or was of an earlier boot, counts as abandoned.
"""

from __future__ import annotations

import errno
import json
import os
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.atomic_write import rename_over
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.process import boot_id, host_name, is_alive
from patchpoint.progress import Progress, Silent
from patchpoint.wording import duration

_FIRST_PAUSE = 0.005
"""Seconds until the lock is tried again; each pause is twice as long as the one before."""
_LONGEST_PAUSE = 0.1
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_NOFOLLOW", 0)
_MOST_PROCESSES = 1 << 31
_LONGEST, _LONGEST_NAME = 4096, 255
"""Bytes of a lock file, and characters of a name in it, that are read."""
_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOSYS, errno.EINVAL}


WAIT = 5.0
"""Seconds for which another process's lock is waited for, unless somebody chooses otherwise."""


class LockBusyError(Exception):
    """The lock could not be acquired: `holder` has it, or its file cannot be created (then the cause is an
    `OSError`)."""

    def __init__(self, path: Path, holder: str = "Another process", remedy: str = "try again") -> None:
        super().__init__(f"{holder} holds '{path}'; {remedy}.")
        self.path = path
        self.holder = holder
        self.remedy = remedy


@contextmanager
def exclusive_lock(
    path: Path,
    *,
    timeout: float = WAIT,
    thread_timeout: float | None = None,
    progress: Progress | None = None,
) -> Iterator[None]:
    """Hold the lock file at `path`, which is created if need be, while the block runs.

    A symbolic link in its place is not followed: the content of the file would replace that of another one.
    Waits up to `timeout` seconds for another process, and up to `thread_timeout` (by default as long) for
    another thread of this one. Raises `LockBusyError` after that, and `CancelledError` when `progress` is
    cancelled while it waits.
    """
    watch = progress or Silent()
    begun = time.monotonic()
    pause = _FIRST_PAUSE
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(path, _OPEN, 0o666)
    except OSError as error:
        raise LockBusyError(path) from error
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise LockBusyError(path) from OSError(errno.EINVAL, "it is not a regular file")
        while not (locked := try_lock(descriptor)):
            if locked is None:
                break
            watch.check()
            waited = time.monotonic() - begun
            if waited >= timeout:
                holder = _Holder.read(_content(descriptor))
                if not (holder.is_this_process and waited < (thread_timeout or 0)):
                    raise LockBusyError(path, str(holder))
            time.sleep(pause)
            pause = min(pause * 2, _LONGEST_PAUSE)
        if locked is None:
            with _lock_by_existence(path.with_name(path.name + ".held"), begun + timeout, watch):
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

    def try_lock(descriptor: int) -> bool | None:
        """Return whether the lock was acquired; `None` when the file system has no locks."""
        os.lseek(descriptor, 1 << 20, os.SEEK_SET)
        try:
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
        except OSError as error:
            return None if error.errno in _UNSUPPORTED else False
        return True

else:
    import fcntl

    def try_lock(descriptor: int) -> bool | None:
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
            holder = str(_Holder.read(_content_at(path)))
            raise LockBusyError(path, holder, f"when it is not running, delete '{path}'")
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
    try:
        _write_holder(descriptor)
        os.close(descriptor)
        yield
    finally:
        path.unlink(missing_ok=True)


def _is_abandoned(path: Path) -> bool:
    holder = _Holder.read(_content_at(path))
    if holder.host != host_name():
        return False
    return holder.boot != boot_id() or holder.process is None or is_alive(holder.process) is False


def _remove_abandoned(path: Path) -> None:
    """Remove an abandoned lock; of several processes that try, only one finds it under its own name."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    with suppress(OSError):
        rename_over(path, aside)
        if not _is_abandoned(aside):
            os.link(aside, path)
        aside.unlink()


@dataclass(frozen=True, slots=True)
class _Holder:
    """What a lock file says of who holds it; another program may have written it."""

    process: int | None = None
    program: str = ""
    host: str = ""
    boot: str = ""
    since: float | None = None
    """Seconds since 1970."""

    @classmethod
    def read(cls, content: bytes) -> _Holder:
        """Return what the content of a lock file says, as far as it can be believed."""
        try:
            fields = json.loads(content)
        except (ValueError, RecursionError):
            return cls()
        if not isinstance(fields, dict):
            return cls()
        process, since = fields.get("pid"), fields.get("since")
        return cls(
            process=process if isinstance(process, int) and 0 < process < _MOST_PROCESSES else None,
            since=since if isinstance(since, (int, float)) and 0 <= since <= time.time() else None,
            **{name: _shown(fields.get(name)) for name in ("program", "host", "boot")},
        )

    @property
    def is_this_process(self) -> bool:
        """Whether a thread of this process holds the lock."""
        return self.process == os.getpid() and self.host == host_name()

    def __str__(self) -> str:
        about = [self.program] if self.program else []
        if self.host not in ("", host_name()):
            about.append(f"on {self.host}")
        if self.since is not None:
            about.append(f"for {duration(time.time() - self.since)}")
        name = "Another process" if self.process is None else f"Process {self.process}"
        return f"{name} ({', '.join(about)})" if about else name


def _shown(value: object) -> str:
    """Return a text that can be shown on a terminal, or an empty one."""
    return value if isinstance(value, str) and value.isprintable() and len(value) <= _LONGEST_NAME else ""


def _program() -> str:
    """Return the name of this program, as a person knows it."""
    place = Path(sys.argv[0] if sys.argv else "")
    return place.parent.name if place.name == "__main__.py" else place.name


def _write_holder(descriptor: int) -> None:
    holder = {
        "pid": os.getpid(),
        "program": _program(),
        "boot": boot_id(),
        "host": host_name(),
        "since": time.time(),
    }
    # Over the old content, and spaces over the rest of it: some file systems free no block of a file that was
    # just written before the disk has it, and nobody finds the file empty.
    length = os.fstat(descriptor).st_size
    if length > _LONGEST:
        os.ftruncate(descriptor, 0)
        length = 0
    os.lseek(descriptor, 0, os.SEEK_SET)
    os.write(descriptor, json.dumps(holder).encode().ljust(length))


def _content(descriptor: int) -> bytes:
    os.lseek(descriptor, 0, os.SEEK_SET)
    return os.read(descriptor, _LONGEST)


def _content_at(path: Path) -> bytes:
    try:
        return read_own_file(path, largest=_LONGEST)
    except OSError:
        return b""
