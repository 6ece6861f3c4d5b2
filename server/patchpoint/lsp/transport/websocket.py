"""The WebSocket transport, which needs the `ws` extra. See docs/decisions/transports.md."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve


class WebSocketConnection:
    """Messages as those of a WebSocket, without header fields."""

    def __init__(self, socket: ServerConnection, closed: threading.Event) -> None:
        self._socket = socket
        self._closed = closed

    def receive(self) -> bytes | None:
        """Wait for the next message and return it; `None` when the client has disconnected."""
        try:
            return self._socket.recv(decode=False)
        except ConnectionClosed:
            return None

    def send(self, message: bytes) -> None:
        """Send one message as text, which clients in a browser expect. Raises `OSError` if it is gone."""
        try:
            self._socket.send(message, text=True)
        except ConnectionClosed as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Close the socket and stop listening."""
        with contextlib.suppress(ConnectionClosed, OSError):
            self._socket.close()
        self._closed.set()


def accept_websocket(host: str, port: int, listening: Callable[[int], None]) -> WebSocketConnection:
    """Wait for the first client that connects; return its connection. Later ones are refused.

    Calls `listening` with the port once clients can connect. Raises `OSError` when the address cannot be
    bound.
    """
    connected = threading.Event()
    closed = threading.Event()
    clients: list[WebSocketConnection] = []

    def handle(socket: ServerConnection) -> None:
        if clients:
            socket.close(1013, "This server already has a client.")
            return
        clients.append(WebSocketConnection(socket, closed))
        connected.set()
        closed.wait()

    server = serve(handle, host, port, max_size=None, compression=None)
    threading.Thread(target=server.serve_forever, name="patchpoint-websocket", daemon=True).start()
    listening(server.socket.getsockname()[1])
    connected.wait()
    return clients[0]
