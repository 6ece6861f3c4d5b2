"""When each agent last called its hook, and what came of it: `patchpoint doctor` says so."""

from __future__ import annotations

import json
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.hooks.firings import firing_path

_LARGEST = 64 * 1024
"""Bytes of a record that is read."""


@dataclass(frozen=True, slots=True)
class Firing:
    """The last call of an agent's hook."""

    at: float
    """Seconds since 1970."""
    folder: str
    says: str
    """What came of it, in a few words."""


def last_firing(agent: str | None) -> Firing | None:
    """Return the last call of an agent's hook (`None`: of all those without a name), if it is known."""
    try:
        found = json.loads(read_own_file(Path(firing_path(agent)), largest=_LARGEST))
        return Firing(float(found["at"]), str(found["folder"]), str(found["says"]))
    except (OSError, ValueError, TypeError, KeyError, RecursionError, RuntimeError):
        return None
