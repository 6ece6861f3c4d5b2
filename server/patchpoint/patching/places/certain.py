"""Whether the words of a place leave no doubt of it: all of a line, the end of a file, a definition."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.places.called import definition_called
from patchpoint.patching.places.places_said import PlaceSaid, Relation, names_inside
from patchpoint.patching.shown.reading import Code
from patchpoint.structure.imports import are_imports
from patchpoint.structure.lazy.bindings import CLOSES
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.regex import regex

_DOCUMENTS = (".md", ".markdown")
_EDGES = (Relation.FIRST, Relation.LAST)
_ITEM = regex(r"(\||[-*+] |\d+[.)] )")
_AROUND = " \t,;"
_COMMENTS = ("#", "//", "/*", "*", "--", "<!--", "@", "[")
"""What a line begins with that says something of the one below it."""
_NUMBER = regex(r"\d+")
_FEW = 2


def is_where_said(code: Code, place: PlaceSaid) -> bool:
    """Return whether what the words say that something is in is the file, or around the place in it."""
    at = definition_called(code.own, place.name, code.lead)
    for name in names_inside(code.lead):
        around = definition_called(code.own, name, code.lead)
        is_in = around is not None and place.relation not in _EDGES
        if at is not None and around is not None:
            is_in = around.start <= at.start and at.end <= around.end
        if not is_in and not is_file(name, code.path):
            return False
    return True


def adds_only(code: Code, lines: Sequence[str], row: int) -> bool:
    """Return whether lines are those of the file with the new ones above a row, but for blank lines."""
    wanted = (*code.file[:row], *code.new, *code.file[row:])
    return [line for line in lines if line.strip()] == [line for line in wanted if line.strip()]


def row_of_lines(code: Code, place: PlaceSaid, lines: Sequence[str]) -> int | None:
    """Return the row above which words say that lines go, if they leave no doubt of it: all of one line of
    the file, the end of the file for what is like its last line, the top for an import.
    """
    file, new = code.file, code.new
    if place.relation in _EDGES:
        if not is_file(place.name, code.path):
            return None
        if place.relation is Relation.FIRST:
            return 0 if are_imports(new, code.path) else _row_of_entry(code)
        last = next((line for line in reversed(file) if line.strip()), "")
        is_alike = bool(last) and last.split()[0] == new[0].split()[0]
        is_any = not syntaxes_of(code.path) and not indentation_of(new[0])
        if code.path.lower().endswith(_DOCUMENTS):
            is_alike = is_alike and _ITEM.match(last) is not None
        is_next = len(lines) == len(file) + len(new) and not last.strip().startswith((*CLOSES, "<"))
        return len(file) if is_next and (is_alike or is_any) else None
    rows = [row for row, line in enumerate(file) if line.strip(_AROUND) == place.name.strip(_AROUND)]
    is_head = any(each.start in rows for each in code.own.walk() if not each.is_text)
    if len(rows) != 1 or is_head or indentation_of(new[0]) != indentation_of(file[rows[0]]):
        return None
    row = rows[0] + (place.relation is Relation.BELOW)
    is_continued = any(line.endswith("\\") for line in file[max(0, rows[0] - 1) : rows[0] + 1])
    if is_continued and not (file[rows[0]].endswith("\\") and new[-1].endswith("\\")):
        return None
    is_apart = row == rows[0] and row and file[row - 1].strip().startswith(_COMMENTS)
    return row if not is_apart and list(lines) == [*file[:row], *new, *file[row:]] else None


def _row_of_entry(code: Code) -> int | None:
    """Return the row of the first entry of a document that begins as a new one does, but for its numbers."""
    shapes = [_NUMBER.sub("0", " ".join(line.split()[:_FEW])) for line in (code.new[0], *code.file)]
    shapes = [shape if shape.startswith("#") else shape.partition(" ")[0] for shape in shapes]
    return shapes.index(shapes[0], 1) - 1 if "0" in shapes[0] and shapes[0] in shapes[1:] else None


def is_file(name: str, path: str) -> bool:
    """Return whether words name the file itself."""
    return path == name or path.endswith(f"/{name.lstrip('./')}")
