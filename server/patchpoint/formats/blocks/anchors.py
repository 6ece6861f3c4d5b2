"""Anchored edits: lines before, the new text, lines after; the text between them is never quoted.

    src/app.py
    <<<<<<< BEFORE
    the last lines that stay above
    =======
    the new text
    =======
    the first lines that stay below
    >>>>>>> AFTER

The markers are written in all the ways in which those of SEARCH/REPLACE blocks are. As data the same edit is
`{path, before, modified, after}`, see `tool_calls`.
"""

from __future__ import annotations

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.blocks.markers import MarkerBlock, MarkerKind, find_blocks
from patchpoint.formats.blocks.search_replace import content_of, end_of_block
from patchpoint.formats.labels import path_of_block
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult


def read_anchors(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the block of anchors whose opening marker is at `sign`."""
    source = scan.source
    block = scan.once(find_blocks).get(source.line_of(sign.start))
    if block is None or block.opening.kind is not MarkerKind.BEFORE:
        return None
    end = end_of_block(source, block)
    item = _item(source, block, end, scan.lower_bound, scan.known_path)
    return ReadResult((item,), source.span(block.opening.line, end)[1])


def _item(source: AnswerText, block: MarkerBlock, end: int, lower_bound: int, known_path: str) -> Item:
    first = block.opening.line
    path, problem = path_of_block(source, first, lower_bound, known_path, block.opening.label)
    message, at = _fault(block) or (problem, first)
    if message:
        return source.malformed(message, first, end, at=at, path=path, origin=Format.ANCHORS)
    assert block.closing is not None
    upper, lower = (divider.line for divider in block.dividers())
    before = content_of(source, block, first + 1, upper)
    after = content_of(source, block, lower + 1, block.closing.line)
    if not before.strip() or not after.strip():
        message = "lines of the file were expected both before and after the new text"
        return source.malformed(message, first, end, path=path, origin=Format.ANCHORS)
    return Edit(
        path=path,
        operation=Operation.BETWEEN,
        before=before,
        after=after,
        replace=content_of(source, block, upper + 1, lower),
        format=Format.ANCHORS,
        span=source.span(first, end),
    )


def _fault(block: MarkerBlock) -> tuple[str, int] | None:
    """Return the fault that keeps a block from being read, and its line."""
    if block.closing is None:
        after = block.inside[-1].line if block.inside else block.opening.line
        return "the block is cut off; a '>>>>>>> AFTER' line was expected at its end", after
    if block.closing.kind is not MarkerKind.AFTER:
        return "a '>>>>>>> AFTER' line was expected here", block.closing.line
    dividers = block.dividers()
    if len(dividers) != 2:
        at = dividers[2].line if len(dividers) > 2 else block.closing.line
        return f"two '=======' lines were expected, around the new text, and there are {len(dividers)}", at
    return None
