"""The lines, or characters, that two sequences share in order: the one matcher of diffs, merges and splices.

See docs/decisions/line-matcher.md.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from functools import lru_cache
from itertools import compress, count, pairwise, repeat
from operator import ne, sub
from typing import TypeVar

from patchpoint.text.lines import Span

MatchingBlock = tuple[int, int, int]
"""A run of equal lines: its first line before, its first line after, and their number."""

_Item = TypeVar("_Item")

# The steps of Myers's search (some 0.1 s and 30 MB) that one difference may spend on stretches without an
# anchor line; once they are spent, such a stretch is replaced as a whole.
_MOST_STEPS = 250_000

# Of two texts together: longer ones are not kept in memory for the next who asks.
_MOST_KEPT_LINES = 40_000


def matching_blocks(before: Sequence[str], after: Sequence[str]) -> list[MatchingBlock]:
    """Return the runs of equal lines of a difference that reads well, in order.

    Equal ends are cut off. Lines that occur once on each side then anchor the rest (Bram Cohen's patience
    difference), and the stretches between the anchors are compared in the same way. A stretch without an
    anchor gets the shortest series of changes (Eugene Myers, An O(ND) Difference Algorithm, 1986), unless
    that takes too many steps. Time never grows with the square of a large file's length.
    """
    blocks: list[MatchingBlock] = []
    steps_left = _MOST_STEPS
    waiting = [(0, len(before), 0, len(after))]
    while waiting:
        old_start, old_end, new_start, new_end = waiting.pop()
        head, tail = shared_ends(before[old_start:old_end], after[new_start:new_end])
        blocks.append((old_start, new_start, head))
        blocks.append((old_end - tail, new_end - tail, tail))
        old_start, old_end = old_start + head, old_end - tail
        new_start, new_end = new_start + head, new_end - tail
        if old_start == old_end or new_start == new_end:
            continue
        anchors = _anchors(before[old_start:old_end], after[new_start:new_end])
        if anchors:
            at = (old_start, new_start)
            for old, new, size in anchors:
                blocks.append((old_start + old, new_start + new, size))
                if at != (old_start + old, new_start + new):
                    waiting.append((at[0], old_start + old, at[1], new_start + new))
                at = (old_start + old + size, new_start + new + size)
            waiting.append((at[0], old_end, at[1], new_end))
        else:
            pairs, steps = _shortest(before[old_start:old_end], after[new_start:new_end], steps_left)
            blocks += [(old_start + old, new_start + new, 1) for old, new in pairs]
            steps_left -= steps
    return _joined(blocks)


Run = tuple[bool, int, int, int, int]
"""Whether two runs of lines are equal, and the half-open ranges of the one and of the other."""


def line_opcodes(before: Sequence[str], after: Sequence[str]) -> list[Run]:
    """Return the runs of lines that are equal and those that are not, alternating."""
    runs: list[Run] = []
    old_at = new_at = 0
    for old, new, size in [*matching_blocks(before, after), (len(before), len(after), 0)]:
        if (old_at, new_at) != (old, new):
            runs.append((False, old_at, old, new_at, new))
        if size:
            runs.append((True, old, old + size, new, new + size))
        old_at, new_at = old + size, new + size
    return runs


def changed_ranges(before: Sequence[str], after: Sequence[str]) -> list[tuple[Span, Span]]:
    """Return the half-open ranges of lines that differ, in order: before and after.

    Many checks ask it of the same file and result, one after another: the last two differences are kept.
    """
    if len(before) + len(after) > _MOST_KEPT_LINES:
        return list(_changed_ranges(before, after))
    return list(_kept_ranges(tuple(before), tuple(after)))


def shared_ends(before: Sequence[_Item], after: Sequence[_Item]) -> tuple[int, int]:
    """Return how many items two sequences share at the beginning, and apart from those at the end."""
    head = shared_start(before, after)
    longest = min(len(before), len(after)) - head
    return head, shared_start(before[::-1][:longest], after[::-1][:longest])


def shared_start(before: Sequence[_Item], after: Sequence[_Item]) -> int:
    """Return how many items two sequences share at the beginning."""
    # Slices are compared at the speed of C: step forward in growing strides, then narrow the last one down.
    longest = min(len(before), len(after))
    start, stride = 0, 16
    while start < longest and before[start : start + stride] == after[start : start + stride]:
        start += stride
        stride *= 2
    end = min(start + stride, longest)
    start = min(start, longest)
    while start < end:
        middle = (start + end + 1) // 2
        if before[start:middle] == after[start:middle]:
            start = middle
        else:
            end = middle - 1
    return start


def _changed_ranges(before: Sequence[str], after: Sequence[str]) -> tuple[tuple[Span, Span], ...]:
    runs = line_opcodes(before, after)
    return tuple(((i1, i2), (j1, j2)) for equal, i1, i2, j1, j2 in runs if not equal)


_kept_ranges = lru_cache(maxsize=2)(_changed_ranges)


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[MatchingBlock]:
    """Return the longest series of lines that occur once on each side, in the same order on both, in runs."""
    old_at, new_at = _once(before), _once(after)
    found = list(map(new_at.get, old_at))
    olds = [old for old, new in zip(old_at.values(), found, strict=True) if new is not None]
    news = [new for new in found if new is not None]
    if not news:
        return []
    if news != sorted(news):
        series = _increasing(news)
        olds, news = ([side[at] for at in series] for side in (olds, news))
    steps = zip(map(sub, olds[1:], olds), map(sub, news[1:], news), strict=True)
    starts = [0, *compress(count(1), map(ne, steps, repeat((1, 1))))]
    return [(olds[at], news[at], end - at) for at, end in pairwise((*starts, len(olds)))]


def _once(lines: Sequence[str]) -> dict[str, int]:
    """Return the lines that occur once, in order, and where they are."""
    at = dict(zip(lines, count(), strict=False))
    if len(at) < len(lines):
        for line in list(compress(lines, map(ne, map(at.__getitem__, lines), count()))):
            at.pop(line, None)
    return at


def _increasing(numbers: Sequence[int]) -> list[int]:
    """Return the indexes of the longest increasing series among numbers, by patience sorting."""
    tops: list[int] = []
    piles: list[int] = []
    previous: list[int] = []
    for index, number in enumerate(numbers):
        pile = bisect_left(tops, number)
        previous.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [number]
        piles[pile : pile + 1] = [index]
    series = []
    at = piles[-1] if piles else -1
    while at >= 0:
        series.append(at)
        at = previous[at]
    return series[::-1]


def _shortest(
    before: Sequence[str], after: Sequence[str], most_steps: int
) -> tuple[list[tuple[int, int]], int]:
    """Return the pairs of equal lines that the shortest series of changes leaves, and the steps to find them.

    There are none where it takes more than `most_steps`.
    """
    # For each diagonal `old - new`, `reach` is the furthest line of `before` that `changes` changes lead to.
    reach = {1: 0}
    trace: list[dict[int, int]] = []
    steps = 0
    for changes in range(len(before) + len(after) + 1):
        steps += changes + 1
        if steps > most_steps:
            return [], most_steps
        trace.append(dict(reach))
        for diagonal in range(-changes, changes + 1, 2):
            down = diagonal == -changes or (diagonal != changes and reach[diagonal - 1] < reach[diagonal + 1])
            old = reach[diagonal + 1] if down else reach[diagonal - 1] + 1
            new = old - diagonal
            while old < len(before) and new < len(after) and before[old] == after[new]:
                old, new = old + 1, new + 1
            reach[diagonal] = old
            if old >= len(before) and new >= len(after):
                return _pairs_along(trace, old, new), steps
    return [], steps


def _pairs_along(trace: list[dict[int, int]], old: int, new: int) -> list[tuple[int, int]]:
    """Return the equal lines on the way that `trace` records, walked from its end back."""
    pairs = []
    for changes in range(len(trace) - 1, -1, -1):
        reach, diagonal = trace[changes], old - new
        down = diagonal == -changes or (diagonal != changes and reach[diagonal - 1] < reach[diagonal + 1])
        before_old = reach[diagonal + 1] if down else reach[diagonal - 1]
        before_new = before_old - (diagonal + 1 if down else diagonal - 1)
        while old > max(before_old, 0) and new > max(before_new, 0):
            old, new = old - 1, new - 1
            pairs.append((old, new))
        old, new = before_old, before_new
    return pairs[::-1]


def _joined(blocks: list[MatchingBlock]) -> list[MatchingBlock]:
    joined: list[MatchingBlock] = []
    for old, new, size in sorted(blocks):
        if not size:
            continue
        if joined:
            last_old, last_new, last_size = joined[-1]
            if (last_old + last_size, last_new + last_size) == (old, new):
                joined[-1] = (last_old, last_new, last_size + size)
                continue
        joined.append((old, new, size))
    return joined
