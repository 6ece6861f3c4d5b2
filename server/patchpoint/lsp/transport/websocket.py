"""The WebSocket transport, which needs the `ws` extra. See docs/decisions/transports.md.

Any web page may open a WebSocket to this machine, so the opening request has to show the token, to come from
no page that was not allowed, and to name this machine (a page's own name may be made to mean it).
"""

from __future__ import annotations

import contextlib
import ipaddress
import threading
from collections.abc import Callable, Sequence
from http import HTTPStatus
from queue import SimpleQueue
from urllib.parse import parse_qs, urlsplit

from websockets.exceptions import ConnectionClosed
from websockets.http11 import Request, Response
from websockets.sync.server import ServerConnection, serve

from patchpoint.lsp.transport.access import TOKEN_KEY, Access, Endpoint, is_token, wait_for_initialize
from patchpoint.lsp.transport.tcp import listen
from patchpoint.lsp.transport.transports import MAX_FIRST_MESSAGE_BYTES, MAX_MESSAGE_BYTES


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

    def lift_limit(self) -> None:
        """Accept large messages from now on."""
        self._socket.protocol.max_message_size = MAX_MESSAGE_BYTES

    def close(self) -> None:
        """Close the socket and stop listening."""
        with contextlib.suppress(ConnectionClosed, OSError):
            self._socket.close()
        self._closed.set()


def accept_websocket(
    host: str, port: int, access: Access, listening: Callable[[Endpoint], None]
) -> tuple[WebSocketConnection, bytes]:
    """Wait for the first client that initializes; return its connection and its `initialize`.

    Later ones are refused. Calls `listening` once clients can connect. Raises as `listen` does.
    """
    closed = threading.Event()
    accepted: SimpleQueue[tuple[WebSocketConnection, bytes]] = SimpleQueue()
    taken = threading.Lock()

    def handle(socket: ServerConnection) -> None:
        connection = WebSocketConnection(socket, closed)
        initialize = None if taken.locked() else wait_for_initialize(connection, None)
        if initialize is not None and taken.acquire(blocking=False):
            connection.lift_limit()
            accepted.put((connection, initialize))
            closed.wait()
        elif taken.locked():
            socket.close(1013, "This server already has a client.")

    listener, endpoint = listen(host, port, access, websocket=True)

    def check(socket: ServerConnection, request: Request) -> Response | None:
        problem = refusal(request, endpoint, access.origins)
        return None if problem is None else socket.respond(HTTPStatus.FORBIDDEN, f"{problem}\n")

    server = serve(
        handle, sock=listener, process_request=check, max_size=MAX_FIRST_MESSAGE_BYTES, compression=None
    )
    threading.Thread(target=server.serve_forever, name="patchpoint-websocket", daemon=True).start()
    listening(endpoint)
    return accepted.get()


def refusal(request: Request, endpoint: Endpoint, origins: frozenset[str]) -> str | None:
    """Return why the opening request of a WebSocket is refused, or `None` if it is not."""
    host = request.headers.get_all("Host")
    if not _is_this_machine(host, endpoint):
        return f"The Host {', '.join(host) or '(none)'} is not this server's; use the URL that it printed."
    origin = request.headers.get_all("Origin")
    if origin and (len(origin) > 1 or origin[0].lower() not in origins):
        return f"Pages of {', '.join(origin)} may not connect; --allow-origin allows them."
    try:
        shown = parse_qs(urlsplit(request.path).query).get(TOKEN_KEY, [])
    except ValueError:
        shown = []
    if len(shown) != 1 or not is_token(shown[0], endpoint.token or ""):
        return "The token is missing or wrong; connect to the URL that the server printed when it started."
    return None


def _is_this_machine(given: Sequence[str], endpoint: Endpoint) -> bool:
    """Whether the `Host` of a request is a loopback name, or the host that the server was started with."""
    if len(given) != 1 or set(given[0]) & set("@/?#\\"):
        return False
    try:
        name = (urlsplit(f"//{given[0]}").hostname or "").removesuffix(".")
    except ValueError:
        return False
    if name in ("localhost", endpoint.host.lower(), endpoint.address):
        return name != ""
    try:
        address = ipaddress.ip_address(name)
    except ValueError:
        return False
    # Only a name can be made to mean another address, so an address is as good as any where all are served.
    return address.is_loopback or ipaddress.ip_address(endpoint.address.partition("%")[0]).is_unspecified
