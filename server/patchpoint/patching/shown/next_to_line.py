"""New lines next to a line of a file, or at its top or end."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.shown.places_said import PlaceSaid, Relation
from patchpoint.structure.imports import are_imports, united, with_first_imports
from patchpoint.structure.lazy.definition import indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import regex

_OPENS = regex(r"(?:[:{(\[,\\]|\b(?:do|then)|=>)\s*\Z")


def is_file(name: str, path: str) -> bool:
    """Return whether words name the file itself."""
    return path == name or path.endswith(f"/{name.lstrip('./')}")


def is_there(file: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether a file has the lines already, one after another."""
    words = [line.strip() for line in file if line.strip()]
    wanted = [line.strip() for line in new if line.strip()]
    starts = (row for row, line in enumerate(words) if line == wanted[0])
    return any(words[row : row + len(wanted)] == wanted for row in starts)


def with_lines_at(file: Sequence[str], shown: Sequence[str], path: str, place: PlaceSaid) -> list[str] | None:
    """Return a file with lines next to the one line that a place names, or at its top or end.

    `None` where no line is meant, or several are, and where the file has the lines already.
    """
    new = without_blank_ends(shown)
    while new and (is_mark(new[0]) or is_mark(new[-1])):
        # what is left out around new lines is the file
        new = without_blank_ends(new[1:] if is_mark(new[0]) else new[:-1])
    if not new or any(map(is_mark, new)) or is_there(file, new):
        return None
    if place.relation is Relation.FIRST and is_file(place.name, path) and are_imports(new, path):
        return united(file, new, path) or with_first_imports(file, new, path)
    if place.relation in (Relation.FIRST, Relation.LAST):
        return _at_edge(file, new, place, path)
    name = place.name.strip()
    rows = [row for row, line in enumerate(file) if line.strip() == name]
    if not rows and not syntaxes_of(path):
        rows = [row for row, line in enumerate(file) if line.split()[:1] == [name]]
    if len(rows) != 1:
        return None
    row = rows[0]
    depth = indentation_of(file[row])
    if place.relation is Relation.BELOW and _OPENS.search(file[row]) and indentation_of(new[0]) <= depth:
        return None
    if not indentation_of(new[0]) and depth:
        new = moved(new, "", depth)
    at = row + 1 if place.relation is Relation.BELOW else row
    return [*file[:at], *new, *file[at:]]


def _at_edge(file: Sequence[str], new: Sequence[str], place: PlaceSaid, path: str) -> list[str] | None:
    """Return the file with lines at its top or at its end, if that is what is named."""
    if not is_file(place.name, path):
        return None
    if place.relation is Relation.LAST:
        end = max((row + 1 for row, line in enumerate(file) if line.strip()), default=0)
        return [*file[:end], *_blank_between(file[:end], new, path), *new, *file[end:]]
    first = 1 if file and file[0].startswith(("#!", "<?php")) else 0
    blank = _blank_between(new, file[first:], path)
    return [*file[:first], *new, *blank, *file[first:]]


def _blank_between(above: Sequence[str], below: Sequence[str], path: str) -> list[str]:
    """Return the blank lines between two parts of a file: none between lines that begin alike."""
    if not above or not below or not above[-1].strip() or not below[0].strip():
        return []
    is_alike = above[-1].split()[0] == below[0].split()[0]
    if not syntaxes_of(path):
        is_alike = is_alike or all(map(str.strip, (*above, *below)))
    is_code = bool(syntaxes_of(path)) and not path.lower().endswith((".md", ".markdown"))
    return [] if is_alike or (is_code and min(len(above), len(below)) == 1) else [""]
