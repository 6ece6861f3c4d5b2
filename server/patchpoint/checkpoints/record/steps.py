"""What the steps of a session were about to write, as its agent announced them: one line of JSON a step.

A step that finds nothing changed has no checkpoint of its own, and what a step writes is known before it does
so: neither can stand in a checkpoint. The lines are in `steps`, in the repository's folder of Patchpoint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.record.checkpoint import Checkpoint, is_id
from patchpoint.dataclass import dataclass

_NAME = "steps"
_LARGEST = 1024 * 1024
"""Bytes of the file at which what no checkpoint needs any more is left out."""
_FLAGS = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedStep:
    """A step of a session, or the prompt of a turn, which itself writes nothing."""

    session: str
    after: str
    """Id of the newest checkpoint when the step began."""
    writes: tuple[str, ...] | None
    """The files that it names, relative to the working tree's root; `None` where it may write any."""


def record_steps(directory: Path, steps: Sequence[AnnouncedStep]) -> None:
    """Add steps to those of the repository whose folder of Patchpoint is `directory`. Raises `OSError`."""
    lines = "".join(_line(step) for step in steps).encode("ascii")
    descriptor = os.open(directory / _NAME, os.O_WRONLY | os.O_APPEND | _FLAGS, 0o600)
    try:
        os.write(descriptor, lines)
    finally:
        os.close(descriptor)


def recorded_steps(directory: Path) -> list[AnnouncedStep]:
    """Return the steps that were recorded, oldest first. Lines that cannot be read are passed over."""
    try:
        text = (directory / _NAME).read_text("ascii", "replace")
    except OSError:
        return []
    return [step for line in text.splitlines() if (step := _step(line)) is not None]


def forget_steps(directory: Path, checkpoints: Callable[[], Iterable[Checkpoint]]) -> None:
    """Leave out the steps that are older than all checkpoints of their session, once there are many.

    `checkpoints` is asked for them only then.
    """
    with suppress(OSError):
        if (directory / _NAME).stat().st_size < _LARGEST:
            return
        oldest: dict[str, str] = {}
        for one in checkpoints():
            if one.session is not None:
                oldest[one.session] = min(one.id, oldest.get(one.session, one.id))
        kept = [step for step in recorded_steps(directory) if oldest.get(step.session, "~") <= step.after]
        from patchpoint.filesystem.atomic_write import write_atomically

        lines = "".join(_line(step) for step in kept).encode("ascii")
        write_atomically(directory / _NAME, lines, permissions=0o600)


def _line(step: AnnouncedStep) -> str:
    return json.dumps({"session": step.session, "after": step.after, "writes": step.writes}) + "\n"


def _step(line: str) -> AnnouncedStep | None:
    try:
        found = json.loads(line)
        session, after, writes = found["session"], found["after"], found["writes"]
    except (ValueError, TypeError, KeyError, RecursionError):
        return None
    if not isinstance(session, str) or not isinstance(after, str) or not is_id(after):
        return None
    if writes is None:
        return AnnouncedStep(session=session, after=after, writes=None)
    if not isinstance(writes, list) or not all(isinstance(path, str) for path in writes):
        return None
    return AnnouncedStep(session=session, after=after, writes=tuple(writes))
