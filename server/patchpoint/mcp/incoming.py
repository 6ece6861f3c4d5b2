"""What the client sends, with each answer that is none made one that says so, and what is sent to it.

The library passes over a message that it cannot read. If that was the answer to a request of ours, the
request, and the tool that asks, would wait for ever.
"""

from __future__ import annotations

import io
import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

import mcp_types as types
from mcp.shared._stream_protocols import ReadStream, WriteStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

from patchpoint.mcp.opening import Opened

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

Sent = SessionMessage | Exception


class Incoming:
    """A stream of what the client sends."""

    def __init__(self, stream: ReadStream[Sent]) -> None:
        self._stream = stream

    @property
    def last_context(self) -> object:
        """The context that the last message was sent in, if the stream knows it."""
        return getattr(self._stream, "last_context", None)

    async def receive(self) -> Sent:
        """Return the next message, or what kept it from being read."""
        return _repaired(await self._stream.receive())

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    def __aiter__(self) -> Incoming:
        return self

    async def __anext__(self) -> Sent:
        return _repaired(await self._stream.__anext__())

    async def __aenter__(self) -> Incoming:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


class Outgoing:
    """A stream of what is sent to the client, without the answer that it has got already."""

    def __init__(self, stream: WriteStream[SessionMessage], opened: Opened) -> None:
        self._stream = stream
        self._sent = opened.answered

    async def send(self, item: SessionMessage, /) -> None:
        """Send a message."""
        message = item.message
        is_answer = isinstance(message, types.JSONRPCResponse | types.JSONRPCError)
        if self._sent is None or not is_answer or getattr(message, "id", None) != self._sent:
            await self._stream.send(item)
            return
        self._sent = None
        if isinstance(message, types.JSONRPCError):
            sys.stderr.write(f"patchpoint: the client cannot be served: {message.error.message}\n")

    async def aclose(self) -> None:
        """Close the stream."""
        await self._stream.aclose()

    async def __aenter__(self) -> Outgoing:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()


def standard_input(opened: Opened) -> io.TextIOWrapper:
    """Return standard input, as if nothing of it had been read."""
    return io.TextIOWrapper(io.BufferedReader(_Input(opened.given)), encoding="utf-8", errors="replace")


class _Input(io.RawIOBase):
    def __init__(self, given: bytes) -> None:
        self._given = memoryview(given)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        place = memoryview(buffer).cast("B")
        read: bytes | memoryview = self._given[: len(place)] or os.read(0, len(place))
        self._given = self._given[len(place) :]
        place[: len(read)] = read
        return len(read)


def _repaired(sent: Sent) -> Sent:
    number = _answered_by(sent) if isinstance(sent, ValidationError) else None
    if number is None:
        return sent
    wrong = types.ErrorData(code=types.INVALID_REQUEST, message="The result is no object.")
    return SessionMessage(types.JSONRPCError(jsonrpc="2.0", id=number, error=wrong))


def _answered_by(error: ValidationError) -> int | str | None:
    """Return the id of the request that a message answers, if it has a result and nothing else is wrong."""
    for one in error.errors(include_url=False, include_context=False):
        message = one["input"]
        if one["type"] == "missing" and isinstance(message, dict) and "result" in message:
            number = message.get("id")
            return number if isinstance(number, (int, str)) and not isinstance(number, bool) else None
    return None
