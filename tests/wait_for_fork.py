"""Wait for a fork that `tests.loaded_server` makes, and load next to nothing for that.

Neither `socket` nor `signal` is loaded, which take longer than a fork does.
"""

import _socket
import os
import sys

_STREAMS = 3


def _wait_for_fork(address: str, code: str) -> int:
    """Be what was started: hand everything over, and return the status of the fork."""
    connection = _socket.socket(_socket.AF_UNIX)
    connection.connect(address)
    variables = (name + b"=" + value for name, value in os.environb.items())
    said = b"\0".join([os.fsencode(code), os.getcwdb(), *variables])  # noqa: PTH109 - quick to load
    streams = b"".join(number.to_bytes(4, sys.byteorder) for number in range(_STREAMS))
    connection.sendmsg([len(said).to_bytes(4, "big")], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, streams)])
    connection.sendall(said)
    status = int.from_bytes(connection.recv(4), "big", signed=True)
    if status < 0:
        os.kill(os.getpid(), -status)
    return status


if __name__ == "__main__":
    sys.exit(_wait_for_fork(*sys.argv[1:]))
