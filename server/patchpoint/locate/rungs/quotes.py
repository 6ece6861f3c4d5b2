"""The quotes rung: the same text but for the kind of its quotation marks, `'` for `"` and back.

A formatter makes one kind of all strings, and models write the other one. Curly quotes count as the straight
ones that they stand for, as on the Unicode rung. A search text without quotation marks costs nothing; another
one costs one pass over the text.
"""

from __future__ import annotations

from itertools import islice

from patchpoint.locate.rungs.exact import cuts_word
from patchpoint.locate.rungs.line_blocks import blocks, finds_of_lines
from patchpoint.locate.rungs.lookalikes import completed
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung

_ONE_KIND = {ord('"'): "'"}


def find_quotes(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the whole lines that are equal but for their quotes, or else parts of lines."""
    wanted = [line.translate(_ONE_KIND) for line in quote.folded]
    if not any("'" in line for line in wanted) or not any(map(str.isalnum, quote.search)):
        return []
    hits = blocks(source.folded_text.translate(_ONE_KIND), source.solid, wanted, limit)
    return finds_of_lines(source, quote, hits, Rung.QUOTES) or _parts_of_lines(source, quote, limit)


def _parts_of_lines(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the parts of lines that have other quotes, no word cut; several lines only match as a whole."""
    quoted = quote.search.strip("\n")
    if "\n" in quoted:
        return []
    text, part = source.plain.translate(_ONE_KIND), quoted.translate(_ONE_KIND)
    return [
        completed(source, quote, at, at + len(part), Rung.QUOTES)
        for at in islice(limit.places(text, part), limit.most)
        if not cuts_word(text, (at, at + len(part)))
    ]
