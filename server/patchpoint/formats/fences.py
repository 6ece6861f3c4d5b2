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
    """The fence that each line with something beside the signs would open, by that line; linear.

    As in Markdown, only a line with nothing beside at least as many of the same signs closes a fence.
    """
    closing: dict[tuple[str, int], int] = {}
    opening: dict[tuple[str, int], int] = {}
    found: dict[int, Fence] = {}
    for line in range(len(source.lines) - 1, -1, -1):
        text = source.lines[line]
        if "```" not in text and "~~~" not in text:
            continue
        fence = FENCE.match(text)
        if not fence:
            continue
        sign, length = fence[1][0], min(len(fence[1]), _LONGEST)
        if fence[2]:
            last = closing.get((sign, length))
            nested = opening.get((sign, length))
            inside = nested if nested is not None and (last is None or nested < last) else None
            end = len(source.lines) if last is None else last
            found[line] = Fence(line, end, last is not None, inside)
        for shorter in range(3, length + 1):
            (opening if fence[2] else closing)[sign, shorter] = line
    return found
