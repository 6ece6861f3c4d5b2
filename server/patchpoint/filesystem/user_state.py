"""The user's state directory: what Patchpoint must remember about a folder, kept outside of that folder.

A repository's checkpoints are kept in the repository; everything else (pending edits, undo logs of unfinished
transactions, checkpoints of folders that are not in a repository) is kept in the user's state directory, in
one directory for each workspace folder.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from patchpoint.filesystem.atomic_write import rename_over, write_atomically, write_new
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.state_home import OVERRIDE as OVERRIDE
from patchpoint.filesystem.state_home import state_home_path

_KEY = "key"
_KEY_BYTES = 32
"""Size of a secret key: that of SHA-256, beyond which a key adds nothing (RFC 2104, section 3)."""

_LARGEST_JSON = 1 << 30
"""Bytes of the largest file of records that is read: what a request deleted is kept in them."""

_keys_of_this_process: dict[Path, bytes] = {}
"""Keys that could not be written, by the folder they are for."""


def state_home() -> Path:
    """Return the directory of everything that Patchpoint keeps for this user; it need not exist.

    See `state_home_path`.
    """
    return Path(state_home_path())


def shown_directory() -> Path:
    """Return the directory of texts that are shown as files, such as previews; it need not exist."""
    return state_home() / "shown"


def is_shown(path: Path) -> bool:
    """Return whether a file is a text that was written to be shown, however its path is spelt."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(shown_directory()))


def state_directory(root: Path) -> Path:
    """Return the directory of what belongs to the workspace folder `root`, created for this user alone.

    Its name is a hash of the real path of `root`, however that is spelt; the file `folder` in it has that
    path. Raises `OSError`, with a reason that says how another place is chosen.
    """
    real = os.path.normcase(os.path.realpath(root))
    directory = state_home() / "folders" / hashlib.sha256(os.fsencode(real)).hexdigest()[:32]
    try:
        if not (directory / "folder").exists():
            directory.mkdir(mode=0o700, parents=True, exist_ok=True)
            write_private(directory / "folder", os.fsencode(real) + b"\n")
    except OSError as error:
        reason = (
            f"{error.strerror or error}; Patchpoint keeps its state in this folder. Make it writable, or "
            f"name another one in {OVERRIDE}"
        )
        raise OSError(error.errno, reason, os.fspath(state_home())) from error
    return directory


def secret_key(root: Path) -> bytes:
    """Return this user's key with which Patchpoint authenticates what it writes inside of `root`.

    It is random, and created when it is first asked for. Where the state directory cannot be written, the key
    lasts as long as this process.
    """
    key = known_secret_key(root)
    if key is not None:
        return key
    import secrets  # where a key is made, once: a hook does not wait for it

    key = secrets.token_bytes(_KEY_BYTES)
    try:
        path = state_directory(root) / _KEY
        try:
            write_new(path, key, permissions=0o600)
        except FileExistsError:
            # Another process was first, and what it authenticates must be known here; or the file is damaged.
            if (other := known_secret_key(root)) is not None:
                return other
            write_private(path, key)
    except OSError:
        _keys_of_this_process[root] = key
    return key


def known_secret_key(root: Path) -> bytes | None:
    """Return what `secret_key` returned before, or `None` when there is no key of `root` yet."""
    try:
        key = read_own_file(state_directory(root) / _KEY, largest=_KEY_BYTES)
    except OSError:
        return _keys_of_this_process.get(root)
    return key if len(key) == _KEY_BYTES else _keys_of_this_process.get(root)


def write_json(path: Path, version: int, content: object) -> None:
    """Write `content` and the version of its schema as JSON, atomically and durably.

    Raises `OSError`, and `TypeError` for a value that JSON does not have.
    """
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    text = json.dumps({"version": version, "content": content}, indent=1)
    write_private(path, text.encode("ascii"))


def read_json(path: Path, version: int) -> object:
    """Return what `write_json` wrote, or `None` if there is nothing, or nothing of that version.

    A file that is not such JSON is kept under a name that begins with its own; one that cannot be read, is a
    symbolic link or huge, or is of another version, is left where it is.
    """
    try:
        data = read_own_file(path, largest=_LARGEST_JSON)
    except OSError:
        return None
    try:
        document = json.loads(data)
        if not isinstance(document["version"], int):
            raise TypeError("the version is not a number")
        content = document["content"]
    except (ValueError, TypeError, KeyError, RecursionError):
        set_aside(path)
        return None
    return content if document["version"] == version else None


def set_aside(path: Path) -> Path | None:
    """Rename a damaged file so that it is out of the way and not lost; return its new path, or `None`."""
    aside = path.with_name(f"{path.name}.damaged-{os.urandom(4).hex()}")
    try:
        rename_over(path, aside)
    except OSError:
        return None
    return aside


def write_private(path: Path, data: bytes) -> None:
    """Write a file of Patchpoint's own, for this user alone, atomically and durably. Raises `OSError`."""
    write_atomically(path, data, permissions=0o600)
