"""New fields that a class is shown with, above a member that changes and without what is between them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from patchpoint.dataclass import replace
from patchpoint.patching.places.called import definitions_of
from patchpoint.patching.shown.reading import Code, Likely
from patchpoint.structure.lazy.bindings import end_of_block, member_name
from patchpoint.structure.lazy.definition import Definition, UnmergedError, indentation_of, moved
from patchpoint.structure.lazy.merge import Merged, merge_shown
from patchpoint.text.lines import without_blank_ends
from patchpoint.text.regex import IDENTIFIER, regex

_NAMES = regex(r"attr_(?:reader|writer|accessor)\s+:")
"""Fields of a class by their names."""


def with_fields_added(code: Code, likely: Callable[[Code, UnmergedError], Likely | None]) -> Likely | None:
    """Return the file with such fields below those that the class has, and the rest of the code merged.

    `likely` says what that means where it is not merged. `None` where the code shows no such fields.
    """
    classes = _classes_by_head(code)
    shown = (
        (classes[line.strip()], row + 1) for row, line in enumerate(code.lines) if line.strip() in classes
    )
    found = next(
        ((home, rows) for home, first in shown if (rows := _rows_of_fields(code, home, first))), None
    )
    if found is None:
        return None
    home, (first, end) = found
    new = without_blank_ends(code.lines[first:end])
    rest = replace(code, lines=[*code.lines[:first], *code.lines[end:]])
    try:
        made = merge_shown(rest.file, rest.lines, rest.path, may_be_cut_off=rest.may_be_cut_off).lines
        why = "The new fields go below those of the class."
    except UnmergedError as error:
        other = likely(rest, error)
        if other is None:
            return None
        made, why = other.merged.lines, f"The new fields go below those of the class. {other.why}"
    lines = _with_fields(made, code.path, home, new)
    return None if lines is None else Likely(Merged(tuple(lines)), why)


def _classes_by_head(code: Code) -> dict[str, Definition]:
    """Return the classes of the file by their first lines, but for those that several begin with."""
    classes = [each for each in code.own.members() if each.is_container]
    heads = Counter(code.file[each.start].strip() for each in classes)
    return {head: each for each in classes if heads[head := code.file[each.start].strip()] == 1}


def _rows_of_fields(code: Code, home: Definition, first: int) -> tuple[int, int] | None:
    """Return the rows of the code, below the first line of a class, that are fields new to it, if any are."""
    lines = code.lines
    first += first < len(lines) and lines[first].strip() == "{"
    known = {name for line in code.file[home.start : home.end] for name in IDENTIFIER.findall(line)}
    end = first
    while end < len(lines) and (not lines[end].strip() or _is_new(lines[end], known)):
        end += 1
    is_all = not any(map(str.strip, lines[end:]))
    return None if is_all or not any(map(str.strip, lines[first:end])) else (first, end)


def _is_new(line: str, known: set[str]) -> bool:
    """Return whether a line is a field of a name that is not `known`."""
    name = line.rpartition(":")[2].strip() if _NAMES.match(line.strip()) else member_name(line).lstrip("$")
    return name.isidentifier() and name not in known


def _with_fields(file: Sequence[str], path: str, home: Definition, new: Sequence[str]) -> list[str] | None:
    """Return a file with new fields in a class: below its last field above its methods, or above these."""
    classes = [each for each in definitions_of(file, path).members() if each.is_container]
    named = [each for each in classes if each.name == home.name]
    if len(named) != 1 or not named[0].children:
        return None
    first = min(each.lead for each in named[0].children)
    depth = indentation_of(file[named[0].children[0].start])
    rows = [row for row in range(named[0].start + 1, first) if indentation_of(file[row]) == depth]
    fields = [row for row in rows if member_name(file[row]) or _NAMES.match(file[row].strip())]
    at = end_of_block(file, fields[-1]) if fields else first
    added = moved(new, indentation_of(new[0]), depth)
    return [*file[:at], *added, *[""] * (not fields), *file[at:]]
