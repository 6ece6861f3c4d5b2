"""The exact rung: the search text as it stands, character for character.

It forgives nothing but the difference between line endings. It costs one pass of `str.find` over the text.
Occurrences that overlap count, as in Crush and Zed: a search for `aa` in `aaa` has two places.
"""

from __future__ import annotations

from patchpoint.locate.source import Source, indentation
from patchpoint.locate.verdict import Find, Pair, Quote, Sweep, line_pair
from patchpoint.outcome import Rung


def find_exact(source: Source, quote: Quote, sweep: Sweep) -> list[Find]:
    """Every place where the search text stands literally, in order, overlapping ones included."""
    finds: list[Find] = []
    at = source.plain.find(quote.search)
    while at >= 0 and len(finds) < sweep.most:
        end = at + len(quote.search)
        pairs = _pairs_of_unindented(source, quote, at, end)
        if pairs:
            finds.append(Find.of_lines(source, quote, Rung.EXACT, pairs))
        else:
            finds.append(Find(source=source, rung=Rung.EXACT, similarity=1.0, span=(at, end), quote=quote))
        at = source.plain.find(quote.search, at + sweep.step(len(quote.search)))
    return finds


def _pairs_of_unindented(source: Source, quote: Quote, start: int, end: int) -> tuple[Pair, ...]:
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
    first = source.line_of(start)
    return tuple(line_pair(number, first + number) for number in range(len(quote.search_lines)))
