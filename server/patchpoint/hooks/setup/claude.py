"""What is known of the Claude Code of this machine: its version, and whether it starts the tools' server."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

from patchpoint.hooks.setup.places import SERVER_NAME, AgentPlace
from patchpoint.text.regex import regex

ASKING_SINCE = (2, 1, 330)
"""The oldest version whose hooks were seen to wait for a server that is not connected yet. Without a screen
(`claude --print`), 2.1.197 passes over them as long as it runs, and shows that nowhere."""

_VERSION = regex(r"^(\d+)\.(\d+)\.(\d+)$")
_PACKAGE = "@anthropic-ai/claude-code"
_LARGEST = 16 * 2**20
"""Bytes of a file of its own that is read."""


def can_ask_server() -> bool:
    """Return whether the `claude` on the `PATH` is a version whose hooks can call a server's tool."""
    version = installed_version(shutil.which("claude"))
    return version is not None and version >= ASKING_SINCE


def starts_server(place: AgentPlace) -> bool:
    """Return whether the user has Claude Code start the server of the tools in every project."""
    folder = place.home() if os.environ.get(place.variable) else Path.home()
    content = _json(folder / ".claude.json")
    servers = content.get("mcpServers") if isinstance(content, dict) else None
    return isinstance(servers, dict) and SERVER_NAME in servers


def installed_version(program: str | None) -> tuple[int, ...] | None:
    """Return the version of a program by where it is installed; `None` if that does not say.

    Its own installer calls the file by the version; npm has it in a folder with a `package.json`.
    """
    if program is None:
        return None
    path = Path(os.path.realpath(program))
    named = _VERSION.match(path.name)
    if named is not None:
        return tuple(map(int, named.groups()))
    for folder in path.parents[:3]:
        content = _json(folder / "package.json")
        if isinstance(content, dict) and str(content.get("name", "")).startswith(_PACKAGE):
            found = re.match(r"(\d+)\.(\d+)\.(\d+)", str(content.get("version", "")))
            return tuple(map(int, found.groups())) if found is not None else None
    return None


def _json(path: Path) -> object:
    try:
        if path.stat().st_size > _LARGEST:
            return None
        return json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return None
