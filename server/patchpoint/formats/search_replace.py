"""SEARCH/REPLACE blocks: the search text and the replacement between conflict-style markers."""

from __future__ import annotations

import re

from patchpoint.edit import Edit, Format, Operation, Split
from patchpoint.formats.fences import FENCE
from patchpoint.formats.labels import path_alone, path_of_block
from patchpoint.formats.markers import Block, Kind, Marker
from patchpoint.formats.source import Item, Reading, Source

_HINT = re.compile(r"[ \t]*:?(start_line|end_line):?[ \t]*:?[ \t]*(\d*)[ \t\r\n]*\Z", re.IGNORECASE)
_ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#39|#x27);")
_CHARACTERS = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'", "#39": "'", "#x27": "'"}
_MOST_READINGS = 20
"""A block with more possible dividers is refused: each reading is a copy of the whole block."""
_RULE = re.compile(r"[ \t]*-{7}[ \t\r\n]*\Z")
_ESCAPED = re.compile(r"^([ \t]*)\\(?=<{7}|={7}|>{7}|-{7}|\+{7}|:(?:start|end)_line:)", re.MULTILINE)


def read_block(source: Source, block: Block, floor: int, known: str) -> Reading:
    """The edit that a SEARCH/REPLACE block asks for.

    Its path is looked for above it, no higher than line `floor`; failing that it is `known`. An empty search
    text asks for a new file.
    """
    first = block.opening.line
    end = end_of_block(source, block)
    return Reading((_item(source, block, end, floor, known),), source.span(first, end)[1])


def content_of(source: Source, block: Block, first: int, end: int) -> str:
    """The lines from `first` up to `end` of a block's content as they are meant to stand in the file.

    Without the block's own indentation where all of them share it, without the backslash that keeps a line
    from being a marker, and with HTML's entities resolved where the markers are escaped as well.
    """
    content = source.content(first, end)
    margin = block.opening.margin
    if margin:
        lines = source.lines[first:end]
        if all(line.startswith(margin) for line in lines if line.strip()):
            content = "".join(line.removeprefix(margin) for line in lines)
    if block.opening.escaped and "<" not in content and ">" not in content:
        content = _ENTITY.sub(lambda entity: _CHARACTERS[entity[1]], content)
    return _ESCAPED.sub(r"\1", content) if "\\" in content else content


def end_of_block(source: Source, block: Block) -> int:
    """The line behind the block; one that is cut off reaches to the end of its fence or the next block."""
    if block.closing is not None:
        stray = block.stray
        if stray and not _fence_between(source, block.closing.line, stray.line):
            return stray.line + 1
        return block.closing.line + 1
    after = block.inside[-1].line if block.inside else block.opening.line
    for line in range(after + 1, block.limit):
        fence = FENCE.match(source.lines[line])
        if fence and not fence[2]:
            return line
    end = block.limit
    while end > after + 1 and _may_label(source.lines[end - 1]):
        end -= 1
    return end


def _item(source: Source, block: Block, end: int, floor: int, known: str) -> Item:
    first = block.opening.line
    beside, line_hint = _said_beside(block.opening)
    path, problem = path_of_block(source, first, floor, known, beside)
    fault = _fault(source, block)
    if fault:
        message, at = fault
        return source.malformed(message, first, end, at=at, path=path, origin=Format.SEARCH_REPLACE)
    if not path:
        return source.malformed(problem, first, end, origin=Format.SEARCH_REPLACE)
    assert block.closing is not None
    body, hinted = _after_hints(source, first + 1, block.closing.line)
    dividers = [divider for divider in block.dividers() if divider.line >= body]
    if len(dividers) > _MOST_READINGS:
        message = f"{len(dividers)} lines may each be the divider; a backslash was expected before the others"
        return source.malformed(message, first, end, at=body, path=path, origin=Format.SEARCH_REPLACE)
    splits = tuple(
        Split(
            content_of(source, block, body, d.line), content_of(source, block, d.line + 1, block.closing.line)
        )
        for d in dividers
    )
    if not splits:
        message = "a divider was expected after the search text"
        return source.malformed(message, first, end, at=body, path=path, origin=Format.SEARCH_REPLACE)
    span = source.span(first, end)
    search, replacement = splits[0].search, splits[0].replace
    if len(splits) == 1 and not search.strip():
        return Edit(
            path=path,
            operation=Operation.CREATE,
            content=replacement,
            format=Format.SEARCH_REPLACE,
            span=span,
        )
    return Edit(
        path=path,
        search=search,
        replace=replacement,
        line=hinted or line_hint,
        splits=splits if len(splits) > 1 else (),
        format=Format.SEARCH_REPLACE,
        span=span,
    )


def _may_label(line: str) -> bool:
    """Whether a line before a block may be what names its file."""
    return not line.strip() or bool(FENCE.match(line)) or bool(path_alone(line))


def _fault(source: Source, block: Block) -> tuple[str, int] | None:
    """What keeps a block from being read, and the line on which that shows."""
    closing = block.closing
    dividers = block.dividers()
    if closing is None:
        after = block.inside[-1].line if block.inside else block.opening.line
        if not dividers:
            return "the block is cut off; a '=======' line was expected after its search text", after
        return "the block is cut off; a '>>>>>>> REPLACE' line was expected after its replacement", after
    if closing.kind is not Kind.REPLACE:
        return "a '>>>>>>> REPLACE' line was expected here", closing.line
    if not dividers:
        return "a '=======' line was expected between the search text and the replacement", closing.line
    opening = block.opening
    for marker in block.inside:
        same = marker.margin == opening.margin and marker.length in (opening.length, closing.length)
        if marker.kind is Kind.SEARCH and same:
            return (
                "a block begins inside the one begun above; a '>>>>>>> REPLACE' line was expected before it, "
                "or a backslash before each marker line that is content"
            ), marker.line
    if block.stray and not _fence_between(source, closing.line, block.stray.line):
        return (
            "this block is closed twice; a backslash was expected before each marker line that is content",
            block.stray.line,
        )
    return None


def _fence_between(source: Source, closing: int, stray: int) -> bool:
    """Whether the second closing marker plainly is not the block's: behind a fence, or next to the first."""
    between = [source.bare(line) for line in range(closing + 1, stray)]
    return not any(between) or any(FENCE.match(line) for line in between)


def _after_hints(source: Source, first: int, end: int) -> tuple[int, int | None]:
    """The line on which the search text begins, and the line of the file that the lines before it name."""
    named: int | None = None
    line = first
    while line < end:
        hint = _HINT.match(source.lines[line])
        if hint and (hint[1].casefold() == "start_line" or line > first):
            if hint[1].casefold() == "start_line" and hint[2]:
                named = int(hint[2])
        elif not (line > first and _RULE.match(source.lines[line])):
            break
        line += 1
    return line, named


def _said_beside(opening: Marker) -> tuple[str, int | None]:
    """The path and the line that stand beside the opening marker."""
    said = opening.said
    number = re.search(r"(\d+)\Z", said)
    if number and re.fullmatch(r"(?:(?:start_)?line)?[ \t:=]*\d+", said, re.IGNORECASE):
        return "", int(number[1]) or None
    return said, None
