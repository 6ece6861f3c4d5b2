"""Wait for a fork that `tests.loaded_server` makes, and load next to nothing for that.

Neither `socket` nor `signal` is loaded, which take longer than a fork does.
"""

import _socket
import os
import sys

_STREAMS = (0, 1, 2)


def status_of_fork(address: str, code: str, folder: bytes, streams: tuple[int, ...] = _STREAMS) -> int:
    """Return the status of code that is run in a folder, negative for the signal that ended it.

    It has the environment of this process, and reads from and writes to these streams, by their numbers.
    """
    connection = _socket.socket(_socket.AF_UNIX)
    connection.connect(address)
    variables = (name + b"=" + value for name, value in os.environb.items())
    said = b"\0".join([os.fsencode(code), folder, *variables])
    handed = b"".join(number.to_bytes(4, sys.byteorder) for number in streams)
    connection.sendmsg([len(said).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, handed)])
    connection.sendall(said)
    status = int.from_bytes(connection.recv(4), "big", signed=True)
    connection.close()
    return status


def _be_the_fork(address: str, code: str) -> int:
    """Be what was started: hand everything over, and end as the fork does."""
    status = status_of_fork(address, code, os.getcwdb())  # noqa: PTH109 - quick to load
    if status < 0:
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(_be_the_fork(*sys.argv[1:]))
