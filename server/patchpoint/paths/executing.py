"""Which files start programs although nobody asks for it, and which an agent takes its orders from.

Most are known by their names (`executing_files.py`). Others are what the configuration of git names inside of
the folder, and what the user's own patterns say.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path

from patchpoint.dataclass import dataclass
from patchpoint.paths.executing_files import EXECUTING_FILES, OBEYED_FILES, NamedFiles
from patchpoint.paths.rules import folded_name


@dataclass(frozen=True, slots=True, kw_only=True)
class FilesToConfirm:
    """The files of a folder that start programs, beyond those that everybody knows by their names."""

    patterns: tuple[str, ...] = ()
    """The user's, as in the table."""
    named: tuple[tuple[Path, str], ...] = ()
    """Files and folders that a configuration names, and who runs what is there, as in the table."""

    def why(self, path: Path) -> str | None:
        """Return why edits of the file at `path` need a confirmation, as a predicate; `None` if not."""
        named = (who for place, who in self.named if path == place or place in path.parents)
        reader = executed_by(path.parts) or next(named, None)
        if reader is not None:
            return starts_programs(reader)
        folded = tuple(map(folded_name, path.parts))
        pattern = next((one for one in self.patterns if _fits(folded, one.casefold())), None)
        return f"matches “{pattern}” in the setting `apply.confirmFiles`" if pattern is not None else None


def starts_programs(reader: str) -> str:
    """Return what is said of a file that `reader` runs without being asked, as a predicate."""
    return f"can start programs without being asked to (it is read by {reader})"


def executed_by(names: Sequence[str]) -> str | None:
    """Return who runs the file at a path, given by its names, without being asked; `None` if nobody does.

    As in `folded_name`, spellings make no difference that some file system takes for the same.
    """
    return _reader(names, EXECUTING_FILES)


def obeyed_by(names: Sequence[str]) -> str | None:
    """Return who takes what the file at a path says for its orders; `None` if nobody does."""
    return _reader(names, OBEYED_FILES)


def _reader(names: Sequence[str], table: tuple[NamedFiles, ...]) -> str | None:
    """Return the reader in the first row of the table of which a pattern fits."""
    folded = tuple(map(folded_name, names))
    by_name, others = _by_last_name(table)
    # Of over two hundred patterns few can fit: those whose last name is in the path, or has a `*`.
    sought = [row for name in {*folded} for row in by_name.get(name, ())]
    fitting = min((number for number, pattern in (*sought, *others) if _fits(folded, pattern)), default=None)
    return None if fitting is None else table[fitting].reader


@cache
def _by_last_name(
    table: tuple[NamedFiles, ...],
) -> tuple[dict[str, list[tuple[int, str]]], list[tuple[int, str]]]:
    """Return the patterns with the numbers of their rows: by their last name, then those with a `*` in it."""
    by_name: dict[str, list[tuple[int, str]]] = defaultdict(list)
    others: list[tuple[int, str]] = []
    for number, row in enumerate(table):
        for pattern in row.patterns:
            last = _names_of(pattern)[1][-1]
            (others if "*" in last else by_name[last]).append((number, pattern))
    return dict(by_name), others


def _fits(names: Sequence[str], pattern: str) -> bool:
    is_folder, wanted = _names_of(pattern)
    size = len(wanted)
    if len(names) < size + is_folder:
        return False
    for end in range(size, len(names)) if is_folder else (len(names),):
        if end >= size and all(map(_is_like, names[end - size : end], wanted)):
            return True
    return False


@cache
def _names_of(pattern: str) -> tuple[bool, tuple[str, ...]]:
    """Return whether a pattern is for a folder, and its names."""
    return pattern.endswith("/"), tuple(pattern.rstrip("/").split("/"))


def _is_like(name: str, wanted: str) -> bool:
    return name == wanted or ("*" in wanted and fnmatchcase(name, wanted))
