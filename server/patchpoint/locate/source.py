"""The file's side of the search: its text as lines to compare, and the way back to exact offsets."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from functools import cached_property
from itertools import accumulate, compress, count
from operator import add

from patchpoint.dataclass import dataclass, field
from patchpoint.locate.effort import Effort
from patchpoint.text.lines import LineTable, Span, line_ending, plain_lines, positions
from patchpoint.text.lookalikes import folded_lines
from patchpoint.text.regex import begins_word, regex

BYTE_ORDER_MARK = "\ufeff"

TAB_COLUMNS = 4

TRAILING_COMMA = regex(r",(?=[)\]}])")
"""A comma before a closing bracket."""

CLOSERS = regex(r"(?:[)\]}]+|end|fi|done|esac|endif|</[\w.:-]*>)[)\]}]*[;,]?")
"""A line that does nothing but close what others open."""

_BLOCK_LINES = 64
_BLOCK_CHARACTERS = 4096


def plain(text: str) -> str:
    r"""Return `text` without a byte-order mark and with `\n` for every line ending, as texts are compared."""
    text = text.removeprefix(BYTE_ORDER_MARK)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return text


def indentation(line: str) -> str:
    """Return the white space that a line begins with."""
    return line[: len(line) - len(line.lstrip())]


def tells(line: str) -> bool:
    """Return whether a line is more than white space, signs, and what closes a block."""
    return any(map(begins_word, line)) and not CLOSERS.fullmatch(line.strip())


def depth(line: str) -> int:
    """Return the column that a line begins at."""
    return len(indentation(line).expandtabs(TAB_COLUMNS))


@dataclass(frozen=True)
class SourceText:
    """One exact text and the forms of it that the rungs compare, each computed on first use.

    All offsets and spans of the rungs are into `plain`; `exact_span` converts them to `text`.
    """

    text: str
    effort: Effort = field(default_factory=Effort, compare=False, repr=False)
    """What the request whose edits are looked for in the text may still cost."""

    @cached_property
    def plain(self) -> str:
        """The text without byte-order mark, every line ending being a line feed."""
        return plain(self.text)

    @cached_property
    def lines(self) -> list[str]:
        """The lines of `plain`, without endings."""
        return plain_lines(self.plain)

    @cached_property
    def starts(self) -> list[int]:
        """The offset in `plain` at which each line starts, and the end of the text as one more."""
        starts = list(map(add, accumulate(map(len, self.lines), initial=0), count()))
        starts[-1] = len(self.plain)
        return starts

    @cached_property
    def stripped(self) -> list[str]:
        """The lines without white space at either end."""
        return list(map(str.strip, self.lines))

    @cached_property
    def folded(self) -> list[str]:
        """`stripped`, in canonical Unicode."""
        return self.stripped if self.plain.isascii() else list(map(str.strip, self.folded_lines))

    @cached_property
    def folded_lines(self) -> list[str]:
        """`lines`, in canonical Unicode."""
        return self.lines if self.plain.isascii() else folded_lines(self.lines)

    @cached_property
    def solid(self) -> list[int]:
        """The 0-based numbers of the lines that are not blank."""
        return list(compress(count(), self.stripped))

    def solid_above(self, line: int) -> int | None:
        """Return the last line before a line that is not blank."""
        at = bisect_left(self.solid, line)
        return self.solid[at - 1] if at else None

    def solid_below(self, line: int) -> int | None:
        """Return the first line from a line on that is not blank."""
        at = bisect_left(self.solid, line)
        return self.solid[at] if at < len(self.solid) else None

    @cached_property
    def solid_text(self) -> str:
        """The stripped lines that are not blank, each between line feeds."""
        return "\n" + "\n".join(filter(None, self.stripped)) + "\n"

    @cached_property
    def folded_solid(self) -> list[str]:
        """The lines of `folded` that are not blank in the file."""
        return list(compress(self.folded, self.stripped))

    @cached_property
    def folded_text(self) -> str:
        """As `solid_text`, in canonical Unicode."""
        if self.folded is self.stripped:
            return self.solid_text
        return "\n" + "\n".join(self.folded_solid) + "\n"

    @cached_property
    def places(self) -> dict[str, list[int]]:
        """The different lines of `folded_solid`, in order, each with the positions it has there."""
        return positions(self.folded_solid)

    @cached_property
    def solid_length(self) -> int:
        """The number of characters of `folded_solid`."""
        return sum(map(len, self.folded_solid))

    @cached_property
    def signs(self) -> str:
        """The text without white space and commas."""
        return "".join(self.folded_text.split()).replace(",", "")

    @cached_property
    def squeezed(self) -> list[str]:
        """The lines of `folded_solid`, squeezed."""
        return squeezed(self.folded_solid)

    @cached_property
    def squeezed_starts(self) -> list[int]:
        """The offset of each line in the text that those of `squeezed` make, and that of its end."""
        return list(accumulate(map(len, self.squeezed), initial=0))

    @cached_property
    def squeezed_text(self) -> str:
        """The text that the lines of `squeezed` make."""
        return "".join(self.squeezed)

    @cached_property
    def rows_of(self) -> dict[str, list[int]]:
        """The different lines of `worded`, each with the 0-based numbers of those equal to it."""
        return positions(self.worded)

    @cached_property
    def worded(self) -> list[str]:
        """`folded`, with one blank between words."""
        return [" ".join(line.split()) for line in self.folded]

    @cached_property
    def scope_ends(self) -> list[int]:
        """For each line, one past the last line that is deeper, the closing bracket of its block included."""
        ends = [len(self.lines)] * len(self.lines)
        open_: dict[int, list[int]] = {}
        for number, text in enumerate(self.stripped):
            deep = len(indentation(self.lines[number]))
            if text and text[0] != "{":
                for other in [each for each in open_ if each >= deep]:
                    for line in open_.pop(other):
                        ends[line] = number + (text[0] in ")]}")
            open_.setdefault(deep, []).append(number)
        return ends

    def line_of(self, offset: int) -> int:
        """Return the 0-based line of an offset into `plain`."""
        block = offset // _BLOCK_CHARACTERS
        return self._lines_before[block] + self.plain.count("\n", block * _BLOCK_CHARACTERS, offset)

    @cached_property
    def _lines_before(self) -> list[int]:
        """The number of line feeds before every so many characters."""
        blocks = range(0, len(self.plain), _BLOCK_CHARACTERS)
        counts = (self.plain.count("\n", at, at + _BLOCK_CHARACTERS) for at in blocks)
        return list(accumulate(counts, initial=0))

    def line_range(self, span: Span) -> Span:
        """Return the half-open range of 0-based lines that a span of `plain` touches."""
        first = self.line_of(span[0])
        return first, first + self.plain.count("\n", span[0], max(span[0], span[1] - 1)) + 1

    def whole_lines(self, first: int, end: int) -> Span:
        """Return the span of the lines from `first` up to `end`, their endings included."""
        return self._start(first), self._start(end)

    def _start(self, line: int) -> int:
        """Return the offset in `plain` at which a line starts, or the end of the text past the last.

        Few starts are asked for in most searches: they are counted from those of every so many lines.
        """
        block = line // _BLOCK_LINES
        within = sum(map(len, self.lines[block * _BLOCK_LINES : line]))
        return min(self._block_lengths[block] + within + line, len(self.plain))

    @cached_property
    def _block_lengths(self) -> list[int]:
        """The number of characters before every so many lines, line feeds aside."""
        blocks = range(0, len(self.lines), _BLOCK_LINES)
        lengths = (sum(map(len, self.lines[at : at + _BLOCK_LINES])) for at in blocks)
        return list(accumulate(lengths, initial=0))

    def exact_span(self, span: Span) -> Span:
        """Convert a span of `plain` to a span of `text`."""
        return self.exact(span[0]), self.exact(span[1])

    def exact(self, offset: int) -> int:
        """Convert an offset into `plain` to an offset into `text`."""
        mark = 1 if self.text.startswith(BYTE_ORDER_MARK) else 0
        if len(self.plain) + mark == len(self.text):
            return offset + mark
        if self.only_crlf:
            return offset + mark + self.plain.count("\n", 0, offset)
        line = bisect_right(self._plain_starts, offset) - 1
        start = self._exact_starts[line] if line else mark
        return start + offset - self._plain_starts[line]

    @cached_property
    def only_crlf(self) -> bool:
        """Whether every line of the exact text that has an ending has a carriage return and line feed."""
        return self.text.count("\r\n") == self.text.count("\n") == self.text.count("\r")

    def ending(self, line: int) -> str:
        """Return the line ending of a 0-based line in the exact text; empty past the last."""
        end = self._exact_starts[line + 1] if line + 1 < len(self._exact_starts) else len(self.text)
        return line_ending(self.text[max(0, end - 2) : end]) if line < len(self._exact_starts) else ""

    @cached_property
    def _plain_starts(self) -> list[int]:
        return [0, *(ending.end() for ending in re.finditer("\n", self.plain))]

    @cached_property
    def _exact_starts(self) -> tuple[int, ...]:
        return LineTable.of(self.text).starts


class Sources:
    """The texts of a request's files: each as it is, and as the edits before the last one make it."""

    def __init__(self, effort: Effort) -> None:
        self._effort = effort
        self._own: dict[str, SourceText] = {}
        self._made: dict[str, SourceText] = {}

    def of(self, path: str, text: str) -> SourceText:
        """Return the text of a file, the same one for an equal text."""
        source = self._own.setdefault(path, SourceText(text, self._effort))
        if source.text != text:
            source = self._made.get(path, source)
        if source.text != text:
            source = self._made[path] = SourceText(text, self._effort)
        return source


def squeezed(lines: Sequence[str]) -> list[str]:
    """Return the lines without white space and without commas before a closing bracket."""
    found = ["".join(line.split()) for line in lines]
    if any("," in line for line in found):
        found = [TRAILING_COMMA.sub("", line) if "," in line else line for line in found]
        for number, line in enumerate(found[:-1]):
            if line.endswith(",") and found[number + 1][:1] in (")", "]", "}"):
                found[number] = line[:-1]
    return found


def indent_unit(lines: Sequence[str]) -> str:
    """Return one step of indentation in `lines`: a tab, or the commonest width; four spaces if unknown."""
    tabs = spaces = 0
    steps: dict[int, int] = {}
    previous = 0
    for line in lines[:2000]:
        if not line or line.isspace():
            continue
        blanks = indentation(line)
        if blanks.startswith("\t"):
            tabs += 1
            continue
        spaces += bool(blanks)
        step = len(blanks) - previous
        if step > 1:
            steps[step] = steps.get(step, 0) + 1
        previous = len(blanks)
    if tabs > spaces:
        return "\t"
    return " " * max(steps, key=lambda step: (steps[step], -step)) if steps else "    "
