"""The TCP transport, and the listening socket of both transports over a network.

Anyone on this machine can connect, and so can any web page: a browser sends its request to whatever port the
page names. So a connection becomes the client only by an `initialize`; until then others can connect, too.
See docs/decisions/transports.md.
"""

from __future__ import annotations

import contextlib
import ipaddress
import selectors
import socket
import threading
from collections import deque
from collections.abc import Callable

from patchpoint.lsp.transport.access import Access, Endpoint, RemoteAddressError, wait_for_initialize
from patchpoint.lsp.transport.transports import StreamConnection

INITIALIZE_WITHIN_S = 30.0
"""Seconds that a connection may take until its `initialize` has arrived."""

MAX_WAITING = 8
"""Connections that have not sent their `initialize` yet; another one ends the oldest."""

_BACKLOG = 16


def listen(
    host: str, port: int, access: Access, *, websocket: bool = False
) -> tuple[socket.socket, Endpoint]:
    """Return a socket that listens on the address of `host`, preferably IPv4, and what it announces.

    Raises `RemoteAddressError` when other machines can reach that address and `access` does not allow it, and
    `OSError` when the address cannot be bound.
    """
    found = socket.getaddrinfo(host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    family, _, _, _, place = min(found, key=lambda each: each[0] != socket.AF_INET)
    address = str(place[0])
    remote = not ipaddress.ip_address(address.partition("%")[0]).is_loopback
    if remote and not access.allow_remote:
        raise RemoteAddressError(
            f"Other machines can connect to '{host}' and change your files; drop --host, or add "
            "--allow-remote if that is intended."
        )
    server = socket.create_server(place[:2], family=family, backlog=_BACKLOG)
    token = access.token_for(websocket=websocket, remote=remote)
    return server, Endpoint(host, address, server.getsockname()[1], token, websocket, remote)


def accept_tcp(
    host: str, port: int, access: Access, listening: Callable[[Endpoint], None]
) -> tuple[StreamConnection, bytes]:
    """Wait for the first client that initializes; return its connection and its `initialize`.

    Calls `listening` once clients can connect. Raises as `listen` does.
    """
    server, endpoint = listen(host, port, access)
    with server, _Candidates(endpoint.token) as candidates:
        listening(endpoint)
        return candidates.first(server)


class _Candidates:
    """The connections of which one becomes the client."""

    def __init__(self, token: str | None) -> None:
        self._token = token
        self._lock = threading.Lock()
        self._waiting: deque[socket.socket] = deque()
        self._chosen: tuple[StreamConnection, bytes] | None = None
        self._woken, self._wake = socket.socketpair()

    def __enter__(self) -> _Candidates:
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            others, self._waiting = list(self._waiting), deque()
        for each in others:
            _end(each)
        self._woken.close()
        self._wake.close()

    def first(self, server: socket.socket) -> tuple[StreamConnection, bytes]:
        """Accept connections until one of them initializes; return it and its `initialize`."""
        server.setblocking(False)
        with selectors.DefaultSelector() as selector:
            selector.register(server, selectors.EVENT_READ)
            selector.register(self._woken, selectors.EVENT_READ)
            while self._chosen is None:
                selector.select()
                # Another process may have ended the connection by now.
                with contextlib.suppress(BlockingIOError, ConnectionError):
                    client, _ = server.accept()
                    self._add(client)
        return self._chosen

    def _add(self, client: socket.socket) -> None:
        client.setblocking(True)
        with self._lock:
            oldest = self._waiting.popleft() if len(self._waiting) >= MAX_WAITING else None
            self._waiting.append(client)
        if oldest is not None:
            _end(oldest)
        threading.Thread(target=self._hear, args=(client,), name="patchpoint-candidate", daemon=True).start()

    def _hear(self, client: socket.socket) -> None:
        """Make `client` the chosen one if it initializes in time, and end it if it does not."""
        deadline = threading.Timer(INITIALIZE_WITHIN_S, _end, [client])
        deadline.daemon = True
        deadline.start()
        with contextlib.suppress(OSError):
            client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection = StreamConnection(client.makefile("rb"), client.makefile("wb"), strict=True)
        initialize = wait_for_initialize(connection, self._token)
        deadline.cancel()
        with self._lock:
            is_waiting = client in self._waiting
            if is_waiting:
                self._waiting.remove(client)
            if is_waiting and initialize is not None and self._chosen is None:
                connection.lift_limit()
                self._chosen = connection, initialize
                self._wake.send(b"\0")
                return
        _end(client)


def _end(client: socket.socket) -> None:
    """End a connection, which wakes the thread that reads it."""
    with contextlib.suppress(OSError):
        client.shutdown(socket.SHUT_RDWR)
    client.close()
