"""The log of the operations on one working tree: one file for each, in the user's state directory.

A file's name is that of its operation, so that they sort by time. It appears in the instant in which the
operation has happened, whatever process ends when: the record of a transaction is renamed into the log, which
is what closes it; that of a restore is written again from its journal, as often as need be, before the
journal is closed; and that of deleted checkpoints is written before, and says only what may be missing.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator, Mapping
from contextlib import suppress
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path
from typing import Any

from patchpoint.dataclass import dataclass, field, replace
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.filesystem.user_state import state_directory, write_json
from patchpoint.text.regex import regex

VERSION = 1
KEPT = 100
"""How many operations are kept: the newest."""
KEPT_BYTES = 64 << 20
"""Bytes that the records of all operations may take; the newest one is kept in any case."""
_RECORD, _OLD = ".json", ".old"
_LARGEST = 1 << 30
_ABANDONED_S = 86_400.0
_NAME = regex(r"[0-9]{14}-[0-9a-f]{12}")
_VERBS = {"write": "M", "chmod": "M", "create": "A", "delete": "D", "move": "R"}


class OperationKind(str, Enum):
    """What was done; the values are those of the JSON."""

    APPLY = "apply"
    """Edits were applied."""
    RESOLVE = "resolve"
    """Edits that had waited were applied where a person chose."""
    REVERT = "revert"
    """An application, or what a session changed, was reverted."""
    REVIEW = "review"
    """Changes were reverted, or edited, in a review."""
    RESTORE = "restore"
    """A checkpoint was restored."""
    PRUNE = "prune"
    """Checkpoints were deleted."""
    UNDO = "undo"
    REDO = "redo"


ABOUT_OTHERS = (OperationKind.UNDO, OperationKind.REDO)
"""The operations that take back another one, or bring it back."""


def new_name(after: str = "") -> str:
    """Return a new name: 14 digits count milliseconds since 1970, and an id follows.

    Names sort by time, and this one after the name `after`, even when the clock was set back.
    """
    now = max(int(time.time() * 1000), int(after[:14] or 0) + 1)
    return f"{now:014d}-{os.urandom(6).hex()}"


def is_name(text: str) -> bool:
    """Return whether `text` has the form of a name."""
    return _NAME.fullmatch(text) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Cause:
    """Why something is changed, as the log of operations has it."""

    kind: OperationKind
    label: str = ""
    """What was done, in a few words; empty where the kind and the files say it all."""
    session: str = ""
    """The session that did it; empty for a person."""
    target: str = ""
    """Of an undo or a redo: the id of the operation that it takes back, or brings back."""
    ledger: str = ""
    """The folder whose ledger has an application of the same id; empty where there is none."""
    editor: tuple[str, ...] = ()
    """What an editor changed at its request, and it alone can take back."""
    name: str = field(default_factory=new_name)

    @property
    def id(self) -> str:
        """The part of the name that a person types."""
        return self.name[15:]

    def named_after(self, name: str) -> Cause:
        """Return it under a name that sorts after `name`, with the same id."""
        return replace(self, name=f"{new_name(name)[:15]}{self.id}")

    def to_json(self) -> dict[str, Any]:
        """Return it as a record has it: what is empty is left out."""
        known = {
            "kind": self.kind.value,
            "label": self.label,
            "session": self.session,
            "target": self.target,
            "ledger": self.ledger,
            "editor": list(self.editor),
            "name": self.name,
        }
        return {key: value for key, value in known.items() if value}


def cause_of(fields: object) -> Cause:
    """Return what `Cause.to_json` returned. Raises `ValueError` for anything else."""
    if not isinstance(fields, dict):
        raise ValueError("it is no operation")
    text = {key: value for key, value in fields.items() if isinstance(value, str)}
    editor = fields.get("editor", [])
    if not is_name(text.get("name", "")) or not isinstance(editor, list):
        raise ValueError("it is no operation")
    return Cause(
        kind=OperationKind(text.get("kind")),
        label=text.get("label", ""),
        session=text.get("session", ""),
        target=text.get("target", ""),
        ledger=text.get("ledger", ""),
        editor=tuple(str(each) for each in editor),
        name=text["name"],
    )


@dataclass(frozen=True, slots=True)
class LoggedOperation:
    """An operation of the log, and how it is taken back."""

    cause: Cause
    body: Mapping[str, Any]
    """One of: the `steps` and `folders` of a transaction, the journal of a `restore`, the refs and commits of
    checkpoints that were `deleted` or brought back (`revived`); nothing for what an editor did."""

    @property
    def id(self) -> str:
        """The id that a person types."""
        return self.cause.id

    @property
    def at(self) -> str:
        """When it began, as ISO 8601 in UTC with milliseconds."""
        moment = datetime.fromtimestamp(int(self.cause.name[:14]) / 1000, timezone.utc)
        return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")

    @property
    def checkpoints(self) -> list[tuple[str, str]]:
        """The refs and the commits of the checkpoints that were deleted or brought back."""
        pairs = self.body.get("deleted") or self.body.get("revived") or ()
        return [(str(ref), str(commit)) for ref, commit in pairs]

    def files(self) -> list[tuple[str, str]]:
        """Return what it did to files: a letter as git has them (`A`, `M`, `D`, `R`), and the path.

        The paths of a transaction are absolute, those of a restore relative to the working tree.
        """
        return list(dict.fromkeys(self._files()))

    def _files(self) -> Iterator[tuple[str, str]]:
        yield from (("M", name) for name in self.cause.editor)
        for step in self.body.get("steps", ()):
            yield _VERBS[step["kind"]], step.get("new_path") or step["path"]
        for path, old, new, *_ in self.body.get("restore", {}).get("steps", ()):
            yield "A" if old is None else "D" if new is None else "M", path


def working_tree_of(folder: Path) -> Path:
    """Return the root of the working tree that `folder` is in, or the folder itself where it is in none."""
    near = Path(os.path.realpath(folder))
    return next((each for each in (near, *near.parents) if os.path.lexists(each / ".git")), near)


class OperationLog:
    """The log of one working tree."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory

    @classmethod
    def of(cls, folder: Path) -> OperationLog:
        """Return the log of the working tree that `folder` is in. Raises `OSError`."""
        return cls.at(working_tree_of(folder))

    @classmethod
    def at(cls, root: Path) -> OperationLog:
        """Return the log of the working tree with this root. Raises `OSError`."""
        return cls(state_directory(root) / "operations")

    @classmethod
    def of_worktree(cls, worktree: bytes) -> OperationLog:
        """Return the log of a repository's working tree. Raises `OSError`; `RuntimeError` without a home."""
        return cls.at(Path(os.fsdecode(worktree)))

    def place(self, cause: Cause) -> Path:
        """Return the path of the record of an operation."""
        return self.directory / (cause.name + _RECORD)

    def old(self, cause: Cause) -> Path:
        """Return the path of what was in the files of a transaction before, one after the other."""
        return self.directory / (cause.name + _OLD)

    def places(self, cause: Cause) -> tuple[Path, Path]:
        """Return the paths of the record of a transaction, and of what was in its files before."""
        return self.place(cause), self.old(cause)

    def newly_named(self, cause: Cause) -> Cause:
        """Return `cause` under a name that sorts after all that are in the log."""
        return cause.named_after(self.newest())

    def record(self, cause: Cause, body: Mapping[str, Any]) -> None:
        """Write the record of an operation, or write it again. Raises `OSError`."""
        write_json(self.place(cause), VERSION, {"operation": cause.to_json(), **body})
        self.trim()

    def all(self) -> list[LoggedOperation]:
        """Return the operations, newest first; what cannot be read is left out."""
        read = [self._read(self.directory / (name + _RECORD)) for name in sorted(self._names(), reverse=True)]
        return [each for each in read if each is not None]

    def read(self, cause: Cause) -> LoggedOperation | None:
        """Return what the log has of an operation; `None` where it has nothing that can be read."""
        return self._read(self.place(cause))

    def has(self, cause: Cause) -> bool:
        """Return whether an operation is in the log."""
        return self.place(cause).exists()

    def newest(self) -> str:
        """Return the name of the newest operation; empty where there is none."""
        return max(self._names(), default="")

    def remove(self, cause: Cause) -> None:
        """Take an operation out of the log. Raises `OSError`."""
        self.place(cause).unlink(missing_ok=True)

    def trim(self) -> None:
        """Remove the records beyond `KEPT` and `KEPT_BYTES`, the oldest first. Raises nothing."""
        found: dict[str, dict[str, os.DirEntry[str]]] = {}
        with suppress(OSError), os.scandir(self.directory) as entries:
            for entry in entries:
                name, dot, ending = entry.name.rpartition(".")
                if dot + ending in (_RECORD, _OLD):
                    found.setdefault(name, {})[dot + ending] = entry
        size = 0
        names = [name for name, files in found.items() if _RECORD in files and is_name(name)]
        for number, name in enumerate(sorted(names, reverse=True)):
            files = found.pop(name).values()
            with suppress(OSError):
                size += sum([file.stat().st_size for file in files])
            if number and (number >= KEPT or size > KEPT_BYTES):
                for file in files:
                    with suppress(OSError):
                        Path(file.path).unlink(missing_ok=True)
        for left in found.values():
            with suppress(OSError, KeyError):
                # A process ended before it had done what this was kept for.
                if time.time() - left[_OLD].stat().st_mtime > _ABANDONED_S:
                    Path(left[_OLD].path).unlink(missing_ok=True)

    def _read(self, place: Path) -> LoggedOperation | None:
        with suppress(OSError, ValueError, KeyError, TypeError):
            document = json.loads(read_own_file(place, largest=_LARGEST))
            content = document["content"]
            if document["version"] == VERSION:
                return LoggedOperation(cause_of(content.pop("operation")), content)
        return None

    def _names(self) -> list[str]:
        try:
            listed = [each.name for each in self.directory.iterdir()]
        except OSError:
            return []
        return [name[:-5] for name in listed if name.endswith(_RECORD) and is_name(name[:-5])]


def named(worktree: bytes, cause: Cause) -> Cause:
    """Return `cause` under a name that sorts after all in the log of a working tree. Raises nothing."""
    with suppress(OSError, RuntimeError):
        return OperationLog.of_worktree(worktree).newly_named(cause)
    return cause
