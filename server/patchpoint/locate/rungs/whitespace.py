"""The whitespace rung: whole lines that differ only in trailing white space and in blank lines.

It tolerates white space at the ends of lines, blank lines at the edges of the search text, a missing line
ending at the end of the file and, when nothing matches with the blank lines as quoted, more or fewer blank
lines in between. Every public tool has a form of it (Codex: `trim_end`; aider: whole lines). It costs one
pass over the lines, shared with the indentation rung.
"""

from __future__ import annotations

from patchpoint.locate.rungs.line_blocks import (
    LineBlock,
    blocks,
    find_of_block,
    same_blank_lines,
    same_text,
    strictest,
)
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung


def find_whitespace(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the blocks that are indented as quoted; those with the same blank lines, if there are any."""
    hits = blocks(source.solid_text, source.solid, quote.solid_lines, limit)
    hits = [hit for hit in hits if same_text(source, quote, hit)]

    def as_quoted(block: LineBlock) -> bool:
        return same_blank_lines(quote, block)

    return [find_of_block(source, quote, hit, Rung.WHITESPACE) for hit in strictest(hits, as_quoted)]
