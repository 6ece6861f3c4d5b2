"""Coloured diffs, as they are copied from a terminal or a log: the escape sequences are not part of them.

Git colours whole lines, the sign and the text behind it apart, and ends each colour (ECMA-48, `CSI … m`). A
file may hold such sequences itself. Those that no colour of git's explains are left where they are, and an
edit that has any is refused.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from operator import itemgetter

from patchpoint.dataclass import replace
from patchpoint.edit import Malformed
from patchpoint.formats.source import Item
from patchpoint.text.lines import Span, split_lines
from patchpoint.text.regex import regex

_ESCAPE = "\x1b["
_COLOUR = regex(r"\x1b\[([\d;]*)m")
_PARTIAL = regex(r"\x1b(?:\[[\d;]*)?\Z")
_DIFF_LINE = regex(r"^[ \t>]*(?:\x1b\[[\d;]*m)+(?:diff --git |[-+@])", re.MULTILINE)
_OUTSIDE = regex(r"[ \t>]*(?:\x1b\[[\d;]*m)+[-+ ]?(?:\x1b\[[\d;]*m)*")
"""What is before the content of a coloured line."""
_WITHIN = regex(r"\x1b\[(?:(?:7|27|1|22|41)m|0?m(?=\s*\Z|\x1b\[41m))")
"""What may be within a coloured line or at its end: parts in reverse or bold, and spaces in red."""


def without_colours(text: str) -> tuple[str, list[tuple[int, int]]] | None:
    """Return a text without the colours of the diffs in it; `None` if there are none.

    With it come the pairs of an offset in the new text and the number of characters that are missing before
    it, in order.
    """
    if _ESCAPE not in text or not _DIFF_LINE.search(text):
        return None
    partial = _PARTIAL.search(text)
    if partial:
        # Half an escape sequence is half a line: in its place is what leaves the line without an ending.
        text = text[: partial.start()] + " "
    pieces: list[str] = []
    missing: list[tuple[int, int]] = []
    reached = lost = 0
    for start, end in _colours(text):
        pieces.append(text[reached:start])
        reached = end
        lost += end - start
        missing.append((end - lost, lost))
    return "".join((*pieces, text[reached:])), missing


def in_coloured_text(item: Item, text: str, missing: Sequence[tuple[int, int]]) -> Item:
    """Return an item read without colours with its span in the coloured `text`.

    One that has other escape sequences among its lines is malformed.
    """
    span = span_in_coloured_text(item.span, missing)
    span = (min(span[0], len(text)), min(span[1], len(text)))
    if isinstance(item, Malformed) or _ESCAPE not in f"{item.search}{item.replace}{item.content or ''}":
        return replace(item, span=span)
    message = "escape sequences other than the colours of a diff are among its lines; plain text was expected"
    line = text.count("\n", 0, span[0]) + 1
    return Malformed(message=message, span=span, line=line, path=item.path, format=item.format)


def span_in_coloured_text(span: Span, missing: Sequence[tuple[int, int]]) -> Span:
    """Return a span of the text without colours in the coloured one."""
    start, end = span
    return start + _lost(missing, start, behind=end <= start), end + _lost(missing, end, behind=True)


def _lost(missing: Sequence[tuple[int, int]], offset: int, *, behind: bool) -> int:
    """Return the number of characters missing before an offset, or also of those right at it."""
    at = (bisect_right if behind else bisect_left)(missing, offset, key=itemgetter(0))
    return missing[at - 1][1] if at else 0


def _colours(text: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the colours of each line: those around its content, and git's within it."""
    lines = split_lines(text)
    for line, start in zip(lines, accumulate(map(len, lines), initial=0), strict=False):
        outside = _OUTSIDE.match(line) if _ESCAPE in line else None
        for one in _COLOUR.finditer(line) if _ESCAPE in line else ():
            is_before = outside is not None and one.end() <= outside.end()
            if is_before or _WITHIN.match(line, one.start()):
                yield start + one.start(), start + one.end()
