"""The journal of one restore: what it set out to do, and how far it is past the point of no return.

The journal is a file whose name says the phase, so that one rename, which either happens or does not, moves
from phase to phase:

- `restore.prepared`: contents are being staged. Nothing has been changed; what is left is only to be removed.
- `restore.applying`: files, branch and staged state are being changed. It is to be finished, or all of it
  taken back.
- `restore.done`: what an undo takes back.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from patchpoint.checkpoints.errors import UnfinishedRestoreError
from patchpoint.checkpoints.lock import boot_id
from patchpoint.checkpoints.proven import Entry
from patchpoint.checkpoints.restore_plan import FileChange
from patchpoint.checkpoints.tree_writer import Step

_VERSION = 1
_BOOT = "restore.boot"


class Phase(str, Enum):
    """How far a restore is."""

    PREPARED = "prepared"
    APPLYING = "applying"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMove:
    """What becomes of HEAD: the ref (a branch, or `HEAD` when detached) goes from one commit to another.

    `None` is a branch without commits.
    """

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMark:
    """A chat session that was set back to before a message (`fresh`), or whose setting back was undone."""

    session: str
    message: str
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Journal:
    """All that is needed to finish a restore, or to take it back, without the process that began it."""

    checkpoint: str
    """Id of the checkpoint that is restored."""
    commit: str
    safety: str
    """Id of the safety checkpoint; the staged files and the lock of the index carry it too."""
    safety_commit: str
    steps: tuple[Step, ...]
    head: HeadMove | None
    whole: bool
    """Whether everything is restored, rather than files that were named."""
    staged_state: bool
    """Whether the staged state is restored too."""
    session: SessionMark | None
    """What is recorded of a chat session."""
    dropped: tuple[tuple[str, str], ...]
    """Id and commit of the checkpoints that go."""
    revived: tuple[tuple[str, str], ...]
    """Id and commit of the checkpoints that come back: those that the restore now undone had dropped."""

    @property
    def commits(self) -> tuple[str, str]:
        """The commits of the state before and of the one to restore."""
        return self.safety_commit, self.commit

    def write(self, folder: Path) -> None:
        """Record it as prepared, durably, in `folder`."""
        place = folder / _name(Phase.PREPARED)
        fresh = place.with_name(place.name + ".new")
        with fresh.open("w", encoding="utf-8") as file:
            file.write(json.dumps(_to_json(self)))
            file.flush()
            os.fsync(file.fileno())
        fresh.replace(place)
        sync_folder(folder)


def move(folder: Path, old: Phase, new: Phase) -> None:
    """Go from one phase to the next, durably."""
    (folder / _name(old)).replace(folder / _name(new))
    sync_folder(folder)


def remove(folder: Path, phase: Phase) -> None:
    """Forget the journal of this phase, if there is one."""
    (folder / _name(phase)).unlink(missing_ok=True)
    (folder / (_name(phase) + ".new")).unlink(missing_ok=True)


def exists(folder: Path, phase: Phase) -> bool:
    """Whether there is a journal of this phase."""
    return (folder / _name(phase)).exists()


def started(folder: Path, phase: Phase) -> float:
    """When the restore with the journal of this phase began, in seconds since 1970; now, if there is none."""
    try:
        return (folder / _name(phase)).stat().st_mtime
    except FileNotFoundError:
        return time.time()


def read(folder: Path, phase: Phase) -> Journal | None:
    """The journal of this phase, or `None`. Raises `UnfinishedRestoreError` when it cannot be read."""
    place = folder / _name(phase)
    try:
        return _from_json(json.loads(place.read_text("utf-8")))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise UnfinishedRestoreError(
            f"The journal '{place}' cannot be read ({error}); both states are kept as checkpoints. "
            "Move the journal away, then restore the one you want."
        ) from error


def note_boot(folder: Path) -> None:
    """Note that what the journal tells of happens in this boot of the machine."""
    (folder / _BOOT).write_text(boot_id(), "ascii")


def is_of_earlier_boot(folder: Path) -> bool:
    """Whether the machine was started anew since the last restore; no where that cannot be told."""
    try:
        noted = (folder / _BOOT).read_text("ascii")
    except (OSError, ValueError):
        return False
    return noted not in ("", boot_id())


def sync_folder(folder: Path) -> None:
    """Make the names in `folder` durable, where the system can."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def _name(phase: Phase) -> str:
    return f"restore.{phase.value}"


def _to_json(journal: Journal) -> dict[str, Any]:
    head = journal.head
    return {
        "version": _VERSION,
        "checkpoint": journal.checkpoint,
        "commit": journal.commit,
        "safety": journal.safety,
        "safetyCommit": journal.safety_commit,
        "head": asdict(head) if head else None,
        "whole": journal.whole,
        "stagedState": journal.staged_state,
        "session": asdict(journal.session) if journal.session else None,
        "dropped": journal.dropped,
        "revived": journal.revived,
        "steps": [list(_step_fields(step)) for step in journal.steps],
    }


def _from_json(data: dict[str, Any]) -> Journal:
    if data["version"] != _VERSION:
        raise ValueError(f"it is of version {data['version']}")
    head, session = data["head"], data["session"]
    return Journal(
        checkpoint=data["checkpoint"],
        commit=data["commit"],
        safety=data["safety"],
        safety_commit=data["safetyCommit"],
        head=HeadMove(**head) if head else None,
        whole=data["whole"],
        staged_state=data["stagedState"],
        session=SessionMark(**session) if session else None,
        dropped=tuple((id_, commit) for id_, commit in data["dropped"]),
        revived=tuple((id_, commit) for id_, commit in data["revived"]),
        steps=tuple(_step(fields) for fields in data["steps"]),
    )


def _step_fields(step: Step) -> Iterator[str | None]:
    yield os.fsdecode(step.change.path)
    for entry in (step.change.old, step.change.new):
        yield f"{entry.mode:o} {entry.oid.decode()}" if entry else None
    yield os.fsdecode(step.staged) if step.staged is not None else None


def _step(fields: list[Any]) -> Step:
    path, old, new, staged = fields
    change = FileChange(os.fsencode(path), _entry(old), _entry(new))
    return Step(change, os.fsencode(staged) if staged is not None else None)


def _entry(text: str | None) -> Entry | None:
    if text is None:
        return None
    mode, oid = text.split(" ")
    return Entry(int(mode, 8), oid.encode())
