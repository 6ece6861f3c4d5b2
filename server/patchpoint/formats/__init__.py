"""Edits read out of a model's text: a module for each format, and the reader that splits an answer.

The formats know only text and edits: they read no file, and no text makes them raise.
"""

from __future__ import annotations

from patchpoint.formats.answer import FORMAT_NAMES, ParsedAnswer, edits_from_data, read_answer
from patchpoint.formats.source import Item
from patchpoint.formats.table import FORMATS

__all__ = ["FORMATS", "FORMAT_NAMES", "Item", "ParsedAnswer", "edits_from_data", "parse_edits", "read_answer"]


def parse_edits(text: str, format: str = "auto", *, path: str = "") -> list[Item]:  # noqa: A002
    """Return the edits that `text` asks for and the pieces that cannot be read as one, in reading order.

    `format` is one of `FORMAT_NAMES`; `path` is the file of edits that name none. The `span` of each item is
    its place in `text`. Raises `ValueError` for an unknown format, and nothing else.
    """
    return list(read_answer(text, format, path=path).items)
