"""Read one file of the user's, with its identity and what is needed to write it in the same way.

Nothing here decides which files may be touched; see `patchpoint.paths.resolve` for that.
"""

from __future__ import annotations

import hashlib
import os
import stat
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.errors import (
    BinaryFileError,
    FileError,
    MissingFileError,
    NotRegularFileError,
    StaleFileError,
    TooLargeFileError,
    UnknownEncodingFileError,
    reading_problem,
)
from patchpoint.filesystem.open_directory import OpenDirectory

if TYPE_CHECKING:
    from patchpoint.text.encoding import Encoding

LARGEST_FILE = 50 * 2**20
"""Size in bytes above which a file is not read as text, unless the caller sets another limit."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """The facts that show whether a file has changed since it was read."""

    size: int
    mtime_ns: int
    digest: str
    """SHA-256 of its bytes, in hexadecimal digits; it alone decides, the other two are hints."""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file as it is on disk."""

    data: bytes
    mode: int
    """Its permission bits, such as 0o644."""
    identity: FileIdentity


@dataclass(frozen=True, slots=True)
class FileText:
    """A text file as it is on disk, with everything needed to write it in the same way."""

    text: str
    encoding: Encoding
    bom: bool
    mode: int
    """Its permission bits, such as 0o644."""
    identity: FileIdentity

    def encoded(self, text: str) -> bytes:
        """Return the bytes of another text in this file's encoding, with its byte-order mark if it has one.

        Raises `patchpoint.text.encoding.UnencodableError`.
        """
        from patchpoint.text.encoding import encode

        return encode(text, self.encoding, bom=self.bom)


def read_file(path: Path, *, largest: int = LARGEST_FILE) -> FileText:
    """Return the text of a file, following symbolic links; line endings are left as they are.

    Raises the `FileError` for the reason why it cannot be read.
    """
    from patchpoint.text.encoding import BinaryError, EncodingError, decode

    content = read_bytes(path, largest=largest)
    try:
        decoded = decode(content.data)
    except BinaryError as error:
        raise BinaryFileError(path, str(error)) from None
    except EncodingError as error:
        raise UnknownEncodingFileError(path, str(error)) from None
    return FileText(decoded.text, decoded.encoding, decoded.bom, content.mode, content.identity)


def text_or_none(path: Path) -> str | None:
    """Return the text of a file; `None` for one that cannot be read."""
    try:
        return read_file(path).text
    except FileError:
        return None


def read_bytes(
    path: Path, *, largest: int | None = None, directory: OpenDirectory | None = None
) -> FileBytes:
    """Return the bytes of a regular file, following symbolic links, and their identity.

    With `directory`, the one that `path` is in, held open, that directory's file is read, and no link is
    followed. Raises `MissingFileError`, `NotRegularFileError`, `TooLargeFileError` and `UnreadableFileError`.
    """
    try:
        if directory is not None:
            name = os.fsencode(path.name)
            _require_regular(path, directory.status(name))
            descriptor = directory.open_file(name)
        else:
            _require_regular(path, path.stat())
            # Without O_NONBLOCK, opening a FIFO that has replaced the file meanwhile would block for ever.
            flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
            descriptor = os.open(path, flags)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - it is a descriptor
            status = os.fstat(file.fileno())
            _require_regular(path, status)
            if largest is not None and status.st_size > largest:
                raise TooLargeFileError(
                    path, f"is too large ({status.st_size} bytes; at most {largest} are read as text)"
                )
            data = file.read()
    except OSError as error:
        raise reading_problem(path, error) from error
    except ValueError:
        raise MissingFileError(path, "is not a name that a file can have") from None
    return FileBytes(data, stat.S_IMODE(status.st_mode), identity_of(data, status.st_mtime_ns))


def identity_of(data: bytes, mtime_ns: int = 0) -> FileIdentity:
    """Return the identity of a file with these bytes."""
    return FileIdentity(len(data), mtime_ns, hashlib.sha256(data).hexdigest())


def read_unchanged(path: Path, was: FileIdentity, *, directory: OpenDirectory | None = None) -> FileBytes:
    """Return the bytes of a file, which must still be those that were read; a new time stamp is no change.

    `directory` is as for `read_bytes`. Raises `StaleFileError`.
    """
    try:
        now = read_bytes(path, largest=was.size, directory=directory)
    except MissingFileError:
        raise StaleFileError(path, "has been deleted since it was read; read it again") from None
    except TooLargeFileError:
        now = None
    except FileError as error:
        raise StaleFileError(path, f"cannot be compared with what was read: it {error.problem}") from None
    if now is None or now.identity.digest != was.digest:
        raise StaleFileError(path, "has changed on disk since it was read; read it again")
    return now


def _require_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    kind = next((kind for test, kind in _KINDS if test(status.st_mode)), "not a regular file")
    raise NotRegularFileError(path, f"is {kind}; only regular files are read and written")


_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISLNK, "a symbolic link"),
)
