"""Where in a model's answer something stands: lines, offsets, and a view of lines without their margin.

Every format speaks of the answer in these terms, so that an edit can be underlined where it was written.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

from patchpoint.edit import Edit, Format, Malformed
from patchpoint.text.lines import Span, split_lines, without_ending

Item = Edit | Malformed
"""What a format makes of a piece of text."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What one format read from one place of the text: its items, and the offset behind all that it read."""

    items: tuple[Item, ...]
    end: int
    path: str = ""
    """The file that what follows is for, where that was said."""


class Source:
    """A text as lines, in which every place has both an offset and a line.

    Lines are counted from 0 and keep their endings. A source made by `view` knows where each of its lines
    begins in the text that it is a view of.
    """

    __slots__ = ("_base", "_lines", "_origins", "_starts", "text")

    def __init__(self, text: str, lines: Sequence[str] | None = None) -> None:
        """Split `text` into lines, or take `lines` as its lines where they are known already."""
        self.text = text
        self._lines = lines
        self._starts: list[int] | None = None
        self._origins: Sequence[int] = ()
        self._base = 0

    @property
    def lines(self) -> Sequence[str]:
        """The lines with their endings; a text in which nothing is looked for is never split."""
        if self._lines is None:
            self._lines = split_lines(self.text)
        return self._lines

    @property
    def starts(self) -> list[int]:
        """The offset of each line, and of the end of the text."""
        if self._starts is None:
            self._starts = [0, *accumulate(map(len, self.lines))]
        return self._starts

    def line_of(self, offset: int) -> int:
        """The line on which `offset` lies; an offset at the very end lies on the last line."""
        return max(0, min(bisect_right(self.starts, offset) - 1, len(self.lines) - 1))

    def bare(self, line: int) -> str:
        """A line without its ending and the white space around it; past the end, an empty one."""
        return self.lines[line].strip() if line < len(self.lines) else ""

    def content(self, first: int, end: int) -> str:
        """The lines from `first` up to, not including, `end`, as one text."""
        return self.text[self.starts[first] : self.starts[end]]

    def span(self, first: int, end: int) -> Span:
        """The span of the lines from `first` up to `end`, without the last one's line ending."""
        if end <= first:
            return self.starts[first], self.starts[first]
        return self.starts[first], self.starts[end - 1] + len(without_ending(self.lines[end - 1]))

    def malformed(
        self, message: str, first: int, end: int, *, at: int | None = None, path: str = "", origin: Format
    ) -> Malformed:
        """An item for the lines from `first` up to `end` that cannot be read, the fault being on line `at`.

        `message` says what is wrong and what was expected; whoever reads the whole answer puts the line
        number in front of it.
        """
        line = min(first if at is None else at, max(len(self.lines) - 1, 0)) + 1
        return Malformed(message=message, span=self.span(first, end), line=line, path=path, format=origin)

    def view(self, first: int, end: int, margins: Iterable[int]) -> Source:
        """The lines from `first` up to `end`, each without as many characters as `margins` says for it."""
        lines = [line[margin:] for line, margin in zip(self.lines[first:end], margins, strict=True)]
        view = Source("".join(lines), lines)
        view._origins = [self.starts[first + i + 1] - len(line) for i, line in enumerate(lines)]
        view._base = first
        return view

    def outward(self, reading: Reading) -> Reading:
        """A reading of this view, with its offsets and lines in the text that this is a view of."""
        return Reading(
            tuple(map(self._item_outward, reading.items)), self._outward_end(reading.end), reading.path
        )

    def _item_outward(self, item: Item) -> Item:
        start, end = item.span
        span = (self._outward(start), self._outward_end(end) if end > start else self._outward(start))
        if isinstance(item, Malformed):
            return replace(item, span=span, line=item.line + self._base)
        return replace(item, span=span)

    def _outward(self, offset: int) -> int:
        line = self.line_of(offset)
        return self._origins[line] + offset - self.starts[line]

    def _outward_end(self, end: int) -> int:
        return self._outward(end - 1) + 1 if end else self._outward(0)
