"""Reading and writing one file safely: as it was read it is written, whole or not at all.

Nothing here decides which files may be touched; see `patchpoint.paths` for that.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import os
import secrets
import stat
from dataclasses import dataclass, replace
from pathlib import Path

from patchpoint.text.encoding import (
    BinaryError,
    Encoding,
    EncodingError,
    UnencodableError,
    decode,
    encode,
)

LARGEST_FILE = 50 * 2**20
"""Files above this many bytes are not read as text unless the caller says otherwise."""


class FileError(Exception):
    """Why a file was not read or not written; nothing was changed.

    `problem` reads on after the name of the file, so that a caller may show the name in its own way.

    FileError
    ├── MissingFileError            there is no such file
    ├── ExistingFileError           there is one, and a new one was to be made
    ├── NotRegularFileError         a folder, a device, a FIFO, a socket
    ├── TooLargeFileError
    ├── UnreadableFileError         permissions, a failing disk
    ├── BinaryFileError
    ├── UnknownEncodingFileError
    ├── StaleFileError              it is no longer what was read
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
    """There is a file where a new one was to be made."""


class NotRegularFileError(FileError):
    """It is a folder, a device, a FIFO or a socket."""


class TooLargeFileError(FileError):
    """It is larger than the caller reads."""


class UnreadableFileError(FileError):
    """The operating system does not let it be read."""


class BinaryFileError(FileError):
    """Its bytes are no text."""


class UnknownEncodingFileError(FileError):
    """Its bytes are text in no encoding that is known here."""


class StaleFileError(FileError):
    """It is no longer what was read."""


class UnencodableTextError(FileError):
    """The new text has a character that the file's encoding lacks."""


class UnwritableFileError(FileError):
    """The operating system does not let it be written."""


class ReadOnlyFileError(UnwritableFileError):
    """It, or the file system it is on, is read-only."""


class DiskFullError(UnwritableFileError):
    """There is no room for the new content."""


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """What tells whether a file is still the one that was read."""

    size: int
    mtime_ns: int
    digest: str
    """SHA-256 of its bytes, in hexadecimal digits; alone it decides, the other two only hint."""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A file as it is on disk."""

    data: bytes
    mode: int
    """Its permission bits, such as 0o644."""
    identity: FileIdentity


@dataclass(frozen=True, slots=True)
class FileText:
    """A text file as it is on disk, with all that is needed to write it in the same way."""

    text: str
    encoding: Encoding
    bom: bool
    mode: int
    """Its permission bits, such as 0o644."""
    identity: FileIdentity

    def encoded(self, text: str) -> bytes:
        """The bytes of another text in this file's encoding, with its byte-order mark if it has one.

        Raises `patchpoint.text.encoding.UnencodableError`.
        """
        return encode(text, self.encoding, bom=self.bom)


def read_file(path: Path, *, largest: int = LARGEST_FILE) -> FileText:
    """The text of a file, following symbolic links; line endings are left as they are.

    Raises a `FileError` that says by name why it is refused.
    """
    content = read_bytes(path, largest=largest)
    try:
        decoded = decode(content.data)
    except BinaryError as error:
        raise BinaryFileError(path, str(error)) from None
    except EncodingError as error:
        raise UnknownEncodingFileError(path, str(error)) from None
    return FileText(decoded.text, decoded.encoding, decoded.bom, content.mode, content.identity)


def read_bytes(path: Path, *, largest: int | None = None) -> FileBytes:
    """The bytes of a regular file, following symbolic links, and what identifies them.

    Raises `MissingFileError`, `NotRegularFileError`, `TooLargeFileError` and `UnreadableFileError`.
    """
    try:
        _require_regular(path, path.stat())
        # Without O_NONBLOCK, a FIFO put here in between would block for ever.
        flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        with open(os.open(path, flags), "rb") as file:  # noqa: PTH123 - it is a descriptor
            status = os.fstat(file.fileno())
            _require_regular(path, status)
            if largest is not None and status.st_size > largest:
                raise TooLargeFileError(
                    path, f"is too large ({status.st_size} bytes; at most {largest} are read as text)"
                )
            data = file.read()
    except OSError as error:
        raise _reading_problem(path, error) from error
    except ValueError:
        raise MissingFileError(path, "is not a name that a file can have") from None
    return FileBytes(data, stat.S_IMODE(status.st_mode), identity_of(data, status.st_mtime_ns))


def identity_of(data: bytes, mtime_ns: int = 0) -> FileIdentity:
    """What identifies a file with these bytes."""
    return FileIdentity(len(data), mtime_ns, hashlib.sha256(data).hexdigest())


def read_unchanged(path: Path, was: FileIdentity) -> FileBytes:
    """The bytes of a file that must still be those that were read; a new time stamp alone is no change.

    Raises `StaleFileError`.
    """
    try:
        now = read_bytes(path, largest=was.size)
    except MissingFileError:
        raise StaleFileError(path, "was deleted after it had been read; read it again") from None
    except TooLargeFileError:
        now = None
    except FileError as error:
        raise StaleFileError(path, f"cannot be compared with what was read: it {error.problem}") from None
    if now is None or now.identity.digest != was.digest:
        raise StaleFileError(path, "has changed on disk after it had been read; read it again")
    return now


def write_file(path: Path, text: str, was: FileText | None) -> FileText:
    """Write `text` to a file so that at any instant it has either its old content or the new.

    `was` is what `read_file` gave: mode, encoding and byte-order mark are kept, and the file must still have
    those bytes. With `None` the file must not exist, and is made in UTF-8. A symbolic link is kept and the
    file it points to is written. Raises a `FileError`; the file is then as it was.
    """
    target = Path(os.path.realpath(path))
    try:
        data = was.encoded(text) if was else encode(text, Encoding.UTF_8)
    except UnencodableError as error:
        raise UnencodableTextError(path, str(error)) from None
    if was is not None:
        read_unchanged(target, was.identity)
        require_writable(target)
    staged = stage(target, data, was.mode if was else None)
    try:
        if was is not None:
            read_unchanged(target, was.identity)
            put_over(staged, target)
        else:
            put_new(staged, target)
        sync_folder(target.parent)
        status = target.stat()
    except OSError as error:
        raise writing_problem(target, error) from error
    finally:
        with contextlib.suppress(OSError):
            staged.unlink()
    identity = identity_of(data, status.st_mtime_ns)
    mode = stat.S_IMODE(status.st_mode)
    if was is not None:
        return replace(was, text=text, mode=mode, identity=identity)
    return FileText(text, Encoding.UTF_8, False, mode, identity)


# The steps that `write_file` is made of, for those who write several files together.


def require_writable(path: Path) -> None:
    """Raise `ReadOnlyFileError` for an existing file that forbids writing.

    Renaming over it would succeed all the same: that needs only a folder that can be written.
    """
    try:
        if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise ReadOnlyFileError(path, "is read-only; make it writable first")
    except OSError as error:
        raise writing_problem(path, error) from error


def staging_place(target: Path) -> Path:
    """A new name beside `target` for content that is to be renamed onto it."""
    return target.with_name(f".patchpoint-{secrets.token_hex(8)}.tmp")


def stage(
    target: Path,
    data: bytes,
    mode: int | None,
    *,
    executable: bool | None = None,
    place: Path | None = None,
) -> Path:
    """Write `data` beside `target`, down to the disk, and answer where (`place`, or a new name).

    It gets the permission bits `mode` and, where there is a `target`, its owner and extended attributes;
    without a `mode`, those of any new file. `executable` then sets or clears the executable bits. Raises
    `UnwritableFileError`, leaving nothing behind.
    """
    place = place or staging_place(target)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        descriptor = os.open(place, flags, 0o666 if mode is None else 0o600)
    except OSError as error:
        raise writing_problem(target, error) from error
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - it is a descriptor
            file.write(data)
            file.flush()
            if mode is None:
                mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
            else:
                _take_over_attributes(target, place)
            place.chmod(with_executable(mode, executable))
            os.fsync(descriptor)
    except OSError as error:
        with contextlib.suppress(OSError):
            place.unlink()
        raise writing_problem(target, error) from error
    return place


def with_executable(mode: int, executable: bool | None) -> int:
    """Permission bits with execution allowed to all who may read, or to nobody; `None` leaves them alone."""
    if executable is None:
        return mode
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def put_over(staged: Path, target: Path) -> None:
    """Rename staged content over an existing file. Raises `OSError`."""
    os.replace(staged, target)  # noqa: PTH105 - the audit event of both is the same, the name is clearer


def put_new(staged: Path, target: Path) -> None:
    """Give staged content its name; raises `ExistingFileError` if it is taken, and `OSError`."""
    try:
        # Unlike a rename, a link never replaces what somebody else put there in between.
        os.link(staged, target)
    except FileExistsError:
        raise ExistingFileError(target, "exists already") from None
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        if os.path.lexists(target):
            raise ExistingFileError(target, "exists already") from None
        staged.rename(target)
    else:
        staged.unlink()


def sync_folder(folder: Path) -> None:
    """Make renames and deletions in a folder last through a power failure, where the system can."""
    if os.name == "nt":
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def writing_problem(path: Path, error: OSError) -> FileError:
    """What an operating system's error means for the writing of a file, in words."""
    if error.errno in _NO_ROOM:
        return DiskFullError(path, "cannot be written: there is no room left on the disk; free some first")
    if error.errno == errno.EROFS:
        return ReadOnlyFileError(path, "is on a read-only file system")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnwritableFileError(path, "cannot be written: permission denied for it or its folder")
    if error.errno == errno.ENOENT:
        return MissingFileError(path, "is not there, or its folder is not")
    if error.errno == errno.ENOTDIR:
        return UnwritableFileError(path, "cannot be written: a part of its path is a file, not a folder")
    return UnwritableFileError(path, f"cannot be written: {error.strerror or error}")


_NO_ROOM = {errno.ENOSPC, errno.EFBIG, getattr(errno, "EDQUOT", errno.ENOSPC)}
_NO_LINKS = {errno.EPERM, errno.ENOSYS, errno.EOPNOTSUPP, errno.EMLINK, errno.EACCES}


def _require_regular(path: Path, status: os.stat_result) -> None:
    if stat.S_ISREG(status.st_mode):
        return
    kind = next((kind for test, kind in _KINDS if test(status.st_mode)), "no regular file")
    raise NotRegularFileError(path, f"is {kind}; only regular files are read and written")


_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISFIFO, "a named pipe"),
    (stat.S_ISSOCK, "a socket"),
)


def _reading_problem(path: Path, error: OSError) -> FileError:
    if error.errno in (errno.ENOENT, errno.ENOTDIR):
        return MissingFileError(path, "does not exist")
    if error.errno == errno.ELOOP:
        return UnreadableFileError(path, "is a symbolic link that leads back to itself")
    if error.errno in (errno.EACCES, errno.EPERM):
        return UnreadableFileError(path, "cannot be read: permission denied")
    return UnreadableFileError(path, f"cannot be read: {error.strerror or error}")


def _take_over_attributes(target: Path, place: Path) -> None:
    """Give the owner and the extended attributes of `target` to `place`, as far as the system lets us."""
    with contextlib.suppress(OSError):
        status, own = target.stat(), place.stat()
        if os.name != "nt" and (status.st_uid, status.st_gid) != (own.st_uid, own.st_gid):
            os.chown(place, status.st_uid, status.st_gid)
    if hasattr(os, "listxattr"):
        with contextlib.suppress(OSError):
            for name in os.listxattr(target):
                with contextlib.suppress(OSError):
                    os.setxattr(place, name, os.getxattr(target, name))
