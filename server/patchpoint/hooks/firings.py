"""Record when each agent last called its hook, and what came of it."""

from __future__ import annotations

import json
import os
import time

from patchpoint.filesystem.state_home import state_home_path

AGENTS = ("claude", "codex", "gemini", "cursor", "copilot", "opencode", "qwen", "pi", "kilo", "droid")
"""The agents that are known by name."""

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


def record_firing(agent: str | None, folder: str, says: str) -> None:
    """Record a call of the hook, in place of the one before; where that cannot be written, nothing is.

    It is not made durable, and of several at once the last one counts: it only informs.
    """
    text = json.dumps({"at": time.time(), "folder": folder[:4096], "says": says[:4096]})
    try:
        os.makedirs(_directory(), mode=0o700, exist_ok=True)
        descriptor = os.open(firing_path(agent), _FLAGS, 0o600)
        try:
            os.write(descriptor, text.encode("ascii"))
        finally:
            os.close(descriptor)
    except (OSError, ValueError, RuntimeError):
        pass


def firing_path(agent: str | None) -> str:
    """Return the path of the record of an agent, of all without a known name together."""
    return os.path.join(_directory(), f"{agent if agent in AGENTS else 'other'}.json")


def _directory() -> str:
    return os.path.join(state_home_path(), "hooks")
