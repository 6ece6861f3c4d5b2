"""Connections to one client, over standard input and output or another pair of streams.

The other transports are in `tcp` and `websocket`.

Every connection is read by one thread and written by another, so that the event loop waits neither for a
client that sends nothing nor for one that reads nothing. See docs/decisions/transports.md.
"""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable
from queue import SimpleQueue
from typing import BinaryIO, Protocol

MAX_MESSAGE_BYTES = 1 << 30
"""A header with a greater length means that the stream is broken."""

MAX_FIRST_MESSAGE_BYTES = 4 << 20
"""The same for what comes over a socket before the client has initialized."""

_MAX_HEADER_LINE_BYTES = 8192


class Connection(Protocol):
    """A connection to one client, which carries whole messages."""

    def receive(self) -> bytes | None:
        """Wait for the next message and return it; `None` when the client has disconnected."""

    def send(self, message: bytes) -> None:
        """Send one message. Raises `OSError` when the client has disconnected."""

    def lift_limit(self) -> None:
        """Accept large messages from now on, since the client has initialized."""

    def close(self) -> None:
        """End the stream to the client."""


class StreamConnection:
    """Messages with LSP's header fields on a pair of byte streams.

    `strict` is for streams whose other end may be no client of LSP at all, such as a browser: the first line
    that is none of LSP's header fields ends the connection, and so does a large message before `lift_limit`.
    """

    def __init__(self, reader: BinaryIO, writer: BinaryIO, *, strict: bool = False) -> None:
        self._reader = reader
        self._writer = writer
        self._strict = strict
        self._limit = MAX_FIRST_MESSAGE_BYTES if strict else MAX_MESSAGE_BYTES

    def receive(self) -> bytes | None:
        """Wait for the next message; header fields may have any letter case, and end in LF or CRLF."""
        try:
            while True:
                length = self._header()
                if length is None or length > self._limit:
                    return None
                if length:
                    message = self._reader.read(length)
                    return message if len(message) == length else None
        except (OSError, ValueError):
            return None

    def _header(self) -> int | None:
        """Return the length in one header: 0 when it has none, `None` at the end of the stream."""
        length = 0
        while line := self._reader.readline(_MAX_HEADER_LINE_BYTES if self._strict else -1):
            field = line.strip()
            if not field:
                return length
            name, _, value = field.partition(b":")
            name = name.strip().lower()
            if name == b"content-length":
                if self._strict and not value.strip().isdigit():
                    return None
                with contextlib.suppress(ValueError):
                    length = max(int(value), 0)
            elif self._strict and name != b"content-type":
                return None
        return None

    def send(self, message: bytes) -> None:
        """Send one message."""
        self._writer.write(b"Content-Length: %d\r\n\r\n" % len(message) + message)
        self._writer.flush()

    def lift_limit(self) -> None:
        """Accept large messages from now on."""
        self._limit = MAX_MESSAGE_BYTES

    def close(self) -> None:
        """Close the stream to the client; the other one is the client's to close."""
        with contextlib.suppress(OSError, ValueError):
            self._writer.close()


class Outbox:
    """The queue of messages to the client, which a thread of its own sends in order."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._write_all, name="patchpoint-writer", daemon=True)
        self._thread.start()

    def write(self, message: bytes) -> None:
        """Queue `message` after all earlier ones, without waiting."""
        self._messages.put(message)

    def close(self, timeout: float = 5.0) -> None:
        """Send what is queued, and wait at most `timeout` seconds for a client that does not read."""
        self._messages.put(None)
        self._thread.join(timeout)

    def _write_all(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while (message := self._messages.get()) is not None:
                self._connection.send(message)
        self._connection.close()


def read_all(connection: Connection, receive: Callable[[bytes | None], None]) -> None:
    """Call `receive` with every message, in a thread of its own; `None` is the end of the connection."""

    def read() -> None:
        while (message := connection.receive()) is not None:
            receive(message)
        receive(None)

    threading.Thread(target=read, name="patchpoint-reader", daemon=True).start()


def standard_streams() -> StreamConnection:
    """Return the connection to the client that started the server, over standard input and output.

    What is printed afterwards goes to standard error, so that it cannot come between messages.
    """
    reader = os.fdopen(os.dup(0), "rb")
    writer = os.fdopen(os.dup(1), "wb")
    sys.stdout.flush()
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return StreamConnection(reader, writer)
