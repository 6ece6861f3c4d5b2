"""Where a hook meets who answers it: a lock, a socket and a token in the user's state directory.

Whoever has the lock of a folder may listen on its socket: a language server for as long as it runs, or a hook
while it takes its own checkpoint, and the process that it leaves behind. The lock ends with its process, so
that a socket without one is a dead one, to be replaced. All three are in a directory that belongs to this
user alone, which is opened once and not followed by its name again: nobody else can put a socket there, or
another directory in its place.
"""

from __future__ import annotations

import _socket
import os
import stat
import sys
import zlib
from contextlib import suppress

from patchpoint.filesystem.state_home import state_home_path

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    import socket

OFFERED = hasattr(_socket, "AF_UNIX") and sys.platform != "win32"
"""Whether Python has such sockets here; on Windows it has none."""

_DIRECTORY = "sockets"
_LONGEST_PATH = 100
"""Bytes of a socket's path: macOS takes 103, Linux 107 (unix(7))."""
_TOKEN_BYTES = 32
_DEEPEST = 256
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
_OPEN_DIRECTORY = (
    os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)
)


def working_tree_of(folder: str) -> str:
    """Return the nearest folder above `folder`, or itself, that has a `.git`; else the folder, without links.

    It only names the meeting place: which repository it is, is found out by who takes the checkpoint.
    """
    found = real = os.path.realpath(folder)
    for _ in range(_DEEPEST):
        if os.path.lexists(os.path.join(found, ".git")):
            return found
        above = os.path.dirname(found)
        if above == found:
            break
        found = above
    return real


class MeetingPlace:
    """The place for the working tree `root`, as `working_tree_of` returns it; to be closed."""

    def __init__(self, root: str) -> None:
        """Open the directory, which is created if need be. Raises `OSError`, also where it is not private."""
        if not OFFERED:
            raise OSError("there are no sockets of this kind here")
        self.root = root
        self._name = f"{zlib.crc32(os.fsencode(root)):08x}"
        above = state_home_path()
        self._path = os.path.join(above, _DIRECTORY)
        with suppress(FileExistsError):
            os.makedirs(above, exist_ok=True)
            os.mkdir(self._path, 0o700)
        self._directory = os.open(self._path, _OPEN_DIRECTORY)
        status = os.fstat(self._directory)
        if status.st_uid != os.geteuid() or stat.S_IMODE(status.st_mode) & 0o077:
            os.close(self._directory)
            raise OSError(f"'{self._path}' is not this user's alone")

    def close(self) -> None:
        """Close the directory; a lock that was acquired stays."""
        os.close(self._directory)

    def try_lock(self) -> int | None:
        """Return the lock, a descriptor to be closed, or `None` if another process or thread has it.

        Raises `OSError`, also where the file system has no locks.
        """
        import fcntl

        descriptor = os.open(f"{self._name}.lock", _OPEN, 0o600, dir_fd=self._directory)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except OSError:
            os.close(descriptor)
            raise
        return descriptor

    def connect(self, timeout: float) -> _socket.socket:
        """Return a connection to who listens, whose calls wait `timeout` seconds each; to be closed.

        Raises `OSError`. It is of the module on which `socket` is built, which takes longer to load than all
        else that asking takes.
        """
        connection = _socket.socket(_socket.AF_UNIX)
        try:
            connection.settimeout(timeout)
            connection.connect(self._address())
        except OSError:
            connection.close()
            raise
        return connection

    def listen(self, backlog: int) -> socket.socket:
        """Return a new socket that listens, in place of a dead one; the caller has the lock.

        Raises `OSError`.
        """
        import socket

        self._write_token()
        self.remove_socket()
        listening = socket.socket(socket.AF_UNIX)
        try:
            listening.bind(self._address())
            os.chmod(f"{self._name}.sock", 0o600, dir_fd=self._directory)
            listening.listen(backlog)
        except OSError:
            listening.close()
            raise
        return listening

    def remove_socket(self) -> None:
        """Remove the socket; the caller has the lock."""
        with suppress(OSError):
            os.unlink(f"{self._name}.sock", dir_fd=self._directory)

    def count_others(self) -> int:
        """Return how many other working trees somebody listens for; dead sockets are removed.

        Raises `OSError`.
        """
        import fcntl

        count = 0
        for name in os.listdir(self._directory):
            stem, ending = os.path.splitext(name)
            if ending != ".sock" or stem == self._name:
                continue
            lock = os.open(f"{stem}.lock", _OPEN, 0o600, dir_fd=self._directory)
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                with suppress(OSError):
                    os.unlink(name, dir_fd=self._directory)
            except BlockingIOError:
                count += 1
            finally:
                os.close(lock)
        return count

    def descriptors(self) -> tuple[int, ...]:
        """Return what is open of it, without a lock."""
        return (self._directory,)

    def token(self) -> str:
        """Return the token of who listens. Raises `OSError`."""
        flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
        descriptor = os.open(f"{self._name}.token", flags, dir_fd=self._directory)
        try:
            return os.read(descriptor, 4 * _TOKEN_BYTES).decode("ascii", "replace")
        finally:
            os.close(descriptor)

    def _write_token(self) -> None:
        with suppress(FileNotFoundError):
            os.unlink(f"{self._name}.token", dir_fd=self._directory)
        descriptor = os.open(f"{self._name}.token", _OPEN | os.O_EXCL, 0o600, dir_fd=self._directory)
        try:
            os.write(descriptor, os.urandom(_TOKEN_BYTES).hex().encode())
        finally:
            os.close(descriptor)

    def _address(self) -> str:
        # By the descriptor, where the system lets one, the path is short, and leads into this very directory.
        if sys.platform == "linux":
            return f"/proc/self/fd/{self._directory}/{self._name}.sock"
        path = os.path.join(self._path, f"{self._name}.sock")
        if len(os.fsencode(path)) > _LONGEST_PATH:
            raise OSError(f"'{path}' is too long for a socket")
        return path
