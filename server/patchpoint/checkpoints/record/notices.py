"""What was restored in a working tree and its agents do not know yet; each hears of it at its next prompt.

An agent remembers files as it last saw them. It is kept in the user's state directory, a file for each
working tree, which is there only once something was restored.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TypedDict

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.atomic_write import Durability, write_atomically
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.state_home import notices_path

_MOST_FILES = 1000
_MOST_SESSIONS = 200
_LARGEST = 1 << 20
_KEPT_S = 30 * 86400.0
"""Seconds after which nobody hears of it any more: who has worked since has read the files again."""


@dataclass(frozen=True, slots=True)
class Notice:
    """What was restored since an agent's last prompt: paths relative to the root, and those that are gone."""

    files: tuple[str, ...]
    deleted: tuple[str, ...]


def note_restored(root: str, files: Mapping[str, bool]) -> None:
    """Note the files that were restored in the working tree `root`, each with whether it is there now.

    Raises nothing: a restore is done, whether an agent hears of it or not.
    """
    if files:
        with suppress(OSError, ValueError, RuntimeError):
            place = Path(notices_path(root))
            kept = _read(place, root)
            now = time.time()
            listed = [each for each in kept["restored"] if each["at"] > now - _KEPT_S]
            listed.append({"at": now, "files": dict(list(files.items())[:_MOST_FILES])})
            _write(place, {"root": root, "restored": listed, "known": kept["known"]})


def take_notice(root: str, session: str, began: Callable[[], float | None]) -> Notice | None:
    """Return what was restored since the last prompt of `session`, and take it for known to it from now on.

    `began` returns the time (seconds since 1970) of the session's first checkpoint: what was restored before
    it has nothing to forget. Raises nothing.
    """
    with suppress(OSError, ValueError, RuntimeError):
        place = Path(notices_path(root))
        kept = _read(place, root)
        newest = max((each["at"] for each in kept["restored"]), default=0.0)
        since = kept["known"].get(session)
        if since is not None and since >= newest:
            return None
        if since is None:
            since = began()
        known = dict(list({**kept["known"], session: max(newest, time.time())}.items())[-_MOST_SESSIONS:])
        _write(place, {"root": root, "restored": kept["restored"], "known": known})
        return None if since is None else _since(kept["restored"], since)
    return None


def _since(restored: Iterable[_Restored], since: float) -> Notice | None:
    files: dict[str, bool] = {}
    for each in restored:
        if each["at"] > since:
            files.update(each["files"])
    if not files:
        return None
    return Notice(
        tuple(sorted(path for path, is_there in files.items() if is_there)),
        tuple(sorted(path for path, is_there in files.items() if not is_there)),
    )


class _Restored(TypedDict):
    at: float
    files: dict[str, bool]


class _Kept(TypedDict):
    root: str
    restored: list[_Restored]
    known: dict[str, float]


def _read(place: Path, root: str) -> _Kept:
    """Return what is kept for `root`; nothing where there is no such file, or it is of another tree."""
    empty: _Kept = {"root": root, "restored": [], "known": {}}
    try:
        data = json.loads(read_own_file(place, largest=_LARGEST))
    except (OSError, ValueError, RecursionError):
        return empty
    if not isinstance(data, dict) or data.get("root") != root:
        return empty
    restored, known = data.get("restored"), data.get("known")
    return {
        "root": root,
        "restored": [each for each in restored if _is_restored(each)] if isinstance(restored, list) else [],
        "known": {name: at for name, at in known.items() if isinstance(at, int | float)}
        if isinstance(known, dict)
        else {},
    }


def _is_restored(each: object) -> bool:
    if not isinstance(each, dict):
        return False
    files = each.get("files")
    return isinstance(each.get("at"), int | float) and isinstance(files, dict)


def _write(place: Path, kept: _Kept) -> None:
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    write_atomically(place, json.dumps(kept).encode("ascii"), permissions=0o600, durability=Durability.NONE)
