"""Where the user's state directory is. Nothing else is loaded for that: a hook asks before anything."""

from __future__ import annotations

import os
import sys
import zlib

OVERRIDE = "PATCHPOINT_STATE_HOME"
"""The environment variable with the path of the state directory itself."""

UNFINISHED = "unfinished"
"""The name of the directory of those marks, in the state directory."""


def state_home_path() -> str:
    """Return the absolute path of the directory of everything that Patchpoint keeps for this user.

    It is `PATCHPOINT_STATE_HOME`, or else a directory in the system's place for such files: `XDG_STATE_HOME`
    or `~/.local/state`, `~/Library/Application Support` on macOS, `%LOCALAPPDATA%` on Windows. It need not
    exist. Raises `RuntimeError` where the user has no home directory.
    """
    override = os.environ.get(OVERRIDE, "")
    if override:
        return os.path.abspath(_expanded(override))
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return os.path.join(local or os.path.join(_expanded("~"), "AppData", "Local"), "patchpoint")
    if sys.platform == "darwin":
        return os.path.join(_expanded("~"), "Library", "Application Support", "patchpoint")
    # A relative path in this variable is to be ignored (XDG Base Directory Specification 0.8).
    base = os.environ.get("XDG_STATE_HOME", "")
    return os.path.join(base if base.startswith("/") else _expanded("~/.local/state"), "patchpoint")


def notices_path(root: str) -> str:
    """Return the path of the file about what agents of the working tree `root` do not know yet.

    Raises `RuntimeError` as `state_home_path` does.
    """
    name = f"{zlib.crc32(os.fsencode(root)):08x}.json"
    return os.path.join(state_home_path(), "notices", name)


def missed_path() -> str:
    """Return the path of the file about hooks that took no checkpoint, which is there once one did not.

    Raises `RuntimeError` as `state_home_path` does.
    """
    return os.path.join(state_home_path(), "hooks", "missed.jsonl")


def unfinished_marks() -> list[str]:
    """Return the names of the marks of edits that are being written, or were cut short: mostly none.

    A command that begins asks for no more than this, whatever workspaces there are.
    """
    try:
        return sorted(os.listdir(os.path.join(state_home_path(), UNFINISHED)))
    except (OSError, RuntimeError):
        return []


def _expanded(path: str) -> str:
    expanded = os.path.expanduser(path)
    if expanded[:1] == "~":
        raise RuntimeError("Could not determine home directory.")  # as pathlib says it
    return expanded
