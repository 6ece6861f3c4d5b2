"""The change that the model asks for: where search text and replacement differ, line by line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from patchpoint.locate.elision import is_elision
from patchpoint.locate.verdict import Pair, Quote
from patchpoint.text.lines import Span

MOST_LINES = 3000
"""With more lines that differ on both sides, one hunk stands for all of them: difflib is quadratic."""


@dataclass(frozen=True, slots=True)
class Hunk:
    """A run of search lines that becomes a run of replacement lines, both half-open."""

    quoted: Span
    new: Span


def hunks(
    quote: Quote, pairs: Sequence[Pair] = (), *, elided: bool = False, exact: bool = False
) -> list[Hunk]:
    """Where search text and replacement differ, trailing white space aside unless the quotation is `exact`.

    A run of search lines that stands for a differently wrapped run of file lines is changed whole or not at
    all: a hunk that touches part of it takes in the rest. With `elided`, all elisions are the same line.
    """
    search, replace = quote.search_lines, quote.replace_lines
    if not exact:
        search, replace = [line.rstrip() for line in search], [line.rstrip() for line in replace]
    if elided:
        search = ["..." if is_elision(line) else line for line in search]
        replace = ["..." if is_elision(line) else line for line in replace]
    groups = [pair.quoted for pair in pairs if pair.quoted[1] - pair.quoted[0] > 1]
    widened: list[Hunk] = []
    for start, end, new_start, new_end in differences(search, replace):
        i1, i2 = start, end
        for group in groups:
            if (group[0] < end and start < group[1]) or (start == end and group[0] < start < group[1]):
                i1, i2 = min(i1, group[0]), max(i2, group[1])
        j1, j2 = new_start - (start - i1), new_end + (i2 - end)
        if widened and i1 < widened[-1].quoted[1]:
            last = widened.pop()
            i1, i2, j1, j2 = last.quoted[0], max(i2, last.quoted[1]), last.new[0], max(j2, last.new[1])
        widened.append(Hunk((i1, i2), (j1, j2)))
    return widened


def differences(old: Sequence[str], new: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """The half-open ranges that differ: common beginning and end first, then longest matching blocks."""
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    old, new = old[start : len(old) - end], new[start : len(new) - end]
    if not old and not new:
        return []
    if min(len(old), len(new)) > MOST_LINES:
        return [(start, start + len(old), start, start + len(new))]
    return [
        (i1 + start, i2 + start, j1 + start, j2 + start)
        for tag, i1, i2, j1, j2 in SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
        if tag != "equal"
    ]
