"""A whole model answer split into edits and prose; it may mix formats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from patchpoint.edit import Format, Malformed, Unplaced
from patchpoint.formats.labels import with_longer_paths
from patchpoint.formats.reader import read_inside, read_items
from patchpoint.formats.source import AnswerText, Item
from patchpoint.formats.table import FORMATS
from patchpoint.formats.tool_calls.call import find_edits
from patchpoint.text.lines import Span

AUTO = "auto"
"""The name under which every format is looked for."""

FORMAT_NAMES = (AUTO, *(row.format.value for row in FORMATS))
"""The names that `format` may have: all formats are looked for, or one alone."""


@dataclass(frozen=True, slots=True)
class ParsedAnswer:
    """A model's answer as edits and prose.

    `items` are in reading order, except that a move follows the other changes to its file; their spans are
    disjoint. `prose` is all the rest, in order: together they cover every character of the text.
    """

    items: tuple[Item, ...]
    prose: tuple[Span, ...]
    unplaced: tuple[Unplaced, ...] = ()
    """The fences in the prose, each with what it looks like and what is missing for an edit."""


def read_answer(text: str, format: str = AUTO, *, path: str = "") -> ParsedAnswer:  # noqa: A002
    """Split `text` into the edits that it asks for and prose.

    `format` is one of `FORMAT_NAMES`; `path` is the file of edits that name none. A piece that is
    plainly meant as an edit and cannot be read as one becomes a `Malformed`. Raises `ValueError` for an
    unknown format, and nothing else.
    """
    if format not in FORMAT_NAMES:
        raise ValueError(f"unknown format {format!r}; expected one of {', '.join(FORMAT_NAMES)}")
    wanted = None if format == AUTO else Format(format)
    return reader_of(text, wanted)(path)


def reader_of(text: str, wanted: Format | None = None) -> Callable[[str], ParsedAnswer]:
    """Return what returns the answer `text` split, as `read_answer` does, for the `path` that it is given.

    What the first reading learns of the text, a second one with another path need not.
    """
    source = AnswerText(text)
    return lambda path: _read(source, wanted, path)


def edits_from_data(value: object, *, path: str = "", origin: Format = Format.TOOL_CALL) -> list[Item]:
    """Return the edits that decoded JSON asks for: a tool call, its arguments, or a list of either.

    `path` is the file of edits that name none, `origin` the format that the edits get. Their spans are empty,
    for data have no place in a text.
    """
    found = find_edits(value, read_inside, known_path=path)
    return [replace(each.item, format=origin, span=(0, 0)) for each in found]


def _read(source: AnswerText, wanted: Format | None, path: str) -> ParsedAnswer:
    read, unplaced = read_items(source, wanted, path)
    items = tuple(map(_with_line, with_longer_paths(source, read)))
    described = tuple(replace(one, message=f"Line {one.line}: {one.message}.") for one in unplaced)
    return ParsedAnswer(items, tuple(_between(source.text, items)), described)


def _with_line(item: Item) -> Item:
    if isinstance(item, Malformed):
        return replace(item, message=f"Line {item.line}: {item.message}.")
    return item


def _between(text: str, items: tuple[Item, ...]) -> Iterator[Span]:
    """Return the spans before, between and behind the items."""
    reached = 0
    for start, end in sorted(item.span for item in items):
        if start > reached:
            yield reached, start
        reached = max(reached, end)
    if reached < len(text):
        yield reached, len(text)
