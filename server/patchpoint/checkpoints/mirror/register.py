"""The register of a mirror: which checkpoints there are, one line of JSON for each.

A line is appended when a checkpoint gets its ref, and another one when Patchpoint deletes that. So a
checkpoint whose ref is not there, and of which no line says that it was deleted, was lost.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.filesystem.open_to_read import open_to_read, read_own_file

_NAME = "register"
FOLLOWED = "followed"
"""The file whose time is that up to which the mirror has the objects of its repository."""
_LARGEST = 64 << 20
"""Bytes of a register that is read."""
_COMPACTED = 1 << 18
"""Bytes at which the lines of what was deleted are left out."""
_LATELY = 8192
"""Bytes of the last lines."""
_FLAGS = os.O_WRONLY | os.O_APPEND | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Registered:
    """A checkpoint as the register has it."""

    ref: str
    """The full name of its ref."""
    commit: str
    taken: float
    """When it was taken, in seconds since 1970."""
    root: str
    label: str = ""
    session: str | None = None
    branch: str | None = None
    head: str | None = None
    pinned: bool = False
    missing_since: float | None = None
    """Since when its ref is known to be missing, in seconds since 1970."""

    @property
    def id(self) -> str:
        """The id of the checkpoint."""
        return self.ref.rpartition("/")[2]


def append_entries(mirror: Path, entries: Iterable[Registered]) -> None:
    """Add checkpoints; of one that is there already the newer line counts. Raises `OSError`."""
    _append(mirror, "".join(_line(each) for each in entries))


def append_deleted(mirror: Path, refs: Iterable[str]) -> None:
    """Say that these checkpoints were deleted on purpose. Raises `OSError`."""
    _append(mirror, "".join(json.dumps({"deleted": ref}) + "\n" for ref in refs))


def registered(mirror: Path) -> dict[str, Registered]:
    """Return the checkpoints of a register by the names of their refs; damaged lines are left out."""
    found: dict[str, Registered] = {}
    try:
        text = read_own_file(mirror / _NAME, largest=_LARGEST).decode("ascii", "replace")
    except OSError:
        return found
    for line in text.splitlines():
        fields = _parsed(line)
        found.pop(_text(fields, "deleted") or "", None)
        ref, commit, root = (_text(fields, name) for name in ("ref", "commit", "root"))
        taken = _number(fields, "taken")
        if ref is not None and commit is not None and root is not None and taken is not None:
            found[ref] = Registered(
                ref=ref,
                commit=commit,
                taken=taken,
                root=root,
                label=_text(fields, "label") or "",
                session=_text(fields, "session"),
                branch=_text(fields, "branch"),
                head=_text(fields, "head"),
                pinned=fields.get("pinned") is True,
                missing_since=_number(fields, "missing"),
            )
    return found


def is_behind(mirror: Path) -> bool:
    """Return whether the mirror may lack objects of the checkpoints in its register."""
    try:
        registered_until = (mirror / _NAME).stat().st_mtime_ns
        return (mirror / FOLLOWED).stat().st_mtime_ns < registered_until
    except FileNotFoundError:
        return (mirror / _NAME).exists()


def names_lately(mirror: Path, id_: str | None) -> bool:
    """Return whether a checkpoint is in one of the last lines, or none was asked for.

    Where it is not, a process died between its ref and its line, or much has been deleted since.
    """
    if id_ is None:
        return True
    try:
        with open_to_read(mirror / _NAME) as file:
            file.seek(max(0, os.fstat(file.fileno()).st_size - _LATELY))
            lines = file.read().splitlines()
        return any(id_.encode() in line and line.endswith(b"}") for line in lines)
    except OSError:
        return False


def compact(mirror: Path, kept: Mapping[str, Registered] | None = None) -> None:
    """Write the register again, with `kept` alone, or once it is large. Raises `OSError`."""
    if kept is None:
        if (mirror / _NAME).stat().st_size < _COMPACTED:
            return
        kept = registered(mirror)
    from patchpoint.checkpoints.mirror.place import write_unsynced

    write_unsynced(mirror / _NAME, "".join(map(_line, kept.values())).encode("ascii"))


def _append(mirror: Path, lines: str) -> None:
    descriptor = os.open(mirror / _NAME, _FLAGS, 0o600)
    try:
        # What a full disk, or a kill, has cut off is a line of its own, which is passed over.
        os.write(descriptor, ("\n" + lines).encode("ascii"))
    finally:
        os.close(descriptor)


def _line(entry: Registered) -> str:
    fields = {
        "ref": entry.ref,
        "commit": entry.commit,
        "taken": entry.taken,
        "root": entry.root,
        "label": entry.label,
        "session": entry.session,
        "branch": entry.branch,
        "head": entry.head,
        "pinned": entry.pinned or None,
        "missing": entry.missing_since,
    }
    return json.dumps({name: value for name, value in fields.items() if value is not None}) + "\n"


def _parsed(line: str) -> dict[str, object]:
    with suppress(ValueError, RecursionError):
        fields = json.loads(line)
        if isinstance(fields, dict):
            return fields
    return {}


def _text(fields: Mapping[str, object], name: str) -> str | None:
    value = fields.get(name)
    return value if isinstance(value, str) else None


def _number(fields: Mapping[str, object], name: str) -> float | None:
    value = fields.get(name)
    return value if isinstance(value, int | float) else None
