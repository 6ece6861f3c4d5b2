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
from patchpoint.text.lines import Span, split_lines, without_ending
from patchpoint.text.regex import regex

_ESCAPE = "\x1b["
_COLOUR = regex(r"\x1b\[([\d;]*)m")
_PARTIAL = regex(r"\x1b(?:\[[\d;]*)?\Z")
_DIFF_LINE = regex(r"^[ \t>]*(?:\x1b\[[\d;]*m)+(?:diff --git |[-+@])", re.MULTILINE)
_OUTSIDE = regex(r"[ \t>]*(?:\x1b\[[\d;]*m)+[-+ ]?(?:\x1b\[[\d;]*m)*")
"""What is before the content of a coloured line."""
_HIGHLIGHTS = ("7", "27", "1", "22", "41")
"""What may begin or end within a coloured line: parts in reverse or bold, and spaces at the end in red."""


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
    """Yield the spans of the colours of each line: of one with others, only those around its content."""
    lines = split_lines(text)
    for line, start in zip(lines, accumulate(map(len, lines), initial=0), strict=False):
        found = list(_COLOUR.finditer(line)) if _ESCAPE in line else []
        if found and not _are_of_a_diff(found):
            end = len(without_ending(line))
            inside = _OUTSIDE.match(line)
            found = [one for one in found if one.end() == end or (inside and one.end() <= inside.end())]
        yield from ((start + one.start(), start + one.end()) for one in found)


def _are_of_a_diff(found: list[re.Match[str]]) -> bool:
    """Return whether each colour of a line begins where none is, and ends before the line does."""
    is_coloured = False
    for one in found:
        code = one[1]
        if code in ("", "0"):
            if not is_coloured:
                return False
            is_coloured = False
        elif is_coloured and code not in _HIGHLIGHTS:
            return False
        else:
            is_coloured = True
    return not is_coloured
