"""What is kept of chat sessions beside their checkpoints: whether the agent has to start afresh.

A session whose working tree was set back to before one of its messages has an agent that remembers what is no
longer so. It is marked, and whoever runs the agent takes the mark as the word to start it anew.
"""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass, replace
from pathlib import Path

_FILE = "sessions.json"
_MOST_SESSIONS = 1000
"""The longest unused are forgotten beyond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """What is known of one session."""

    fresh_start: bool = False
    """Whether its agent has to start afresh."""
    message: str | None = None
    """The message that it was last set back to."""
    since: str | None = None
    """Id of the safety checkpoint of that restore: what has a later id came after."""

    def with_fresh_start(self, needed: bool) -> SessionState:
        """The same but for whether the agent has to start afresh."""
        return replace(self, fresh_start=needed)


def session_state(folder: Path, session: str) -> SessionState:
    """What is known of `session`, in the folder that the working tree's state is kept in."""
    return _read(folder).get(session, SessionState())


def set_session_state(folder: Path, session: str, state: SessionState) -> None:
    """Remember `state` of `session`."""
    states = _read(folder)
    states.pop(session, None)
    states[session] = state
    kept = dict(list(states.items())[-_MOST_SESSIONS:])
    folder.mkdir(parents=True, exist_ok=True)
    fresh = folder / f"{_FILE}.{os.getpid()}"
    fresh.write_text(json.dumps({name: asdict(each) for name, each in kept.items()}), "utf-8")
    fresh.replace(folder / _FILE)


def _read(folder: Path) -> dict[str, SessionState]:
    try:
        states = json.loads((folder / _FILE).read_text("utf-8"))
        return {name: SessionState(**state) for name, state in states.items()}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}
