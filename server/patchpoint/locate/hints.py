"""Hints: occurrence, line, scope. They choose among the finds of one rung and are never evidence.

A line number that a model gives is often stale (Roo-Code edited the wrong lookalike that way), so the nearest
find must be clearly the nearest. A scope constrains: what stands before it is not meant.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Answer, Find, Reason, Verdict
from patchpoint.text.lines import Span
from patchpoint.text.unicode import folded


@dataclass(frozen=True, slots=True)
class Hints:
    """What the request says of the place beside the search text; numbers count from 1."""

    replace_all: bool = False
    occurrence: int | None = None
    line: int | None = None
    scope: tuple[str, ...] = ()
    at_end: bool = False


def scope_ranges(source: Source, scope: Sequence[str]) -> list[Span]:
    """The half-open line ranges that the scope names, outermost first; none when it is not in the file.

    A scope is the line that names it, and what follows at a greater depth.
    """
    ranges = [(0, len(source.lines))]
    for name in scope:
        if not name.strip():
            continue
        ranges = [(line, _scope_end(source, line)) for line in _named(source, name) if _inside(line, ranges)]
    return ranges


def choose(source: Source, finds: Sequence[Find], hints: Hints, scopes: Sequence[Span]) -> Verdict:
    """The find that the hints leave, or all that they leave. `finds` are in order and not empty."""
    left = list(finds)
    if hints.scope:
        after = [find for find in left if any(find.lines[1] > start for start, _ in scopes)]
        within = [
            find
            for find in after
            if any(start <= find.lines[0] and find.lines[1] <= end for start, end in scopes)
        ]
        left = within or after
        if not left:
            return Verdict(Answer.NOWHERE, tuple(finds), Reason.OUTSIDE_SCOPE)
    if hints.replace_all:
        return Verdict(Answer.FOUND, tuple(_apart(left)))
    if hints.occurrence is not None:
        if hints.occurrence > len(left):
            return Verdict(Answer.NOWHERE, tuple(left), Reason.OCCURRENCE_MISSING)
        return Verdict(Answer.FOUND, (left[hints.occurrence - 1],))
    if hints.at_end and len(left) > 1:
        solid_end = source.solid[-1] + 1
        left = [find for find in left if find.lines[1] >= solid_end] or left
    if hints.line is not None and len(left) > 1:
        left = _nearest(left, hints.line - 1)
    if len(left) > 1:
        return Verdict(Answer.SEVERAL, tuple(left), Reason.SEVERAL)
    return Verdict(Answer.FOUND, tuple(left))


def _nearest(finds: list[Find], line: int) -> list[Find]:
    """The find that begins at the line, holds it, or is at most half as far from it as any other."""
    begins = [find for find in finds if find.lines[0] == line]
    if len(begins) == 1:
        return begins
    ranked = sorted(finds, key=lambda find: _distance(find, line))
    nearest, second = _distance(ranked[0], line), _distance(ranked[1], line)
    return ranked[:1] if nearest < second and 2 * nearest <= second else finds


def _distance(find: Find, line: int) -> int:
    if find.lines[0] <= line < find.lines[1]:
        return 0
    return min(abs(find.lines[0] - line), abs(find.lines[1] - 1 - line))


def _apart(finds: Sequence[Find]) -> list[Find]:
    """The finds from the first on, without those that overlap one already taken."""
    apart: list[Find] = []
    for find in finds:
        if not apart or find.span[0] >= apart[-1].span[1]:
            apart.append(find)
    return apart


def _named(source: Source, name: str) -> list[int]:
    """The lines that a scope names: those equal to it, else those it begins, else those it is in."""
    wanted = " ".join(folded(name).split())
    lines = [" ".join(line.split()) for line in source.folded]
    equal = [number for number, line in enumerate(lines) if line == wanted]
    if equal:
        return equal
    begun = [n for n, line in enumerate(lines) if line.startswith(wanted) and _ends_word(line, len(wanted))]
    if begun:
        return begun
    held = []
    for number, line in enumerate(lines):
        at = line.find(wanted)
        starts_word = at == 0 or (at > 0 and not (line[at - 1].isalnum() or line[at - 1] == "_"))
        if at >= 0 and starts_word and _ends_word(line, at + len(wanted)):
            held.append(number)
    return held


def _ends_word(line: str, at: int) -> bool:
    """Whether no identifier goes on at a column."""
    inside = at < len(line) and (line[at].isalnum() or line[at] == "_")
    return not (inside and (line[at - 1].isalnum() or line[at - 1] == "_"))


def _scope_end(source: Source, line: int) -> int:
    """One past the last line of what stands below `line` at a greater depth, its closing bracket included."""
    depth = len(indentation(source.lines[line]))
    for number in range(line + 1, len(source.lines)):
        text = source.stripped[number]
        if not text or len(indentation(source.lines[number])) > depth:
            continue
        if text[0] in "{":
            continue
        return number + 1 if text[0] in ")]}" else number
    return len(source.lines)


def _inside(line: int, ranges: Sequence[Span]) -> bool:
    return any(start <= line < end for start, end in ranges)
