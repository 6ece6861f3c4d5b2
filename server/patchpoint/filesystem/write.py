"""Write a user's file whole or not at all, in the encoding and with the attributes that it has.

Nothing here decides which files may be touched; see `patchpoint.paths.resolve` for that.
"""

from __future__ import annotations

import os
import secrets
import stat
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from patchpoint.filesystem.atomic_write import (
    OpenDirectory,
    StagedFile,
    rename_new,
    rename_over,
    sync_directory,
)
from patchpoint.filesystem.errors import (
    ExistingFileError,
    ReadOnlyFileError,
    UnencodableTextError,
    writing_problem,
)
from patchpoint.filesystem.read import FileText, identity_of, read_unchanged
from patchpoint.text.encoding import Encoding, UnencodableError, encode


def write_file(path: Path, text: str, was: FileText | None) -> FileText:
    """Write `text` to a file atomically and durably, and return the file as it is now.

    `was` is the result of `read_file`: mode, encoding and byte-order mark are kept, and the file must still
    have those bytes. With `None` the file must not exist, and is created in UTF-8. A symbolic link is kept
    and the file it points to is written. Raises a `FileError`; the file is then as it was.
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
            rename_over(staged, target)
        else:
            place_new(staged, target)
        sync_directory(target.parent)
        status = target.stat()
    except OSError as error:
        raise writing_problem(target, error) from error
    finally:
        with suppress(OSError):
            staged.unlink()
    identity = identity_of(data, status.st_mtime_ns)
    mode = stat.S_IMODE(status.st_mode)
    if was is not None:
        return replace(was, text=text, mode=mode, identity=identity)
    return FileText(text, Encoding.UTF_8, False, mode, identity)


# The steps that `write_file` is made of, for those who write several files together.


def require_writable(path: Path) -> None:
    """Raise `ReadOnlyFileError` for an existing file that forbids writing.

    A rename over it would succeed all the same: that needs only a directory that can be written.
    """
    try:
        if not path.stat().st_mode & 0o222 or not os.access(path, os.W_OK):
            raise ReadOnlyFileError(path, "is read-only; make it writable first")
    except OSError as error:
        raise writing_problem(path, error) from error


def staging_place(target: Path) -> Path:
    """Return a new path in the directory of `target`, for content that is to be renamed onto it."""
    return target.with_name(f".patchpoint-{secrets.token_hex(8)}.tmp")


def stage(
    target: Path,
    data: bytes,
    mode: int | None,
    *,
    executable: bool | None = None,
    place: Path | None = None,
) -> Path:
    """Write `data` to a new file, down to the disk, and return its path (`place`, or a `staging_place`).

    It gets the permission bits `mode` and, where there is a `target`, its owner and extended attributes;
    without a `mode`, those of any new file. `executable` then sets or clears the executable bits. After a
    crash the file is there, or a part of it, or nothing; `target` is as it was. Raises
    `UnwritableFileError`, leaving nothing behind.
    """
    place = place or staging_place(target)
    try:
        with OpenDirectory(place.parent) as directory:
            staged = directory.create(os.fsencode(place.name), 0o666 if mode is None else 0o600)
            try:
                staged.write(data)
                if mode is None:
                    mode = stat.S_IMODE(os.fstat(staged.descriptor).st_mode)
                else:
                    _copy_attributes(target, staged)
                staged.set_permissions(with_executable(mode, executable))
                staged.sync()
                staged.keep()
            finally:
                staged.discard()
    except OSError as error:
        raise writing_problem(target, error) from error
    return place


def with_executable(mode: int, executable: bool | None) -> int:
    """Return permission bits with execution allowed to all who may read, or to nobody; `None` keeps them."""
    if executable is None:
        return mode
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def place_new(staged: Path, target: Path) -> None:
    """Give staged content, or a file that is moved, the name `target`; see `rename_new`.

    Raises `ExistingFileError` if the name is taken, and `OSError`.
    """
    try:
        rename_new(staged, target)
    except FileExistsError:
        raise ExistingFileError(target, "already exists") from None


def _copy_attributes(target: Path, staged: StagedFile) -> None:
    """Copy the owner and the extended attributes of `target` to a file, as far as the system allows it."""
    with suppress(OSError):
        status, own = target.stat(), os.fstat(staged.descriptor)
        if os.name != "nt" and (status.st_uid, status.st_gid) != (own.st_uid, own.st_gid):
            os.fchown(staged.descriptor, status.st_uid, status.st_gid)
    if hasattr(os, "listxattr"):
        with suppress(OSError):
            for name in os.listxattr(target):
                with suppress(OSError):
                    os.setxattr(staged.descriptor, name, os.getxattr(target, name))
