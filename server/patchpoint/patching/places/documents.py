"""New items, rows and sections of a document, where words say that they go."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.patching.places.called import definition_called, definitions_named
from patchpoint.patching.places.inserting import HEADING, put, put_above, put_below, put_section_first
from patchpoint.patching.places.places_said import Relation, edge_said, places_said, says
from patchpoint.patching.shown.below_its_like import ranges_named
from patchpoint.patching.shown.reading import Code
from patchpoint.text.regex import regex

_EDGES = (Relation.FIRST, Relation.LAST)
ITEM = regex(r"(\||[-*+] |\d+[.)] )")
"""What an item of a list or a row of a table begins with."""
_BELOW_HEAD = regex(r"\|?(?:\s*:?-{2,}:?\s*\|)+(?:\s*:?-{2,}:?)?\s*")
"""The line below the head of a table."""
_WORDS = regex(r"[^\W_]{3,40}")
_FEW = 2


def in_document(code: Code, words: str) -> list[str] | None:
    """Return a document with new items next to the one that words name, or else in the section they name.

    A section that goes to the top of a document is above the first of its level, or at the end of the one
    that it is in. `None` for all else.
    """
    file, new, places = code.file, code.new, places_said(words)
    heading = HEADING.match(new[0])
    if heading is not None:
        is_on_top = edge_said(words) is Relation.FIRST or any(
            place.relation is Relation.FIRST and definition_called(code.own, place.name) is None
            for place in places
        )
        return put_section_first(file, new, len(heading[1])) if is_on_top else None
    if not ITEM.match(new[0]):
        return None
    for place in places:
        row = _item_called(code, place.name, words) if place.relation not in _EDGES else None
        if row is not None:
            put_there = put_above if place.relation is Relation.ABOVE else put_below
            return put_there(file, row, new)
    return _in_section(code, words) or _in_table(code)


def _in_table(code: Code) -> list[str] | None:
    """Return a document with new rows at the end of its one table of so many columns, in whatever widths.

    Of several, it is the one with words of the first cell in each of its rows.
    """
    file, new = code.file, code.new
    if not (code.adds and all(line.startswith("|") for line in new)) or code.is_there:
        return None
    columns = new[0].count("|")
    heads = [row - 1 for row, line in enumerate(file) if row and _BELOW_HEAD.fullmatch(line.strip())]
    tables = [(row, _end_of_table(file, row)) for row in heads if file[row].count("|") == columns]
    words = set(_WORDS.findall(new[0].split("|")[1]))
    alike = [
        (first, end)
        for first, end in tables
        if end > first + _FEW
        and all(words.intersection(_WORDS.findall(file[row].split("|")[1])) for row in range(first + 2, end))
    ]
    tables = alike if len(tables) > 1 else tables
    return put(file, tables[0][1], new, tables[0][1] - 1) if len(tables) == 1 else None


def _end_of_table(file: Sequence[str], row: int) -> int:
    """Return the row behind a table of a document."""
    return next((end for end in range(row, len(file)) if not file[end].strip().startswith("|")), len(file))


def _item_called(code: Code, name: str, words: str) -> int | None:
    """Return the one item of a document that begins with a name, or else that has it, in what words name."""
    within = ranges_named(code, words) or [(0, len(code.file))]
    lines = {row: code.file[row].strip() for first, end in within for row in range(first, end)}
    having = [row for row, line in lines.items() if ITEM.match(line) and name in line]
    first = [row for row in having if ITEM.sub("", lines[row], count=1).lstrip("`*_ ").startswith(name)]
    found = first or having
    return found[0] if len(found) == 1 else None


def _in_section(code: Code, words: str) -> list[str] | None:
    """Return a document with rows of a table or items of a list in the innermost section that words name."""
    file, new, named = code.file, code.new, definitions_named(code.own, words)
    inner = max(named, key=lambda each: (each.start, -each.end), default=None)
    if inner is None or any(each.start > inner.start or inner.end > each.end for each in named):
        return None
    end = min((each.start for each in inner.children), default=inner.end)
    rows = [row for row in range(inner.start, end) if file[row][:1] == new[0][:1]]
    if not rows or any(line in file[inner.start : end] for line in new):
        return None
    if says(words, "first") and ITEM.match(new[0]) and not new[0].startswith("|"):
        return [*file[: rows[0]], *new, *file[rows[0] :]]
    last = next((row for row in range(rows[-1] + 1, end) if not file[row].strip()), end)
    return [*file[:last], *new, *file[last:]]
