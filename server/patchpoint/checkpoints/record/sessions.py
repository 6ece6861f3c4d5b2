"""The state of chat sessions: whether the agent has to start afresh after a restore.

After a restore to the state before one of a session's messages, its agent remembers changes that no longer
exist. So the session is marked, and the program that runs the agent starts it afresh.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from pathlib import Path

from patchpoint.checkpoints.record.checkpoint import is_id
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.atomic_write import Durability, write_atomically
from patchpoint.filesystem.open_to_read import read_own_file

_FILE = "sessions.json"
_LARGEST = 16 << 20
"""Bytes of the largest file that is read: a thousand sessions with ids of some kilobytes."""
_MOST_SESSIONS = 1000
"""Beyond it, the sessions whose state was set longest ago are forgotten."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """The state of one session."""

    fresh_start: bool = False
    """Whether its agent has to start afresh."""
    message: str | None = None
    """Id of the message that it was last set back to."""
    since: str | None = None
    """Id of the safety checkpoint of that restore; later checkpoints have greater ids."""

    def with_fresh_start(self, needed: bool) -> SessionState:
        """Return this state with `fresh_start` set to `needed`."""
        return replace(self, fresh_start=needed)


def session_state(directory: Path, session: str) -> SessionState:
    """Return the state of `session`, kept in `directory`, the private one of the working tree."""
    return _read(directory).get(session, SessionState())


def begin_session(directory: Path, session: str) -> None:
    """Remove the mark that the agent of `session` has to start afresh, if there is one."""
    state = session_state(directory, session)
    if state.fresh_start:
        set_session_state(directory, session, state.with_fresh_start(False))


def set_session_state(directory: Path, session: str, state: SessionState) -> None:
    """Write `state` as the state of `session`."""
    states = _read(directory)
    states.pop(session, None)
    states[session] = state
    kept = dict(list(states.items())[-_MOST_SESSIONS:])
    directory.mkdir(parents=True, exist_ok=True)
    write_atomically(
        directory / _FILE,
        json.dumps({name: asdict(each) for name, each in kept.items()}).encode(),
        durability=Durability.NONE,
        temporary=f"{_FILE}.{os.getpid()}",
    )


def _read(directory: Path) -> dict[str, SessionState]:
    """Return the states by session. What is no such state is dropped: it may have come with the folder."""
    try:
        states = json.loads(read_own_file(directory / _FILE, largest=_LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    found = {name: _state(fields) for name, fields in states.items()} if isinstance(states, dict) else {}
    return {name: state for name, state in list(found.items())[-_MOST_SESSIONS:] if state is not None}


def _state(fields: object) -> SessionState | None:
    match fields:
        case {
            "fresh_start": bool(fresh),
            "message": (str() | None) as message,
            "since": (str() | None) as since,
        }:
            if since is None or is_id(since):
                return SessionState(fresh_start=fresh, message=message, since=since)
    return None
