r"""Lines and offsets of a text, where only `\n`, `\r\n` and `\r` end a line, as editors count them.

`str.splitlines` also breaks at form feeds, U+2028 and others, which no editor counts as lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass

Span = tuple[int, int]
"""A half-open range of character offsets (not bytes, not a client's units) into one exact text."""

_ENDING = re.compile(r"\r\n|\n|\r")


def split_lines(text: str) -> list[str]:
    """The lines of `text`, each with its own ending; the last has none when the text does not end in one.

    Joining them gives `text` back. An empty text has no lines.
    """
    if "\r" not in text:
        lines = text.split("\n")
        last = lines.pop()
        lines = [line + "\n" for line in lines]
        if last:
            lines.append(last)
        return lines
    lines = []
    start = 0
    for ending in _ENDING.finditer(text):
        lines.append(text[start : ending.end()])
        start = ending.end()
    if start < len(text):
        lines.append(text[start:])
    return lines


def line_ending(line: str) -> str:
    r"""The ending of one line as `split_lines` gives it: `"\n"`, `"\r\n"`, `"\r"` or `""`."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1:] if line[-1:] in ("\n", "\r") else ""


def without_ending(line: str) -> str:
    """One line without its ending."""
    return line[: len(line) - len(line_ending(line))]


@dataclass(frozen=True, slots=True)
class LineTable:
    """Where each line of a text starts, for turning offsets into lines and back.

    `starts` has one entry for each line and a last one for the end of the text; a text that ends in a line
    ending has, as editors count, one more empty line there.
    """

    text: str
    starts: tuple[int, ...]

    @classmethod
    def of(cls, text: str) -> LineTable:
        """The table of `text`; linear in its length."""
        return cls(text, (0, *(ending.end() for ending in _ENDING.finditer(text))))

    def line_of(self, offset: int) -> int:
        """The 0-based line on which `offset` lies; an offset past the end lies on the last line."""
        return bisect_right(self.starts, offset) - 1

    def line_span(self, line: int) -> Span:
        """The span of 0-based `line`, its ending included; past the last line, the empty span at the end."""
        if line >= len(self.starts):
            return len(self.text), len(self.text)
        end = self.starts[line + 1] if line + 1 < len(self.starts) else len(self.text)
        return self.starts[line], end
