"""What is sent to the client, and standard input with what was read of it before."""

from __future__ import annotations

import io
import os
import sys
from types import TracebackType
from typing import TYPE_CHECKING

import anyio
import mcp_types as types
from mcp.shared._stream_protocols import WriteStream
from mcp.shared.message import SessionMessage

from patchpoint.mcp.opening import Opened

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer


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


def standard_input(opened: Opened) -> anyio.AsyncFile[str]:
    """Return standard input, as if nothing of it had been read."""
    lines = io.TextIOWrapper(io.BufferedReader(_Input(opened.given)), encoding="utf-8", errors="replace")
    return anyio.wrap_file(lines)


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
