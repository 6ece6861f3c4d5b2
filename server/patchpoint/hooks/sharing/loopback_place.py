"""A meeting place where Python has no Unix sockets, as on Windows: a port of this machine, and a secret.

Any user of the machine can connect to a port, and take one whose listener has ended. So the file that says
the port, which is in a folder of this user alone, has a secret, too; who listens proves that it knows it
before anything is sent there, and who asks sends it, as everywhere.
"""

from __future__ import annotations

import _socket
import os
import sys
import zlib
from contextlib import suppress
from pathlib import Path

from patchpoint.filesystem.lock import try_lock
from patchpoint.filesystem.open_directory import remove_file
from patchpoint.filesystem.state_home import state_home_path
from patchpoint.hooks import wire
from patchpoint.hooks.meeting_place import MeetingPlace

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    import socket

_HERE = "127.0.0.1"
_LONGEST = 256
_NONCE_BYTES = 16
_OPEN = os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)


class LoopbackPlace(MeetingPlace):
    """The place for the working tree `root`, as `working_tree_of` returns it; to be closed."""

    def __init__(self, root: str) -> None:
        """Create the folder if need be. Raises `OSError`, also where it is not this user's."""
        self.root = root
        folder = Path(state_home_path(), "ports")
        with suppress(FileExistsError):
            folder.parent.mkdir(parents=True, exist_ok=True)
            folder.mkdir(0o700)  # on Windows, newer Pythons let nobody else in by that
        if not _is_own(str(folder)):
            raise OSError(f"'{folder}' is not this user's")
        self._place = folder / f"{zlib.crc32(os.fsencode(root)):08x}"

    def close(self) -> None:
        """Do nothing: nothing is open."""

    def try_lock(self) -> int | None:
        """Return the lock, a descriptor to be closed, or `None` if another process or thread has it.

        Raises `OSError`, also where the file system has no locks.
        """
        descriptor = os.open(self._place.with_suffix(".lock"), _OPEN, 0o600)
        locked = try_lock(descriptor)
        if not locked:
            os.close(descriptor)
            if locked is None:
                raise OSError("the file system has no locks")
            return None
        return descriptor

    def connect(self, timeout: float) -> _socket.socket:
        """Return a connection to who listens, as `MeetingPlace.connect` does, once it has proved itself."""
        lock = self.try_lock()
        if lock is not None:
            os.close(lock)
            # Windows takes two seconds to say so of a port.
            raise ConnectionRefusedError("nobody listens")
        port, token = self._said()
        connection = _socket.socket(_socket.AF_INET)
        try:
            connection.settimeout(timeout)
            connection.connect((_HERE, port))
            nonce = os.urandom(_NONCE_BYTES).hex()
            connection.sendall(wire.framed(wire.encode_challenge(nonce)))
            expected = wire.framed(wire.proof(token, nonce))
            found = b""
            while len(found) < len(expected) and (piece := connection.recv(len(expected) - len(found))):
                found += piece
            if found != expected:
                raise ConnectionRefusedError("who listens there is somebody else")
        except OSError:
            connection.close()
            raise
        return connection

    def listen(self, backlog: int) -> socket.socket:
        """Return a new socket that listens; the caller has the lock. Raises `OSError`."""
        import socket

        self.remove_socket()
        listening = socket.socket(socket.AF_INET)
        try:
            if sys.platform == "win32":
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_EXCLUSIVEADDRUSE, 1)
            listening.bind((_HERE, 0))
            listening.listen(backlog)
            said = f"{listening.getsockname()[1]} {os.urandom(32).hex()}\n"
            descriptor = os.open(self._place.with_suffix(".port"), _OPEN | os.O_EXCL, 0o600)
            try:
                os.write(descriptor, said.encode("ascii"))
            finally:
                os.close(descriptor)
        except OSError:
            listening.close()
            raise
        return listening

    def remove_socket(self) -> None:
        """Remove what says the port; the caller has the lock."""
        with suppress(OSError):
            remove_file(self._place.with_suffix(".port"))

    def count_others(self) -> int:
        """Return 0: no process is left behind where there are no Unix sockets."""
        return 0

    def descriptors(self) -> tuple[int, ...]:
        """Return what is open of it, without a lock: nothing."""
        return ()

    def token(self) -> str:
        """Return the token of who listens. Raises `OSError`."""
        return self._said()[1]

    def _said(self) -> tuple[int, str]:
        with self._place.with_suffix(".port").open("rb") as file:
            port, _, token = file.read(_LONGEST).decode("ascii", "replace").partition(" ")
        if not (port.isdigit() and 0 < int(port) < 1 << 16 and token.endswith("\n")):
            raise ConnectionRefusedError("who listens has not said where yet")
        return int(port), token.strip()


def _is_own(path: str) -> bool:
    if sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import is_own

        return is_own(path)
    return os.lstat(path).st_uid == os.geteuid()
