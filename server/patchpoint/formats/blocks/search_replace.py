"""SEARCH/REPLACE blocks: the search text and the replacement between conflict-style markers."""

from __future__ import annotations

import re

from patchpoint.edit import Edit, Format, Operation, Split
from patchpoint.formats.blocks.markers import Marker, MarkerBlock, MarkerKind, find_blocks
from patchpoint.formats.fences import fence_on
from patchpoint.formats.labels import path_alone, path_of_block
from patchpoint.formats.path_forms import is_path
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, Item, ReadResult
from patchpoint.text.regex import regex

_HINT = regex(r"[ \t]*:?(start_line|end_line):?[ \t]*:?[ \t]*(\d*)[ \t\r\n]*\Z", re.IGNORECASE)
_ENTITIES = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "#39": "'", "#x27": "'", "amp": "&"}
_MOST_READINGS = 20
"""A block with more possible dividers is refused: each reading is a copy of the whole block."""
_RULE = "-" * 7
_ESCAPED = regex(r"^([ \t]*)\\(?=<{7}|={7}|>{7}|-{7}|\+{7}|:(?:start|end)_line:)", re.MULTILINE)


def read_search_replace(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the block whose opening marker is at `sign`.

    An empty search text asks for a new file.
    """
    source = scan.source
    blocks = scan.once(find_blocks)
    block = blocks.get(source.line_of(sign.start))
    if block is None or block.opening.kind is not MarkerKind.SEARCH:
        return None
    end = end_of_block(source, block)
    # Below a block that is not closed, one that names no file of its own may be content of that block.
    known_path = "" if block.opening.line in scan.once(_lines_behind_open_blocks) else scan.known_path
    item = _item(source, block, end, scan.lower_bound, known_path)
    return ReadResult((item,), source.span(block.opening.line, end)[1])


def content_of(source: AnswerText, block: MarkerBlock, first: int, end: int) -> str:
    """Return the lines from `first` up to `end` of a block's content as they are meant for the file.

    The block's own indentation is removed where all of them share it, and so is the backslash that keeps a
    line from being a marker; HTML's entities are resolved where the markers are escaped as well.
    """
    content = source.content(first, end)
    indentation = block.opening.indentation
    if indentation:
        lines = source.lines[first:end]
        if all(line.startswith(indentation) for line in lines if line.strip()):
            content = "".join(line.removeprefix(indentation) for line in lines)
    if block.opening.escaped and "<" not in content and ">" not in content:
        for entity, character in _ENTITIES.items():
            content = content.replace(f"&{entity};", character)
    return _ESCAPED.sub(r"\1", content) if "\\" in content else content


def end_of_block(source: AnswerText, block: MarkerBlock) -> int:
    """Return the line behind the block; one that is cut off ends with its fence or before the next block."""
    if block.closing is not None:
        stray = block.stray
        if stray and not _fence_between(source, block.closing.line, stray.line):
            return stray.line + 1
        return block.closing.line + 1
    after = block.inside[-1].line if block.inside else block.opening.line
    for line in range(after + 1, block.limit):
        fence = fence_on(source.lines[line])
        if fence and not fence[2]:
            return line
    end = block.limit
    while end > after + 1 and _may_label(source.lines[end - 1]):
        end -= 1
    return end


def _item(source: AnswerText, block: MarkerBlock, end: int, lower_bound: int, known_path: str) -> Item:
    first = block.opening.line
    label, line_hint = _marker_label(block.opening)
    path, problem = path_of_block(source, first, lower_bound, known_path, label)
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
        if path != known_path and not is_path(path):
            message = (
                f"no file is named for this block, for {path!r} is no path; a path was expected above it"
            )
            return source.malformed(message, first, end, origin=Format.SEARCH_REPLACE)
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


def _lines_behind_open_blocks(source: AnswerText) -> frozenset[int]:
    """Return the lines on which a block begins before the one above it is closed."""
    return frozenset(block.limit for block in find_blocks(source).values() if block.closing is None)


def _may_label(line: str) -> bool:
    """Return whether a line before a block may be what names its file."""
    return not line.strip() or bool(fence_on(line)) or bool(path_alone(line))


def _fault(source: AnswerText, block: MarkerBlock) -> tuple[str, int] | None:
    """Return the fault that keeps a block from being read, and its line."""
    closing = block.closing
    dividers = block.dividers()
    if closing is None:
        after = block.inside[-1].line if block.inside else block.opening.line
        if not dividers:
            return "the block is cut off; a '=======' line was expected after its search text", after
        return "the block is cut off; a '>>>>>>> REPLACE' line was expected after its replacement", after
    if closing.kind is not MarkerKind.REPLACE:
        return "a '>>>>>>> REPLACE' line was expected here", closing.line
    if not dividers:
        return "a '=======' line was expected between the search text and the replacement", closing.line
    opening = block.opening
    for marker in block.inside:
        same = marker.indentation == opening.indentation and marker.length in (opening.length, closing.length)
        if marker.kind is MarkerKind.SEARCH and same:
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


def _fence_between(source: AnswerText, closing: int, stray: int) -> bool:
    """Return whether a fence, or no text at all, separates the closing marker from the stray one."""
    between = [source.bare(line) for line in range(closing + 1, stray)]
    return not any(between) or any(fence_on(line) for line in between)


def _after_hints(source: AnswerText, first: int, end: int) -> tuple[int, int | None]:
    """Return the line on which the search text begins, and the line number in the hints before it."""
    named: int | None = None
    line = first
    while line < end:
        hint = _HINT.match(source.lines[line])
        if hint and (hint[1].casefold() == "start_line" or line > first):
            if hint[1].casefold() == "start_line" and hint[2]:
                named = int(hint[2])
        elif not (line > first and source.bare(line) == _RULE):
            break
        line += 1
    return line, named


def _marker_label(opening: Marker) -> tuple[str, int | None]:
    """Return the path and the line number in the label of the opening marker."""
    label = opening.label
    number = re.search(r"(\d+)\Z", label)
    if number and re.fullmatch(r"(?:(?:start_)?line)?[ \t:=]*\d+", label, re.IGNORECASE):
        return "", int(number[1]) or None
    return label, None
