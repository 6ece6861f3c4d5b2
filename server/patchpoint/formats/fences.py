"""Markdown fences: which line opens one, which closes it, and whether another opens in between."""

from __future__ import annotations

import re
from dataclasses import dataclass

from patchpoint.formats.source import Source

FENCE = re.compile(r"[ \t]*(`{3,}|~{3,})[ \t]*(.*?)[ \t\r\n]*\Z")
"""A line that opens or closes a fence: the fence, and what is said beside it."""

_LONGEST = 16
"""Fences of more signs than this are as long as this."""


@dataclass(frozen=True, slots=True)
class Fence:
    """One fence: the lines of its first and last sign, and the first line inside that opens one as long."""

    first: int
    last: int
    """The line of the closing fence; without one, the line behind the text."""
    closed: bool
    nested: int | None

    @property
    def end(self) -> int:
        """The line behind the fence."""
        return self.last + self.closed


def fences(source: Source) -> dict[int, Fence]:
    """The fences of the text by their first lines; linear.

    As in Markdown, only a line with nothing beside at least as many of the same signs closes a fence. A line
    with something beside the signs is taken for an opening one even inside another fence: answers are often
    quoted whole.
    """
    closing: dict[tuple[str, int], int] = {}
    opening: dict[tuple[str, int], int] = {}
    found: dict[int, Fence] = {}
    marks = _marks(source)
    for line, sign, length, said in reversed(marks):
        last = closing.get((sign, length))
        nested = opening.get((sign, length))
        inside = nested if nested is not None and (last is None or nested < last) else None
        end = len(source.lines) if last is None else last
        found[line] = Fence(line, end, last is not None, inside)
        for shorter in range(3, length + 1):
            (opening if said else closing)[sign, shorter] = line
    reached = 0
    for line, _, _, said in marks:
        if line >= reached:
            reached = found[line].end
        elif not said:
            del found[line]
    return found


def _marks(source: Source) -> list[tuple[int, str, int, bool]]:
    """The lines that open or close fences: the sign, how many of it, and whether something is beside it."""
    marks = []
    for line, text in enumerate(source.lines):
        if "```" in text or "~~~" in text:
            fence = FENCE.match(text)
            if fence:
                marks.append((line, fence[1][0], min(len(fence[1]), _LONGEST), bool(fence[2])))
    return marks
