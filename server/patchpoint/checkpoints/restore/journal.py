"""The journal of one restore: a write-ahead log of its steps, and its phase.

The journal is a file whose name is the phase, so that one atomic rename moves from phase to phase:

- `restore.prepared`: contents are being staged. Nothing has been changed; what was staged is removed.
- `restore.applying`: files, branch and staged state are being changed. The restore is finished or rolled
  back.
- `restore.done`: what an undo reverts.

It lies in the git directory, which may have come from a stranger together with the folder. So it carries an
authentication code, made with a key that only the user's state directory has, and is decoded field by field:
without a valid code nothing that it says is done. See `verify.py` for the rest.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import time
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from patchpoint.checkpoints.errors import UnfinishedRestoreError, UntrustedJournalError
from patchpoint.checkpoints.restore.journal_fields import JournalFields
from patchpoint.checkpoints.restore.phases import Phase, journal_name
from patchpoint.checkpoints.restore.worktree import RestoreStep
from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.atomic_write import (
    Durability,
    rename_durably,
    rename_over,
    write_atomically,
)
from patchpoint.filesystem.errors import FileError, MissingFileError
from patchpoint.filesystem.read import read_bytes
from patchpoint.filesystem.user_state import known_secret_key, secret_key
from patchpoint.git.repository import Repository
from patchpoint.operations.log import Cause, OperationLog

_VERSION = 1
_CODE = "authentication"
_LARGEST = 1 << 30
"""Most bytes of a journal that are read: a step takes about 200."""
_PURPOSE = b"patchpoint restore journal\0"
"""Separates these codes from others that may be made with the same key."""


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
    hunk: str | None
    """The only hunk of the one file that is restored."""
    staged_state: bool
    """Whether the staged state is restored too."""
    session: SessionMark | None
    """The chat session to mark."""
    dropped: tuple[tuple[str, str], ...]
    """Id and commit of each checkpoint to delete."""
    revived: tuple[tuple[str, str], ...]
    """Id and commit of each checkpoint to bring back, which the restore that is undone had dropped."""
    cause: Cause | None = None
    """What the log of operations says of it; `None` where it is none."""

    @property
    def commits(self) -> tuple[str, str]:
        """The commits of the safety checkpoint and of the checkpoint to restore."""
        return self.safety_commit, self.commit

    def write(self, repository: Repository) -> None:
        """Record it as prepared, with its authentication code.

        Only its content is durable: its name is once `advance` has passed it on, and nothing is changed
        before that.
        """
        name = journal_name(Phase.PREPARED)
        text = _canonical(_to_json(self))
        code = _authentication_code(text, secret_key(_root(repository)))
        write_atomically(
            repository.patchpoint_directory / name,
            b'%b,"%b":"%b"}' % (text[:-1], _CODE.encode(), code.encode()),
            durability=Durability.CONTENT,
            temporary=name + ".new",
        )


def advance(directory: Path, old: Phase, new: Phase) -> None:
    """Move the journal from one phase to the next, durably."""
    rename_durably(directory, journal_name(old), journal_name(new))


def remove(directory: Path, phase: Phase) -> None:
    """Delete the journal of this phase, if there is one."""
    (directory / journal_name(phase)).unlink(missing_ok=True)
    (directory / (journal_name(phase) + ".new")).unlink(missing_ok=True)


def started_at(directory: Path, phase: Phase) -> float:
    """Return when the restore in this phase began, in seconds since 1970; the time now if there is none."""
    try:
        return (directory / journal_name(phase)).stat().st_mtime
    except FileNotFoundError:
        return time.time()


def read(repository: Repository, phase: Phase) -> RestoreJournal | None:
    """Return the journal of this phase, or `None`.

    Raises `UntrustedJournalError` when its authentication code is missing or wrong, and
    `UnfinishedRestoreError` when it cannot be read.
    """
    place = repository.patchpoint_directory / journal_name(phase)
    try:
        found = json.loads(_own_file(place))
        if not isinstance(found, dict):
            raise ValueError("it is not a JSON object")
        code = found.pop(_CODE, None)
        if not _is_authentic(found, code, known_secret_key(_root(repository))):
            raise untrusted(
                repository,
                phase,
                "it was not written by your Patchpoint in this folder: the folder was copied or moved, or "
                "another user, another machine, an earlier version or a stranger wrote it",
            )
        return _from_json(JournalFields(found, 2 * repository.id_length))
    except MissingFileError:
        return None
    except (FileError, ValueError, RecursionError) as error:
        raise UnfinishedRestoreError(
            f"The journal '{place}' cannot be read ({error}); both states are kept as checkpoints. "
            "Move the journal away, then restore the one you want."
        ) from error


def untrusted(repository: Repository, phase: Phase, reason: str) -> UntrustedJournalError:
    """Return the error for the journal of this phase, which for this `reason` is not believed."""
    place = repository.patchpoint_directory / journal_name(phase)
    return UntrustedJournalError(
        f"The journal '{place}' is not trusted: {reason}. Nothing in it was carried out. "
        "'patchpoint doctor --repair' moves it aside and touches no file of yours; "
        "'patchpoint list --safety' shows the states that were saved before restores."
    )


def set_aside(directory: Path, phase: Phase) -> Path:
    """Rename the journal of this phase, so that it is out of the way and not lost; return its new path."""
    place = directory / journal_name(phase)
    aside = place.with_name(f"{place.name}.untrusted-{os.urandom(4).hex()}")
    rename_over(place, aside)
    return aside


def _own_file(path: Path) -> bytes:
    """Return the bytes of a file that Patchpoint wrote: a regular one, never a symbolic link.

    Raises `FileError`, and `ValueError` for a symbolic link.
    """
    if path.is_symlink():
        raise ValueError("it is a symbolic link")
    return read_bytes(path, largest=_LARGEST).data


def _root(repository: Repository) -> Path:
    return Path(os.fsdecode(repository.worktree))


def _canonical(content: dict[str, Any]) -> bytes:
    """Return a journal's content, all but the authentication code, as the code is made of it."""
    return json.dumps(content, sort_keys=True, separators=(",", ":")).encode("ascii")


def _authentication_code(canonical: bytes, key: bytes) -> str:
    """Return the HMAC-SHA-256 of what `_canonical` returns, in hexadecimal."""
    return hmac.new(key, _PURPOSE + canonical, hashlib.sha256).hexdigest()


def _is_authentic(content: dict[str, Any], code: object, key: bytes | None) -> bool:
    if key is None or not isinstance(code, str) or not code.isascii():
        return False
    return hmac.compare_digest(code, _authentication_code(_canonical(content), key))


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
        "hunk": journal.hunk,
        "stagedState": journal.staged_state,
        "session": asdict(journal.session) if journal.session else None,
        "dropped": journal.dropped,
        "revived": journal.revived,
        "steps": [list(_step_fields(step)) for step in journal.steps],
        **({"operation": journal.cause.to_json()} if journal.cause is not None else {}),
    }


def record_operation(repository: Repository, journal: RestoreJournal, left: Collection[bytes] = ()) -> None:
    """Write what a restore has done to the log of operations, again if it is there. Raises nothing.

    The files `left` are as they were. Where the log cannot be written now, `record_missing` does it later.
    """
    if journal.cause is not None:
        done = tuple(step for step in journal.steps if step.change.path not in left)
        content = _to_json(replace(journal, steps=done, cause=None))
        with suppress(OSError, RuntimeError):
            OperationLog.of_worktree(repository.worktree).record(journal.cause, {"restore": content})


def record_missing(repository: Repository) -> None:
    """Write the last restore to the log of operations, if that could not be done then. Raises nothing."""
    with suppress(UnfinishedRestoreError, OSError, RuntimeError):
        last = read(repository, Phase.DONE)
        if (
            last is not None
            and last.cause is not None
            and not OperationLog.of_worktree(repository.worktree).has(last.cause)
        ):
            record_operation(repository, last)


def from_record(repository: Repository, content: Mapping[str, Any]) -> RestoreJournal:
    """Return the journal that `record_operation` wrote. Raises `ValueError` for anything else."""
    return _from_json(JournalFields(dict(content), 2 * repository.id_length), is_part=True)


def _from_json(fields: JournalFields, *, is_part: bool = False) -> RestoreJournal:
    """Return the journal of these fields. Raises `ValueError` for a field that no journal of ours has.

    Where it `is_part` of one, steps may be missing.
    """
    version = fields.at("version", object)
    if version != _VERSION:
        raise ValueError(f"it is of version {version}")
    safety = fields.id("safety")
    head, session = fields.within("head"), fields.within("session")
    return RestoreJournal(
        checkpoint=fields.id("checkpoint"),
        commit=fields.oid("commit"),
        safety=safety,
        safety_commit=fields.oid("safetyCommit"),
        head=HeadMove(ref=head.head_ref("ref"), old=head.oid_or_none("old"), new=head.oid_or_none("new"))
        if head
        else None,
        whole=fields.at("whole", bool),
        hunk=fields.text_or_none("hunk"),
        staged_state=fields.at("stagedState", bool),
        session=SessionMark(
            session=session.at("session", str),
            message=session.at("message", str),
            fresh=session.at("fresh", bool),
        )
        if session
        else None,
        dropped=fields.checkpoints("dropped"),
        revived=fields.checkpoints("revived"),
        steps=fields.steps("steps", safety, is_part=is_part),
        cause=fields.cause_or_none("operation"),
    )


def _step_fields(step: RestoreStep) -> Iterator[str | None]:
    yield os.fsdecode(step.change.path)
    for entry in (step.change.old, step.change.new):
        yield f"{entry.mode:o} {entry.oid.decode()}" if entry else None
    yield os.fsdecode(step.staged) if step.staged is not None else None
