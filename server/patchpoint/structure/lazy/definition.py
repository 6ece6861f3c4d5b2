"""A text of code as lines and definitions, and why what is shown of them is not merged."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from enum import Enum
from functools import cached_property
from typing import TypeVar

from patchpoint.dataclass import dataclass, field
from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.syntax import Syntax
from patchpoint.text.lines import is_telling

_Key = TypeVar("_Key", bound=Hashable)
_Rows = tuple[int, int]
"""The first and the last row, or the first and the one behind the last."""


@dataclass(frozen=True, eq=False)
class Definition:
    """One definition, or a whole text, in 0-based numbers of lines; ends are exclusive."""

    name: str
    """What it is called by within the definition around it; empty for a whole text."""
    lead: int
    """Where the comments and decorators right above it begin."""
    start: int
    end: int
    header: str = ""
    """Its decorators and its head, without white space."""
    is_container: bool = False
    """It holds members that may be shown one by one, as a class does."""
    children: tuple[Definition, ...] = field(default=(), repr=False)

    @classmethod
    def of_text(cls, lines: Sequence[str], children: tuple[Definition, ...] = ()) -> Definition:
        """Return a whole text with the definitions right within it."""
        return cls("", 0, 0, len(lines), is_container=True, children=children)

    @property
    def is_text(self) -> bool:
        """Whether it is a whole text."""
        return not self.name

    def walk(self) -> Sequence[Definition]:
        """Return this definition and all within it, outermost first."""
        return self._all

    @cached_property
    def _all(self) -> tuple[Definition, ...]:
        return (self, *(each for child in self.children for each in child.walk()))

    def around(self, start: int, end: int) -> list[Definition]:
        """Return the definitions that hold all lines from `start` up to `end`, outermost first."""
        found: list[Definition] = []
        level = self
        while at := bisect_right(level._starts, start):
            level = level.children[at - 1]
            if end > level.end:
                break
            found.append(level)
        return found

    @cached_property
    def _starts(self) -> list[int]:
        return [child.start for child in self.children]

    def parent_of(self, member: Definition) -> Definition | None:
        """Return the definition right around another one; `None` if that is not within this one."""
        return next((each for each in self.walk() if any(child is member for child in each.children)), None)

    def members(self) -> Iterator[Definition]:
        """Yield the definitions that are in no function, outermost first."""
        for child in self.children:
            yield child
            if child.is_container:
                yield from child.members()

    def names(self, prefix: str = "", *, lasting_only: bool = False) -> Iterator[str]:
        """Yield the qualified names of all definitions within it, or of those that are in no function."""
        for child in self.children:
            name = f"{prefix}{child.name}"
            yield name
            if child.is_container or not lasting_only:
                yield from child.names(f"{name}\0", lasting_only=lasting_only)


class Unmerged(Enum):
    """Why it is not merged."""

    LANGUAGE = "there is no grammar for the file's language, or it is too long"
    NOTHING = "nothing but marks is shown"
    NOT_THERE = "the file has no such definition"
    NO_HOME = "no definition is shown, and its lines are nowhere together"
    SEVERAL = "the file has several of that name"
    SEVERAL_CLASSES = "members of several classes are shown without their classes"
    UNLIKE = "the definition of that name has nothing in common with it"
    OTHER_ORDER = "the file has them in another order"
    PLACE = "something new may go to several places"
    LOST = "a definition of the file is neither shown nor covered by a mark"
    UNCLEAR = "a mark could stand for other lines as well"
    DELETES = "more lines would be deleted than are shown"
    LEFT_OUT_OF_NEW = "lines are left out of something that the file does not have"
    ELLIPSIS = "a line of dots in a string may be a mark"
    MARK_LIKE = "a comment may be a mark"
    TABS = "tabs and spaces are mixed in another way than in the file"
    DOUBLED = "the result would have something twice"
    RENAMED = "something new is much like a definition that is not shown"
    BROKEN = "the result would not parse"
    TOO_LARGE = "there are too many lines to compare"
    REPEATS = "too much repeats itself to tell whether there is another place"
    CUT_OFF = "it just stops"


class Assumption(Enum):
    """How shown code is read where it can be read in two ways: the one that loses nothing."""

    MARKS = "a comment that may be a mark is read as one"
    GAPS = "what the file has between the definitions shown stays"
    NEW = "a definition that the file has not is new, and none of the file's under another name"
    LAST = "what is new goes to the end of what it is in"
    LINES = "the lines that the file has, too, say where the others go"
    NEAREST = "of several readings this one removes no word"
    END = "what is shown last is all there"
    WHOLE = "what is shown without a mark is all there"
    STAYS = "what the file has next to a mark stays, and what is shown there is new"


class UnmergedError(Exception):
    """Shown code cannot be merged without guessing."""

    def __init__(
        self,
        reason: Unmerged,
        name: str = "",
        places: Iterable[Definition] = (),
        readings: Iterable[Sequence[str]] = (),
    ) -> None:
        """`name` is of the definition that it is about, `places` where in the file that could be.

        `readings` are the results that are as likely, in lines.
        """
        super().__init__(reason.value)
        self.reason = reason
        self.name = name
        self.places = tuple(places)
        self.readings = tuple(map(tuple, readings))


def indentation_of(line: str) -> str:
    """Return the white space that a line begins with."""
    return line[: len(line) - len(line.lstrip(" \t"))]


def with_tabs_as(file: Sequence[str], lines: Sequence[str]) -> Sequence[str]:
    """Return lines with tabs for the spaces that they begin with, where a file has only tabs there."""
    depths = [line[: len(line) - len(line.lstrip())] for line in file if line.strip()]
    own = [indentation_of(line) for line in lines if line.strip()]
    unit = min((len(depth) for depth in own if depth), default=0)
    if not any(depths) or any(" " in depth for depth in depths) or any("\t" in depth for depth in own):
        return lines
    return [
        "\t" * (len(depth) // unit) + " " * (len(depth) % unit) + line[len(depth) :] if unit else line
        for line, depth in ((line, indentation_of(line)) for line in lines)
    ]


def moved(lines: Sequence[str], shown: str, own: str) -> list[str]:
    """Return lines with the indentation `own` for `shown`; those that begin otherwise stay."""
    return [own + line[len(shown) :] if line.strip() and line.startswith(shown) else line for line in lines]


def is_comment(line: str, signs: Sequence[str]) -> bool:
    """Return whether a line is wholly a comment, given the signs of comments; an attribute is none."""
    words = line.lstrip()
    return words.startswith(tuple(signs)) and not words.startswith("#[")


@dataclass(frozen=True, eq=False)
class CodeText:
    """The lines of a file, or of code that is shown of one, and what is known of them.

    Those of a file stay as they are: what is worked out of them is kept for all code that is merged into it.
    """

    lines: list[str]
    syntax: Syntax
    marks: frozenset[int] = frozenset()
    """The lines that stand for lines of the file."""
    root: Definition = field(default=Definition("", 0, 0, 0), repr=False)
    """The whole text, with the definitions in it."""

    @cached_property
    def known(self) -> Mapping[str, _Rows]:
        """The rows of each line at any depth."""
        return _first_and_last(map(str.strip, self.lines))

    @cached_property
    def exact(self) -> Mapping[str, _Rows]:
        """The rows of each line at its own depth, blanks at its end aside."""
        return _first_and_last(map(str.rstrip, self.lines))

    def has_line_outside(self, of: Definition, line: str) -> bool:
        """Return whether a line is outside of a definition at its own depth, blanks at its end aside."""
        return _is_outside(self.exact.get(line), (of.start, of.end))

    def has_words_outside(self, of: Definition, words: str) -> bool:
        """Return whether a line is outside of a definition at any depth."""
        return _is_outside(self.known.get(words), (of.start, of.end))

    def only_row(self, words: str) -> int | None:
        """Return the row of the one line with these words; `None` for words that tell little."""
        first, last = self.known.get(words, (0, -1))
        return first if first == last and is_telling(words) else None

    def words(self, row: int) -> str:
        """Return a line without white space at either end."""
        return self.lines[row].strip()

    def depth(self, row: int) -> int:
        """Return how many characters a line is indented by."""
        return len(indentation_of(self.lines[row]))

    def solid(self, start: int, end: int) -> list[int]:
        """Return the lines from `start` up to `end` that are not blank."""
        return [row for row in range(start, end) if self.lines[row].strip()]

    def code(self, start: int, end: int) -> Iterator[int]:
        """Yield the lines from `start` up to `end` that are neither blank nor marks."""
        return (row for row in range(start, end) if row not in self.marks and self.lines[row].strip())

    def below(self, row: int) -> int:
        """Return the first line from `row` on that is not blank; the number of lines where all are."""
        return next((n for n in range(row, len(self.lines)) if self.lines[n].strip()), len(self.lines))

    def above(self, row: int) -> int:
        """Return the last line before `row` that is not blank; -1 where all are."""
        return next((n for n in range(row - 1, -1, -1) if self.lines[n].strip()), -1)

    def is_comment(self, row: int) -> bool:
        """Return whether a line is wholly a comment."""
        return is_comment(self.lines[row], self.syntax.comments)

    def outside(self, definitions: Iterable[Definition], start: int, end: int) -> list[str]:
        """Return the words of the lines from `start` up to `end` in no definition of some, but for marks."""
        within = {row for each in definitions for row in range(each.lead, each.end)}
        return [self.words(row) for row in range(start, end) if row not in within and row not in self.marks]


@dataclass(frozen=True)
class TwoTexts:
    """A file, and the code that is shown of it."""

    file: CodeText
    shown: CodeText

    def overlap(self, own: Definition, given: Definition) -> float:
        """Return which part of a shown definition's lines the file's has, too."""
        given_words = map(self.shown.words, self.shown.code(given.start, given.end))
        wanted = Counter(words for words in given_words if not is_closing(words))
        have = Counter(line.strip() for line in self.file.lines[own.start : own.end])
        return (wanted & have).total() / wanted.total() if wanted else 0.0


def _first_and_last(keys: Iterable[_Key]) -> dict[_Key, _Rows]:
    found: dict[_Key, _Rows] = {}
    for row, key in enumerate(keys):
        found[key] = (found[key][0], row) if key in found else (row, row)
    return found


def _is_outside(rows: _Rows | None, within: _Rows) -> bool:
    return rows is not None and (rows[0] < within[0] or rows[1] >= within[1])


def head_end(lines: Sequence[str], of: Definition) -> int:
    """Return the row behind the first ones of a definition after which no bracket is open."""
    depth = 0
    for row in range(of.start, of.end):
        depth += sum((sign in "([") - (sign in ")]") for sign in lines[row])
        if depth <= 0:
            return row + 1
    return of.start + 1


def lead_above(text: CodeText, signs: Sequence[str], start: int, lowest: int) -> int:
    """Return where the comments right above line `start` begin, `lowest` at the least.

    Comments begin with one of the signs; a mark is none. Documentation may be one blank line above.
    """
    lines, marks = text.lines, text.marks
    line_signs = tuple(sign for sign in signs if sign not in ("/*", "*"))
    first = start
    is_apart = "/*" in signs and start - 2 >= lowest and not lines[start - 1].strip()
    row = start - 1 - is_apart
    while row >= lowest and row not in marks:
        above = lines[row].strip()
        if "/*" in signs and above.endswith("*/"):
            rows = range(row, lowest - 1, -1)
            row = next((n for n in rows if n in marks or "/*" in lines[n]), row)
            if row in marks or not lines[row].lstrip().startswith("/**" if is_apart else "/*"):
                break
        elif is_apart or not above.startswith(line_signs) or above.startswith("#!"):
            break
        first, is_apart = row, False
        row -= 1
    return first
