"""The definitions of a text as lines, and why what is shown of them is not merged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum

from patchpoint.dataclass import dataclass, field


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

    @property
    def is_text(self) -> bool:
        """Whether it is a whole text."""
        return not self.name

    def walk(self) -> Iterator[Definition]:
        """Yield this definition and all within it, outermost first."""
        yield self
        for child in self.children:
            yield from child.walk()

    def parent_of(self, member: Definition) -> Definition | None:
        """Return the definition right around another one; `None` if that is not within this one."""
        return next((each for each in self.walk() if any(child is member for child in each.children)), None)

    def members(self) -> Iterator[Definition]:
        """Yield the definitions that are in no function, outermost first."""
        for child in self.children:
            yield child
            if child.is_container:
                yield from child.members()

    def names(self, prefix: str = "") -> Iterator[str]:
        """Yield the qualified names of all definitions within it."""
        for child in self.children:
            name = f"{prefix}{child.name}"
            yield name
            yield from child.names(f"{name}\0")


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
    LINES = "the lines that the file has, too, say where the others go"
    NEAREST = "of several readings this one removes no word"


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


def is_comment(line: str, signs: Sequence[str]) -> bool:
    """Return whether a line is wholly a comment, given the signs of comments; an attribute is none."""
    words = line.lstrip()
    return words.startswith(tuple(signs)) and not words.startswith("#[")


def lead_above(
    lines: Sequence[str], start: int, signs: Sequence[str], lowest: int, excluded: frozenset[int]
) -> int:
    """Return where the comments right above line `start` begin, `lowest` at the least.

    The lines in `excluded` are no comments.
    """
    first = start
    if "/*" in signs and start - 2 >= lowest and not lines[start - 1].strip():
        first = _documentation_above(lines, start, lowest, excluded)
    line_signs = tuple(sign for sign in signs if sign not in ("/*", "*"))
    while first > lowest and first - 1 not in excluded:
        above = lines[first - 1].strip()
        if "/*" in signs and above.endswith("*/"):
            opening = first - 1
            while opening >= lowest and opening not in excluded and "/*" not in lines[opening]:
                opening -= 1
            if opening < lowest or not lines[opening].lstrip().startswith("/*"):
                break
            first = opening
        elif above.startswith(line_signs) and not above.startswith("#!"):
            first -= 1
        else:
            break
    return first


def _documentation_above(lines: Sequence[str], start: int, lowest: int, excluded: frozenset[int]) -> int:
    """Return where the documentation one blank line above line `start` begins; `start` if there is none."""
    opening = start - 2
    if opening in excluded or not lines[opening].strip().endswith("*/"):
        return start
    while opening > lowest and opening not in excluded and "/*" not in lines[opening]:
        opening -= 1
    is_documentation = lines[opening].lstrip().startswith("/**") and opening not in excluded
    return opening if is_documentation else start
