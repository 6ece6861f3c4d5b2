"""Anchored edits: lines before, the new text, lines after; what stands between the two is never quoted.

    src/app.py
    <<<<<<< BEFORE
    the last lines that stay above
    =======
    the new text
    =======
    the first lines that stay below
    >>>>>>> AFTER

The markers may look in all the ways in which those of SEARCH/REPLACE blocks may. As data the same edit is
`{path, before, modified, after}`, see `tool_call`.
"""

from __future__ import annotations

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats.labels import path_of_block
from patchpoint.formats.markers import Block, Kind
from patchpoint.formats.search_replace import content_of, end_of_block
from patchpoint.formats.source import Item, Reading, Source


def read_anchors(source: Source, block: Block, floor: int, known: str) -> Reading:
    """The edit that a block of anchors asks for; its path is found as that of a SEARCH/REPLACE block is."""
    end = end_of_block(source, block)
    return Reading((_item(source, block, end, floor, known),), source.span(block.opening.line, end)[1])


def _item(source: Source, block: Block, end: int, floor: int, known: str) -> Item:
    first = block.opening.line
    path, problem = path_of_block(source, first, floor, known, block.opening.said)
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


def _fault(block: Block) -> tuple[str, int] | None:
    """What keeps a block from being read, and the line on which that shows."""
    if block.closing is None:
        after = block.inside[-1].line if block.inside else block.opening.line
        return "the block is cut off; a '>>>>>>> AFTER' line was expected at its end", after
    if block.closing.kind is not Kind.AFTER:
        return "a '>>>>>>> AFTER' line was expected here", block.closing.line
    dividers = block.dividers()
    if len(dividers) != 2:
        at = dividers[2].line if len(dividers) > 2 else block.closing.line
        return f"two '=======' lines were expected, around the new text, and there are {len(dividers)}", at
    return None
