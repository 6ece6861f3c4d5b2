"""New lines next to a line of a file, or at its top or end."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.patching.shown.below_its_like import with_lines_below
from patchpoint.patching.shown.called import last_name, row_called
from patchpoint.patching.shown.places_said import PlaceSaid, Relation
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.imports import are_imports, imports_of, leading_imports, united, with_first_imports
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.bindings import BOUND, CLOSES, end_of_block, head_of
from patchpoint.structure.lazy.definition import UnmergedError, indentation_of, moved
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.merge import Merged
from patchpoint.structure.lazy.outline.by_grammar import outline_of_file
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_OPENS = regex(r"(?:[:{(\[,\\]|\b(?:do|then)|=>)\s*\Z")

_FEW = 2
_DOCUMENTATION = ('"""', "'''", 'r"""')


def is_file(name: str, path: str) -> bool:
    """Return whether words name the file itself."""
    return path == name or path.endswith(f"/{name.lstrip('./')}")


def is_there(file: Sequence[str], new: Sequence[str]) -> bool:
    """Return whether a file has the lines already, one after another."""
    words = [line.strip() for line in file if line.strip()]
    wanted = [line.strip() for line in new if line.strip()]
    starts = (row for row, line in enumerate(words) if line == wanted[0])
    return any(words[row : row + len(wanted)] == wanted for row in starts)


def with_lines_at(
    file: Sequence[str], shown: Sequence[str], path: str, place: PlaceSaid, within: Collection[Span] = ()
) -> list[str] | None:
    """Return a file with lines next to the one line that a place names, or at its top or end.

    The line is looked for `within` rows, if there are any. `None` where no line is meant, or several are, and
    where the file has the lines already.
    """
    new = without_marks_around(shown)
    if not new or any(map(is_mark, new)) or is_there(file, new):
        return None
    if place.relation is Relation.FIRST and is_file(place.name, path) and are_imports(new, path):
        return united(file, new, path) or with_first_imports(file, new, path)
    if place.relation in (Relation.FIRST, Relation.LAST):
        return _at_edge(file, new, place, path)
    row = row_called(file, place.name, within or [(0, len(file))])
    if row is None:
        return None
    top, depth = indentation_of(new[0]), indentation_of(file[row])
    if len(top) < len(depth) and len(new) > _FEW and not file[row].strip().startswith(place.name.strip()):
        return None  # what is meant is hardly within something else
    is_inside = place.relation is Relation.BELOW and len(top) > len(depth) and _OPENS.search(file[row])
    if place.relation is Relation.BELOW and not is_inside:
        return with_lines_below(file, row, new)
    if not is_inside:
        blank = len(file[:row]) - len(without_blank_ends(["x", *file[:row]])) + 1 if len(new) > 1 else 0
        return [*file[:row], *_as_listed(moved(new, top, depth), file[row]), *[""] * blank, *file[row:]]
    return [*file[: row + 1], *new, *file[row + 1 :]]


def with_lines_on_top(file: Sequence[str], shown: Sequence[str], at: Span) -> list[str] | None:
    """Return a file with lines at the beginning of the body of the definition `at`, if it has one."""
    new = without_marks_around(shown)
    depth, is_open = len(indentation_of(file[at[0]])), 0
    for row in range(*at):
        words = file[row].strip()
        if is_open <= 0 and words and len(indentation_of(file[row])) > depth:
            if words.startswith(_DOCUMENTATION):
                return None
            lines = moved(new, indentation_of(new[0]), indentation_of(file[row])) if new else []
            return (
                [*file[:row], *lines, *file[row:]] if lines and not is_there(file[slice(*at)], new) else None
            )
        is_open += words.count("(") - words.count(")")
    return None


def with_values_above(code: Code) -> Likely | None:
    """Return the file with new names, and their values, right above what they are shown above."""
    try:
        shown = outline_of_file(code.lines, code.path)[0].root.children
        known = outline_of_file(code.file, code.path)[0].root.children
    except UnmergedError:
        return None
    if not shown or shown[0].name not in {each.name for each in known} or any(map(is_mark, code.lines)):
        return None
    above = code.lines[: shown[0].lead]
    heads = [
        head_of(line) for line in above if line.strip() and not line[:1].isspace() and not is_closing(line)
    ]
    bound = {head_of(line) for line in code.file}
    merged = replace(code, lines=code.lines[shown[0].lead :]).merged()
    if merged is None or not heads or not all(heads) or not bound.isdisjoint(heads):
        return None
    own = outline_of_file(merged.lines, code.path)[0].root.children
    at = next(each.lead for each in own if each.name == shown[0].name)
    lines = (*merged.lines[:at], *without_blank_ends(above), *_blank_end(above), *merged.lines[at:])
    return Likely(Merged(lines), f"What is new above `{last_name(shown[0].name)}` goes right above it.")


def with_lines_in_block(file: Sequence[str], shown: Sequence[str], name: str) -> list[str] | None:
    """Return a file with lines at the end of the list or object that a name is given, if there is one."""
    new = without_marks_around(shown)
    rows = [row for row, line in enumerate(file) if _is_list(line, name)]
    end = end_of_block(file, rows[0]) if len(rows) == 1 else 0
    inner = [row for row in range(rows[0] + 1, end - 1) if file[row].strip()] if end else []
    if not new or not inner or not file[end - 1].strip().startswith(CLOSES) or is_there(file, new):
        return None
    depth = indentation_of(file[inner[0]])
    last = max(row for row in inner if indentation_of(file[row]) == depth)
    above = [*file[: last + 1]]
    above[last] += "" if above[last].rstrip().endswith((",", ";", "{", "[", "(")) else ","
    return [*above, *moved(new, indentation_of(new[0]), depth), *file[last + 1 :]]


def _is_list(line: str, name: str) -> bool:
    """Return whether a line opens a list or an object that is the value of a name."""
    bound = BOUND.search(line)
    return bound is not None and bound["name"].strip("\"'") == name and line.rstrip().endswith(("[", "{"))


def without_marks_around(shown: Sequence[str]) -> list[str]:
    """Return lines without blank ones and marks at their ends: what is left out around them is the file."""
    new = without_blank_ends(shown)
    while new and (is_mark(new[0]) or is_mark(new[-1])):
        new = without_blank_ends(new[1:] if is_mark(new[0]) else new[:-1])
    return new


def _as_listed(new: Sequence[str], line: str) -> list[str]:
    """Return lines with a comma at their end where the line below them is one of a list."""
    is_listed = line.rstrip().endswith(",") and not new[-1].rstrip().endswith((",", "{", "(", "["))
    return [*new[:-1], new[-1] + ","] if is_listed else list(new)


def _at_edge(file: Sequence[str], new: Sequence[str], place: PlaceSaid, path: str) -> list[str] | None:
    """Return the file with lines at its top or at its end, if that is what is named."""
    if not is_file(place.name, path):
        return None
    if place.relation is Relation.LAST:
        end = max((row + 1 for row, line in enumerate(file) if line.strip()), default=0)
        return [*file[:end], *_blank_between(file[:end], new, path), *new, *file[end:]]
    below_imports = _below_imports(file, new, path)
    if below_imports is not None:
        return below_imports
    first = 1 if file and file[0].startswith(("#!", "<?php")) else 0
    blank = _blank_between(new, file[first:], path)
    return [*file[:first], *new, *blank, *file[first:]]


def _below_imports(file: Sequence[str], new: Sequence[str], path: str) -> list[str] | None:
    """Return the file with the imports that new lines begin with among its own, and the others below them."""
    end = leading_imports(new, path)
    rest = without_blank_ends(new[end:])
    lines = united(file, new[:end], path) if end and rest else None
    if lines is None:
        return None
    at = imports_of(lines, path)[-1].end
    return [*lines[:at], "", *rest, *([""] if lines[at : at + 1] != [""] else []), *lines[at:]]


def _blank_between(above: Sequence[str], below: Sequence[str], path: str) -> list[str]:
    """Return the blank lines between two parts of a file: none between lines that begin alike."""
    if not above or not below or not above[-1].strip() or not below[0].strip():
        return []
    is_alike = above[-1].split()[0] == below[0].split()[0]
    if not syntaxes_of(path):
        is_alike = is_alike or all(map(str.strip, (*above, *below)))
    is_code = bool(syntaxes_of(path)) and not path.lower().endswith((".md", ".markdown"))
    return [] if is_alike or (is_code and min(len(above), len(below)) == 1) else [""]


def _blank_end(lines: Sequence[str]) -> list[str]:
    return list(takewhile(lambda line: not line.strip(), reversed(lines)))
