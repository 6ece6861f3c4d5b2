"""Offsets and the (line, character) positions that an editor counts in units of its own.

An editor counts the characters of a line in one unit: bytes of UTF-8, code units of UTF-16 or code points.
Nothing here raises for a position that is not in the text: it is clamped, as editors expect.
"""

from __future__ import annotations

from bisect import bisect_right
from enum import Enum
from typing import NamedTuple

from patchpoint.text.lines import LineTable, Span, without_ending


class Unit(str, Enum):
    """The unit in which an editor counts the characters of a line; the values are the protocol's."""

    UTF_8 = "utf-8"
    UTF_16 = "utf-16"
    UTF_32 = "utf-32"


class EditorPosition(NamedTuple):
    """A place in a text as editors count: a 0-based line, and units from the start of the line."""

    line: int
    character: int


def offset_at(table: LineTable, line: int, character: int, unit: Unit) -> int:
    """Return the offset of a position.

    Past the end of a line it is the end of that line, before its ending; past the last line it is the end of
    the text. A position inside a character (half of a surrogate pair) is the start of that character.
    """
    if line < 0:
        return 0
    start = table.line_start(line)
    if character <= 0:
        return start
    content = without_ending(table.line_text(line))
    if unit is Unit.UTF_32 or content.isascii():
        return start + min(character, len(content))
    # `width` grows with the length of the prefix, so the longest one that fits is found by bisection.
    lengths = range(1, len(content) + 1)
    return start + bisect_right(lengths, character, key=lambda length: width(content[:length], unit))


def position_at(table: LineTable, offset: int, unit: Unit) -> EditorPosition:
    r"""Return the position of `offset`; between `\r` and `\n`, which no position names, that of the `\r`."""
    offset = min(max(offset, 0), table.length)
    line = table.line_of(offset)
    content = without_ending(table.line_text(line))
    return EditorPosition(line, width(content[: offset - table.line_start(line)], unit))


def width(text: str, unit: Unit) -> int:
    """Return the length of `text` in units."""
    if unit is Unit.UTF_32 or text.isascii():
        return len(text)
    if unit is Unit.UTF_8:
        return len(text.encode("utf-8", "surrogatepass"))
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def widen_to_whole_endings(text: str, span: Span, new: str) -> tuple[Span, str]:
    r"""Return the same replacement, widened so that neither end of `span` lies between a `\r` and its `\n`.

    No position names that place, so an edit there can only be sent to an editor with the whole ending.
    """
    start, end = span
    if _splits_ending(text, end):
        new += "\n"
        end += 1
    if _splits_ending(text, start):
        start -= 1
        new = "\r" + new
    return (start, end), new


def _splits_ending(text: str, offset: int) -> bool:
    return 0 < offset < len(text) and text[offset - 1] == "\r" and text[offset] == "\n"
