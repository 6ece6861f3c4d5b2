"""The undo log of a transaction: its steps and every byte that they overwrite or delete, until it is done.

The undo log of a workspace is a directory. A record in it means that a transaction is under way or was
interrupted; the file `old` next to it holds the old contents, one after the other. The record's file name is
the phase, so that one atomic rename leads from each phase to the next:

- `prepared.json`: new contents are being staged. No target has been touched.
- `taking.json`: all contents are staged, and the steps are being executed or undone. A step whose staged
  content still exists has not been executed.

Once the record is removed, the transaction is complete or rolled back. The names of the dataclasses' fields
are those of the record's JSON.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from enum import Enum
from pathlib import Path
from typing import Any

from patchpoint.dataclass import dataclass, field
from patchpoint.filesystem.atomic_write import rename_durably, rename_over, sync_directory
from patchpoint.filesystem.user_state import read_json, set_aside, write_json, write_private

_VERSION = 1
_NUMBERS = {
    **dict.fromkeys(("new_size", "old_at", "old_size"), 1 << 50),
    **dict.fromkeys(("old_mode", "new_mode"), 0o7777),
}
"""The largest number that each of these fields has: sizes and offsets in bytes, and permission bits."""


class StepKind(str, Enum):
    """What one step does to the disk."""

    WRITE = "write"
    """Staged content is renamed over the file at `path`."""
    CREATE = "create"
    """Staged content gets the name `path`, which must be free."""
    DELETE = "delete"
    MOVE = "move"
    """`path` becomes `new_path`, which must be free; nothing else changes."""
    CHMOD = "chmod"


@dataclass(frozen=True, slots=True, kw_only=True)
class FileStep:
    """One atomic change on disk, and what is needed to undo it."""

    kind: StepKind
    root: str
    path: str
    new_path: str = ""
    staged: str = ""
    """The staged new content."""
    returning: str = ""
    """Where the old content is staged when it is restored."""
    new_size: int = 0
    new_digest: str = ""
    new_mode: int | None = None
    """The new permission bits; `None` for those of any new file."""
    old_at: int = 0
    """Offset of the old content in the log's file `old`, in bytes."""
    old_size: int = 0
    old_digest: str = ""
    old_mode: int = 0
    old_mtime_ns: int = 0
    old_link: str = ""
    """The target of a symbolic link that is deleted."""
    new_link: str = ""
    """The target of a symbolic link that is created."""


@dataclass(frozen=True, slots=True)
class Transaction:
    """Everything that a transaction does, in order."""

    steps: tuple[FileStep, ...]
    folders: tuple[str, ...]
    """The directories that it creates, outermost first."""
    operation: Mapping[str, Any] = field(default_factory=dict)
    """What the log of operations says of it; empty where it is none."""


class UndoLog:
    """The undo log of one workspace, kept in `directory`.

    `mark` is a file that is there while a transaction is under way or interrupted: whoever wants to know that
    of all workspaces looks for these alone.
    """

    def __init__(self, directory: Path, mark: Path | None = None) -> None:
        self.directory = directory
        self._mark = mark
        self._prepared = directory / "prepared.json"
        self._executing = directory / "taking.json"
        self._old = directory / "old"

    @property
    def lock(self) -> Path:
        """The lock file that lets one transaction of the workspace run at a time."""
        return self.directory / "lock"

    @property
    def is_open(self) -> bool:
        """Whether a transaction is under way or was interrupted."""
        return self._executing.exists() or self._prepared.exists()

    @property
    def is_executing(self) -> bool:
        """Whether targets may have been touched."""
        return self._executing.exists()

    def open(self, transaction: Transaction, old: Sequence[bytes]) -> None:
        """Write the steps and the old contents durably. Raises `OSError`."""
        self.directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        if self._mark is not None:
            self._mark.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._mark.touch(mode=0o600)
            sync_directory(self._mark.parent)
        write_private(self._old, b"".join(old))
        write_json(self._prepared, _VERSION, asdict(transaction))

    def begin_steps(self) -> None:
        """Record that all contents are staged, and targets are touched from now on. Raises `OSError`."""
        rename_durably(self.directory, self._prepared.name, self._executing.name)

    def end_undo(self) -> None:
        """Record that all steps are undone, and the staged contents may be deleted. Raises `OSError`."""
        rename_durably(self.directory, self._executing.name, self._prepared.name)

    def read(self) -> Transaction | None:
        """Return the interrupted transaction.

        A record that cannot be read is set aside together with the old contents, and `None` returned.
        """
        record = self._executing if self.is_executing else self._prepared
        content: Any = read_json(record, _VERSION)
        try:
            return transaction_of(dict(content))
        except (TypeError, KeyError, ValueError):
            for damaged in (record, self._old):
                set_aside(damaged)
            return None

    def old_content(self, step: FileStep) -> bytes:
        """Return the bytes that `step` overwrites or deletes. Raises `OSError`."""
        return old_content(self._old, step)

    def save_old_content(self, step: FileStep) -> Path:
        """Copy the old bytes of `step` to a file that is kept for the user; return its path.

        Raises `OSError`.
        """
        # Only the end of the name, which includes the extension: the whole may be as long as a name can be.
        name = f"{step.old_digest[:12]}-{Path(step.path).name[-40:]}"
        copy = self.directory / "kept" / name
        copy.parent.mkdir(mode=0o700, exist_ok=True)
        write_private(copy, self.old_content(step))
        return copy

    def close(self) -> None:
        """Remove the record: from now on the transaction is complete or rolled back. Raises `OSError`."""
        (self._executing if self.is_executing else self._prepared).unlink()
        sync_directory(self.directory)
        self._forget()

    def close_as(self, record: Path, old: Path) -> None:
        """Do what `close` does, in that the record gets the name `record`, and the old contents `old`.

        Both are on the same file system. Raises `OSError`: then it is as open as before.
        """
        record.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        try:
            os.link(self._old, old)
        except OSError:
            write_private(old, self._old.read_bytes())
        sync_directory(record.parent)
        rename_over(self._executing, record)
        sync_directory(record.parent)
        sync_directory(self.directory)
        self._forget()

    def _forget(self) -> None:
        with suppress(OSError):
            self._old.unlink()
        self.unmark()

    def unmark(self) -> None:
        """Remove the mark, if there is one. Raises nothing."""
        if self._mark is not None:
            with suppress(OSError):
                self._mark.unlink()


def transaction_of(content: Mapping[str, Any]) -> Transaction:
    """Return the transaction that a record has. Raises `TypeError`, `KeyError` or `ValueError`."""
    return Transaction(tuple(map(_step, content["steps"])), tuple(map(_path, content["folders"])))


def old_content(place: Path, step: FileStep) -> bytes:
    """Return the bytes that `step` overwrote or deleted, from the file of old contents. Raises `OSError`."""
    with place.open("rb") as file:
        file.seek(step.old_at)
        return file.read(step.old_size)


def _step(content: dict[str, Any]) -> FileStep:
    """Return the step of these fields, of which each is what a transaction could have written.

    Raises `TypeError`, `KeyError` or `ValueError`.
    """
    step = FileStep(**{**content, "kind": StepKind(content["kind"])})
    read: dict[str, Any] = asdict(step)
    for name in ("root", "path"):
        _path(read[name])
    for name in ("new_path", "staged", "returning"):
        if read[name] != "":
            _path(read[name])
    for name, largest in _NUMBERS.items():
        number = read[name]
        absent = name == "new_mode" and number is None
        if not absent and (type(number) is not int or not 0 <= number <= largest):
            raise ValueError(f"{name} is no size, offset or mode")
    for name in ("new_digest", "old_digest", "old_link", "new_link"):
        if not isinstance(read[name], str) or "\0" in read[name]:
            raise ValueError(f"{name} is no text")
    if type(read["old_mtime_ns"]) is not int:
        raise ValueError("old_mtime_ns is no time")
    return step


def _path(value: object) -> str:
    if not isinstance(value, str) or "\0" in value or not Path(value).is_absolute():
        raise ValueError("it is no absolute path")
    return value


def missing_directories(places: Iterable[Path]) -> tuple[str, ...]:
    """Return the directories to create so that each of `places` has its parent, outermost first."""
    missing: dict[str, None] = {}
    for place in places:
        chain = []
        for directory in place.parents:
            if os.path.lexists(directory):
                break
            chain.append(str(directory))
        missing.update(dict.fromkeys(reversed(chain)))
    return tuple(missing)
