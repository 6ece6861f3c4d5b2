"""Lines that occur once in the file, and so say where an edit belongs that changes them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find
from patchpoint.text.lookalikes import folded

TELLING_LINE = 6
"""A line with fewer characters, or without a word, occurs once by chance."""

_WORD = re.compile(r"\w{2}")


def is_elsewhere(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether a line that the edit changes occurs once in the file, and not where it would be changed.

    For an insertion, the quoted lines next to it count.
    """
    partners = {line: pair.found for pair in find.pairs for line in range(*pair.quoted)}
    for hunk in hunks:
        for line in _deciding_lines(find, hunk):
            place = only_place(source, find.quote.stripped[line])
            if place is None:
                continue
            start, end = partners.get(line, (0, 0))
            if not start <= place < end:
                return True
    return False


def only_place(source: SourceText, text: str) -> int | None:
    """Return the number of the one file line that is equal to a stripped, telling line; `None` otherwise."""
    text = folded(text).strip()
    if len(text) < TELLING_LINE or not _WORD.search(text):
        return None
    places = source.places.get(text, ())
    return source.solid[places[0]] if len(places) == 1 else None


def _deciding_lines(find: Find, hunk: SearchHunk) -> list[int]:
    """Return the search lines that say where a hunk goes: those it changes, or its neighbours."""
    changed = [line for line in find.quote.solid if hunk.quoted[0] <= line < hunk.quoted[1]]
    if changed:
        return changed
    before = [line for line in find.quote.solid if line < hunk.quoted[0]][-1:]
    after = [line for line in find.quote.solid if line >= hunk.quoted[1]][:1]
    return before + after
