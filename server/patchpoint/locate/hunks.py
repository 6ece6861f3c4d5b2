"""The change that the model asks for: where search text and replacement differ, line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rapidfuzz.distance import LCSseq

from patchpoint.locate.elision import is_elision
from patchpoint.locate.verdict import Pair, Quote
from patchpoint.text.lines import Span

MOST_PAIRS = 25_000_000
"""With more pairs of lines, all that differs is one run: a difference costs a bit of memory for each pair."""

MOST_EQUAL_PAIRS = 200_000
"""With more pairs of equal lines, difflib is not asked: it looks at all of them again and again."""


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
    """The half-open ranges of lines that differ, in order, of `old` and of `new`."""
    return [run[1:] for run in line_opcodes(old, new) if not run[0]]


Run = tuple[bool, int, int, int, int]
"""Whether two runs of lines are equal, and the half-open ranges of the one and of the other."""


def line_opcodes(old: Sequence[str], new: Sequence[str]) -> list[Run]:
    """The runs of `old` and `new` that are equal and those that are not, alternating.

    Common beginning and end first, then longest matching blocks (difflib), which read best. Of texts that
    repeat themselves much, where difflib takes forever, the longest common subsequence (rapidfuzz).
    """
    start = 0
    while start < min(len(old), len(new)) and old[start] == new[start]:
        start += 1
    end = 0
    while end < min(len(old), len(new)) - start and old[-1 - end] == new[-1 - end]:
        end += 1
    runs = [(True, 0, start, 0, start)] if start else []
    runs += _inner_opcodes(old[start : len(old) - end], new[start : len(new) - end], start)
    if end:
        runs.append((True, len(old) - end, len(old), len(new) - end, len(new)))
    return runs


def _inner_opcodes(old: Sequence[str], new: Sequence[str], start: int) -> list[Run]:
    if not old and not new:
        return []
    if len(old) * len(new) > MOST_PAIRS:
        return [(False, start, start + len(old), start, start + len(new))]
    counts = Counter(new)
    opcodes: Iterable[tuple[str, int, int, int, int]]
    if sum(counts[line] for line in old) > MOST_EQUAL_PAIRS:
        opcodes = [
            (code.tag, code.src_start, code.src_end, code.dest_start, code.dest_end)
            for code in LCSseq.opcodes(old, new)
        ]
    else:
        opcodes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    runs: list[Run] = []
    for tag, i1, i2, j1, j2 in opcodes:
        equal = tag == "equal"
        if runs and runs[-1][0] == equal:
            last = runs.pop()
            runs.append((equal, last[1], i2 + start, last[3], j2 + start))
        else:
            runs.append((equal, i1 + start, i2 + start, j1 + start, j2 + start))
    return runs
