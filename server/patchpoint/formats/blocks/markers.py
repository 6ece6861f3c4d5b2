"""The marker lines of blocks (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), and which belong together.

Both known families are read (`<`, `=`, `>` and `-`, `=`, `+`), from three characters, in any case, escaped
for HTML or not. Git's own conflict markers (`<<<<<<< HEAD`) are recognised: they are never a block.
"""

from __future__ import annotations

import re
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex


class MarkerKind(Enum):
    """What a marker line does, which is also the name of its group of the pattern."""

    OPENING = "opening"
    DIVIDER = "divider"
    CLOSING = "closing"
    CONFLICT = "conflict"
    """Git's start of a conflict."""
    CONFLICT_END = "conflict_end"


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker line: its indentation, the length of its signs, and what is said behind them."""

    kind: MarkerKind
    line: int
    indentation: str
    length: int
    is_anchor: bool = False
    """It is `BEFORE` or `AFTER`, and not `SEARCH` or `REPLACE`."""
    escaped: bool = False
    """Its angle brackets are written as HTML entities."""
    label: str = ""
    """The path behind an opening marker."""
    number: int | None = None
    """The number of a line behind it."""


@dataclass(frozen=True, slots=True)
class MarkerBlock:
    """An opening marker, the closing one that belongs to it, if any, and the markers between them."""

    opening: Marker
    closing: Marker | None
    inside: tuple[Marker, ...]
    limit: int
    """The line behind the closing marker, or, without one, the line on which the next block begins."""
    stray: Marker | None = None
    """A closing marker that follows this block and belongs to no other."""

    def dividers(self) -> list[Marker]:
        """Return the dividers that may be this block's own.

        Those of a git conflict or of a whole block inside are content; and where some dividers have the
        indentation and the length of this block's own markers, the others are content too.
        """
        depth = 0
        own: list[Marker] = []
        enclosed: list[Marker] = []
        for marker in self.inside:
            if marker.kind is MarkerKind.DIVIDER:
                (enclosed if depth else own).append(marker)
            else:
                depth = max(0, depth + (1 if marker.kind in _BEGINS else -1))
        dividers = own or enclosed
        lengths = {self.opening.length, self.closing.length if self.closing else 0}
        in_line = [divider for divider in dividers if divider.indentation == self.opening.indentation]
        return [divider for divider in in_line if divider.length in lengths] or in_line or dividers


_BEGINS = (MarkerKind.OPENING, MarkerKind.CONFLICT)
_LINE = regex(
    r"""(?P<indentation>[ \t]*)(?:
        (?P<opening>(?:<|&lt;){3,}|-{3,}(?=[ \t]*search))[ \t]*
            (?:search|original|(?P<before>before))(?:>|&gt;)?(?:[ \t:(]{1,9}
            (?:(?:(?:start_)?line[ \t:=]*)?(?P<number>\d+)|(?P<label>[^\s()]*[./][^\s()]*))\)?)?[ \t:]*
        |(?P<conflict><{7}(?:[ \t].*)?)
        |(?P<divider>={3,})
        |(?P<closing>(?:>|&gt;){3,}|\+{3,}(?=[ \t]*replace))[ \t]*
            (?:replace|updated?|(?P<after>after))(?:>|&gt;)?(?:`{3,}|</\w+>)*
        |(?P<conflict_end>>{7}(?:[ \t].*)?)
    )[ \t\r\n]*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_MOST_WAITING = 20
"""So many blocks that are not closed yet may be the one that a closing marker ends."""
_FIRST = frozenset("<=>-+& \t")
_BEGINNINGS = frozenset(("<<", "<&", "&l", "--", "==", ">>", ">&", "&g", "++"))


def marker_on(line: str, number: int) -> Marker | None:
    """Return the marker that a line is, or `None`."""
    may_be_one = line[:1] in _FIRST and line.lstrip(" \t")[:2].lower() in _BEGINNINGS
    found = _LINE.match(line) if may_be_one else None
    if found is None:
        return None
    kind = next(kind for kind in MarkerKind if found[kind.value])
    sign = found[kind.value]
    return Marker(
        kind=kind,
        line=number,
        indentation=found["indentation"],
        length=len(sign.split(maxsplit=1)[0].replace("&lt;", "<").replace("&gt;", ">")),
        is_anchor=bool(found["before"] or found["after"]),
        escaped=sign[0] == "&",
        label=(found["label"] or "").strip(":"),
        number=int(found["number"] or 0) or None,
    )


def find_blocks(source: AnswerText) -> dict[int, MarkerBlock]:
    """Return the blocks of the text by the lines of their opening markers, in time linear in its length."""
    markers = [m for number, line in enumerate(source.lines) if (m := marker_on(line, number))]
    closed = _matched(markers)
    openings = [place for place, marker in enumerate(markers) if marker.kind is MarkerKind.OPENING]
    found: dict[int, MarkerBlock] = {}
    reached = -1
    for place, following in zip(openings, [*openings[1:], len(markers)], strict=False):
        opening, last = markers[place], closed.get(place)
        if last is None:
            limit = markers[following].line if following < len(markers) else len(source.lines)
            found[opening.line] = MarkerBlock(opening, None, tuple(markers[place + 1 : following]), limit)
        elif place > reached:
            reached = last
            closing, inside = markers[last], tuple(markers[place + 1 : last])
            behind = markers[last + 1] if last + 1 < len(markers) else opening
            is_stray = (behind.kind, behind.is_anchor) == (closing.kind, closing.is_anchor)
            stray = behind if is_stray else None
            found[opening.line] = MarkerBlock(opening, closing, inside, closing.line + 1, stray)
    return found


def _matched(markers: list[Marker]) -> dict[int, int]:
    """Return the places of closing markers by those of their opening ones.

    A closing marker belongs to the last opening that has its indentation, or else to the last one at all.
    """
    waiting: list[int] = []
    closed: dict[int, int] = {}
    for place, marker in enumerate(markers):
        if marker.kind is MarkerKind.OPENING:
            waiting.append(place)
        elif marker.kind is MarkerKind.CLOSING and waiting:
            own = (marker.is_anchor, marker.indentation)
            near = waiting[: -_MOST_WAITING - 1 : -1]
            each = (at for at in near if (markers[at].is_anchor, markers[at].indentation) == own)
            opening = next(each, waiting[-1])
            del waiting[waiting.index(opening, -len(near)) :]
            closed[opening] = place
    return closed
