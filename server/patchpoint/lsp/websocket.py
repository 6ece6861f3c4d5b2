"""The WebSocket transport, which needs the `ws` extra."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable

from websockets.exceptions import ConnectionClosed
from websockets.sync.server import ServerConnection, serve


class WebSocketConnection:
    """Messages as the frames of a WebSocket, without header fields."""

    def __init__(self, socket: ServerConnection, over: threading.Event) -> None:
        self._socket = socket
        self._over = over

    def receive(self) -> bytes | None:
        """The next message; `None` when the client is gone."""
        try:
            return self._socket.recv(decode=False)
        except ConnectionClosed:
            return None

    def send(self, message: bytes) -> None:
        """Send one message, as text, which is what clients in a browser expect."""
        try:
            self._socket.send(message, text=True)
        except ConnectionClosed as error:
            raise OSError(str(error)) from error

    def close(self) -> None:
        """Close the socket and stop listening."""
        with contextlib.suppress(ConnectionClosed, OSError):
            self._socket.close()
        self._over.set()


def accept_websocket(host: str, port: int, listening: Callable[[int], None]) -> WebSocketConnection:
    """The first client that connects; later ones are turned away. Raises `OSError`."""
    arrived = threading.Event()
    over = threading.Event()
    clients: list[WebSocketConnection] = []

    def handle(socket: ServerConnection) -> None:
        if clients:
            socket.close(1013, "This server has its client.")
            return
        clients.append(WebSocketConnection(socket, over))
        arrived.set()
        over.wait()

    server = serve(handle, host, port, max_size=None, compression=None)
    threading.Thread(target=server.serve_forever, name="patchpoint-websocket", daemon=True).start()
    listening(server.socket.getsockname()[1])
    arrived.wait()
    return clients[0]
