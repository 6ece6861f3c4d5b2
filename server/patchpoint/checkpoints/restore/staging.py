"""Where a restore stages its new contents: in the git directory where it can, else next to their targets.

In the git directory no other program sees them: `git add -A`, a watcher or a build would take them up in the
working tree. It has to be on the same file system, so that a rename puts a file in place, and a new file has
to get the same group and access control list there.

The name tells the place: `staged-<restore>/<number>` is below Patchpoint's directory in the git directory,
`<directory>/.patchpoint-<restore>-<number>` in the working tree.
"""

from __future__ import annotations

import os
import stat
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.errors import RestoreFailedError
from patchpoint.checkpoints.snapshot.blobs import read_all
from patchpoint.filesystem.errors import writing_problem
from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.write import STAGED_PREFIX as STAGED_NAME_PREFIX
from patchpoint.filesystem.write import new_file_properties

Place = tuple[OpenDirectory, bytes]
"""A file by its name in its directory."""
STAGED_PREFIX = STAGED_NAME_PREFIX.encode("ascii")
"""How the name of every file begins that is staged in the working tree."""
STAGING_DIRECTORY_PREFIX = b"staged-"
"""How the name of every staging directory begins; the id of its restore follows."""

_FLAGS_BYTES = struct.calcsize("l")
_GET_FLAGS, _SET_FLAGS = (
    way << 30 | _FLAGS_BYTES << 16 | ord("f") << 8 | code for way, code in ((2, 1), (1, 2))
)
"""`FS_IOC_GETFLAGS` and `FS_IOC_SETFLAGS` (linux/fs.h)."""
_TOP_DIRECTORY = 0x00020000
"""`FS_TOPDIR_FL`, `chattr +T`: ext4 puts each subdirectory where it has most room."""


def not_prepared(error: OSError) -> RestoreFailedError:
    """Return the failure of a restore that an operating system's error prevented; nothing is changed yet."""
    problem = in_words(error)
    if isinstance(error.filename, (str, bytes)):
        directory, name = os.path.split(os.fsencode(error.filename))
        if name.startswith(STAGED_PREFIX):
            # The file that could not be staged is none that a person knows: the folder is what is wrong.
            problem = str(writing_problem(Path(os.fsdecode(directory)), error))
    return RestoreFailedError(
        f"The restore could not be prepared: {problem}. Nothing was changed; fix that and try again."
    )


def staged_name(restore: str, name: bytes) -> bytes:
    """Return the name in the working tree of what `restore` (an id) stages as `name`."""
    return b"%b%b-%b" % (STAGED_PREFIX, restore.encode(), name)


def staged_path(restore: str, name: bytes) -> bytes:
    """Return the path, from Patchpoint's directory, of what `restore` (an id) stages as `name`."""
    return b"%b%b/%b" % (STAGING_DIRECTORY_PREFIX, restore.encode(), name)


def staged_near(path: bytes, staged: bytes) -> bytes:
    """Return the path next to `path` for what is staged in the git directory, as `staged`, and cannot be
    renamed from there."""
    directory, slash, _ = path.rpartition(b"/")
    restore, _, name = staged.removeprefix(STAGING_DIRECTORY_PREFIX).partition(b"/")
    return directory + slash + staged_name(restore.decode(), name)


def is_in_worktree(staged: bytes) -> bool:
    """Return whether `staged`, the place of a staged file, is in the working tree."""
    return staged[staged.rfind(b"/") + 1 :].startswith(STAGED_PREFIX)


def content_of(place: Place, status: os.stat_result) -> tuple[int, bytes]:
    """Return git's mode and the raw bytes of the file or symbolic link at `place`, with this `lstat`."""
    directory, name = place
    if stat.S_ISLNK(status.st_mode):
        return stat.S_IFLNK, directory.read_link(name)
    with directory.opened_file(name) as descriptor:
        mode = 0o100755 if status.st_mode & 0o100 else 0o100644
        return mode, read_all(descriptor, status.st_size)


class StagingDirectory:
    """Patchpoint's directory of a repository, below which each restore has one for what it stages."""

    def __init__(self, directory: Path) -> None:
        self._path = directory
        self._top: OpenDirectory | None = None
        self._opened: tuple[bytes, OpenDirectory] | None = None
        self._properties: tuple[object, ...] | None = None

    def serves(self, directory: bytes) -> bool:
        """Return whether a file that is staged here can be renamed into `directory`, a path, and is then
        what a new file there would be."""
        try:
            if self._properties is None:
                self._properties = new_file_properties(os.fsencode(self._path))
            # Where nothing can be written, staging has to fail, before anything is changed.
            return new_file_properties(directory) == self._properties and os.access(
                directory, os.W_OK | os.X_OK
            )
        except OSError:
            return False

    def place(self, staged: bytes) -> tuple[OpenDirectory, bytes]:
        """Return the directory of a `staged_path`, created if need be, and the name in it.

        No symbolic link is followed. Raises `OSError`.
        """
        directory, _, name = staged.partition(b"/")
        if self._opened is None or self._opened[0] != directory:
            self.close()
            top = self._top = OpenDirectory(self._path)
            with suppress(FileExistsError):
                _spread_subdirectories(self._path)
                top.make_directory(directory, 0o700)
            self._opened = directory, top.subdirectory(directory)
        return self._opened[1], name

    def clear(self, restore: str) -> None:
        """Remove the directory of `restore` (an id) with what is left in it. Raises nothing."""
        self.close()
        name = STAGING_DIRECTORY_PREFIX + restore.encode()
        with suppress(OSError), OpenDirectory(self._path) as top:
            with top.subdirectory(name) as directory:
                for each, _ in directory.entries():
                    with suppress(OSError):
                        directory.remove(each)
            top.remove_directory(name)

    def close(self) -> None:
        """Close what is open; a second call does nothing."""
        if self._opened is not None:
            self._opened[1].close()
        if self._top is not None:
            self._top.close()
        self._opened = self._top = None


class StagingPlaces:
    """The places where one restore stages."""

    def __init__(
        self, staging: StagingDirectory, root: bytes, nearest: Callable[[bytes], bytes], restore: str
    ) -> None:
        """`root` is the working tree's, with a separator at its end. `nearest` returns, of a directory, the
        nearest one at or above it that exists. `restore` is an id."""
        self._staging = staging
        self._root = root
        self._nearest = nearest
        self._restore = restore
        self._known: dict[bytes, bytes | None] = {}
        """For the directory of a target: the one in the working tree to stage in, `None` for the git
        directory."""

    def of(self, path: bytes, name: bytes) -> bytes:
        """Return where to stage the new content of `path` as `name`."""
        directory = path.rpartition(b"/")[0]
        if directory not in self._known:
            nearest = self._nearest(directory)
            self._known[directory] = None if self._staging.serves(self._root + nearest) else nearest
        near = self._known[directory]
        if near is None:
            return staged_path(self._restore, name)
        return (near + b"/" if near else b"") + staged_name(self._restore, name)


def _spread_subdirectories(directory: Path) -> None:
    """Have ext4 put the files of each new subdirectory into another part of the disk than those of the last
    one. Raises nothing.

    Without a journal, as on the disks of many small virtual machines, ext4 goes through all files that were
    deleted in the last minutes in the same part for each one that it creates: a thousand files right after a
    thousand others were deleted took 1.6 to 3.7 s, and 0.1 s elsewhere (measured).
    """
    if sys.platform != "linux":
        return
    import fcntl

    with suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            flags = bytearray(_FLAGS_BYTES)
            fcntl.ioctl(descriptor, _GET_FLAGS, flags)
            (known,) = struct.unpack("l", flags)
            if not known & _TOP_DIRECTORY:
                fcntl.ioctl(descriptor, _SET_FLAGS, struct.pack("l", known | _TOP_DIRECTORY))
        finally:
            os.close(descriptor)
