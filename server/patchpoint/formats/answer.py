"""A whole model answer split into edits and prose, whatever formats it mixes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from patchpoint.edit import Format, Malformed
from patchpoint.formats.reader import AUTO, read_inside, read_items
from patchpoint.formats.source import Item
from patchpoint.formats.tool_call import find_edits
from patchpoint.text.lines import Span

FORMATS = (AUTO, *(each.value for each in Format if each is not Format.REQUEST))
"""The names that `format` may have: all formats are looked for, or one alone."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A model's answer as what it asks for and what it says.

    `items` are in reading order, except that a move follows the other changes to its file; their spans are
    disjoint. `prose` is all the rest, in order: together they cover every character of the text.
    """

    items: tuple[Item, ...]
    prose: tuple[Span, ...]


def read_answer(text: str, format: str = AUTO, *, path: str = "") -> Answer:  # noqa: A002
    """Split `text` into the edits that it asks for and prose.

    `format` is one of `FORMATS`; `path` is the file that an edit without a path means. What is plainly meant
    as an edit and cannot be read as one becomes a `Malformed`, never an exception. Raises `ValueError` for an
    unknown format.
    """
    if format not in FORMATS:
        raise ValueError(f"unknown format {format!r}; expected one of {', '.join(FORMATS)}")
    items = tuple(_with_line(item) for item in read_items(text, format, path))
    return Answer(items, tuple(_between(text, items)))


def edits_from_data(value: object, *, path: str = "", origin: Format = Format.TOOL_CALL) -> list[Item]:
    """The edits that decoded JSON asks for: a tool call, its arguments, or a list of either; empty for none.

    `path` is the file that an edit without a path means, `origin` the format that the edits name. Their
    spans are empty: data stand nowhere.
    """
    found = find_edits(value, read_inside, known=path)
    return [replace(each.item, format=origin, span=(0, 0)) for each in found]


def _with_line(item: Item) -> Item:
    if isinstance(item, Malformed):
        return replace(item, message=f"Line {item.line}: {item.message}.")
    return item


def _between(text: str, items: tuple[Item, ...]) -> Iterator[Span]:
    """The spans of what stands before, between and behind the items."""
    reached = 0
    for start, end in sorted(item.span for item in items):
        if start > reached:
            yield reached, start
        reached = max(reached, end)
    if reached < len(text):
        yield reached, len(text)
