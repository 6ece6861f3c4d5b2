"""Which lines, or characters, two sequences share in order: what every difference is read off."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

Block = tuple[int, int, int]
"""A run of equal lines: where it begins before, where after, and how many they are."""

_Item = TypeVar("_Item")

# So many steps of Myers's search, some 0.1 s and 30 MB, go into the stretches of one difference that have no
# line to anchor them; what is left then is replaced as a whole.
_MOST_STEPS = 250_000


def matching_blocks(before: Sequence[str], after: Sequence[str]) -> list[Block]:
    """The runs of equal lines of a difference that reads well, in order.

    Equal ends are cut off, then lines that stand once on each side anchor the rest (Bram Cohen's patience
    difference) and the stretches between the anchors are compared in the same way; those without an anchor
    get the shortest series of changes (Eugene Myers, An O(ND) Difference Algorithm, 1986) as long as the
    work is bounded. Time never grows with the square of a large file's length.
    """
    blocks: list[Block] = []
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
            for old, new in anchors:
                blocks.append((old_start + old, new_start + new, 1))
                if at != (old_start + old, new_start + new):
                    waiting.append((at[0], old_start + old, at[1], new_start + new))
                at = (old_start + old + 1, new_start + new + 1)
            waiting.append((at[0], old_end, at[1], new_end))
        else:
            pairs, steps = _shortest(before[old_start:old_end], after[new_start:new_end], steps_left)
            blocks += [(old_start + old, new_start + new, 1) for old, new in pairs]
            steps_left -= steps
    return _joined(blocks)


def shared_ends(before: Sequence[_Item], after: Sequence[_Item]) -> tuple[int, int]:
    """How many items two sequences share at the beginning, and behind those at the end."""
    head = _shared_start(before, after)
    longest = min(len(before), len(after)) - head
    return head, _shared_start(before[::-1][:longest], after[::-1][:longest])


def _shared_start(before: Sequence[_Item], after: Sequence[_Item]) -> int:
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


def _anchors(before: Sequence[str], after: Sequence[str]) -> list[tuple[int, int]]:
    """The longest series of lines that stand once on each side, in the same order on both."""
    old_counts, new_counts = Counter(before), Counter(after)
    new_at = {line: at for at, line in enumerate(after) if new_counts[line] == 1}
    pairs = [
        (old, new_at[line]) for old, line in enumerate(before) if old_counts[line] == 1 and line in new_at
    ]
    # The longest increasing subsequence of the second numbers, by patience sorting.
    tops: list[int] = []
    piles: list[int] = []
    previous: list[int] = []
    for index, (_, new) in enumerate(pairs):
        pile = bisect_left(tops, new)
        previous.append(piles[pile - 1] if pile else -1)
        tops[pile : pile + 1] = [new]
        piles[pile : pile + 1] = [index]
    series = []
    at = piles[-1] if piles else -1
    while at >= 0:
        series.append(pairs[at])
        at = previous[at]
    return series[::-1]


def _shortest(
    before: Sequence[str], after: Sequence[str], most_steps: int
) -> tuple[list[tuple[int, int]], int]:
    """The pairs of equal lines that the shortest series of changes leaves, and the steps to find them.

    There are none where it takes more than `most_steps`.
    """
    # Along the diagonal `old - new`, `reach` is how far into `before` so many changes lead at most.
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
    """The equal lines on the way that `trace` records, walked from its end back."""
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


def _joined(blocks: list[Block]) -> list[Block]:
    joined: list[Block] = []
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
