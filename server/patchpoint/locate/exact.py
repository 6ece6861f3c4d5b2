"""The exact rung: the search text as it stands, character for character.

It forgives nothing but the difference between line endings. It costs one pass of `str.find` over the text.
Occurrences that overlap count, as in Crush and Zed: a search for `aa` in `aaa` has two places.
"""

from __future__ import annotations

from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Find, Pair, Quote
from patchpoint.outcome import Rung


def find_exact(source: Source, quote: Quote) -> list[Find]:
    """Every place where the search text stands literally, in order, overlapping ones included."""
    finds = []
    at = source.plain.find(quote.search)
    line, counted = 0, 0
    while at >= 0:
        line += source.plain.count("\n", counted, at)
        counted = at
        end = at + len(quote.search)
        lines = (line, line + quote.search.count("\n", 0, -1) + 1)
        pairs = _pairs_of_unindented(source, quote, at, end, lines)
        span = source.whole_lines(*lines) if pairs else (at, end)
        finds.append(
            Find(rung=Rung.EXACT, similarity=1.0, span=span, lines=lines, quote=quote, pairs=pairs),
        )
        at = source.plain.find(quote.search, at + 1)
    return finds


def _pairs_of_unindented(
    source: Source, quote: Quote, start: int, end: int, lines: tuple[int, int]
) -> tuple[Pair, ...]:
    """The lines of a find whose first line was quoted without its indentation, if that harms the replacement.

    Such a search is literally there, and yet a replacement of several lines would lose its depth.
    """
    if "\n" not in quote.replace.rstrip("\n"):
        return ()
    line_start = source.plain.rfind("\n", 0, start) + 1
    depth = source.plain[line_start:start]
    if not depth or not depth.isspace() or quote.search[0].isspace():
        return ()
    if quote.search[-1] != "\n" and source.plain[end : end + 1] not in ("\n", ""):
        return ()
    shallower = [line for line in quote.replace_lines[1:] if line.strip() and not line.startswith(depth)]
    if not shallower or (len(quote.solid) == 1 and any(indentation(line) >= depth for line in shallower)):
        return ()
    return tuple(
        Pair((number, number + 1), (lines[0] + number, lines[0] + number + 1))
        for number in range(len(quote.search_lines))
    )
