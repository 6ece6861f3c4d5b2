r"""Lines and offsets of a text, where only `\n`, `\r\n` and `\r` end a line, as editors count them.

`str.splitlines` also breaks at form feeds, U+2028 and others, which no editor counts as lines.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, count
from operator import add

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


# Shifting all blocks behind a change costs less the larger they are, and reading the changed one anew more;
# 512 lines are about right for texts of some hundred thousand.
_BLOCK_LINES = 512


@dataclass(frozen=True, slots=True)
class _Block:
    """Some whole lines of a text that follow one another."""

    text: str
    starts: list[int]
    """Where its lines start, counted from anywhere: `starts[0]` is where the block does."""


@dataclass(frozen=True, eq=False)
class LineTable:
    """Where each line of a text starts, for turning offsets into lines and back.

    A text that ends in a line ending has, as editors count, one more empty line there, and an empty text
    has one line.

    The text is kept in blocks of lines, and put together only when it is asked for: so `replaced` costs as
    much as the lines that it touches, however long the text is.
    """

    length: int
    """How many characters the text has."""
    _blocks: list[_Block]
    _offsets: list[int]
    """Where each block starts."""
    _lines: list[int]
    """The number of the first line of each block."""

    @classmethod
    def of(cls, text: str) -> LineTable:
        """The table of `text`; linear in its length."""
        table = cls._joined(_in_blocks(text, opens_line=True))
        table.__dict__["text"] = text  # so that it need not be put together again
        return table

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(block.text for block in self._blocks)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each line starts, the last being the one that an ending at the end of the text opens."""
        return tuple(
            start + offset - block.starts[0]
            for block, offset in zip(self._blocks, self._offsets, strict=True)
            for start in block.starts
        )

    @property
    def line_count(self) -> int:
        """How many lines there are, as editors count: at least one."""
        return self._lines[-1] + len(self._blocks[-1].starts)

    def line_of(self, offset: int) -> int:
        """The 0-based line on which `offset` lies; an offset past the end lies on the last line."""
        index = max(bisect_right(self._offsets, offset) - 1, 0)
        starts = self._blocks[index].starts
        line = bisect_right(starts, offset - self._offsets[index] + starts[0]) - 1
        return self._lines[index] + max(line, 0)

    def line_start(self, line: int) -> int:
        """Where 0-based `line` starts; past the last line, the end of the text."""
        if line >= self.line_count:
            return self.length
        index = bisect_right(self._lines, line) - 1
        starts = self._blocks[index].starts
        return starts[line - self._lines[index]] + self._offsets[index] - starts[0]

    def line_span(self, line: int) -> Span:
        """The span of 0-based `line`, its ending included; past the last line, the empty span at the end."""
        return self.line_start(line), self.line_start(line + 1)

    def line_text(self, line: int) -> str:
        """The characters of 0-based `line`, its ending included; past the last line there are none."""
        if line >= self.line_count:
            return ""
        index = bisect_right(self._lines, line) - 1
        start, end = self.line_span(line)
        offset = self._offsets[index]
        return self._blocks[index].text[start - offset : end - offset]

    def content_span(self, line: int) -> Span:
        """The span of 0-based `line` without its ending."""
        start = self.line_start(line)
        return start, start + len(without_ending(self.line_text(line)))

    def replaced(self, start: int, end: int, new: str) -> LineTable:
        """The table of the text in which the characters from `start` to `end` became `new`.

        Its cost is that of the lines touched, not of all lines. Raises `ValueError` for a range that is not
        in the text.
        """
        if not 0 <= start <= end <= self.length:
            raise ValueError(f"the range {start} to {end} is not in a text of {self.length} characters")
        # A line feed put behind a carriage return joins it, so the line before may be touched as well.
        first = max(bisect_right(self._offsets, max(start - 1, 0)) - 1, 0)
        last = max(bisect_right(self._offsets, end) - 1, 0)
        old = "".join(block.text for block in self._blocks[first : last + 1])
        offset = self._offsets[first]
        text = "".join((old[: start - offset], new, old[end - offset :]))
        is_end = last + 1 == len(self._blocks)
        touched = _in_blocks(text, opens_line=is_end)
        return self._joined([*self._blocks[:first], *touched, *self._blocks[last + 1 :]])

    @classmethod
    def _joined(cls, blocks: list[_Block]) -> LineTable:
        offsets = [0, *accumulate(len(block.text) for block in blocks)]
        lines = [0, *accumulate(len(block.starts) for block in blocks)]
        return cls(offsets.pop(), blocks, offsets, lines[:-1])


def _in_blocks(text: str, *, opens_line: bool) -> list[_Block]:
    """The lines of `text`; an ending at its end opens one more, or leaves that to the text behind."""
    if "\r" in text:
        starts = [0, *(ending.end() for ending in _ENDING.finditer(text))]
    else:
        lengths = map(len, text.split("\n")[:-1])
        starts = [0, *map(add, accumulate(lengths), count(1))]
    if not opens_line:
        starts.pop()
    blocks = []
    for at in range(0, len(starts), _BLOCK_LINES):
        some = starts[at : at + _BLOCK_LINES + 1]
        end = some.pop() if len(some) > _BLOCK_LINES else len(text)
        blocks.append(_Block(text[some[0] : end], some))
    return blocks
