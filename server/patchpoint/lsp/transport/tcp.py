"""The TCP transport. See docs/decisions/transports.md."""

from __future__ import annotations

import socket
from collections.abc import Callable

from patchpoint.lsp.transport.transports import StreamConnection


def accept_tcp(host: str, port: int, listening: Callable[[int], None]) -> StreamConnection:
    """Wait for the first client that connects; return its connection.

    Calls `listening` with the port once clients can connect. Raises `OSError` when the address cannot be
    bound.
    """
    with socket.create_server((host, port), backlog=1) as server:
        listening(server.getsockname()[1])
        client, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return StreamConnection(client.makefile("rb"), client.makefile("wb"))
