"""The token rung: the same tokens, wrapped over lines and spaced differently.

It tolerates what a formatter changes: a call wrapped over other lines, spaces around operators, a trailing
comma before a closing bracket. Both sides are compared without any white space, from the beginning of a
line to the end of one, and then token by token, so that two words never run together. It costs one pass
over the text, paid only when every word of the search text is in the file at all.
"""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate

from patchpoint.locate.rungs.line_blocks import with_blank_lines
from patchpoint.locate.source import TRAILING_COMMA, SourceText, squeezed
from patchpoint.locate.verdict import Find, Pair, Quote, SearchLimit
from patchpoint.outcome import Rung
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import TOKEN, WORD

LEAST_CHARACTERS = 8
"""A search text with fewer characters, white space aside, says too little about a place."""

MOST_SEARCHES = 100
"""The most lines and the most words that are each searched for in the whole file, before it is squeezed."""


def find_tokens(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the runs of whole lines that have the search text's tokens."""
    if not _may_be_there(source, quote):
        return []
    wanted_lines = squeezed(quote.folded)
    wanted = "".join(wanted_lines)
    if len(wanted) < LEAST_CHARACTERS:
        return []
    if wanted.replace(",", "") not in source.signs or wanted not in source.squeezed_text:
        return []
    lines, text, starts = source.squeezed, source.squeezed_text, source.squeezed_starts
    tokens = TOKEN.findall(TRAILING_COMMA.sub("", folded(quote.search)))
    finds: list[Find] = []
    for at in limit.places(text, wanted):
        end = at + len(wanted)
        first, last = bisect_right(starts, at) - 1, bisect_right(starts, end) - 1
        if starts[first] == at and starts[last] == end:
            numbers = source.solid[first:last]
            found = " ".join(source.folded[number] for number in numbers)
            if _without_commas(TOKEN.findall(found)) == _without_commas(tokens):
                finds.append(_find_of_lines(source, quote, wanted_lines, numbers, lines[first:last]))
        if len(finds) == limit.most:
            break
    return finds


def _may_be_there(source: SourceText, quote: Quote) -> bool:
    """Return whether the file has the words of the search lines that are not in it as they are written.

    Each is searched for in the whole text, so there are only as many as a short search text has.
    """
    lines = quote.folded
    if len(lines) > MOST_SEARCHES:
        known = set(source.folded_text.split("\n"))
        drifted = [line for line in lines if line not in known]
    else:
        drifted = [line for line in lines if f"\n{line}\n" not in source.folded_text]
    words = sorted({word for line in drifted for word in WORD.findall(line)}, key=len, reverse=True)
    return all(word in source.folded_text for word in words[:MOST_SEARCHES])


def _find_of_lines(
    source: SourceText, quote: Quote, wanted: list[str], numbers: list[int], lines: list[str]
) -> Find:
    """Return the find, its lines paired run by run: a run ends where a line ends on both sides."""
    quoted_ends = list(accumulate(map(len, wanted)))
    found_ends = list(accumulate(map(len, lines)))
    pairs = []
    quoted = found = 0
    for end in sorted(set(quoted_ends) & set(found_ends)):
        next_quoted, next_found = bisect_right(quoted_ends, end), bisect_right(found_ends, end)
        pairs.append(
            Pair(
                (quote.solid[quoted], quote.solid[next_quoted - 1] + 1),
                (numbers[found], numbers[next_found - 1] + 1),
            )
        )
        quoted, found = next_quoted, next_found
    return Find.of_lines(source, quote, Rung.TOKENS, with_blank_lines(source, quote, pairs))


def _without_commas(tokens: list[str]) -> list[str]:
    return [
        token
        for number, token in enumerate(tokens)
        if token != "," or tokens[number + 1 : number + 2] not in ([")"], ["]"], ["}"])
    ]
