"""Whether an edit stands in the file already: a third of those that fail in other tools were sent before."""

from __future__ import annotations

from patchpoint.locate.alignment import line_similarity
from patchpoint.locate.blocks import blocks, find_of_block
from patchpoint.locate.exact import find_exact
from patchpoint.locate.source import Source
from patchpoint.locate.verdict import Find, Quote, Sweep
from patchpoint.outcome import Rung
from patchpoint.text.unicode import folded

LEAST_CHARACTERS = 12
"""A replacement with fewer characters, white space aside, may stand anywhere by chance."""

STILL_THERE = 0.8
TELLING_LINE = 6
"""A line this similar to one that the edit takes out is that line, unless it is too short to tell."""


def applied_finds(source: Source, quote: Quote, *, exactly: bool = False) -> list[Find]:
    """Where all lines of the replacement follow one another, white space and look-alikes aside.

    Failing that, where it stands to the letter, beginning or ending inside a line.

    `exactly`: only where they also have the indentation they were written with, and only when they bring a
    line that the search text has not.
    """
    replacement = Quote(quote.replace, quote.search)
    wanted = [folded(replacement.stripped[number]).strip() for number in replacement.solid]
    if sum(len("".join(line.split())) for line in wanted) < LEAST_CHARACTERS:
        return []
    if exactly and set(replacement.stripped) <= set(quote.stripped):
        return []
    finds = [
        find_of_block(source, replacement, hit, Rung.WHITESPACE)
        for hit in blocks(source.folded_text, source.solid, wanted, Sweep())
    ]
    if not finds and "\n" in quote.replace.strip("\n"):
        finds = find_exact(source, Quote(quote.replace.strip("\n"), ""), Sweep())
    finds = [find for find in finds if not _still_there(source, quote, replacement, find)]
    if exactly:
        finds = [
            find
            for find in finds
            if all(
                source.lines[pair.found[0]].rstrip() == replacement.search_lines[pair.quoted[0]].rstrip()
                for pair in find.pairs
            )
        ]
    return finds


def _still_there(source: Source, quote: Quote, replacement: Quote, find: Find) -> bool:
    """Whether a line that the edit takes out stands, or nearly so, right before or after the find."""
    taken = [line for line in quote.stripped if line and line not in replacement.stripped]
    reach = len(taken) + 1
    before = [line for line in source.stripped[max(0, find.lines[0] - 3 * reach) : find.lines[0]] if line]
    after = [line for line in source.stripped[find.lines[1] : find.lines[1] + 3 * reach] if line]
    around = before[-reach:] + after[:reach]
    return any(
        len(line) >= TELLING_LINE and line_similarity(line, other) >= STILL_THERE
        for line in taken
        for other in around
    )
