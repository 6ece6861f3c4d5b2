"""When each agent last called its hook, and what came of it: `patchpoint doctor` says so."""

from __future__ import annotations

import json
import os
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from patchpoint.filesystem.own_file import read_own_file
from patchpoint.filesystem.user_state import state_home
from patchpoint.hooks.answers import AGENTS

_LARGEST = 64 * 1024
"""Bytes of a record that is read."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Firing:
    """The last call of an agent's hook."""

    at: float
    """Seconds since 1970."""
    folder: str
    says: str
    """What came of it, in a few words."""


def record_firing(agent: str | None, folder: str, says: str) -> None:
    """Record a call of the hook, in place of the one before; where that cannot be written, nothing is.

    It is not made durable, and of several at once the last one counts: it only informs.
    """
    text = json.dumps({"at": time.time(), "folder": folder[:4096], "says": says[:4096]})
    path = _path(agent or "")
    with suppress(OSError, ValueError):
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, _FLAGS, 0o600)
        try:
            os.write(descriptor, text.encode("ascii"))
        finally:
            os.close(descriptor)


def last_firing(agent: str | None) -> Firing | None:
    """Return the last call of an agent's hook (`None`: of all those without a name), if it is known."""
    try:
        found = json.loads(read_own_file(_path(agent or ""), largest=_LARGEST))
        return Firing(float(found["at"]), str(found["folder"]), str(found["says"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError):
        return None


def _path(agent: str) -> Path:
    return state_home() / "hooks" / f"{agent if agent in AGENTS else 'other'}.json"
