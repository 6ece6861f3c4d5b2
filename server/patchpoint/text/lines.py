r"""Lines and offsets of a text, where only `\n`, `\r\n` and `\r` end a line, as editors count them.

`str.splitlines` also breaks at form feeds, U+2028 and others, which no editor counts as lines.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import accumulate, count
from operator import add

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

Span = tuple[int, int]
"""A half-open range of character offsets (not bytes, not a client's units) into one exact text."""

LINE_ENDING = regex(r"\r\n|\n|\r")
"""One line ending."""
_LINE = regex(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")

TELLING_LINE = 6
"""A line with fewer characters, or without a word, occurs once by chance."""
_WORD = regex(r"\w{2}")


def split_lines(text: str) -> list[str]:
    """Return the lines of `text`, each with its own ending; the last has none where the text ends without.

    Joining them gives `text` back. An empty text has no lines.
    """
    if "\r" not in text:
        return split_at_line_feeds(text)
    return _LINE.findall(text)


def split_at_line_feeds(text: str) -> list[str]:
    r"""Return the lines of `text`, each with its `\n`, which alone ends a line: as git counts them."""
    lines = text.splitlines(keepends=True)
    if len(lines) == text.count("\n") + (text[-1:] not in ("\n", "")):
        return lines
    # A form feed or another character in it ends a line for `splitlines`.
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def plain_lines(text: str) -> list[str]:
    r"""Return the lines of `text`, whose only line ending is `\n`, without their endings.

    An ending at the very end begins no further line.
    """
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def positions(lines: Iterable[str], first: int = 0) -> dict[str, list[int]]:
    """Return the different lines, in order, each with its positions, counted from `first`."""
    found: dict[str, list[int]] = {}
    for position, line in enumerate(lines, first):
        if line in found:
            found[line].append(position)
        else:
            found[line] = [position]
    return found


def is_telling(line: str) -> bool:
    """Return whether a line, without white space at its ends, hardly occurs once by chance."""
    return len(line) >= TELLING_LINE and _WORD.search(line) is not None


def without_blank_ends(lines: Sequence[str]) -> list[str]:
    """Return lines from the first to the last that is not blank."""
    rows = [row for row, line in enumerate(lines) if line.strip()]
    return list(lines[rows[0] : rows[-1] + 1]) if rows else []


def line_ending(line: str) -> str:
    r"""Return the ending of one line as `split_lines` gives it: `"\n"`, `"\r\n"`, `"\r"` or `""`."""
    if line.endswith("\r\n"):
        return "\r\n"
    return line[-1:] if line[-1:] in ("\n", "\r") else ""


def without_ending(line: str) -> str:
    """Return one line without its ending."""
    return line[: len(line) - len(line_ending(line))]


# The larger the blocks, the less it costs to shift all blocks behind a change, and the more to split the
# changed one again; 512 lines are about right for texts of some hundred thousand.
_BLOCK_LINES = 512


@dataclass(frozen=True, slots=True)
class _TableBlock:
    """Some whole lines of a text that follow one another."""

    text: str
    starts: list[int]
    """The starts of its lines, counted from any origin: `starts[0]` is the start of the block."""


@dataclass(frozen=True, eq=False)
class LineTable:
    """The starts of the lines of a text, for turning offsets into lines and back.

    A text that ends in a line ending has, as editors count, one more empty line there, and an empty text
    has one line.

    The text is kept in blocks of lines, and joined only when it is asked for: so `replaced` costs as much as
    the lines that it touches, however long the text is.
    """

    length: int
    """The number of characters of the text."""
    _blocks: list[_TableBlock]
    _offsets: list[int]
    """The offset of each block."""
    _lines: list[int]
    """The number of the first line of each block."""

    @classmethod
    def of(cls, text: str) -> LineTable:
        """Return the table of `text`, in time linear in its length."""
        table = cls._joined(_in_blocks(text, opens_line=True))
        table.__dict__["text"] = text  # so that it need not be joined again
        return table

    @cached_property
    def text(self) -> str:
        """The whole text."""
        return "".join(block.text for block in self._blocks)

    @cached_property
    def starts(self) -> tuple[int, ...]:
        """The offset of each line, the last being the one that an ending at the end of the text begins."""
        return tuple(
            start + offset - block.starts[0]
            for block, offset in zip(self._blocks, self._offsets, strict=True)
            for start in block.starts
        )

    @property
    def line_count(self) -> int:
        """The number of lines, as editors count: at least one."""
        return self._lines[-1] + len(self._blocks[-1].starts)

    def line_of(self, offset: int) -> int:
        """Return the 0-based line of `offset`; of an offset past the end, the last line."""
        index = max(bisect_right(self._offsets, offset) - 1, 0)
        starts = self._blocks[index].starts
        line = bisect_right(starts, offset - self._offsets[index] + starts[0]) - 1
        return self._lines[index] + max(line, 0)

    def line_start(self, line: int) -> int:
        """Return the offset of 0-based `line`; past the last line, the end of the text."""
        if line >= self.line_count:
            return self.length
        index = bisect_right(self._lines, line) - 1
        starts = self._blocks[index].starts
        return starts[line - self._lines[index]] + self._offsets[index] - starts[0]

    def line_span(self, line: int) -> Span:
        """Return the span of 0-based `line` with its ending; past the last line, the empty one at the end."""
        return self.line_start(line), self.line_start(line + 1)

    def line_text(self, line: int) -> str:
        """Return 0-based `line` with its ending; past the last line, an empty text."""
        if line >= self.line_count:
            return ""
        index = bisect_right(self._lines, line) - 1
        start, end = self.line_span(line)
        offset = self._offsets[index]
        return self._blocks[index].text[start - offset : end - offset]

    def content_span(self, line: int) -> Span:
        """Return the span of 0-based `line` without its ending."""
        start = self.line_start(line)
        return start, start + len(without_ending(self.line_text(line)))

    def replaced(self, start: int, end: int, new: str) -> LineTable:
        """Return the table of the text in which the characters from `start` to `end` became `new`.

        Takes time for the lines that are touched, not for all. Raises `ValueError` for a range that is not in
        the text.
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
    def _joined(cls, blocks: list[_TableBlock]) -> LineTable:
        offsets = [0, *accumulate(len(block.text) for block in blocks)]
        lines = [0, *accumulate(len(block.starts) for block in blocks)]
        return cls(offsets.pop(), blocks, offsets, lines[:-1])


def _in_blocks(text: str, *, opens_line: bool) -> list[_TableBlock]:
    """Return the lines of `text` in blocks; an ending at its end begins one more line if `opens_line`."""
    if "\r" in text:
        starts = [0, *(ending.end() for ending in LINE_ENDING.finditer(text))]
    else:
        lengths = map(len, text.split("\n")[:-1])
        starts = [0, *map(add, accumulate(lengths), count(1))]
    if not opens_line:
        starts.pop()
    blocks = []
    for at in range(0, len(starts), _BLOCK_LINES):
        some = starts[at : at + _BLOCK_LINES + 1]
        end = some.pop() if len(some) > _BLOCK_LINES else len(text)
        blocks.append(_TableBlock(text[some[0] : end], some))
    return blocks
