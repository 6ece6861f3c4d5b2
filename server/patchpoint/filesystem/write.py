"""Write a user's file whole or not at all, in the encoding and with the attributes that it has.

New content is staged first, out of the working tree where that can be: any other program would see it there,
and `git add -A`, a watcher or a build would take it up.

Nothing here decides which files may be touched; see `patchpoint.paths.resolve` for that.
"""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import (
    ExistingFileError,
    ReadOnlyFileError,
    UnencodableTextError,
    writing_problem,
)
from patchpoint.filesystem.open_directory import OpenDirectory, StagedFile

if TYPE_CHECKING:
    from patchpoint.filesystem.read import FileText

STAGED_PREFIX = ".patchpoint-"
"""How the name of every file begins that Patchpoint stages next to its target."""

_DEFAULT_ACL = "system.posix_acl_default"
_ACL_AND_XATTR = 0x1 | 0x4
"""COPYFILE_ACL and COPYFILE_XATTR of macOS: Finder tags are among the latter."""


def write_file(path: Path, text: str, was: FileText | None) -> FileText:
    """Write `text` to a file atomically and durably, and return the file as it is now.

    `was` is the result of `read_file`: mode, encoding and byte-order mark are kept, and the file must still
    have those bytes. With `None` the file must not exist, and is created in UTF-8. A symbolic link is kept
    and the file it points to is written. Raises a `FileError`; the file is then as it was.
    """
    from patchpoint.filesystem.read import FileText, identity_of, read_unchanged
    from patchpoint.text.encoding import Encoding, UnencodableError, encode

    target = Path(os.path.realpath(path))
    try:
        data = was.encoded(text) if was else encode(text, Encoding.UTF_8)
    except UnencodableError as error:
        raise UnencodableTextError(path, str(error)) from None
    if was is not None:
        read_unchanged(target, was.identity)
        require_writable(target)
    try:
        with OpenDirectory(target.parent) as directory:
            place = OpenPlace(directory, target)
            staged = place.next_to(staging_place(target))
            stage(staged, data, was.mode if was else None, like=place)
            try:
                if was is not None:
                    read_unchanged(target, was.identity, directory=directory)
                    staged.rename_over(place)
                else:
                    place_new(staged, place)
                with suppress(OSError):
                    directory.sync()
                status = directory.status(place.name)
            finally:
                with suppress(OSError):
                    staged.remove()
    except OSError as error:
        raise writing_problem(target, error) from error
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


class ContentStaging:
    """The places where one transaction stages: in one of some directories, or else next to the target."""

    def __init__(self, directories: Iterable[Path]) -> None:
        """Use the first of `directories` that serves; each is for Patchpoint alone."""
        self._directories = tuple(directories)
        self._known: dict[Path, Path] = {}

    def of(self, target: Path) -> Path:
        """Return a new path for content that is to be renamed onto `target`."""
        near = target.parent
        if near not in self._known:
            # The nearest that exists: one that is created is like the one above it.
            above = next((each for each in (near, *near.parents) if os.path.lexists(each)), near)
            self._known[near] = next((one for one in self._directories if serves(one, above)), near)
        return staging_place(self._known[near] / target.name)


def staging_place(target: Path) -> Path:
    """Return a new path in the directory of `target`, for content that is to be renamed onto it."""
    return target.with_name(f"{STAGED_PREFIX}{os.urandom(8).hex()}.tmp")


def serves(staging: Path, directory: Path) -> bool:
    """Return whether a file that is staged in one directory can be renamed into the other, and is then what a
    file that was created there would be."""
    try:
        # Where nothing can be written, staging has to fail, before anything is changed.
        if not os.access(directory, os.W_OK | os.X_OK):
            return False
        return new_file_properties(os.fsencode(staging)) == new_file_properties(
            os.fsencode(directory)
        ) and not _is_other_mount(staging, directory)
    except OSError:
        return False


def new_file_properties(directory: bytes) -> tuple[object, ...]:
    """Return what decides whether a file can be renamed from one directory to another, and is then the same
    as one that was created there: file system, group of new files, access control list of new files.

    Raises `OSError`.
    """
    status = os.lstat(directory)
    # As on BSD and macOS always, or on Linux by the bit, a new file gets the group of its directory.
    inherits = sys.platform != "linux" or status.st_mode & stat.S_ISGID
    return status.st_dev, status.st_gid if inherits else None, _default_acl(directory)


def stage(
    place: OpenPlace,
    data: bytes,
    mode: int | None,
    *,
    like: OpenPlace,
    executable: bool | None = None,
    mtime_ns: int | None = None,
) -> None:
    """Write `data` to a new file, down to the disk.

    It gets the permission bits `mode` and the owner and extended attributes of the file `like`, if there is
    one; without a `mode`, those of any new file. `executable` then sets or clears the executable bits, and
    `mtime_ns` sets its time. After a crash the file is there, or a part of it, or nothing. Raises
    `UnwritableFileError`, leaving nothing behind.
    """
    try:
        staged = place.directory.create(place.name, 0o666 if mode is None else 0o600)
        try:
            staged.write(data)
            if mode is None:
                mode = stat.S_IMODE(os.fstat(staged.descriptor).st_mode)
            else:
                _copy_attributes(like, staged)
            staged.set_permissions(with_executable(mode, executable))
            if mtime_ns is not None:
                staged.set_time(mtime_ns)
            staged.sync()
            staged.keep()
        finally:
            staged.discard()
    except OSError as error:
        raise writing_problem(like.path, error) from error


def with_executable(mode: int, executable: bool | None) -> int:
    """Return permission bits with execution allowed to all who may read, or to nobody; `None` keeps them."""
    if executable is None:
        return mode
    return mode | (mode & 0o444) >> 2 if executable else mode & ~0o111


def place_new(staged: OpenPlace, target: OpenPlace) -> None:
    """Give staged content, or a file that is moved, the name `target`; see `OpenDirectory.rename_new`.

    Raises `ExistingFileError` if the name is taken, and `OSError`.
    """
    try:
        staged.directory.rename_new(staged.name, target.name, target.directory)
    except FileExistsError:
        raise ExistingFileError(target.path, "already exists") from None


def _default_acl(directory: bytes) -> bytes | None:
    if sys.platform != "linux":
        return None
    try:
        return os.getxattr(directory, _DEFAULT_ACL, follow_symlinks=False)
    except OSError:
        return None


def _is_other_mount(staging: Path, directory: Path) -> bool:
    """Return whether the two are mounted apart, so that nothing is renamed from one to the other.

    One file system may be mounted twice, with the same number. The system says so before it looks for names.
    """
    name = os.fsencode(staging_place(staging / "none").name)
    try:
        with OpenDirectory(staging) as here, OpenDirectory(directory) as there:
            here.rename_over(name, name, there)
    except OSError as error:
        return error.errno == errno.EXDEV
    return False


def _copy_attributes(like: OpenPlace, staged: StagedFile) -> None:
    """Copy what `like` has besides content and mode to a file, as far as the system allows it."""
    with suppress(OSError):
        status, own = like.directory.status(like.name), os.fstat(staged.descriptor)
        if os.name != "nt" and (status.st_uid, status.st_gid) != (own.st_uid, own.st_gid):
            os.fchown(staged.descriptor, status.st_uid, status.st_gid)
    if hasattr(os, "listxattr"):
        with suppress(OSError), like.directory.opened_file(like.name) as descriptor:
            for name in os.listxattr(descriptor):
                with suppress(OSError):
                    os.setxattr(staged.descriptor, name, os.getxattr(descriptor, name))
    elif fcopyfile := getattr(sys.modules.get("posix"), "_fcopyfile", None):  # of macOS; shutil uses it
        with suppress(OSError), like.directory.opened_file(like.name) as descriptor:
            fcopyfile(descriptor, staged.descriptor, _ACL_AND_XATTR)


def put_back(directory: OpenDirectory, name: bytes, content: bytes, permissions: int) -> None:
    """Give a file its bytes and permissions again, in place of what is there. Raises `OSError`."""
    staged = directory.create_temporary(b".patchpoint-")
    try:
        staged.write(content)
        staged.set_permissions(permissions)
        staged.rename_over(name)
    finally:
        staged.discard()


@dataclass(frozen=True, slots=True)
class OpenPlace:
    """Where a file is or is to be: its path, and its directory, held open."""

    directory: OpenDirectory
    path: Path

    @property
    def name(self) -> bytes:
        """The name in the directory."""
        return os.fsencode(self.path.name)

    def next_to(self, path: Path) -> OpenPlace:
        """Return the place of another file, `path`, in the same directory."""
        return OpenPlace(self.directory, path)

    def status(self) -> os.stat_result | None:
        """Return the `lstat` of what is there, or `None` if that is nothing."""
        try:
            return self.directory.status(self.name)
        except FileNotFoundError:
            return None

    def remove(self) -> None:
        """Remove the file, if there is one."""
        with suppress(FileNotFoundError):
            self.directory.remove(self.name)

    def rename_over(self, place: OpenPlace) -> None:
        """Rename the file to `place`, replacing what is there, whose access and streams Windows keeps."""
        if sys.platform == "win32":
            from patchpoint.filesystem.windows.calls import replace_file

            if replace_file(str(self.path), str(place.path)):
                return
        self.directory.rename_over(self.name, place.name, place.directory)


@contextmanager
def open_place(root: Path, path: Path) -> Iterator[OpenPlace]:
    """Open the place of `path`, below the directory `root`, while the block runs; no link is followed there.

    Raises `FileNotFoundError` and `NotADirectoryError` when there is no such directory, and `ValueError`
    when `path` is not below `root`.
    """
    above = os.fsencode(path.parent.relative_to(root).as_posix())
    with OpenDirectory(root) as top, top.below(b"" if above == b"." else above) as directory:
        yield OpenPlace(directory, path)
