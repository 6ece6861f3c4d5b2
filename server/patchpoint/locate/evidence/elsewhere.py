"""Lines that occur once in the file, and so say where an edit belongs that changes them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText, depth
from patchpoint.locate.verdict import Find
from patchpoint.outcome import Guard
from patchpoint.text.lines import TELLING_LINE, Span, is_telling
from patchpoint.text.lookalikes import folded

MOST_OCCURRENCES = 50
"""A line that occurs more often than this is looked at in so many places only."""

AROUND = 3
"""The most lines on either side of a line that are compared with those around it in the search text."""

ENOUGH_AROUND = 2
"""An equal line elsewhere with so many search lines around it is the one that is meant, if this has none."""


def guards_of_elsewhere(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> Iterator[Guard]:
    """Yield what says that the file has a line that the edit changes, and not where it would be changed.

    So it is where the line occurs once, and elsewhere, and where only another of its occurrences is between
    the lines that it was quoted between. For an insertion, the quoted lines next to it count, and all those
    above it that are not at the place.
    """
    partners = find.partners
    left_out: dict[str, list[int]] = {}
    for number in find.unquoted:
        left_out.setdefault(source.folded[number], []).append(number)
    for hunk in hunks:
        for line in _deciding_lines(hunk, partners):
            place = only_place(source, find.quote.stripped[line])
            start, end = partners.get(line, (0, 0))
            if place is not None and not start <= place < end:
                yield Guard.ONCE_ELSEWHERE
            if place is None and end == start + 1 and _has_its_lines_elsewhere(source, find, line, start):
                yield Guard.AROUND_ELSEWHERE
            if end == start + 1 and _may_be_left_out(source, find, line, start, left_out):
                yield Guard.EQUAL_LEFT_OUT


def is_next_to_movable_gap(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether lines that nobody quoted may as well be right where new lines are inserted.

    So it is where they are on the other side of a line next to the new ones, and an equal line is at their
    far end: which of the two equal lines was quoted, nobody can know.
    """
    partners = {pair.quoted[0]: pair.found for pair in find.pairs if find.quote.stripped[pair.quoted[0]]}
    paired = sorted(partners)
    for hunk in hunks:
        if hunk.solid:
            continue
        above = [line for line in paired if line < hunk.quoted[0]][-2:]
        below = [line for line in paired if line >= hunk.quoted[1]][:2]
        for (line, beyond), side in ((above[::-1], -1), (below, 1)) if len(above) == len(below) == 2 else ():
            gap = sorted((partners[line], partners[beyond]))
            unquoted = [number for number in range(gap[0][1], gap[1][0]) if source.stripped[number]]
            far = unquoted[-1 if side > 0 else 0] if unquoted else None
            if far is not None and source.stripped[far] == source.stripped[partners[line][0]]:
                return True
    return False


def is_in_another_block(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether lines that nobody quoted end the block of the search text, and the change is behind it.

    So it is where no line behind them, up to the next that nobody quoted, is nowhere else in the file: an
    equal line in a block of its own says nothing of the one that was quoted.
    """
    partners = {pair.quoted[0]: pair.found for pair in find.pairs if find.quote.stripped[pair.quoted[0]]}
    runs: list[list[int]] = []
    ended: list[bool] = []
    for line in sorted(partners):
        start = partners[line][0]
        last = partners[runs[-1][-1]][1] if runs else start
        unquoted = [number for number in range(last, start) if source.stripped[number]]
        if not runs or unquoted:
            runs.append([])
            column = min(depth(source.lines[number]) for number in (last - 1, start)) if unquoted else 0
            ended.append(any(depth(source.lines[number]) < column for number in unquoted))
        runs[-1].append(line)
    if not any(ended):
        return False
    for hunk in hunks:
        changed = [line for line in partners if hunk.quoted[0] <= line < hunk.quoted[1]]
        before = [line for line in sorted(partners) if line < hunk.quoted[0]]
        for line in changed or before[-1:]:
            at = next(number for number, run in enumerate(runs) if line in run)
            cut_off = ended[at] or (at + 1 < len(runs) and ended[at + 1])
            if cut_off and not any(
                only_place(source, find.quote.stripped[other]) is not None for other in runs[at]
            ):
                return True
    return False


def _has_its_lines_elsewhere(source: SourceText, find: Find, line: int, place: int) -> bool:
    """Return whether an equal line elsewhere has search lines around it, and the one at `place` has none."""
    text = folded(find.quote.stripped[line]).strip()
    if source.folded[place] != text:
        return False
    at = bisect_left(source.solid, place)
    return not _agreeing(source, find, line, at) and any(
        _agreeing(source, find, line, position) >= ENOUGH_AROUND
        for position in source.places.get(text, ())[:MOST_OCCURRENCES]
        if position != at
    )


def _may_be_left_out(
    source: SourceText, find: Find, line: int, place: int, left_out: Mapping[str, Sequence[int]]
) -> bool:
    """Return whether a line equal to a search line is among those of the find that nobody quoted.

    It may be the one that is meant, unless more of the lines around the one at `place` are as quoted.
    """
    text = folded(find.quote.stripped[line]).strip()
    others = left_out.get(text, ())[:MOST_OCCURRENCES]
    if not others or len(text) < TELLING_LINE or source.folded[place] != text:
        return False
    agreeing = _agreeing(source, find, line, bisect_left(source.solid, place))
    return any(
        _agreeing(source, find, line, bisect_left(source.solid, number)) >= agreeing for number in others
    )


def _agreeing(source: SourceText, find: Find, line: int, position: int) -> int:
    """Return how many lines in a row before and after a search line are before and after a file line, too.

    `position` is that of the file line in `SourceText.solid`.
    """
    count, at = 0, bisect_left(find.quote.solid, line)
    for step in (-1, 1):
        for away in range(step, (AROUND + 1) * step, step):
            quoted, found = at + away, position + away
            if not (0 <= quoted < len(find.quote.solid) and 0 <= found < len(source.folded_solid)):
                break
            text = find.quote.stripped[find.quote.solid[quoted]]
            if folded(text).strip() != source.folded_solid[found]:
                break
            count += 1
    return count


def only_place(source: SourceText, text: str) -> int | None:
    """Return the number of the one file line that is equal to a stripped, telling line; `None` otherwise."""
    text = folded(text).strip()
    places = source.places.get(text, ()) if is_telling(text) else ()
    return source.solid[places[0]] if len(places) == 1 else None


def _deciding_lines(hunk: SearchHunk, partners: Mapping[int, Span]) -> list[int]:
    """Return the search lines that say where a hunk goes: those it changes, or its neighbours.

    Where the neighbour above is not at the place, those above it are what the new text was to follow.
    """
    if hunk.solid:
        return hunk.solid
    before, after = hunk.around
    missing = list(takewhile(lambda line: line not in partners, reversed(before)))
    return (missing or before[-1:]) + after[:1]
