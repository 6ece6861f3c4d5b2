"""A model's answer as lines and offsets, and views of its lines without their quote marks or indentation.

All formats count in these terms, so that an edit can be underlined where it was written.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate
from typing import Any, TypeVar

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Malformed, Unplaced
from patchpoint.text.lines import Span, split_lines, without_ending

Item = Edit | Malformed
"""The result of reading a piece of text."""

_Made = TypeVar("_Made")
_MOST_SHOWN = 60


def with_paths(item: Item, changed: Callable[[str], str]) -> Item:
    """Return an item with its paths changed."""
    item = replace(item, path=item.path and changed(item.path))
    if isinstance(item, Edit) and item.new_path:
        return replace(item, new_path=changed(item.new_path))
    return item


def shortened(text: str) -> str:
    """Return what a message shows of a text: its beginning, in quotes."""
    return repr(text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 3]}...")


@dataclass(frozen=True, slots=True)
class ReadResult:
    """What one format read at one place: the items, and the offset behind all that was read."""

    items: tuple[Item, ...]
    end: int
    path: str = ""
    """The file of the edits that follow, where the text names it."""


class SpanSet:
    """Spans, in any order, among which one is looked for in less time than all of them take."""

    def __init__(self, spans: Iterable[Span]) -> None:
        ordered = sorted(spans)
        self._starts = [start for start, _ in ordered]
        self._reached = list(accumulate((end for _, end in ordered), max))

    def has_around(self, span: Span) -> bool:
        """Return whether one of the spans holds another one."""
        at = bisect_right(self._starts, span[0])
        return at > 0 and self._reached[at - 1] >= span[1]

    def overlaps(self, span: Span) -> bool:
        """Return whether one of the spans has characters of another one."""
        at = bisect_left(self._starts, span[1])
        return at > 0 and self._reached[at - 1] > span[0]


class AnswerText:
    """A text as lines, in which every place has both an offset and a line.

    Lines are counted from 0 and keep their endings. A view of its lines knows where each of its lines
    begins in the text that it is a view of.
    """

    __slots__ = ("_made", "_origins", "_outer", "lines", "may_be_cut_off", "starts", "text")
    lines: Sequence[str]
    """The lines with their endings; the text is split when they are first asked for."""
    starts: list[int]
    """The offset of each line, and of the end of the text."""

    def __init__(self, text: str, lines: Sequence[str] | None = None, *, may_be_cut_off: bool = True) -> None:
        """`lines` are those of `text` where they are known already."""
        self.text = text
        self.may_be_cut_off = may_be_cut_off
        """Whether the text may just stop, as an answer may; one inside an edit that is whole does not."""
        if lines is not None:
            self.lines = lines
        self._origins: Sequence[int] = ()
        self._outer: AnswerText | None = None
        self._made: dict[tuple[object, ...], Any] = {}

    def __getattr__(self, name: str) -> object:
        # Python asks here for a slot that is still empty; once it is filled, it no longer does.
        if name == "lines":
            self.lines = split_lines(self.text)
        elif name == "starts":
            self.starts = [0, *accumulate(map(len, self.lines))]
        return object.__getattribute__(self, name)

    def once(self, make: Callable[..., _Made], *given: object) -> _Made:
        """Return what `make` makes of the text and what it is given; it is called once for that."""
        key = make, *given
        if key not in self._made:
            self._made[key] = make(self, *given)
        made: _Made = self._made[key]
        return made

    def line_of(self, offset: int) -> int:
        """Return the line of `offset`; of an offset at the very end, the last line."""
        starts = self.starts
        return max(0, min(bisect_right(starts, offset), len(starts) - 1) - 1)

    def bare(self, line: int) -> str:
        """Return a line without its ending and the white space around it; past the end, an empty one."""
        return self.lines[line].strip() if line < len(self.lines) else ""

    def content(self, first: int, end: int) -> str:
        """Return the lines from `first` up to, not including, `end`, as one text."""
        return self.text[self.starts[first] : self.starts[end]]

    def span(self, first: int, end: int) -> Span:
        """Return the span of the lines from `first` up to `end`, without the last one's line ending."""
        if end <= first:
            return self.starts[first], self.starts[first]
        return self.starts[first], self.starts[end - 1] + len(without_ending(self.lines[end - 1]))

    def malformed(
        self, message: str, first: int, end: int, *, at: int | None = None, path: str = "", origin: Format
    ) -> Malformed:
        """Return an item for lines that cannot be read, from `first` up to `end`; the fault is on line `at`.

        `message` says what is wrong and what was expected; `read_answer` puts the line number before it.
        """
        line = min(first if at is None else at, max(len(self.lines) - 1, 0)) + 1
        return Malformed(message=message, span=self.span(first, end), line=line, path=path, format=origin)

    def refused(self, message: str, start: int, end: int, origin: Format) -> ReadResult:
        """Return what is wrong between two offsets, without the white space at the end."""
        end = start + len(self.text[start:end].rstrip())
        line = self.line_of(start) + 1
        return ReadResult((Malformed(message=message, span=(start, end), line=line, format=origin),), end)

    def placed(self, item: Item, span: Span) -> Item:
        """Return an item with its place in this text."""
        if isinstance(item, Malformed):
            return replace(item, span=span, line=self.line_of(span[0]) + 1)
        return replace(item, span=span)

    def solid(self, first: int, end: int) -> int:
        """Return the first line from `first` up to `end` with more than white space; `end` without one."""
        return next((number for number in range(first, end) if self.bare(number)), end)

    def without(self, spans: Iterable[Span], first: int = 0, end: int | None = None) -> AnswerText:
        """Return the lines from `first` up to `end` without what disjoint spans, in order, have of them.

        Each line stays, if only as its ending; what is left out between two parts of a line becomes spaces.
        """
        end = len(self.lines) if end is None else end
        lines = list(self.lines[first:end])
        origins = self.starts[first:end]
        for start, stop in spans:
            for number in range(self.line_of(start), self.line_of(stop - 1) + 1 if stop > start else 0):
                at, line = self.starts[number], lines[number - first]
                origin = origins[number - first]
                length = len(without_ending(self.lines[number]))
                left, right = max(start - at, 0), min(stop - at, length)
                cut_left, cut_right = left + at - origin, right + at - origin
                if cut_left == 0:
                    lines[number - first], origins[number - first] = line[cut_right:], at + right
                elif right == length:
                    lines[number - first] = line[:cut_left] + line[cut_right:]
                else:
                    lines[number - first] = f"{line[:cut_left]}{' ' * (right - left)}{line[cut_right:]}"
        return self.rewritten(lines, origins, first)

    def rewritten(self, lines: Sequence[str], origins: Sequence[int], first: int = 0) -> AnswerText:
        """Return other lines in place of those from `first` on, each with the offset at which it begins."""
        is_end = first + len(lines) >= len(self.lines)
        text = AnswerText("".join(lines), lines, may_be_cut_off=self.may_be_cut_off and is_end)
        text._origins = origins
        text._outer = self
        return text

    def outward(self, reading: ReadResult) -> ReadResult:
        """Return a result for this view with its offsets and lines in the text that this is a view of."""
        return ReadResult(
            tuple(map(self.item_outward, reading.items)), self._outward_end(reading.end), reading.path
        )

    def span_outward(self, span: Span) -> Span:
        """Return a span of this view in the text that this is a view of."""
        start, end = span
        return self._outward(start), self._outward_end(end) if end > start else self._outward(start)

    def unplaced_outward(self, one: Unplaced) -> Unplaced:
        """Return what is no edit, or is left alone, in the text that this is a view of."""
        edit = replace(one.edit, span=self.span_outward(one.edit.span)) if one.edit is not None else None
        meant = tuple(map(self.item_outward, one.meant))
        span, line = self.span_outward(one.span), self._line_outward(one.line)
        return replace(one, span=span, line=line, edit=edit, meant=meant)

    def item_outward(self, item: Item) -> Item:
        """Return an item of this view in the text that this is a view of."""
        span = self.span_outward(item.span)
        if isinstance(item, Malformed):
            return replace(item, span=span, line=self._line_outward(item.line))
        return replace(item, span=span)

    def _line_outward(self, line: int) -> int:
        return (self._outer or self).line_of(self._origins[line - 1]) + 1

    def _outward(self, offset: int) -> int:
        line = self.line_of(offset)
        return self._origins[line] + offset - self.starts[line]

    def _outward_end(self, end: int) -> int:
        return self._outward(end - 1) + 1 if end else self._outward(0)
