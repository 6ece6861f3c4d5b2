"""Ask who listens at a meeting place to answer a hook; or be the one who does."""

from __future__ import annotations

import os
import time
from contextlib import closing, suppress

from patchpoint.hooks import wire
from patchpoint.hooks.meeting_place import OFFERED, MeetingPlace

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    import _socket

_FIRST_PAUSE = 0.004
"""Seconds until it is asked again; each pause is twice as long as the one before."""
_LONGEST_PAUSE = 0.064
_LEAVING_S = 0.5
"""Seconds for which a process is waited for that does not hear."""


def meeting_place(root: str) -> MeetingPlace:
    """Return the meeting place of a working tree, by what sockets there are. Raises `OSError`."""
    if OFFERED:
        return MeetingPlace(root)
    from patchpoint.hooks.sharing.loopback_place import LoopbackPlace

    return LoopbackPlace(root)


class AskResult:
    """What came of asking: an answer, the lock, or neither."""

    def __init__(self, answer: tuple[str, str] | None = None, lock: int | None = None) -> None:
        self.answer = answer
        """What to print, and what to report to a person."""
        self.lock = lock
        """A descriptor: nobody listens, and now this process may; others wait for it."""


def ask(
    place: MeetingPlace, agent: str | None, folder: str, sent: bytes, *, until: float, end: float
) -> AskResult:
    """Ask for an answer until the time `until`, of the monotonic clock.

    `end` is when the hook gives up, which bounds what the other side waits for. Who listens may have been
    replaced or killed in the meantime, or be about to begin: it is asked again, as often as needed. Raises
    nothing; where nobody can be asked, there is neither an answer nor the lock.
    """
    pause = _FIRST_PAUSE
    while (left := until - time.monotonic()) > 0:
        try:
            return AskResult(answer=_answer(place, agent, folder, sent, left, end))
        except TimeoutError:
            break  # it is there, and too slow
        except ValueError:
            break  # it does not speak as we do
        except _RefusedError:
            break
        except OSError:
            pass  # nobody is there, or not yet, or no longer
        try:
            lock = place.try_lock()
        except OSError:
            break
        if lock is not None:
            return AskResult(lock=lock)
        time.sleep(min(pause, max(0.0, until - time.monotonic())))
        pause = min(2 * pause, _LONGEST_PAUSE)
    return AskResult()


class _RefusedError(Exception):
    pass


def _answer(
    place: MeetingPlace, agent: str | None, folder: str, sent: bytes, left: float, end: float
) -> tuple[str, str]:
    """Return the answer of who listens.

    Raises `OSError` where nobody does, `TimeoutError`, `ValueError` and `_RefusedError`.
    """
    until = time.monotonic() + left
    with closing(place.connect(left)) as connection:
        # The token is read when somebody listens, so that it is that one's.
        token = place.token()
        request = wire.encode_request(token, agent, folder, max(0.0, end - time.monotonic()), sent)
        if len(request) > wire.LARGEST_REQUEST:
            raise ValueError("a request that is too large")
        _wait(connection, until)
        connection.sendall(wire.framed(request))
        header = _exactly(connection, wire.HEADER_BYTES, until)
        length = wire.content_length(header, wire.LARGEST_ANSWER)
        answer = wire.decode_answer(_exactly(connection, length, until))
    if answer is None:
        raise _RefusedError
    return answer


def ask_to_leave(place: MeetingPlace) -> None:
    """Ask what a hook left behind to leave its place; a server or a hook stays. Raises nothing."""
    with suppress(OSError, ValueError), closing(place.connect(_LEAVING_S)) as connection:
        connection.sendall(wire.framed(wire.encode_leaving(place.token())))


def _exactly(connection: _socket.socket, count: int, until: float) -> bytes:
    found = b""
    while len(found) < count:
        _wait(connection, until)
        piece = connection.recv(count - len(found))
        if not piece:
            raise ConnectionResetError
        found += piece
    return found


def _wait(connection: _socket.socket, until: float) -> None:
    left = until - time.monotonic()
    if left <= 0:
        raise TimeoutError
    connection.settimeout(left)


def close_lock(lock: int | None) -> None:
    """Release a lock that was acquired."""
    if lock is not None:
        os.close(lock)
