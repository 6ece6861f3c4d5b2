"""The change that the model asks for: the difference from search text to replacement, line by line."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.locate.rungs.elision import is_elision
from patchpoint.locate.verdict import ConsecutivePairs, Pair, Quote
from patchpoint.text.line_diff import matching_blocks
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class SearchHunk:
    """A run of search lines that becomes a run of replacement lines, both half-open ranges."""

    quoted: Span
    new: Span


def search_hunks(
    quote: Quote, pairs: Sequence[Pair] = (), *, elided: bool = False, exact: bool = False
) -> list[SearchHunk]:
    """Return the hunks from search text to replacement, trailing white space aside unless `exact`.

    A run of search lines that corresponds to a differently wrapped run of file lines is changed whole or not
    at all: a hunk that touches part of it is widened to the rest. With `elided`, all elisions are equal.
    """
    search, replace = quote.search_lines, quote.replace_lines
    if not exact:
        search, replace = [line.rstrip() for line in search], [line.rstrip() for line in replace]
    if elided:
        search = ["..." if is_elision(line) else line for line in search]
        replace = ["..." if is_elision(line) else line for line in replace]
    several = () if isinstance(pairs, ConsecutivePairs) else pairs
    groups = [pair.quoted for pair in several if pair.quoted[1] - pair.quoted[0] > 1]
    widened: list[SearchHunk] = []
    for start, end, new_start, new_end in differences(search, replace):
        i1, i2 = start, end
        for group in groups:
            if (group[0] < end and start < group[1]) or (start == end and group[0] < start < group[1]):
                i1, i2 = min(i1, group[0]), max(i2, group[1])
        j1, j2 = new_start - (start - i1), new_end + (i2 - end)
        if widened and i1 < widened[-1].quoted[1]:
            last = widened.pop()
            i1, i2, j1, j2 = last.quoted[0], max(i2, last.quoted[1]), last.new[0], max(j2, last.new[1])
        widened.append(SearchHunk((i1, i2), (j1, j2)))
    return widened


def differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Return the half-open ranges of lines that differ, in order: start and end in `old`, then in `new`."""
    return [run[1:] for run in line_opcodes(old, new) if not run[0]]


Run = tuple[bool, int, int, int, int]
"""Whether two runs of lines are equal, and the half-open ranges of the one and of the other."""


def line_opcodes(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """Return the runs of `old` and `new` that are equal and those that are not, alternating."""
    runs: list[Run] = []
    old_at = new_at = 0
    for i, j, size in [*matching_blocks(old, new), (len(old), len(new), 0)]:
        if (old_at, new_at) != (i, j):
            runs.append((False, old_at, i, new_at, j))
        if size:
            runs.append((True, i, i + size, j, j + size))
        old_at, new_at = i + size, j + size
    return runs
