"""Where Patchpoint keeps what it must remember about a folder, outside of that folder.

A repository's checkpoints live in the repository; all else (pending edits, unfinished landings, checkpoints
of folders that are no repository) lives in the user's state folder, in a folder for each workspace folder.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
import sys
from pathlib import Path

from patchpoint.files import sync_folder

OVERRIDE = "PATCHPOINT_STATE_HOME"
"""The environment variable that names the state folder itself."""


def state_home() -> Path:
    """The folder for all that Patchpoint keeps for this user; it need not exist.

    It is what `PATCHPOINT_STATE_HOME` says, or else where the system keeps such things: in `XDG_STATE_HOME`
    or `~/.local/state`, in `~/Library/Application Support` on macOS, in `%LOCALAPPDATA%` on Windows.
    """
    override = os.environ.get(OVERRIDE, "")
    if override:
        return Path(override).expanduser().absolute()
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "patchpoint"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "patchpoint"
    # A relative path in this variable is to be ignored (XDG Base Directory Specification 0.8).
    base = os.environ.get("XDG_STATE_HOME", "")
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "state") / "patchpoint"


def state_folder(root: Path) -> Path:
    """The folder for what belongs to the workspace folder `root`, made for this user alone if need be.

    It is named by the real path of `root`, however that is spelt; the file `folder` in it says which one it
    is. Raises `OSError`.
    """
    real = os.path.normcase(os.path.realpath(root))
    folder = state_home() / "folders" / hashlib.sha256(os.fsencode(real)).hexdigest()[:32]
    if not (folder / "folder").exists():
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(folder / "folder", os.fsencode(real) + b"\n")
    return folder


def write_json(path: Path, version: int, content: object) -> None:
    """Write `content` with the version of its shape; a reader sees the old or the new, never a part.

    Raises `OSError`, and `TypeError` for what JSON does not know.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"version": version, "content": content}, indent=1)
    write_whole(path, text.encode("ascii"))


def read_json(path: Path, version: int) -> object:
    """What `write_json` wrote, or `None` where there is nothing, or nothing of that version.

    A file that cannot be understood is set aside under a name that begins with its own, not lost; one that
    cannot be read, or is of another version, is left where it is.
    """
    try:
        data = path.read_bytes()
    except OSError:
        return None
    try:
        document = json.loads(data)
        if not isinstance(document["version"], int):
            raise TypeError("the version is no number")
        content = document["content"]
    except (ValueError, TypeError, KeyError, RecursionError):
        set_aside(path)
        return None
    return content if document["version"] == version else None


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file so that it is out of the way and not lost; answers where it is now."""
    aside = path.with_name(f"{path.name}.damaged-{secrets.token_hex(4)}")
    try:
        path.rename(aside)
    except OSError:
        return None
    return aside


def write_whole(path: Path, data: bytes) -> None:
    """Write a file of Patchpoint's own, for this user alone, wholly or not at all. Raises `OSError`."""
    fresh = path.with_name(f"{path.name}.{secrets.token_hex(4)}.tmp")
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    try:
        with open(os.open(fresh, flags, 0o600), "wb") as file:  # noqa: PTH123 - it is a descriptor
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise
    sync_folder(path.parent)
