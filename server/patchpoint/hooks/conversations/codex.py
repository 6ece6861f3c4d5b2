"""The session files of Codex, `sessions/YYYY/MM/DD/rollout-TIME-ID.jsonl`, whose lines are numbered.

Codex forks a session by a file of one line, which says up to which line and byte of another file its history
goes; it reads that other file with it, and goes on in the new one. Files of earlier versions have no numbers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping

from patchpoint.dataclass import dataclass
from patchpoint.hooks.conversations.errors import CannotForkError, FirstPromptError


@dataclass(frozen=True, slots=True)
class Base:
    """What of another file a session's history begins with."""

    thread: str
    end_ordinal: int
    """The number of the first line that is not in it."""
    end_byte: int


@dataclass(frozen=True, slots=True)
class Rollout:
    """The first line of a session's file."""

    meta: Mapping[str, object]
    ordinal: int
    thread: str
    base: Base | None


def rollout(line: bytes) -> Rollout:
    """Return what the first line of a session's file says. Raises `CannotForkError`."""
    meta = _object(line)
    payload = _payload(meta)
    thread, ordinal = payload.get("id"), meta.get("ordinal")
    if meta.get("type") != "session_meta" or not isinstance(thread, str):
        raise CannotForkError("the first line of its session file is of a kind that is not known")
    if payload.get("history_mode") != "paginated" or not isinstance(ordinal, int):
        raise CannotForkError("its session file is of another version of Codex, whose lines have no numbers")
    base = payload.get("history_base")
    if base is None:
        return Rollout(meta, ordinal, thread, None)
    match base:
        case {"thread_id": str(of), "end_ordinal_exclusive": int(end), "end_byte_offset": int(byte)}:
            return Rollout(meta, ordinal, thread, Base(of, end, byte))
    raise CannotForkError("what its session file goes on from is of a kind that is not known")


def base_before(records: Iterable[bytes], first: Rollout, turn: str) -> Base | None:
    """Return what precedes a turn in the file that begins with `first`; `None` where the turn is elsewhere.

    `records` are the lines of the file, its first one included. Raises `CannotForkError`.
    """
    is_first, at = first.base is None, 0
    for ordinal, (line, record) in enumerate(_numbered(records, first.ordinal), first.ordinal):
        payload = _payload(record)
        if record.get("type") == "event_msg" and payload.get("type") == "task_started":
            if payload.get("turn_id") == turn:
                if is_first:
                    raise FirstPromptError
                return Base(first.thread, ordinal, at)
            is_first = False
        at += len(line)
    return None


def forked(source: Rollout, base: Base, session: str, time: str, window: str) -> bytes:
    """Return the file of the session `session`, which goes on after `base`, which is of the file `source`.

    `time` is that of the fork, in UTC, and `window` the id of its context window.
    """
    payload = {
        **_payload(source.meta),
        "session_id": session,
        "id": session,
        "forked_from_id": base.thread,
        "forked_from_ordinal_exclusive": base.end_ordinal,
        "timestamp": time,
        "history_base": {
            "thread_id": base.thread,
            "end_ordinal_exclusive": base.end_ordinal,
            "end_byte_offset": base.end_byte,
        },
        "context_window": {"window_id": window},
    }
    meta = {**source.meta, "timestamp": time, "ordinal": base.end_ordinal, "payload": payload}
    return json.dumps(meta, separators=(",", ":")).encode("ascii") + b"\n"


def _numbered(records: Iterable[bytes], first: int) -> Iterator[tuple[bytes, Mapping[str, object]]]:
    for number, line in enumerate(records):
        record = _object(line)
        if record.get("ordinal") != first + number:
            raise CannotForkError(f"line {number + 1} of its session file has another number than its place")
        yield line, record


def _object(line: bytes) -> Mapping[str, object]:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        found = None
    if not isinstance(found, dict) or not line.endswith(b"\n"):
        raise CannotForkError("its session file has a line of a kind that is not known")
    return found


def _payload(record: Mapping[str, object]) -> Mapping[str, object]:
    found = record.get("payload")
    return found if isinstance(found, dict) else {}
