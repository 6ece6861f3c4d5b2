"""Directories held open, and what is done to the files in them by name.

    with OpenDirectory(root) as top, top.below(b"folder/sub") as directory:
        directory.rename_over(b"staged", b"name")

Everything is relative to the open directory (`dir_fd`), so that nothing is written, renamed, linked or
removed elsewhere when somebody swaps a directory for a symbolic link meanwhile. On the way from a directory
to one below it no symbolic link is followed.

Where the system has no `dir_fd`, as on Windows, paths are used and the directories on the way are looked at
one by one: one that is swapped between this look and the act is not noticed there. The `filename` of an
`OSError` is the whole path all the same. Nothing is synchronised unless it says so. All raise `OSError`.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from types import TracebackType

if os.name != "nt":
    import fcntl

_RENAME_EXCHANGE = 2
"""linux/fs.h"""
AnyPath = str | bytes | os.PathLike[str]

_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_DIRECTORY: int = getattr(os, "O_DIRECTORY", 0)
_NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
_SEARCH: int = getattr(os, "O_PATH", getattr(os, "O_SEARCH", os.O_RDONLY))
"""For a directory that is only passed through: it need not be readable. (Without either flag, it must be.)"""
_READ = os.O_RDONLY | _NO_FOLLOW | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
_RELATIVE = {os.open, os.rename, os.unlink, os.link, os.stat, os.mkdir, os.rmdir, os.readlink, os.symlink}
_HAS_DIR_FD = os.supports_dir_fd >= _RELATIVE
_IS_LINK = {errno.ELOOP, errno.EMLINK, errno.ENOTDIR}
"""What the systems answer when a symbolic link is opened as a directory and not followed."""
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EACCES}
_SHARING_VIOLATIONS = (5, 32, 33)  # access denied, sharing violation, lock violation of Windows
_ACCESS_DENIED = 5
_JUNCTION = 0xA0000003  # IO_REPARSE_TAG_MOUNT_POINT: a directory of Windows that leads to another one
_PAUSES = (0.01, 0.03, 0.1, 0.2, 0.4, 0.6, 0.7)  # seconds
wait = time.sleep


class OpenDirectory:
    """A directory held open: its methods act on this directory, wherever its path leads by then."""

    def __init__(self, path: AnyPath) -> None:
        self.path = os.fsencode(path) or os.fsencode(os.curdir)
        self._descriptor: int | None = None
        self._identity: tuple[int, int] | None = None
        if os.name == "nt":
            return
        try:
            self._descriptor = os.open(self.path, _SEARCH | _DIRECTORY)
        except PermissionError:
            pass  # it may be writable without being readable
        except OSError as error:
            error.filename = os.fsdecode(self.path)
            raise

    def subdirectory(self, name: bytes) -> OpenDirectory:
        """Open the directory `name` in this one. Raises `NotADirectoryError` for links and junctions."""
        place, dir_fd = self._place(name)
        found = OpenDirectory.__new__(OpenDirectory)
        found.path, found._descriptor, found._identity = os.path.join(self.path, name), None, None
        if dir_fd is None:
            status = self.status(name)
            if not stat.S_ISDIR(status.st_mode) or getattr(status, "st_reparse_tag", 0) == _JUNCTION:
                raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR), os.fsdecode(found.path))
            return found
        try:
            found._descriptor = os.open(place, _SEARCH | _DIRECTORY | _NO_FOLLOW, dir_fd=dir_fd)
        except OSError as error:
            if error.errno in _IS_LINK:
                error = NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
            raise self._named(error, name) from None
        return found

    def below(self, path: bytes) -> OpenDirectory:
        """Open the directory `path`, relative and with `/`, each of its parts as `subdirectory` does.

        An empty path is this directory, opened once more.
        """
        opened = self.subdirectory(b".")
        opened.path = self.path
        for name in path.split(b"/") if path else ():
            with opened:
                opened = opened.subdirectory(name)
        return opened

    def status(self, name: bytes) -> os.stat_result:
        """Return the `lstat` of the entry `name`."""
        place, dir_fd = self._place(name)
        try:
            return os.stat(place, dir_fd=dir_fd, follow_symlinks=False)
        except OSError as error:
            raise self._named(error, name) from None

    def has(self, name: bytes) -> bool:
        """Return whether there is an entry `name`, of whatever kind."""
        try:
            self.status(name)
        except FileNotFoundError:
            return False
        return True

    def open_file(self, name: bytes) -> int:
        """Open the file `name` for reading, and return the descriptor; a symbolic link is an error.

        A FIFO without a writer reads as empty: nothing is waited for.
        """
        place, dir_fd = self._place(name)
        try:
            return os.open(place, _READ, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    @contextmanager
    def opened_file(self, name: bytes) -> Iterator[int]:
        """Open the file `name` as `open_file` does while the block runs."""
        descriptor = self.open_file(name)
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def set_permissions(self, name: bytes, mode: int) -> None:
        """Set the permission bits of the file `name` to exactly `mode`; a symbolic link is an error."""
        if not hasattr(os, "fchmod"):
            os.chmod(os.path.join(self.path, name), mode)
            return
        with self.opened_file(name) as descriptor:
            os.fchmod(descriptor, mode)

    def read_link(self, name: bytes) -> bytes:
        """Return the target of the symbolic link `name`."""
        place, dir_fd = self._place(name)
        try:
            return os.readlink(place, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    def entries(self) -> list[tuple[bytes, bool]]:
        """Return the names in the directory, each with whether it is a directory itself (a link is none)."""
        with self._readable() as descriptor, os.scandir(descriptor or self.path) as entries:
            return [(os.fsencode(entry.name), entry.is_dir(follow_symlinks=False)) for entry in entries]

    def __enter__(self) -> OpenDirectory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the directory; a second call does nothing."""
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            os.close(descriptor)

    def create(self, name: bytes, permissions: int = 0o666) -> StagedFile:
        """Create the file `name`, which must not exist, with these permissions less the umask."""
        place, dir_fd = self._place(name)
        try:
            descriptor = os.open(place, _CREATE, permissions, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None
        return StagedFile(self, name, descriptor)

    def create_temporary(self, prefix: bytes, permissions: int = 0o600) -> StagedFile:
        """Create a file with a new name that begins with `prefix`."""
        while True:
            with suppress(FileExistsError):
                return self.create(prefix + os.urandom(8).hex().encode(), permissions)

    def write_new(
        self, name: bytes, data: bytes, *, permissions: int = 0o666, exactly: int | None = None
    ) -> None:
        """Write the file `name`, which must not exist, with `permissions` less the umask.

        `exactly` is what its permission bits are set to then, where the system has them. When it fails, a
        part of the file may be left.
        """
        place, dir_fd = self._place(name)
        try:
            descriptor = os.open(place, _CREATE, permissions, dir_fd=dir_fd)
            try:
                _write(descriptor, data)
                if exactly is not None and hasattr(os, "fchmod"):
                    os.fchmod(descriptor, exactly)
            finally:
                os.close(descriptor)
        except OSError as error:
            raise self._named(error, name) from None

    def rename_over(self, old: bytes, new: bytes, directory: OpenDirectory | None = None) -> None:
        """Rename `old` to `new`, here or in another directory, replacing what is there; nothing is synced."""
        source, source_fd = self._place(old)
        target, target_fd = (directory or self)._place(new)
        try:
            _patiently(lambda: os.replace(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd), target)
        except OSError as error:
            raise self._named(error, old) from None

    def exchange(self, name: bytes, other: bytes, directory: OpenDirectory) -> bool:
        """Return whether the file `name` and `other`, in another directory, got each other's names.

        If not, nothing was done, for whatever reason. Nothing is synchronised. Who watches the directories
        learns of the move of `name` first.
        """
        renameat2 = _renameat2()
        source, source_fd = self._place(name)
        target, target_fd = directory._place(other)
        if renameat2 is None or source_fd is None or target_fd is None:
            return False
        return renameat2(source_fd, source, target_fd, target, _RENAME_EXCHANGE) == 0

    def rename_new(self, old: bytes, new: bytes, directory: OpenDirectory | None = None) -> None:
        """Rename `old` to `new`, here or in another directory, raising `FileExistsError` if that is taken.

        It links the file to the new name and removes the old one, so that a file that somebody else creates
        meanwhile is never replaced; when the process ends in between, the file has both names. Where the file
        system has no hard links, it checks that the name is free and renames. Nothing is synchronised.
        """
        try:
            self.link(old, new, directory)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            goal = directory or self
            if goal.has(new):
                taken = FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST))
                raise goal._named(taken, new) from None
            self.rename_over(old, new, directory)
        else:
            self.remove(old)

    def link(self, old: bytes, new: bytes, directory: OpenDirectory | None = None) -> None:
        """Give the file `old` a second name, here or in another directory, which must be free there."""
        source, source_fd = self._place(old)
        target, target_fd = (directory or self)._place(new)
        try:
            if source_fd is None and target_fd is None:
                os.link(source, target)
            else:
                # As without descriptors on Linux: a symbolic link itself gets the name.
                os.link(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd, follow_symlinks=False)
        except OSError as error:
            raise self._named(error, old) from None

    def symlink(self, target: bytes, name: bytes) -> None:
        """Create the symbolic link `name`, which must not exist, to `target`."""
        place, dir_fd = self._place(name)
        try:
            # As text: Windows takes no bytes.
            os.symlink(os.fsdecode(target), os.fsdecode(place), dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    def remove(self, name: bytes) -> None:
        """Remove the file `name`."""
        place, dir_fd = self._place(name)
        try:
            _patiently(lambda: os.unlink(place, dir_fd=dir_fd), place)
        except OSError as error:
            raise self._named(error, name) from None

    def make_directory(self, name: bytes, permissions: int = 0o777) -> None:
        """Create the directory `name`, which must not exist, with these permissions less the umask."""
        place, dir_fd = self._place(name)
        try:
            os.mkdir(place, permissions, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    def remove_directory(self, name: bytes) -> None:
        """Remove the directory `name`, which must be empty."""
        place, dir_fd = self._place(name)
        try:
            os.rmdir(place, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    def is_at_its_path(self) -> bool:
        """Return whether its path is known to lead to this very directory still."""
        if self._descriptor is None:
            return False  # on its way there may be a link by now
        try:
            now = os.lstat(self.path)
            if self._identity is None:
                status = os.fstat(self._descriptor)
                self._identity = status.st_dev, status.st_ino
        except OSError:
            return False
        return (now.st_dev, now.st_ino) == self._identity

    def sync(self) -> None:
        """Make renames, links and removals in the directory survive a power failure, where the system can."""
        # Without the right to read a directory, it can be written and not synchronised.
        with suppress(PermissionError), self._readable() as descriptor:
            if descriptor is not None:
                _sync(descriptor)

    @contextmanager
    def _readable(self) -> Iterator[int | None]:
        """Open this directory for reading while the block runs; `None` where it is known by its path."""
        if self._descriptor is None or not _HAS_DIR_FD:
            yield None
            return
        try:
            descriptor = os.open(b".", os.O_RDONLY | _DIRECTORY, dir_fd=self._descriptor)
        except OSError as error:
            error.filename = os.fsdecode(self.path)
            raise
        try:
            yield descriptor
        finally:
            os.close(descriptor)

    def _place(self, name: bytes) -> tuple[bytes, int | None]:
        if self._descriptor is None or not _HAS_DIR_FD:
            return os.path.join(self.path, name), None
        return name, self._descriptor

    def _named(self, error: OSError, name: bytes) -> OSError:
        error.filename = os.fsdecode(os.path.join(self.path, name))
        return error


class StagedFile:
    """A new file in an open directory, until it gets its final name.

    It ends with `rename_over` or `put_in_place`, with `keep`, or with `discard`.
    """

    def __init__(self, directory: OpenDirectory, name: bytes, descriptor: int) -> None:
        self.directory = directory
        self.name = name
        self.descriptor = descriptor
        """The file, open for reading and writing; -1 once closed."""
        self._waits = True

    def write(self, data: bytes | memoryview) -> None:
        """Append `data`."""
        _write(self.descriptor, data)

    def set_permissions(self, mode: int) -> None:
        """Set the permission bits to exactly `mode`."""
        if hasattr(os, "fchmod"):
            os.fchmod(self.descriptor, mode)
        else:
            os.chmod(os.path.join(self.directory.path, self.name), mode)

    def set_time(self, mtime_ns: int) -> None:
        """Set the times of access and modification, in nanoseconds since 1970."""
        known = os.utime in os.supports_fd
        file = self.descriptor if known else os.path.join(self.directory.path, self.name)
        os.utime(file, ns=(mtime_ns, mtime_ns))

    def sync(self) -> None:
        """Write the content to the disk."""
        _sync(self.descriptor)

    def keep(self) -> None:
        """Close the file and keep it under the name that it has."""
        self._waits = False
        self._close()

    def rename_over(self, name: bytes) -> None:
        """Close the file and give it the name `name`, replacing what is there. Nothing is synchronised."""
        self._close()
        self.directory.rename_over(self.name, name)
        self._waits = False

    def discard(self) -> None:
        """Close and remove the file, unless it has its final name or is kept. Raises nothing."""
        with suppress(OSError):
            self._close()
        if self._waits:
            self._waits = False
            with suppress(OSError):
                self.directory.remove(self.name)

    def _close(self) -> None:
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)


def _write(descriptor: int, data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def remove_file(path: AnyPath) -> None:
    """Remove a file by its path, as `OpenDirectory.remove` does: one that Windows holds read-only, too."""
    _patiently(lambda: os.unlink(path), path)


def _patiently(act: Callable[[], None], place: AnyPath) -> None:
    """Act, and again for two seconds while Windows has the file at `place` open elsewhere, or read-only."""
    for pause in _PAUSES:
        try:
            act()
            return
        except PermissionError as error:
            reason = getattr(error, "winerror", None)
            if reason not in _SHARING_VIOLATIONS:
                raise
            if reason == _ACCESS_DENIED:
                with suppress(OSError):
                    os.chmod(place, stat.S_IWRITE)
        wait(pause)
    act()


@lru_cache(maxsize=1)
def _renameat2() -> Callable[[int, bytes, int, bytes, int], int] | None:
    """Return the C library's `renameat2`, which Python has not; `None` where it has none either.

    See docs/decisions/ctypes.md.
    """
    if sys.platform != "linux":
        return None
    import ctypes

    try:
        found = ctypes.CDLL(None)["renameat2"]
    except (OSError, AttributeError):
        return None
    found.argtypes = (ctypes.c_int, ctypes.c_char_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_uint)
    return found


def _sync(descriptor: int) -> None:
    if os.name != "nt" and hasattr(fcntl, "F_FULLFSYNC"):  # fsync(2) of macOS leaves it in the disk's memory
        with suppress(OSError):
            fcntl.fcntl(descriptor, fcntl.F_FULLFSYNC)
            return
    os.fsync(descriptor)
