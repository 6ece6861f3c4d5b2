"""How messages come in and go out: standard input and output, TCP and WebSocket, one client for each.

Every connection is read by one thread and written by another, so that the loop neither waits for a client
that sends nothing nor for one that reads nothing.
"""

from __future__ import annotations

import contextlib
import os
import socket
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO, Protocol

MAX_MESSAGE = 1 << 30
"""A message that says it is longer than this many bytes is taken for a broken stream."""


class Connection(Protocol):
    """Whole messages to and from one client."""

    def receive(self) -> bytes | None:
        """The next message; `None` when the client is gone. Waits."""

    def send(self, message: bytes) -> None:
        """Send one message. Raises `OSError` when the client is gone."""

    def close(self) -> None:
        """Let the client see that nothing more will come."""


class StreamConnection:
    """Messages with the protocol's header fields, on a pair of byte streams."""

    def __init__(self, reader: BinaryIO, writer: BinaryIO) -> None:
        self._reader = reader
        self._writer = writer

    def receive(self) -> bytes | None:
        """The next message; header fields in any letter case, lines ended as the client likes."""
        try:
            while True:
                length = self._header()
                if length is None or length > MAX_MESSAGE:
                    return None
                if length:
                    message = self._reader.read(length)
                    return message if len(message) == length else None
        except (OSError, ValueError):
            return None

    def _header(self) -> int | None:
        """The length that one header gives: 0 when it gives none, `None` at the end of the stream."""
        length = 0
        while line := self._reader.readline():
            field = line.strip()
            if not field:
                return length
            name, _, value = field.partition(b":")
            if name.strip().lower() == b"content-length":
                with contextlib.suppress(ValueError):
                    length = max(int(value), 0)
        return None

    def send(self, message: bytes) -> None:
        """Send one message."""
        self._writer.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
        self._writer.flush()

    def close(self) -> None:
        """Close what we write to; what we read from belongs to the client."""
        with contextlib.suppress(OSError, ValueError):
            self._writer.close()


class Outbox:
    """What goes to the client, written in order by a thread of its own."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="patchpoint-writer", daemon=True)
        self._thread.start()

    def write(self, message: bytes) -> None:
        """Send `message` after all that were written before; never waits."""
        self._messages.put(message)

    def close(self, timeout: float = 5.0) -> None:
        """Send what is still here, waiting at most `timeout` seconds for a client that does not read."""
        self._messages.put(None)
        self._thread.join(timeout)

    def _write_all(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (message := self._messages.get()) is not None:
                self._connection.send(message)
        self._connection.close()


def read_all(connection: Connection, receive: Callable[[bytes | None], None]) -> None:
    """Hand every message to `receive` from a thread of its own, and `None` when the client is gone."""

    def read() -> None:
        while (message := connection.receive()) is not None:
            receive(message)
        receive(None)

    threading.Thread(target=read, name="patchpoint-reader", daemon=True).start()


def standard_streams() -> StreamConnection:
    """The client that started us. Whatever prints from now on goes to standard error, and harms nothing."""
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return StreamConnection(reader, writer)


def accept_tcp(host: str, port: int, listening: Callable[[int], None]) -> StreamConnection:
    """The first client that connects; `listening` is told the port once clients may. Raises `OSError`."""
    with socket.create_server((host, port), backlog=1) as server:
        listening(server.getsockname()[1])
        client, _ = server.accept()
    client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return StreamConnection(client.makefile("rb"), client.makefile("wb"))
