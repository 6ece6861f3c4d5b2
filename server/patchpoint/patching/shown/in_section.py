"""New lines in the section of a document that the words above them name."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.shown.called import QUOTED, definition_called
from patchpoint.patching.shown.places_said import Relation, edge_said, places_said
from patchpoint.structure.lazy.definition import Definition
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.regex import regex

_HEADING = regex(r"(#{1,6})\s")
_KINDS = regex(r"(\||[-*+] |\d+[.)] )")
_IN = (Relation.BELOW, Relation.LAST)


def with_lines_in_section(
    file: Sequence[str], new: Sequence[str], own: Definition, words: str
) -> list[str] | None:
    """Return a document with rows of a table or items of a list in the section that words name.

    A section that goes to the top of a document is above the first of its level, or at the end of the one
    that it is in. `None` for all else.
    """
    if not new or any(map(is_mark, new)):
        return None
    heading = _HEADING.match(new[0])
    if heading is not None:
        is_on_top = edge_said(words) is Relation.FIRST or any(
            place.relation is Relation.FIRST and definition_called(own, place.name) is None
            for place in places_said(words)
        )
        return _with_section_on_top(file, new, len(heading[1])) if is_on_top else None
    kind = _KINDS.match(new[0])
    named = [at for name in QUOTED.findall(words) if (at := definition_called(own, name, words)) is not None]
    if kind is None or not named:
        return None
    inner = max(named, key=lambda each: (each.start, -each.end))
    if any(not (each.start <= inner.start and inner.end <= each.end) for each in named):
        return None
    end = min((each.start for each in inner.children), default=inner.end)
    rows = [row for row in range(inner.start, end) if file[row].startswith(kind[1][0])]
    if not rows or any(line in file[inner.start : end] for line in new):
        return None
    last = next((row for row in range(rows[-1] + 1, end) if not file[row].strip()), end)
    return [*file[:last], *new, *file[last:]]


def _with_section_on_top(file: Sequence[str], new: Sequence[str], level: int) -> list[str] | None:
    levels = {row: len(found[1]) for row, line in enumerate(file) if (found := _HEADING.match(line))}
    row = next((row for row, each in levels.items() if each == level), None)
    if row is not None:
        return [*file[:row], *new, "", *file[row:]]
    if not levels or min(levels.values()) >= level:
        return None
    end = next((row for row, each in levels.items() if each > level), len(file))
    above = [*file[:end], *([""] if file[end - 1].strip() else [])]
    return [*above, *new, *([""] if end < len(file) else []), *file[end:]]
