"""Listen at a meeting place for hooks, and reply to them.

    with HookListener(place) as listener:
        for asked in listener.wait(timeout=0):
            asked.reply(*answer)

One thread calls `wait` and `reply`; another one may call `stop`. What is read of a hook is bounded in size
and time, and so is how many of them are heard at once: a hook that is not heard does without.
"""

from __future__ import annotations

import hmac
import selectors
import socket
import time
from contextlib import suppress
from types import TracebackType

from patchpoint.dataclass import dataclass, field
from patchpoint.hooks import wire
from patchpoint.hooks.meeting_place import MeetingPlace

_BACKLOG = 256
_MOST_HEARD = 256
_SENT_WITHIN_S = 1.0
"""Seconds from connecting to the end of the request: a hook sends it at once."""
_READ_WITHIN_S = 0.5
"""Seconds for which a hook that does not read its answer is waited for."""
_PIECE = 1 << 18


@dataclass(slots=True)
class AskedCall:
    """A request that was read whole, to be replied to once."""

    agent: str | None
    folder: str
    """Where the hook runs."""
    wait: float
    """Seconds for which a lock may be waited for."""
    sent: bytes
    _connection: socket.socket

    def is_awaited(self) -> bool:
        """Return whether the hook still waits: its end, and that it gave up, closes the connection."""
        try:
            return self._connection.recv(1, socket.MSG_PEEK) != b""
        except BlockingIOError:
            return True
        except OSError:
            return False

    def reply(self, prints: str, report: str) -> None:
        """Send what the hook is to print and to report. One that is gone, or does not read, goes without."""
        _send(self._connection, wire.encode_answer(prints, report))

    def refuse(self) -> None:
        """Have the hook take the checkpoint itself."""
        _send(self._connection, wire.REFUSED)


@dataclass(slots=True)
class _Heard:
    """A connection that has not sent all of its request yet."""

    connection: socket.socket
    until: float
    """A time of the monotonic clock."""
    received: bytearray = field(default_factory=bytearray)

    def whole(self) -> bytes | None:
        """Return the content of the message, or `None` while some is missing. Raises `ValueError`."""
        if len(self.received) < wire.HEADER_BYTES:
            return None
        length = wire.content_length(bytes(self.received[: wire.HEADER_BYTES]), wire.LARGEST_REQUEST)
        if len(self.received) < wire.HEADER_BYTES + length:
            return None
        return bytes(self.received[wire.HEADER_BYTES : wire.HEADER_BYTES + length])


class HookListener:
    """What listens at `place`, whose lock the caller has. Raises `OSError` where that cannot be.

    `taken_over` is the socket of another listener, whose process goes on in this one, which leaves the place
    to a server that asks for it.
    """

    def __init__(self, place: MeetingPlace, taken_over: socket.socket | None = None) -> None:
        self._leaves = taken_over is not None
        self._place = place
        self._listening = taken_over or place.listen(_BACKLOG)
        self._listening.setblocking(False)
        self._token = place.token()
        self._heard: dict[socket.socket, _Heard] = {}
        self._stopped = False
        self._is_handed_over = False
        self._woken, self._wake = socket.socketpair()
        self._wake.setblocking(False)
        self._selector = selectors.DefaultSelector()
        self._selector.register(self._listening, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)

    def __enter__(self) -> HookListener:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def wait(self, timeout: float | None = None) -> list[AskedCall]:
        """Return the requests that have been sent, after waiting up to `timeout` seconds for one.

        With `None`, it waits until there is one or until `stop` is called, and then returns none.
        """
        until = None if timeout is None else time.monotonic() + timeout
        found: list[AskedCall] = []
        while not self._stopped:
            now = time.monotonic()
            for late in [each for each in self._heard.values() if each.until <= now]:
                self._leave(late)
            events = self._selector.select(0 if found else self._pause(until, now))
            for key, _ in events:
                if key.fileobj is self._listening:
                    self._accept()
                elif (heard := key.data) is not None:
                    self._hear(heard, found)
            if not events and (found or (until is not None and time.monotonic() >= until)):
                break
        return found

    @property
    def is_stopped(self) -> bool:
        """Whether it waits for nothing any more."""
        return self._stopped

    def stop(self) -> None:
        """Have `wait` return, from any thread."""
        self._stopped = True
        with suppress(OSError):
            self._wake.send(b"\0")

    def hand_over(self) -> None:
        """Leave the socket to another process, which has it as well."""
        self._is_handed_over = True

    def taken_over(self) -> HookListener:
        """Return what listens in place of this one, in a process that was forked; what is heard is lost."""
        return HookListener(self._place, self._listening)

    def descriptors(self) -> tuple[int, ...]:
        """Return what another process needs to take it over."""
        return (self._listening.fileno(),)

    def close(self) -> None:
        """Listen no more. A hook that was not heard finds out at once."""
        if not self._is_handed_over:
            self._place.remove_socket()
        self._listening.close()
        for heard in list(self._heard.values()):
            self._leave(heard)
        self._selector.close()
        self._woken.close()
        self._wake.close()

    def _pause(self, until: float | None, now: float) -> float | None:
        """Return the seconds until something has to be done that nobody announces."""
        times = [heard.until for heard in self._heard.values()]
        if until is not None:
            times.append(until)
        return max(0.0, min(times) - now) if times else None

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._listening.accept()
                connection.setblocking(False)
                heard = _Heard(connection, time.monotonic() + _SENT_WITHIN_S)
                if len(self._heard) >= _MOST_HEARD:
                    connection.close()
                    continue
                self._heard[connection] = heard
                self._selector.register(connection, selectors.EVENT_READ, heard)

    def _hear(self, heard: _Heard, found: list[AskedCall]) -> None:
        try:
            piece = heard.connection.recv(_PIECE)
            heard.received += piece
            content = heard.whole()
            if content is None:
                if not piece:
                    self._leave(heard)
                return
            nonce = wire.challenge_nonce(content)
            if nonce is not None:
                heard.connection.send(wire.framed(wire.proof(self._token, nonce)))
                del heard.received[: wire.HEADER_BYTES + len(content)]
                return
            leaving = wire.leaving_token(content)
            if leaving is not None:
                if self._leaves and self._is_ours(leaving):
                    self._stopped = True
                self._leave(heard)
                return
            token, agent, folder, wait, sent = wire.decode_request(content)
        except BlockingIOError:
            return
        except (OSError, ValueError):
            self._leave(heard)
            return
        self._forget(heard)
        call = AskedCall(agent, folder, wait, sent, heard.connection)
        if self._is_ours(token):
            found.append(call)
        else:
            call.refuse()

    def _is_ours(self, token: str) -> bool:
        return hmac.compare_digest(token.encode("utf-8", "replace"), self._token.encode())

    def _leave(self, heard: _Heard) -> None:
        self._forget(heard)
        heard.connection.close()

    def _forget(self, heard: _Heard) -> None:
        del self._heard[heard.connection]
        self._selector.unregister(heard.connection)


def _send(connection: socket.socket, content: bytes) -> None:
    with suppress(OSError), connection:
        connection.settimeout(_READ_WITHIN_S)
        connection.sendall(wire.framed(content))
