"""The rows of a file as lines of a terminal: numbers, signs, colours, and long lines in several parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prompt_toolkit.utils import get_cwidth

from patchpoint.dataclass import dataclass
from patchpoint.review.change_set import FileChanges
from patchpoint.review.rows import Row, RowKind
from patchpoint.structure.colours import Coloured, coloured_lines
from patchpoint.text.lines import Span
from patchpoint.text.shown import visible_line

Fragment = tuple[str, str]
"""A style of prompt_toolkit's, and a text."""

_SIGNS = {RowKind.ADDED: "+", RowKind.REMOVED: "-", RowKind.SAME: " "}
_TAB = 4
_COLOURED = frozenset(
    {
        *("attribute", "comment", "constant", "constructor", "escape", "function", "keyword", "label"),
        *("module", "number", "string", "tag", "type"),
    }
)
"""The kinds of parts of code that have a style of their own."""
_LEAST_TEXT = 20
"""Columns of text below which a line is not wrapped, but cut off."""


@dataclass(frozen=True, slots=True)
class PaintedLine:
    """One line of the screen."""

    row: int
    """The row that it shows, or a part of."""
    hunk: str
    """The change that it is part of; empty if of none."""
    is_first: bool
    """Whether it is the first line of its row."""
    fragments: tuple[Fragment, ...]


def painted(file: FileChanges, rows: Sequence[Row], width: int) -> tuple[PaintedLine, ...]:
    """Return the rows of a file as lines that are at most `width` columns wide."""
    numbers = [max(row.then or 0, row.now or 0) + 1 for row in rows if row.kind in _SIGNS]
    digits = len(str(max(numbers, default=1)))
    text = file.texts[1] if file.texts is not None else file.hunks[0].added if file.hunks else ""
    colours = coloured_lines(text, file.path_now, _shown_now(rows))
    lines: list[PaintedLine] = []
    for number, row in enumerate(rows):
        for part, fragments in enumerate(_painted_row(file, rows, number, digits, width, colours)):
            lines.append(PaintedLine(number, row.hunk, part == 0, fragments))
    return tuple(lines)


def fitted(text: str, width: int) -> str:
    """Return a text of one line in at most `width` columns, with its end rather than its beginning."""
    if get_cwidth(text) <= width:
        return text
    while text and get_cwidth(text) >= width:
        text = text[1:]
    return f"…{text}" if width > 0 else ""


def _shown_now(rows: Sequence[Row]) -> list[Span]:
    """Return the ranges of lines now that are among the rows."""
    ranges: list[list[int]] = []
    for row in rows:
        if row.kind in (RowKind.SAME, RowKind.ADDED) and row.now is not None:
            if ranges and ranges[-1][1] == row.now:
                ranges[-1][1] += 1
            else:
                ranges.append([row.now, row.now + 1])
    return [(first, end) for first, end in ranges]


def _painted_row(
    file: FileChanges,
    rows: Sequence[Row],
    number: int,
    digits: int,
    width: int,
    colours: Mapping[int, tuple[Coloured, ...]],
) -> Iterator[tuple[Fragment, ...]]:
    row = rows[number]
    if row.kind is RowKind.FOLD:
        yield (("class:fold", fitted(_fold_text(file, rows, number), width)),)
        return
    if row.kind is RowKind.NOTE:
        yield (("class:note", fitted(visible_line(row.text), width)),)
        return
    place = row.then if row.kind is RowKind.REMOVED else row.now
    kind = f"class:{row.kind.value}"
    gutter = f"{(place or 0) + 1:>{digits}} "
    known = colours.get(row.now, ()) if row.kind is not RowKind.REMOVED and row.now is not None else ()
    characters = list(_characters(row, kind, known))
    room = max(width - len(gutter) - 2, _LEAST_TEXT)
    for part, fragments in enumerate(_wrapped(characters, room)):
        head = gutter if part == 0 else " " * len(gutter)
        sign = _SIGNS[row.kind] if part == 0 else "…"
        yield (("class:number", head), (f"{kind} class:sign", f"{sign} "), *fragments)


def _fold_text(file: FileChanges, rows: Sequence[Row], number: int) -> str:
    """Return what a fold hides, and the definition that the next change is in."""
    row = rows[number]
    if row.hunk:
        return f"⋯ {row.hidden:,} more lines of this change"
    lines = "line" if row.hidden == 1 else "lines"
    following = next((one for one in rows[number + 1 :] if one.hunk), None)
    hunk = next((hunk for hunk in file.hunks if following is not None and hunk.id == following.hunk), None)
    where = visible_line(file.where(hunk).removeprefix("in ")) if hunk is not None else ""
    where = f" · {where}" if where else ""
    return f"⋯ {row.hidden:,} unchanged {lines}{where}"


def _characters(row: Row, kind: str, known: Sequence[Coloured]) -> Iterator[Fragment]:
    """Yield each character of a row as it is shown, with its style."""
    styles = [kind] * len(row.text)
    for (start, end), what in known:
        if what in _COLOURED:
            for at in range(start, min(end, len(styles))):
                styles[at] = f"{kind} class:code.{what}"
    for start, end in row.words:
        for at in range(start, end):
            styles[at] += " class:word"
    column = 0
    for character, style in zip(row.text, styles, strict=True):
        shown = " " * (_TAB - column % _TAB) if character == "\t" else visible_line(character)
        column += get_cwidth(shown)
        for one in shown:
            yield style, one


def _wrapped(characters: Sequence[Fragment], room: int) -> Iterator[tuple[Fragment, ...]]:
    """Yield characters in lines of at most `room` columns, those of one style as one fragment."""
    line: list[Fragment] = []
    used = 0
    for style, character in characters:
        wide = get_cwidth(character)
        if used + wide > room:
            yield tuple(line)
            line, used = [], 0
        if line and line[-1][0] == style:
            line[-1] = (style, line[-1][1] + character)
        else:
            line.append((style, character))
        used += wide
    yield tuple(line)
