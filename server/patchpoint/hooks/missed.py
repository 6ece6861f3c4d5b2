"""The calls of hooks that took no checkpoint, and why: the agent went on, and nobody was looking.

They are a line each in the user's state directory, those of all folders together.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.state_home import missed_path
from patchpoint.hooks.fields import DETAIL_KEYS, plain
from patchpoint.hooks.meeting_place import working_tree_of

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.hooks.events import HookEvent

_LARGEST = 256 * 1024
"""Bytes of the file after which its older half is dropped."""
_MOST_FIELDS = 30
_LONGEST = 200
"""Characters of a text that is kept: enough for the first words of a prompt or a command."""
_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True)
class Missed:
    """A call of a hook that took no checkpoint."""

    at: float
    """Seconds since 1970."""
    agent: str
    event: HookEvent
    """What was about to happen, its texts cut."""
    says: str
    """Why there is none."""


def record_missed(agent: str | None, folder: str, data: object, says: str) -> None:
    """Record that a hook, which was sent `data` and called in `folder`, took no checkpoint.

    `data` is `None` where it gave up before it had read that. Raises nothing, and loads nothing large: it is
    called by hooks that are short of time.
    """
    sent = _shortened(data) if isinstance(data, Mapping) else None
    line = {
        "at": time.time(), "root": working_tree_of(folder), "agent": agent, "sent": sent,
        "says": says[:4096],
    }  # fmt: skip
    with suppress(OSError, ValueError, RuntimeError):
        path = Path(missed_path())
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(path, _FLAGS, 0o600)
        try:
            # In one piece, so that of several at once each has a line of its own.
            os.write(descriptor, f"{json.dumps(line)}\n".encode("ascii"))
            is_large = os.fstat(descriptor).st_size > _LARGEST
        finally:
            os.close(descriptor)
        if is_large:
            _drop_older_half(path)


def missed_in(root: str, since: float) -> list[Missed]:
    """Return the calls for the working tree `root` since a time, in seconds since 1970, oldest first."""
    try:
        path = Path(missed_path())
        if path.exists():
            return [each for each in _read(path, root) if each.at >= since]
    except (OSError, RuntimeError):
        pass
    return []


def was_missed(call: str) -> bool:
    """Return whether a step, as its agent calls it, is among the calls of hooks that took no checkpoint."""
    try:
        return any(json.dumps(call).encode("ascii") in line for line in _lines(Path(missed_path())))
    except (OSError, RuntimeError):
        return False


def _read(path: Path, root: str) -> Iterator[Missed]:
    from patchpoint.hooks.events import HookEvent, Moment, read_event

    for line in _lines(path):
        with suppress(ValueError, TypeError, KeyError, RecursionError):
            found = json.loads(line)
            if found["root"] != root:
                continue
            event = read_event(found["sent"]) if found["sent"] is not None else HookEvent(moment=Moment.STEP)
            if event.moment is not Moment.OTHER:
                agent = str(found["agent"] or "an agent")
                yield Missed(float(found["at"]), agent, event, str(found["says"]))


def _shortened(data: Mapping[object, object]) -> dict[str, object]:
    """Return as much of what was sent as says what was about to happen."""
    return {str(name)[:_LONGEST]: _cut(value) for name, value in list(data.items())[:_MOST_FIELDS]}


def _cut(value: object) -> object:
    if isinstance(value, str):
        return value[:_LONGEST]
    if isinstance(value, Mapping):
        return {
            name: text[:_LONGEST]
            for name, text in value.items()
            if isinstance(name, str) and isinstance(text, str) and plain(name) in DETAIL_KEYS
        }
    return value if isinstance(value, (bool, int, float)) or value is None else []


def _drop_older_half(path: Path) -> None:
    from patchpoint.filesystem.atomic_write import Durability, write_atomically

    lines = _lines(path)
    kept = b"".join(lines[len(lines) // 2 :])
    write_atomically(path, kept, permissions=0o600, durability=Durability.NONE)


def _lines(path: Path) -> list[bytes]:
    from patchpoint.filesystem.open_to_read import read_own_file

    return read_own_file(path, largest=2 * _LARGEST).splitlines(keepends=True)
