"""What a landing on disk is about to do, and every byte it will overwrite or delete, kept until it is done.

The journal of a workspace is a folder. A record in it says that a landing is under way or was cut short, and
the file `old` beside it holds the old contents, one behind the other. The record's name is the phase, so that
one renaming, which either happens or does not, leads from one phase to the next:

- `prepared.json`: new contents are being staged beside their targets. No target has been touched.
- `taking.json`: all contents are staged and the steps are being taken, or taken back. A step whose staged
  content still waits has not been taken.

When the record goes, the landing is done, or it never was.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from patchpoint.files import sync_folder
from patchpoint.state import read_json, set_aside, write_json, write_whole

_VERSION = 1


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
class Step:
    """One change of the disk that either happens or does not, and what is needed to take it back."""

    kind: StepKind
    root: str
    path: str
    new_path: str = ""
    staged: str = ""
    """Where the new content waits, beside `path`."""
    returning: str = ""
    """Where the old content is put together, beside `path`, if it must come back."""
    new_size: int = 0
    new_digest: str = ""
    new_mode: int | None = None
    """The permission bits to come; `None` for those of any new file."""
    old_at: int = 0
    """Where the old content begins in the journal's file `old`."""
    old_size: int = 0
    old_digest: str = ""
    old_mode: int = 0
    old_mtime_ns: int = 0
    old_link: str = ""
    """What a symbolic link pointed to that is deleted."""


@dataclass(frozen=True, slots=True)
class Record:
    """All that a landing does, in order."""

    steps: tuple[Step, ...]
    folders: tuple[str, ...]
    """The folders that it makes, outermost first."""


class Journal:
    """The journal of one workspace, in the folder of that name."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._prepared = folder / "prepared.json"
        self._taking = folder / "taking.json"
        self._old = folder / "old"

    @property
    def lock(self) -> Path:
        """The file on which landings take turns."""
        return self.folder / "lock"

    @property
    def is_open(self) -> bool:
        """Whether a landing is under way or was cut short."""
        return self._taking.exists() or self._prepared.exists()

    @property
    def is_taking(self) -> bool:
        """Whether targets may have been touched."""
        return self._taking.exists()

    def open(self, record: Record, old: Sequence[bytes]) -> None:
        """Keep what a landing will do, and the old contents, down to the disk. Raises `OSError`."""
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        write_whole(self._old, b"".join(old))
        write_json(self._prepared, _VERSION, asdict(record))

    def begin(self) -> None:
        """Say that all is staged and targets will be touched now. Raises `OSError`."""
        self._prepared.rename(self._taking)
        sync_folder(self.folder)

    def step_back(self) -> None:
        """Say that all steps are taken back and the staged contents may go. Raises `OSError`."""
        self._taking.rename(self._prepared)
        sync_folder(self.folder)

    def read(self) -> Record | None:
        """The landing that was cut short. One that cannot be understood is set aside, with its contents."""
        record = self._taking if self.is_taking else self._prepared
        content: Any = read_json(record, _VERSION)
        try:
            steps = tuple(Step(**{**step, "kind": StepKind(step["kind"])}) for step in content["steps"])
            return Record(steps, tuple(content["folders"]))
        except (TypeError, KeyError, ValueError):
            for damaged in (record, self._old):
                set_aside(damaged)
            return None

    def old_content(self, step: Step) -> bytes:
        """The bytes that a step overwrites or deletes. Raises `OSError`."""
        with self._old.open("rb") as file:
            file.seek(step.old_at)
            return file.read(step.old_size)

    def keep(self, step: Step) -> Path:
        """Put the old bytes of a step where they stay, for a person to look at. Raises `OSError`."""
        # The end of the name, which tells what it is; all of it could be as long as a name may be.
        name = f"{step.old_digest[:12]}-{Path(step.path).name[-40:]}"
        kept = self.folder / "kept" / name
        kept.parent.mkdir(mode=0o700, exist_ok=True)
        write_whole(kept, self.old_content(step))
        return kept

    def close(self) -> None:
        """Drop the record: from here on the landing is done, or taken back. Raises `OSError`."""
        (self._taking if self.is_taking else self._prepared).unlink()
        sync_folder(self.folder)
        with suppress(OSError):
            self._old.unlink()


def folders_to_make(places: Iterable[Path]) -> tuple[str, ...]:
    """The folders that must be made so that every place has one, outermost first."""
    missing: dict[str, None] = {}
    for place in places:
        chain = []
        for folder in place.parents:
            if os.path.lexists(folder):
                break
            chain.append(str(folder))
        missing.update(dict.fromkeys(reversed(chain)))
    return tuple(missing)
