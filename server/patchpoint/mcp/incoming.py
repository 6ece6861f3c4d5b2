"""What the client sends, with each answer that is none made one that says so.

The library passes over a message that it cannot read. If that was the answer to a request of ours, the
request, and the tool that asks, would wait for ever.
"""

from __future__ import annotations

from types import TracebackType

import mcp_types as types
from mcp.shared._stream_protocols import ReadStream
from mcp.shared.message import SessionMessage
from pydantic import ValidationError

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
