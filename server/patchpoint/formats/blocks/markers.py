"""The marker lines of blocks (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), and which belong together.

Both known families are read (`<`, `=`, `>` and `-`, `=`, `+`), from three characters, in any case, escaped
for HTML or not. Git's own conflict markers (`<<<<<<< HEAD`) are recognised: they are never a block.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
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
        dividers: list[Marker] = []
        enclosed: list[Marker] = []
        for marker in self._balanced():
            if marker.kind is MarkerKind.DIVIDER:
                (enclosed if depth else dividers).append(marker)
            else:
                depth += 1 if marker.kind in _BEGINS else -1
        dividers = dividers or enclosed
        lengths = {self.opening.length, self.closing.length if self.closing else 0}
        in_line = [divider for divider in dividers if divider.indentation == self.opening.indentation]
        return [divider for divider in in_line if divider.length in lengths] or in_line or dividers

    def _balanced(self) -> Iterator[Marker]:
        """Return the markers inside, without the opening and closing ones that have no counterpart."""
        waiting: list[int] = []
        paired: set[int] = set()
        for marker in self.inside:
            if marker.kind in _BEGINS:
                waiting.append(marker.line)
            elif marker.kind is not MarkerKind.DIVIDER and waiting:
                paired.update((waiting.pop(), marker.line))
        return (m for m in self.inside if m.kind is MarkerKind.DIVIDER or m.line in paired)


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
    closed, strays = _matched(markers)
    places = {marker.line: place for place, marker in enumerate(markers)}
    openings = [place for place, marker in enumerate(markers) if marker.kind is MarkerKind.OPENING]
    found: dict[int, MarkerBlock] = {}
    reached = -1
    for place, following in zip(openings, [*openings[1:], len(markers)], strict=False):
        marker = markers[place]
        closing = closed.get(marker.line)
        if closing is None:
            limit = markers[following].line if following < len(markers) else len(source.lines)
            found[marker.line] = MarkerBlock(marker, None, tuple(markers[place + 1 : following]), limit)
        elif place > reached:
            reached = places[closing.line]
            inside = tuple(markers[place + 1 : reached])
            stray = strays.get(closing.line)
            found[marker.line] = MarkerBlock(marker, closing, inside, closing.line + 1, stray)
    return found


def _matched(markers: list[Marker]) -> tuple[dict[int, Marker], dict[int, Marker]]:
    """Return each closing marker by its opening's line, each stray one by the line of the closing before it.

    A closing marker belongs to the last opening that has its indentation, or else to the last one at all.
    """
    waiting: list[Marker] = []
    kept: Counter[tuple[bool, str]] = Counter()
    closed: dict[int, Marker] = {}
    strays: dict[int, Marker] = {}
    last_end: Marker | None = None
    for marker in markers:
        key = marker.is_anchor, marker.indentation
        if marker.kind is MarkerKind.OPENING:
            waiting.append(marker)
            kept[key] += 1
            last_end = None
        elif marker.kind is MarkerKind.CLOSING and waiting:
            is_exact = kept[key] > 0
            while waiting:
                opening = waiting.pop()
                own = opening.is_anchor, opening.indentation
                kept[own] -= 1
                if own == key or not is_exact:
                    closed[opening.line] = marker
                    break
            last_end = None if waiting else marker
        elif marker.kind is MarkerKind.CLOSING and last_end and last_end.is_anchor == marker.is_anchor:
            strays.setdefault(last_end.line, marker)
    return closed, strays
