"""Sets of splices over one text: applied, composed, compared, and what they do to positions.

A set is ordered by position and disjoint; its offsets are those of the text before any of it is applied.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class Splice:
    """One minimal change: the characters from `start` to `end` of a text become `text`."""

    start: int
    end: int
    text: str


def apply_splices(text: str, splices: Sequence[Splice]) -> str:
    """`text` with every splice applied; nothing else of it changes."""
    if not splices:
        return text
    pieces: list[str] = []
    position = 0
    for splice in splices:
        pieces += (text[position : splice.start], splice.text)
        position = splice.end
    pieces.append(text[position:])
    return "".join(pieces)


def overlap(one: Sequence[Splice], other: Sequence[Splice]) -> bool:
    """Whether two sets cannot both be applied to the text without one deciding for the other.

    They can when no character is changed by both, and neither inserts where the other inserts.
    """
    return any(_collide(a, b) for a in one for b in other)


def merge(sets: Iterable[Sequence[Splice]]) -> tuple[Splice, ...]:
    """One ordered set out of several that do not overlap."""
    return tuple(sorted((s for splices in sets for s in splices), key=lambda s: (s.start, s.end)))


def compose(first: Sequence[Splice], second: Sequence[Splice], length: int) -> tuple[Splice, ...]:
    """The one set that does to a text of `length` characters what `first` and then `second` do.

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


def moved_span(span: Span, splices: Sequence[Splice]) -> Span:
    """Where `span` of the text before stands in the text after; what was written inside it belongs to it."""
    start, end = span
    before = sum(len(s.text) - (s.end - s.start) for s in splices if s.end <= start and s.start < start)
    within = sum(len(s.text) - (s.end - s.start) for s in splices if s.start >= start and s.end <= end)
    return start + before, end + before + within


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
