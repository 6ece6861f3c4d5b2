"""Offsets of a text to the client's positions and back, for the types of the Language Server Protocol."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from lsprotocol import types

from patchpoint.schema.ranges import RangeData
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.positions import Unit, offset_at, position_at, widen_to_whole_endings
from patchpoint.text.splice import Splice


def position_of(table: LineTable, offset: int, unit: Unit) -> types.Position:
    """Return the client's position of `offset`."""
    line, character = position_at(table, offset, unit)
    return types.Position(line=line, character=character)


def range_of(table: LineTable, span: Span, unit: Unit) -> types.Range:
    """Return the client's range of `span`."""
    return types.Range(start=position_of(table, span[0], unit), end=position_of(table, span[1], unit))


def span_of(table: LineTable, given: types.Range | RangeData, unit: Unit) -> Span:
    """Return the span of the client's range `given`, clamped to the text and put in order."""
    start = offset_at(table, given.start.line, given.start.character, unit)
    end = offset_at(table, given.end.line, given.end.character, unit)
    return min(start, end), max(start, end)


def text_edits(table: LineTable, splices: Sequence[Splice], unit: Unit) -> list[types.TextEdit]:
    r"""Return ordered, disjoint splices as the text edits of one document.

    No position lies between `\r` and `\n`, so a splice that begins or ends there is widened to the whole line
    ending, and splices that then meet are sent as one. What is inserted after the last line takes that line's
    ending into its range.
    """
    return [
        types.TextEdit(range=range_of(table, (splice.start, splice.end), unit), new_text=splice.text)
        for splice in _between_positions(table.text, splices)
    ]


def first_text(text: str) -> types.TextEdit:
    """Return the edit that gives an empty file, which is not open, its text.

    Neovim takes an empty file for one empty line: a text of whole lines replaces it, others clamp the range.
    """
    end = types.Position(line=1 if text.endswith("\n") else 0, character=0)
    return types.TextEdit(
        range=types.Range(start=types.Position(line=0, character=0), end=end), new_text=text
    )


def _between_positions(text: str, splices: Iterable[Splice]) -> list[Splice]:
    widened: list[Splice] = []
    exact: list[Splice] = []
    for splice in splices:
        wide = _widened(text, splice)
        if widened and wide.start <= widened[-1].end:
            before = exact[-1]
            between = text[before.end : splice.start]
            exact[-1] = Splice(before.start, splice.end, before.text + between + splice.text)
            widened[-1] = _widened(text, exact[-1])
        else:
            exact.append(splice)
            widened.append(wide)
    return widened


def _widened(text: str, splice: Splice) -> Splice:
    (start, end), new = widen_to_whole_endings(text, (splice.start, splice.end), splice.text)
    if start == end == len(text) and text.endswith("\n"):
        # Neovim before 0.12 keeps an empty line behind lines that are inserted after the last one.
        start -= 2 if text.endswith("\r\n") else 1
        new = text[start:] + new
    return Splice(start, end, new)
