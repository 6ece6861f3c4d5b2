"""The definitions around some lines of a text, by name."""

from __future__ import annotations

from patchpoint.structure.lazy.outline.by_grammar import outline_of_text
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_MOST_CHARACTERS = 150_000
"""The definitions of a longer text are not named: that takes more than a tenth of a second."""
_LONGEST_NAME = 60
_HEADING = regex(r"#+ ")


def names_around(text: str, path: str, lines: Span) -> tuple[str, ...]:
    """Return the definitions that begin above some lines and end with or below them, outermost first.

    `lines` are 0-based, with an exclusive end. Nothing is around them where no grammar is known for the file,
    or it is too long.
    """
    found = outline_of_text(text, path) if len(text) <= _MOST_CHARACTERS else None
    around = found[0].root if found is not None else None
    names: list[str] = []
    while around is not None:
        inner = (one for one in around.children if one.start < lines[0] and lines[1] <= one.end)
        around = next(inner, None)
        names += [_HEADING.sub("", around.name, count=1)[:_LONGEST_NAME]] if around is not None else []
    return tuple(names)
