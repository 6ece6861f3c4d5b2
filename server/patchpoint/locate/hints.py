"""Hints: occurrence, line, scope. They choose among the finds of one rung and are never evidence.

A line number that a model gives is often stale (Roo-Code edited the wrong lookalike that way), so the nearest
find must be clearly the nearest. A scope constrains: finds before it are left out.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from itertools import chain

from patchpoint.dataclass import dataclass
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Verdict, VerdictKind
from patchpoint.outcome import Reason
from patchpoint.text.lines import Span
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import begins_word

SCOPE = "the scope that the edit names"
CLEARLY = 3
"""A place is clearly nearer to a line where another one is so many times as far."""


@dataclass(frozen=True, slots=True)
class Hints:
    """What the request says of the place in addition to the search text; numbers count from 1."""

    replace_all: bool = False
    occurrence: int | None = None
    line: int | None = None
    scope: tuple[str, ...] = ()
    at_end: bool = False
    section: str = ""
    of_lines: bool = False
    """The search text is quoted as whole lines, as in a block or a diff."""


def scope_ranges(source: SourceText, scope: Sequence[str]) -> list[Span]:
    """Return the half-open line ranges of `scope` (names, outermost first); none when it is not in the file.

    A range is the line that has the name, and the lines after it that are deeper.
    """
    ranges = [(0, len(source.lines))]
    for name in scope:
        if not name.strip():
            continue
        named = _named(source, name)
        lines: set[int] = set()
        for start, end in ranges:
            lines.update(named[bisect_left(named, start) : bisect_left(named, end)])
        ranges = [(line, source.scope_ends[line]) for line in sorted(lines)]
    return ranges


def choose(source: SourceText, finds: Sequence[Find], hints: Hints, scopes: Sequence[Span]) -> Verdict:
    """Return the find that the hints leave, or all that they leave. `finds` are in order and not empty."""
    left = list(finds)
    if hints.scope:
        first = min((start for start, _ in scopes), default=len(source.lines))
        after = [find for find in left if find.lines[1] > first]
        within = [find for find in after if is_within(find, scopes)]
        left = within or after
        if not left:
            missing = f"the search text in {SCOPE}, only before it"
            return Verdict(VerdictKind.NOWHERE, tuple(finds), Reason.NOT_THERE, missing=missing)
    if hints.replace_all:
        return Verdict(VerdictKind.FOUND, tuple(_apart(left)))
    if hints.occurrence is not None:
        if hints.occurrence > len(left):
            missing = f"the search text {hints.occurrence} times, only {len(left)} times"
            return Verdict(VerdictKind.NOWHERE, tuple(left), Reason.NOT_THERE, missing=missing)
        return Verdict(VerdictKind.FOUND, (left[hints.occurrence - 1],))
    if hints.at_end and len(left) > 1:
        solid_end = source.solid[-1] + 1
        left = [find for find in left if find.lines[1] >= solid_end] or left
    if hints.line is not None and len(left) > 1:
        nearest = _nearest(left, hints.line - 1)
        left = left if _is_contradicted(source, nearest, left, hints.section) else nearest
    if len(left) > 1:
        return Verdict(VerdictKind.SEVERAL, tuple(left), Reason.SEVERAL)
    return Verdict(VerdictKind.FOUND, tuple(left))


def is_within(find: Find, ranges: Sequence[Span]) -> bool:
    """Return whether a place is within one of the ranges of lines."""
    return any(start <= find.lines[0] and find.lines[1] <= end for start, end in ranges)


def _nearest(finds: list[Find], line: int) -> list[Find]:
    """Return the find that begins at the line, or clearly nearer to it than any other.

    Where another one contains the line, that is not clear.
    """
    ranked = sorted(finds, key=lambda find: abs(find.lines[0] - line))
    nearest, second = (abs(find.lines[0] - line) for find in ranked[:2])
    if nearest == 0 < second:
        return ranked[:1]
    within = [find for find in finds if find.lines[0] <= line < find.lines[1]]
    is_clear = nearest < second and CLEARLY * nearest <= second
    return ranked[:1] if is_clear and within in ([], ranked[:1]) else finds


def _is_contradicted(source: SourceText, chosen: Sequence[Find], finds: Sequence[Find], section: str) -> bool:
    """Return whether a section is named that has one of the finds in it, and not the one that is chosen."""
    ranges = scope_ranges(source, (section,)) if section.strip() and len(chosen) == 1 else []
    within = [find for find in finds if is_within(find, ranges)]
    return bool(within) and chosen[0] not in within


def _apart(finds: Sequence[Find]) -> list[Find]:
    """Return the finds from the first on, without those that overlap an earlier one."""
    apart: list[Find] = []
    for find in finds:
        if not apart or find.span[0] >= apart[-1].span[1]:
            apart.append(find)
    return apart


def _named(source: SourceText, name: str) -> list[int]:
    """Return the lines that a scope names: those equal to it, else beginning with it, else containing it."""
    wanted = " ".join(folded(name).split())
    equal = source.rows_of.get(wanted)
    if equal:
        return equal
    having = {line: source.rows_of[line] for line in source.rows_of if wanted in line}
    begun = [
        rows for line, rows in having.items() if line.startswith(wanted) and _ends_word(line, len(wanted))
    ]
    return sorted(
        chain.from_iterable(begun or (rows for line, rows in having.items() if _holds(line, wanted)))
    )


def _holds(line: str, wanted: str) -> bool:
    at = line.find(wanted)
    return (at == 0 or not begins_word(line[at - 1])) and _ends_word(line, at + len(wanted))


def _ends_word(line: str, at: int) -> bool:
    """Return whether no identifier continues at a column."""
    return not (begins_word(line[at : at + 1]) and begins_word(line[at - 1]))
