"""The journal of one restore: a write-ahead log of its steps, and its phase.

The journal is a file whose name is the phase, so that one atomic rename moves from phase to phase:

- `restore.prepared`: contents are being staged. Nothing has been changed; what was staged is removed.
- `restore.applying`: files, branch and staged state are being changed. The restore is finished or rolled
  back.
- `restore.done`: what an undo reverts.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from patchpoint.checkpoints.errors import UnfinishedRestoreError
from patchpoint.checkpoints.restore.plan import WorktreeChange
from patchpoint.checkpoints.restore.worktree import RestoreStep
from patchpoint.filesystem.atomic_write import Durability, rename_durably, write_atomically
from patchpoint.filesystem.errors import FileError, MissingFileError
from patchpoint.filesystem.process import boot_id
from patchpoint.filesystem.read import read_bytes
from patchpoint.git.objects.reader import Entry
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository

_VERSION = 1
_BOOT = "restore.boot"
_LARGEST = 1 << 30
"""Most bytes of a journal that are read: a step takes about 200."""


class Phase(str, Enum):
    """The phase of a restore, which is the end of its journal's name."""

    PREPARED = "prepared"
    APPLYING = "applying"
    DONE = "done"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeadMove:
    """A move of HEAD: the ref (a branch, or `HEAD` when detached) moves from one commit to another.

    `None` is a branch without commits.
    """

    ref: str
    old: str | None
    new: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionMark:
    """A chat session that was set back to before a message (`fresh`), or that an undo moved forward again."""

    session: str
    message: str
    fresh: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreJournal:
    """All that is needed to finish or roll back a restore after its process died."""

    checkpoint: str
    """Id of the checkpoint to restore."""
    commit: str
    safety: str
    """Id of the safety checkpoint, also in the names of the staged files and in the lock of the index."""
    safety_commit: str
    steps: tuple[RestoreStep, ...]
    head: HeadMove | None
    whole: bool
    """Whether everything is restored, rather than named files."""
    staged_state: bool
    """Whether the staged state is restored too."""
    session: SessionMark | None
    """The chat session to mark."""
    dropped: tuple[tuple[str, str], ...]
    """Id and commit of each checkpoint to delete."""
    revived: tuple[tuple[str, str], ...]
    """Id and commit of each checkpoint to bring back, which the restore that is undone had dropped."""

    @property
    def commits(self) -> tuple[str, str]:
        """The commits of the safety checkpoint and of the checkpoint to restore."""
        return self.safety_commit, self.commit

    def write(self, repository: Repository) -> None:
        """Record it as prepared, durably."""
        name = _file_name(Phase.PREPARED)
        write_atomically(
            repository.patchpoint_directory / name,
            json.dumps(_to_json(self)).encode(),
            temporary=name + ".new",
        )


def advance(directory: Path, old: Phase, new: Phase) -> None:
    """Move the journal from one phase to the next, durably."""
    rename_durably(directory, _file_name(old), _file_name(new))


def remove(directory: Path, phase: Phase) -> None:
    """Delete the journal of this phase, if there is one."""
    (directory / _file_name(phase)).unlink(missing_ok=True)
    (directory / (_file_name(phase) + ".new")).unlink(missing_ok=True)


def exists(directory: Path, phase: Phase) -> bool:
    """Return whether there is a journal of this phase."""
    return os.path.lexists(directory / _file_name(phase))


def started_at(directory: Path, phase: Phase) -> float:
    """Return when the restore in this phase began, in seconds since 1970; the time now if there is none."""
    try:
        return (directory / _file_name(phase)).stat().st_mtime
    except FileNotFoundError:
        return time.time()


def read(repository: Repository, phase: Phase) -> RestoreJournal | None:
    """Return the journal of this phase, or `None`. Raises `UnfinishedRestoreError` when it cannot be read."""
    place = repository.patchpoint_directory / _file_name(phase)
    try:
        return _from_json(json.loads(read_bytes(place, largest=_LARGEST).data))
    except MissingFileError:
        return None
    except (FileError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UnfinishedRestoreError(
            f"The journal '{place}' cannot be read ({error}); both states are kept as checkpoints. "
            "Move the journal away, then restore the one you want."
        ) from error


def record_boot(directory: Path) -> None:
    """Record the id of the current boot as that of the restore."""
    write_atomically(
        directory / _BOOT, boot_id().encode("ascii"), durability=Durability.NONE, temporary=_BOOT + ".new"
    )


def is_from_earlier_boot(directory: Path) -> bool:
    """Return whether the machine was restarted since the last restore; false where that is unknown."""
    try:
        noted = read_bytes(directory / _BOOT, largest=_LARGEST).data.decode("ascii")
    except (FileError, ValueError):
        return False
    return noted not in ("", boot_id())


def _file_name(phase: Phase) -> str:
    return f"restore.{phase.value}"


def _to_json(journal: RestoreJournal) -> dict[str, Any]:
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


def _from_json(data: dict[str, Any]) -> RestoreJournal:
    if data["version"] != _VERSION:
        raise ValueError(f"it is of version {data['version']}")
    head, session = data["head"], data["session"]
    return RestoreJournal(
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


def _step_fields(step: RestoreStep) -> Iterator[str | None]:
    yield os.fsdecode(step.change.path)
    for entry in (step.change.old, step.change.new):
        yield f"{entry.mode:o} {entry.oid.decode()}" if entry else None
    yield os.fsdecode(step.staged) if step.staged is not None else None


def _step(fields: list[Any]) -> RestoreStep:
    path, old, new, staged = fields
    change = WorktreeChange(os.fsencode(path), _entry(old), _entry(new))
    return RestoreStep(change, os.fsencode(staged) if staged is not None else None)


def _entry(text: str | None) -> Entry | None:
    if text is None:
        return None
    mode, oid = text.split(" ")
    return Entry(int(mode, 8), ObjectID(oid.encode()))
