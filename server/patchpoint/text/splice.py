"""Sets of splices of one text: computed, applied, composed, compared, and used to move spans.

A set is ordered by position and disjoint; its offsets are those of the text before any of it is applied.
"""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from patchpoint.dataclass import dataclass
from patchpoint.text.line_diff import changed_ranges, shared_ends
from patchpoint.text.lines import Span, split_lines


@dataclass(frozen=True, slots=True)
class Splice:
    """One change: the characters from `start` to `end` of a text become `text`."""

    start: int
    end: int
    text: str


def apply_splices(text: str, splices: Sequence[Splice]) -> str:
    """Return `text` with every splice applied."""
    if not splices:
        return text
    pieces: list[str] = []
    position = 0
    for splice in splices:
        pieces += (text[position : splice.start], splice.text)
        position = splice.end
    pieces.append(text[position:])
    return "".join(pieces)


def minimal_splices(before: str, after: str) -> tuple[Splice, ...]:
    """Return the splices that turn `before` into `after`.

    Lines that stay are not touched, and of changed lines only what differs.
    """
    if _is_in_a_line(before) and _is_in_a_line(after):
        # As below, at a tenth of the time: one edit may replace a hundred thousand words.
        head, tail = shared_ends(before, after)
        changed = Splice(head, len(before) - tail, after[head : len(after) - tail])
        return (changed,) if before != after else ()
    # Equal ends are the first that a difference cuts off: whole lines of them need not be split.
    head, tail = shared_ends(before, after)
    head = before.rfind("\n", 0, head) + 1
    tail_start = before.find("\n", len(before) - tail) + 1 or len(before)
    tail = len(before) - tail_start
    old, new = split_lines(before[head:tail_start]), split_lines(after[head : len(after) - tail])
    old_starts = list(accumulate(map(len, old), initial=head))
    new_starts = list(accumulate(map(len, new), initial=head))
    splices = []
    for (first, end), (new_first, new_end) in changed_ranges(old, new):
        start, stop = old_starts[first], old_starts[end]
        text = after[new_starts[new_first] : new_starts[new_end]]
        head, tail = shared_ends(before[start:stop], text)
        splices.append(Splice(start + head, stop - tail, text[head : len(text) - tail]))
    return tuple(splices)


def _is_in_a_line(text: str) -> bool:
    return "\n" not in text and "\r" not in text


def overlap(one: Sequence[Splice], other: Sequence[Splice]) -> bool:
    """Return whether two sets conflict: a character is changed by both, or both insert at one place."""
    return any(_collide(a, b) for a in one for b in other)


def merge(sets: Iterable[Sequence[Splice]]) -> tuple[Splice, ...]:
    """Return one ordered set of several that do not overlap."""
    return tuple(sorted((s for splices in sets for s in splices), key=lambda s: (s.start, s.end)))


def compose(first: Sequence[Splice], second: Sequence[Splice], length: int) -> tuple[Splice, ...]:
    """Return the one set that does to a text of `length` characters what `first` and then `second` do.

    Splices of `second` that touch text that `first` wrote are folded into those of `first`. Quadratic in the
    number of splices, which is small.
    """
    between = list(_pieces(first, length))
    pieces: list[_Piece] = []
    position = 0
    for splice in second:
        pieces += [*_cut(between, position, splice.start), splice.text]
        position = splice.end
    pieces += _cut(between, position, sys.maxsize)
    return tuple(_splices(pieces, length))


class Moves:
    """Where spans of a text are after splices of it, which are in order and do not overlap."""

    def __init__(self, splices: Sequence[Splice]) -> None:
        """Take the splices, in time linear in their number; each span then takes its logarithm."""
        self._starts = [splice.start for splice in splices]
        self._ends = [splice.end for splice in splices]
        grown = (len(splice.text) - (splice.end - splice.start) for splice in splices)
        self._grown = [0, *accumulate(grown)]

    def __call__(self, span: Span) -> Span:
        """Return where `span` is; text that was written inside it belongs to it."""
        start, end = span
        first = bisect_left(self._starts, start)
        before = self._grown[min(first, bisect_right(self._ends, start))]
        last = max(first, bisect_right(self._ends, end))
        return start + before, end + before + self._grown[last] - self._grown[first]


_Piece = Span | str
"""A run of a changed text: a span that is kept of the original, or text that was written."""


def _pieces(splices: Sequence[Splice], length: int) -> Iterator[_Piece]:
    position = 0
    for splice in splices:
        yield position, splice.start
        yield splice.text
        position = splice.end
    yield position, length


def _cut(pieces: Sequence[_Piece], start: int, end: int) -> Iterator[_Piece]:
    at = 0
    for piece in pieces:
        size = len(piece) if isinstance(piece, str) else piece[1] - piece[0]
        low, high = max(start - at, 0), min(end - at, size)
        if low < high:
            yield piece[low:high] if isinstance(piece, str) else (piece[0] + low, piece[0] + high)
        at += size


def _splices(pieces: Sequence[_Piece], length: int) -> Iterator[Splice]:
    position, written = 0, ""
    for piece in [*pieces, (length, length)]:
        if isinstance(piece, str):
            written += piece
            continue
        start, end = piece
        if start > position or written:
            yield Splice(position, start, written)
            written = ""
        position = end


def _collide(a: Splice, b: Splice) -> bool:
    if a.start == a.end and b.start == b.end:
        return a.start == b.start
    return a.start < b.end and b.start < a.end
