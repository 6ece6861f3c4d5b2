"""Coloured diffs, as they are copied from a terminal or a log: the escape sequences are not part of them.

Git colours whole lines, the sign and the text behind it apart, and ends each colour (ECMA-48, `CSI … m`). A
file may hold such sequences itself. Those that no colour of git's explains are left where they are, and an
edit that has any is refused.
"""

from __future__ import annotations

import re

from patchpoint.dataclass import replace
from patchpoint.edit import Edit
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import regex

_ESCAPE = "\x1b["
_COLOUR = r"(?:\x1b\[[\d;]*m)+"
_PARTIAL = regex(r"\x1b(?:\[[\d;]*)?\Z")
_DIFF_LINE = regex(rf"^[ \t>]*{_COLOUR}(?:diff --git |[-+@])", re.MULTILINE)
_COLOURED = regex(
    rf"^([ \t>]*){_COLOUR}([-+ ]?)(?:{_COLOUR})?|\x1b\[(?:(?:7|27|1|22|41)m|0?m(?=\s*\Z|\x1b\[41m))"
)
"""What is before the content of a coloured line; parts in reverse or bold, spaces in red, and its end."""
_OTHERS = "escape sequences other than the colours of a diff are among its lines; plain text was expected"


def without_colours(source: AnswerText) -> AnswerText | None:
    """Return a text without the colours of the diffs in it, as a view of it; `None` if there are none."""
    if _ESCAPE not in source.text or not _DIFF_LINE.search(source.text):
        return None
    # Half an escape sequence is half a line: in its place is what leaves the line without an ending.
    lines = [_COLOURED.sub(r"\1\2", _PARTIAL.sub(" ", line)) for line in source.lines]
    return source.rewritten(lines, source.starts[:-1])


def in_coloured_text(item: Item, plain: AnswerText, source: AnswerText) -> Item:
    """Return an item of the text without colours as one of the coloured `source`.

    One that has other escape sequences among its lines is malformed.
    """
    first, last = plain.line_of(item.span[0]), plain.line_of(max(item.span[1] - 1, item.span[0]))
    if isinstance(item, Edit) and _ESCAPE in f"{item.search}{item.replace}{item.content or ''}":
        return source.malformed(_OTHERS, first, last + 1, path=item.path, origin=item.format)
    start, end = plain.span_outward(item.span)
    is_whole = item.span[1] >= plain.span(last, last + 1)[1] > item.span[0]
    return replace(item, span=(start, source.span(last, last + 1)[1] if is_whole else end))
