"""Why a file cannot be read or written, in words that a person understands."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path


class FileError(Exception):
    """A file was not read or not written; nothing was changed.

    `problem` is the rest of a sentence that begins with the file's name, which callers show in their own way.

    FileError
    ├── MissingFileError            there is no such file
    ├── ExistingFileError           there is one where a new one was to be created
    ├── NotRegularFileError         a folder, a device, a FIFO, a socket
    ├── TooLargeFileError
    ├── UnreadableFileError         permissions, a failing disk
    ├── BinaryFileError
    ├── UnknownEncodingFileError
    ├── StaleFileError              it has changed since it was read
    ├── UnencodableTextError        the new text does not exist in the file's encoding
    └── UnwritableFileError         permissions, a failing disk
        ├── ReadOnlyFileError
        └── DiskFullError
    """

    def __init__(self, path: Path, problem: str) -> None:
        super().__init__(f"{path} {problem}")
        self.path = path
        self.problem = problem


class MissingFileError(FileError):
    """There is no such file."""


class ExistingFileError(FileError):
    """There is a file where a new one was to be created."""


class NotRegularFileError(FileError):
    """It is a folder, a device, a FIFO or a socket."""


class TooLargeFileError(FileError):
    """It is larger than the caller's limit."""


class UnreadableFileError(FileError):
    """The operating system does not allow reading it."""


class BinaryFileError(FileError):
    """Its bytes are not text."""


class UnknownEncodingFileError(FileError):
    """Its bytes are not text in any encoding that is supported."""


class StaleFileError(FileError):
    """It has changed since it was read."""


class UnencodableTextError(FileError):
    """The new text has a character that the file's encoding lacks."""


class UnwritableFileError(FileError):
    """The operating system does not allow writing it."""


class ReadOnlyFileError(UnwritableFileError):
    """It, or the file system it is on, is read-only."""


class DiskFullError(UnwritableFileError):
    """There is no room for the new content."""


def writing_problem(path: Path, error: OSError) -> FileError:
    """Return what an operating system's error means for the writing of a file."""
    if error.errno in _NO_ROOM:
        return DiskFullError(path, "cannot be written: the disk is full; free some space first")
    if error.errno == errno.EROFS:
        return ReadOnlyFileError(path, "is on a read-only file system")
    if getattr(error, "winerror", None) in _IN_USE:
        return UnwritableFileError(path, f"cannot be written: {_who_has(path)} it open; close it there")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnwritableFileError(path, "cannot be written: permission denied for it or its folder")
    if error.errno == errno.ENOENT:
        if is_too_long(path):
            return UnwritableFileError(path, f"cannot be written: {_TOO_LONG}")
        return MissingFileError(path, "does not exist, or its folder does not")
    if error.errno == errno.ENOTDIR:
        return UnwritableFileError(
            path, "cannot be written: a part of its path is a file or a link, not a folder"
        )
    return UnwritableFileError(path, f"cannot be written: {error.strerror or error}")


def reading_problem(path: Path, error: OSError) -> FileError:
    """Return what an operating system's error means for the reading of a file."""
    if error.errno == errno.ENOENT and is_too_long(path):
        return UnreadableFileError(path, f"cannot be read: {_TOO_LONG}")
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return MissingFileError(path, "does not exist")
    if error.errno == errno.ELOOP:
        return UnreadableFileError(path, "is a symbolic link that leads back to itself")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnreadableFileError(path, "cannot be read: permission denied; check its permissions")
    return UnreadableFileError(path, f"cannot be read: {error.strerror or error}")


def is_too_long(path: bytes | Path) -> bool:
    """Return whether the system says that a file does not exist for its path alone, which is too long."""
    longest = longest_path()
    return longest is not None and len(os.fsdecode(path)) > longest


def longest_path() -> int | None:
    """Return how long a path the system finds; `None` where longer ones have an error of their own."""
    if sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import takes_long_paths

        return None if takes_long_paths() else 259
    return None


_TOO_LONG = "its path is too long for this Windows; move the project to a shorter one"
_NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_IN_USE = (32, 33)
"""ERROR_SHARING_VIOLATION and ERROR_LOCK_VIOLATION of Windows."""


def _who_has(path: Path) -> str:
    if sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import users_of

        if users := users_of(str(path)):
            return f"{' and '.join(users)} {'has' if len(users) == 1 else 'have'}"
    return "another program has"
