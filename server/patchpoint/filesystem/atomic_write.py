"""Atomic writes and renames: the only module that writes a temporary file and renames it.

    write_atomically(path, data)                              # one file: old content or new, never a part

    with OpenDirectory(path) as directory:                    # several files, in place together
        staged = directory.create_temporary(b"tmp_pack_")
        staged.write(data)
        put_in_place([(staged, b"name")])

Everything is done relative to an open directory (`dir_fd`), so that nothing is written elsewhere when
somebody swaps the directory for a symbolic link meanwhile. Where the system has no `dir_fd`, or the directory
may not be opened for reading, paths are used. The `filename` of an `OSError` is the whole path all the same.

A rename is atomic for other processes. What a power failure leaves is another matter: without a `sync` of
the file before, some file systems keep the new name of a file that has no content yet; without a `sync` of
the directory after, the old name may come back. Every function says which of the two it does. All raise
`OSError`.
"""

from __future__ import annotations

import errno
import os
import secrets
from collections.abc import Iterable, Sequence
from contextlib import suppress
from enum import Enum
from types import TracebackType

AnyPath = str | bytes | os.PathLike[str]

_CREATE = os.O_RDWR | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
_OPEN_DIRECTORY = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0)
_HAS_DIR_FD = {os.open, os.rename, os.unlink, os.link} <= os.supports_dir_fd
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EACCES}


class Durability(Enum):
    """What a write survives in addition to the end of the process, which it always survives."""

    NONE = "none"
    """Nothing is synchronised: after a power failure the file may have its old content, the new, or none. For
    what can be computed again."""
    CONTENT = "content"
    """The file is synchronised: after a power failure it has its old content or the new, in whole."""
    NAME = "name"
    """The file and its directory are synchronised: once the call returns, the new content stays."""


class OpenDirectory:
    """A directory held open: its methods act on this directory, wherever its path leads by then."""

    def __init__(self, path: AnyPath) -> None:
        self.path = os.fsencode(path) or os.fsencode(os.curdir)
        self._descriptor: int | None = None
        if os.name == "nt":
            return
        try:
            self._descriptor = os.open(self.path, _OPEN_DIRECTORY)
        except PermissionError:
            pass  # it may be writable without being readable
        except OSError as error:
            error.filename = os.fsdecode(self.path)
            raise

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
                return self.create(prefix + secrets.token_hex(8).encode(), permissions)

    def rename_over(self, old: bytes, new: bytes, directory: OpenDirectory | None = None) -> None:
        """Rename `old` to `new`, here or in another directory, replacing what is there. Nothing is
        synchronised."""
        source, source_fd = self._place(old)
        target, target_fd = (directory or self)._place(new)
        try:
            os.replace(source, target, src_dir_fd=source_fd, dst_dir_fd=target_fd)
        except OSError as error:
            raise self._named(error, old) from None

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

    def remove(self, name: bytes) -> None:
        """Remove the file `name`."""
        place, dir_fd = self._place(name)
        try:
            os.unlink(place, dir_fd=dir_fd)
        except OSError as error:
            raise self._named(error, name) from None

    def sync(self) -> None:
        """Make renames, links and removals in the directory survive a power failure, where the system can."""
        if self._descriptor is not None:
            os.fsync(self._descriptor)

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

    def sync(self) -> None:
        """Write the content to the disk (fsync)."""
        os.fsync(self.descriptor)

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


def write_atomically(
    path: AnyPath,
    data: bytes | Iterable[bytes],
    *,
    permissions: int = 0o666,
    durability: Durability = Durability.NAME,
    temporary: str | None = None,
) -> None:
    """Replace the content of `path`, or create it, so that a reader sees the old content or the new.

    The file gets `permissions` less the umask. `durability` decides what survives a power failure; a failure
    to synchronise the directory is not raised, for the new content is in place by then. `temporary` is the
    name of the temporary file, which replaces one that an earlier process left. When the write fails, the
    file is as it was and the temporary file is removed.
    """
    above, name = os.path.split(os.fsencode(path))
    with OpenDirectory(above) as directory:
        if temporary is None:
            staged = directory.create_temporary(name + b".", permissions)
        else:
            staged = _created_again(directory, os.fsencode(temporary), permissions)
        try:
            for piece in (data,) if isinstance(data, bytes) else data:
                staged.write(piece)
            if durability is not Durability.NONE:
                staged.sync()
            staged.rename_over(name)
        except BaseException:
            staged.discard()
            raise
        if durability is Durability.NAME:
            with suppress(OSError):
                directory.sync()


def write_new(path: AnyPath, data: bytes, *, permissions: int = 0o666, exactly: int | None = None) -> None:
    """Write a new file, which must not exist, for a later `rename_over`.

    It gets `permissions` less the umask, or the permission bits `exactly` where the system has them. Nothing
    is synchronised: it is for thousands of files that can be written again. When it fails, a part of the file
    may be left.
    """
    # By its path, without a directory opened for each: the name is new, so that nothing is replaced anywhere,
    # and the rename finds the file only where it was meant to be.
    descriptor = os.open(path, _CREATE, permissions)
    try:
        _write(descriptor, data)
        if exactly is not None and hasattr(os, "fchmod"):
            os.fchmod(descriptor, exactly)
    finally:
        os.close(descriptor)


def put_in_place(files: Sequence[tuple[StagedFile, bytes]]) -> None:
    """Give staged files the names that go with them, in order, and make all of it durable.

    Each is synchronised before the first gets its name (the first `sync` mostly carries the data of the
    others along), and each directory once after the last. When it fails, some may have their names.
    """
    for file, _ in files:
        file.sync()
    for file, name in files:
        file.rename_over(name)
    for directory in dict.fromkeys(file.directory for file, _ in files):
        directory.sync()


def rename_over(source: AnyPath, target: AnyPath) -> None:
    """Rename `source` to `target`, replacing what is there.

    Nothing is synchronised: after a power failure the file may have either name; see `sync_directory`.
    """
    above, old = os.path.split(os.fsencode(source))
    target_above, new = os.path.split(os.fsencode(target))
    with OpenDirectory(above) as directory:
        if target_above == above:
            directory.rename_over(old, new)
        else:
            with OpenDirectory(target_above) as goal:
                directory.rename_over(old, new, goal)


def rename_new(source: AnyPath, target: AnyPath) -> None:
    """Rename `source` to `target`, raising `FileExistsError` if that name is taken.

    It links the file to `target` and unlinks `source`, so that a file that somebody else creates meanwhile is
    never replaced; when the process ends in between, the file has both names. Where the file system has no
    hard links, it checks that the name is free and renames. Nothing is synchronised.
    """
    above, old = os.path.split(os.fsencode(source))
    target_above, new = os.path.split(os.fsencode(target))
    with OpenDirectory(above) as directory, OpenDirectory(target_above) as goal:
        try:
            directory.link(old, new, goal)
        except OSError as error:
            if error.errno not in _NO_LINKS:
                raise
            if os.path.lexists(target):
                raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), os.fsdecode(target)) from None
            directory.rename_over(old, new, goal)
        else:
            directory.remove(old)


def rename_durably(directory: AnyPath, old: str, new: str) -> None:
    """Rename the file `old` of a directory to `new`, replacing what is there, and synchronise the directory.

    A power failure meanwhile leaves the old name or the new; once this returns, it is the new. A failure to
    synchronise the directory is not raised.
    """
    with OpenDirectory(directory) as opened:
        opened.rename_over(os.fsencode(old), os.fsencode(new))
        with suppress(OSError):
            opened.sync()


def sync_directory(path: AnyPath) -> None:
    """Make renames, links and removals in a directory survive a power failure, where the system can.

    A failure is not raised.
    """
    with suppress(OSError), OpenDirectory(path) as directory:
        directory.sync()


def _write(descriptor: int, data: bytes | memoryview) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]


def _created_again(directory: OpenDirectory, name: bytes, permissions: int) -> StagedFile:
    try:
        return directory.create(name, permissions)
    except FileExistsError:
        with suppress(FileNotFoundError):
            directory.remove(name)
        return directory.create(name, permissions)
