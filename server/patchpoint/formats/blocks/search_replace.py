"""Blocks between conflict-style markers: what is replaced and by what, or what is around the new text.

    src/app.py                                src/app.py
    <<<<<<< SEARCH                            <<<<<<< BEFORE
    the lines that are replaced               the last lines that stay above
    =======                                   =======
    the new lines                             the new text
    >>>>>>> REPLACE                           =======
                                              the first lines that stay below
                                              >>>>>>> AFTER

An empty search text asks for a new file. The text between anchors is never quoted; as data the same edit is
`{path, before, modified, after}`, see `tool_calls`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Split
from patchpoint.formats.blocks.markers import OPENING, Marker, MarkerBlock, find_blocks
from patchpoint.formats.fences import fence_on, without_margin
from patchpoint.formats.labels import path_alone, path_of_block
from patchpoint.formats.path_forms import is_path
from patchpoint.formats.scan import TextScan
from patchpoint.formats.signs import Sign
from patchpoint.formats.source import AnswerText, ReadResult
from patchpoint.text.regex import regex

_HINTS = regex(
    r"[ \t]*:?start_line:?[ \t]*:?[ \t]*(?P<line>\d*)[ \t\r]*\n"
    r"(?:[ \t]*:?end_line:?[ \t]*:?[ \t]*\d*[ \t\r]*\n)?(?:[ \t]*-{7}[ \t\r]*\n)?",
    re.IGNORECASE,
)
"""The lines above a search text that say where it is."""
_ENTITIES = {"lt": "<", "gt": ">", "quot": '"', "apos": "'", "#39": "'", "#x27": "'", "amp": "&"}
_MOST_READINGS = 20
"""A block with more possible dividers is refused: each reading is a copy of the whole block."""
_ESCAPED = regex(r"^([ \t]*)\\(?=<{7}|={7}|>{7}|-{7}|\+{7}|:(?:start|end)_line:)", re.MULTILINE)

_Fault = tuple[str, int]
"""What is wrong with a block, and the line on which it is."""


def read_search_replace(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the block of a search text and its replacement whose opening marker is at `sign`."""
    return _read(scan, sign, Format.SEARCH_REPLACE)


def read_anchors(scan: TextScan, sign: Sign) -> ReadResult | None:
    """Read the block of anchors whose opening marker is at `sign`."""
    return _read(scan, sign, Format.ANCHORS)


def _read(scan: TextScan, sign: Sign, origin: Format) -> ReadResult | None:
    source = scan.source
    block = scan.once(find_blocks).get(source.line_of(sign.start))
    if block is None or block.opening.is_anchor is not (origin is Format.ANCHORS):
        return None
    first, end = block.opening.line, _end_of_block(source, block)
    # Below a block that is not closed, one that names no file of its own may be content of that block.
    known_path = "" if first in scan.once(_lines_behind_open_blocks) else scan.known_path
    path, problem = path_of_block(
        source, first, scan.lower_bound, known_path, (block.opening.parts["label"] or "").strip(":")
    )
    found: Edit | _Fault = _fault(source, block) or (problem, first)
    if found == ("", first):
        dividers = [divider.line for divider in block.dividers()]
        found = (_between if block.opening.is_anchor else _replacement)(source, block, dividers)
    is_created = isinstance(found, Edit) and found.operation is Operation.CREATE
    if is_created and path != known_path and not is_path(path):
        problem = f"no file is named for this block, for {path!r} is no path; a path was expected above it"
        found, path = (problem, first), ""
    if isinstance(found, Edit):
        item = replace(found, path=path, format=origin, span=source.span(first, end))
        return ReadResult((item,), item.span[1])
    message, at = found
    malformed = source.malformed(message, first, end, at=at, path=path, origin=origin)
    return ReadResult((malformed,), malformed.span[1])


def _replacement(source: AnswerText, block: MarkerBlock, dividers: Sequence[int]) -> Edit | _Fault:
    """Return the edit of a search text and its replacement, with each reading that its dividers leave."""
    first = block.opening.line + 1
    hints = _HINTS.match(source.text, source.starts[first], source.starts[dividers[0]])
    first, hinted = (source.line_of(hints.end()), hints["line"]) if hints else (first, "")
    if len(dividers) > _MOST_READINGS:
        return (
            f"{len(dividers)} lines may each be the divider; a backslash was expected before the others",
            first,
        )
    splits = tuple(
        Split(_content_of(source, block, first, at), _content_of(source, block, at + 1)) for at in dividers
    )
    search, replacement = splits[0].search, splits[0].replace
    if len(splits) == 1:
        if not search.strip():
            return Edit(path="", operation=Operation.CREATE, content=replacement)
        splits = ()
    line = int(hinted or block.opening.parts["number"] or 0) or None
    return Edit(path="", search=search, replace=replacement, line=line, splits=splits)


def _between(source: AnswerText, block: MarkerBlock, dividers: Sequence[int]) -> Edit | _Fault:
    """Return the edit of lines before, the new text, and lines after."""
    first, (upper, lower) = block.opening.line, dividers
    before = _content_of(source, block, first + 1, upper)
    after = _content_of(source, block, lower + 1)
    if not before.strip() or not after.strip():
        return "lines of the file were expected both before and after the new text", first
    new = _content_of(source, block, upper + 1, lower)
    return Edit(path="", operation=Operation.BETWEEN, before=before, after=after, replace=new)


def _content_of(source: AnswerText, block: MarkerBlock, first: int, end: int | None = None) -> str:
    """Return the lines from `first` up to `end`, or to the closing marker, as they are meant for the file.

    The block's own indentation is removed where all of them share it, and so is the backslash that keeps a
    line from being a marker; HTML's entities are resolved where the markers are escaped as well.
    """
    lines = source.lines[first : block.limit - 1 if end is None else end]
    content = "".join(without_margin(lines, block.opening.family[1]))
    if block.opening.is_escaped and "<" not in content and ">" not in content:
        for entity, character in _ENTITIES.items():
            content = content.replace(f"&{entity};", character)
    return _ESCAPED.sub(r"\1", content) if "\\" in content else content


def _end_of_block(source: AnswerText, block: MarkerBlock) -> int:
    """Return the line behind the block; one that is cut off ends with its fence or before the next block."""
    if block.closing is not None:
        stray = _stray_of(source, block)
        return block.limit if stray is None else stray.line + 1
    after = _last_marker(block).line + 1
    fences = (
        row for row in range(after, block.limit) if (fence := fence_on(source.lines[row])) and not fence[2]
    )
    end = next(fences, block.limit)
    while end == block.limit and end > after and _may_label(source.lines[end - 1]):
        end -= 1
    return end


def _lines_behind_open_blocks(source: AnswerText) -> frozenset[int]:
    """Return the lines on which a block begins before the one above it is closed."""
    return frozenset(block.limit for block in find_blocks(source).values() if block.closing is None)


def _may_label(line: str) -> bool:
    """Return whether a line before a block may be what names its file."""
    return not line.strip() or bool(fence_on(line)) or bool(path_alone(line))


def _last_marker(block: MarkerBlock) -> Marker:
    return (block.opening, *block.inside)[-1]


def _fault(source: AnswerText, block: MarkerBlock) -> _Fault | None:
    """Return the fault that keeps a block from being read."""
    opening, closing, dividers = block.opening, block.closing, block.dividers()
    is_anchor = opening.is_anchor
    closes = f"a '>>>>>>> {'AFTER' if is_anchor else 'REPLACE'}' line was expected"
    if closing is None:
        missing = f"{closes} {'at its end' if is_anchor else 'after its replacement'}"
        if not dividers and not is_anchor:
            missing = "a '=======' line was expected after its search text"
        return f"the block is cut off; {missing}", _last_marker(block).line
    if closing.is_anchor is not is_anchor:
        return f"{closes} here", closing.line
    if is_anchor and len(dividers) != 2:
        message = f"two '=======' lines were expected, around the new text, and there are {len(dividers)}"
        return message, (*dividers[2:], closing)[0].line
    if not dividers:
        return "a '=======' line was expected between the search text and the replacement", closing.line
    for marker in block.inside:
        is_same = marker.kind == OPENING and marker.family == opening.family
        if is_same and marker.length in (opening.length, closing.length):
            return (
                f"a block begins inside the one begun above; {closes} before it, "
                "or a backslash before each marker line that is content"
            ), marker.line
    if (stray := _stray_of(source, block)) is None:
        return None
    return (
        "this block is closed twice; a backslash was expected before each marker line that is content",
        stray.line,
    )


def _stray_of(source: AnswerText, block: MarkerBlock) -> Marker | None:
    """Return the closing marker behind a closed block, unless nothing is between them."""
    stray = block.stray
    return stray if stray and source.content(block.limit, stray.line).strip() else None
