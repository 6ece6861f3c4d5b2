"""The indentation rung: whole lines that differ only in their indentation.

It tolerates a block quoted at another depth (the commonest failure of today's best models is one tab too
shallow), tabs for spaces and back, a first line that lost its indentation and, last, lines indented unevenly.
Blocks whose depths correspond line by line come before uneven ones, and those with the blank lines as quoted
before others. The replacement is re-indented by the same correspondence
(`patchpoint.patching.merging.reindent`). It costs what the whitespace rung costs.
"""

from __future__ import annotations

from patchpoint.locate.rungs.line_blocks import (
    LineBlock,
    blocks,
    find_of_block,
    one_depth_each,
    same_blank_lines,
    strictest,
)
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit
from patchpoint.outcome import Rung


def find_indentation(source: SourceText, quote: Quote, limit: SearchLimit) -> list[Find]:
    """Return the blocks that are equal but for their indentation, of the strictest class there is."""
    hits = blocks(source.solid_text, source.solid, quote.solid_lines, limit)

    def depths_correspond(block: LineBlock) -> bool:
        return one_depth_each(source, quote, block)

    def as_quoted(block: LineBlock) -> bool:
        return same_blank_lines(quote, block)

    chosen = strictest(hits, depths_correspond, as_quoted)
    return [find_of_block(source, quote, hit, Rung.INDENTATION) for hit in chosen]
