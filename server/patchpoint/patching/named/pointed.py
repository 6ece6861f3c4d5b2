"""A place that a person points to: the lines there are replaced whole by what an edit wants."""

from __future__ import annotations

from patchpoint.edit import Edit, Format, Operation
from patchpoint.text.line_endings import ended, endings_of, with_ending
from patchpoint.text.lines import LineTable, Span

PUT_WHOLE = (Operation.REPLACE, Operation.BETWEEN)
"""The operations whose `replace` is all that is to be at their place."""


def lines_pointed_at(table: LineTable, span: Span) -> Span:
    """Return a span widened to whole lines; an empty one becomes the start of its line."""
    start, end = span
    first = table.line_start(table.line_of(start))
    if start == end:
        return first, first
    last = table.line_of(end)
    if end == table.line_start(last) and end > start:
        return first, end
    return first, table.line_span(last)[1]


def put_at(table: LineTable, lines: Span, edit: Edit) -> Edit:
    """Return the edit that puts the replacement of `edit` in place of whole `lines`, and merges nothing.

    It quotes so many of the lines around that it has one place only, and ends its lines as the text does.
    """
    text = table.text
    start, end = lines
    new = with_ending(edit.replace, endings_of(text).usual)
    is_last = end == len(text) and not text.endswith(("\n", "\r"))
    if new and not new.endswith(("\n", "\r")) and not (is_last and start < end):
        new += endings_of(text).usual
    elif is_last and start < end:
        new = new.removesuffix("\n").removesuffix("\r")
    # A last line without an ending is a place of the lines that end, and the end that of a blank line.
    countable = ended(text) + endings_of(text).usual
    while not (quoted := text[start:end]).strip() or countable.find(quoted) != countable.rfind(quoted):
        wider = _wider(table, (start, end))
        if wider == (start, end):
            break
        start, end = wider
    if not text.strip():
        return Edit(
            path=edit.path, operation=Operation.WRITE, content=text[: lines[0]] + new + text[lines[1] :],
            format=Format.REQUEST,
        )  # fmt: skip
    return Edit(
        path=edit.path,
        search=text[start:end],
        replace=text[start : lines[0]] + new + text[lines[1] : end],
        format=Format.REQUEST,
    )


def _wider(table: LineTable, lines: Span) -> Span:
    """Return `lines` with one more line before them and after them, where there are any."""
    start, end = lines
    first = table.line_start(table.line_of(start - 1)) if start else 0
    last = table.line_span(table.line_of(end))[1] if end < len(table.text) else end
    return first, last
