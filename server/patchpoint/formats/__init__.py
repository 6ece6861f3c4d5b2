"""What a model's text asks for: one module for each format, and the reader that splits an answer into edits.

The formats know only text and edits: they read no file, and nothing that they are given makes them raise.
"""

from __future__ import annotations

from patchpoint.formats.answer import FORMATS, Answer, edits_from_data, read_answer
from patchpoint.formats.source import Item

__all__ = ["FORMATS", "Answer", "Item", "edits_from_data", "parse_edits", "read_answer"]


def parse_edits(text: str, format: str = "auto", *, path: str = "") -> list[Item]:  # noqa: A002
    """The edits that `text` asks for and the pieces that cannot be read as one, in reading order.

    `format` is one of `FORMATS`; `path` is the file that an edit without a path means. Each item says in
    `span` where in `text` it stands. Raises `ValueError` for an unknown format, and for nothing else.
    """
    return list(read_answer(text, format, path=path).items)
