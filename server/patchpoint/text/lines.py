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


# Between the shifting of all blocks behind a change and the rebuilding of the block it falls into, 512 lines
# a block costs least for texts of some hundred thousand lines.
_BLOCK_LINES = 512


@dataclass(frozen=True, eq=False)
class LineTable:
    """Where each line of a text starts, for turning offsets into lines and back.

    A text that ends in a line ending has, as editors count, one more empty line there, and an empty text
    has one line.

    The starts are kept in blocks, so that `replaced` shifts one number for each block behind a change
    instead of one for each line.
    """

    text: str
    _blocks: list[list[int]]
    """The starts, in blocks of neighbouring lines. Those of one block are right relative to each other."""
    _offsets: list[int]
    """Where the first line of each block really starts."""
    _lines: list[int]
    """The number of the first line of each block."""

    @classmethod
    def of(cls, text: str) -> LineTable:
        """The table of `text`; linear in its length."""
        if "\r" in text:
            starts = [0, *(ending.end() for ending in _ENDING.finditer(text))]
        else:
            lengths = map(len, text.split("\n")[:-1])
            starts = [0, *map(add, accumulate(lengths), count(1))]
        return cls._from_blocks(text, _in_blocks(starts))

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """Where each line starts, the last being the one that an ending at the end of the text opens."""
        return tuple(
            start + offset - block[0]
            for block, offset in zip(self._blocks, self._offsets, strict=True)
            for start in block
        )

    @property
    def line_count(self) -> int:
        """How many lines there are, as editors count: at least one."""
        return self._lines[-1] + len(self._blocks[-1])

    def line_of(self, offset: int) -> int:
        """The 0-based line on which `offset` lies; an offset past the end lies on the last line."""
        index = max(bisect_right(self._offsets, offset) - 1, 0)
        block = self._blocks[index]
        line = bisect_right(block, offset - self._offsets[index] + block[0]) - 1
        return self._lines[index] + max(line, 0)

    def line_start(self, line: int) -> int:
        """Where 0-based `line` starts; past the last line, the end of the text."""
        if line >= self.line_count:
            return len(self.text)
        index = bisect_right(self._lines, line) - 1
        block = self._blocks[index]
        return block[line - self._lines[index]] + self._offsets[index] - block[0]

    def line_span(self, line: int) -> Span:
        """The span of 0-based `line`, its ending included; past the last line, the empty span at the end."""
        return self.line_start(line), self.line_start(line + 1)

    def content_span(self, line: int) -> Span:
        """The span of 0-based `line` without its ending."""
        start, end = self.line_span(line)
        if end > start and self.text[end - 1] == "\n":
            end -= 1
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return start, end

    def replaced(self, start: int, end: int, new: str) -> LineTable:
        """The table of the text in which the characters from `start` to `end` became `new`.

        Its cost is that of joining the text anew and of the lines touched, not of all lines. Raises
        `ValueError` for a range that is not in the text.
        """
        if not 0 <= start <= end <= len(self.text):
            raise ValueError(f"the range {start} to {end} is not in a text of {len(self.text)} characters")
        text = "".join((self.text[:start], new, self.text[end:]))
        shift = len(new) - (end - start)
        # A line feed put behind a carriage return joins it, so the line before may be touched as well.
        first = self.line_of(max(start - 1, 0))
        last = self.line_of(end)
        scanned = _ENDING.finditer(text, self.line_start(first), self.line_start(last + 1) + shift)
        first_block = bisect_right(self._lines, first) - 1
        last_block = bisect_right(self._lines, last) - 1
        behind = self._lines[last_block] + len(self._blocks[last_block])
        starts = [self.line_start(line) for line in range(self._lines[first_block], first + 1)]
        starts += [ending.end() for ending in scanned]
        if last + 1 < self.line_count:
            # The ending of the last scanned line already opened the line behind it.
            starts += [self.line_start(line) + shift for line in range(last + 2, behind)]
        touched = _in_blocks(starts)
        if last + 1 == behind and behind < self.line_count:
            # That line is the first of the next block, which has it.
            touched[-1].pop()
            if not touched[-1]:
                touched.pop()
        return LineTable._from_blocks(
            text,
            [*self._blocks[:first_block], *touched, *self._blocks[last_block + 1 :]],
            [*self._offsets[:first_block], *(block[0] for block in touched)]
            + [offset + shift for offset in self._offsets[last_block + 1 :]],
        )

    @classmethod
    def _from_blocks(cls, text: str, blocks: list[list[int]], offsets: list[int] | None = None) -> LineTable:
        lines = [0, *accumulate(map(len, blocks))][:-1]
        return cls(text, blocks, offsets or [block[0] for block in blocks], lines)


def _in_blocks(starts: list[int]) -> list[list[int]]:
    return [starts[at : at + _BLOCK_LINES] for at in range(0, len(starts), _BLOCK_LINES)]
