"""The marker lines of blocks (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), and which belong together.

Both known families are read (`<`, `=`, `>` and `-`, `=`, `+`), from three characters, in any case, escaped
for HTML or not. Git's own conflict markers (`<<<<<<< HEAD`) are told apart: they are never a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from patchpoint.formats.source import Source


class Kind(Enum):
    """What a marker line does."""

    SEARCH = "search"
    BEFORE = "before"
    DIVIDER = "divider"
    REPLACE = "replace"
    AFTER = "after"
    CONFLICT = "conflict"
    """Git's start of a conflict."""
    CONFLICT_END = "conflictEnd"


_OPENING = (Kind.SEARCH, Kind.BEFORE)
_CLOSING = {Kind.REPLACE: Kind.SEARCH, Kind.AFTER: Kind.BEFORE}


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker line: what stands before it, how many characters it has, and what is said beside it."""

    kind: Kind
    line: int
    margin: str
    length: int
    escaped: bool = False
    """Its angle brackets are written as HTML entities."""
    said: str = ""


@dataclass(frozen=True, slots=True)
class Block:
    """An opening marker, the closing one that belongs to it, if any, and the markers between them."""

    opening: Marker
    closing: Marker | None
    inside: tuple[Marker, ...]
    limit: int
    """The line behind the closing marker, or, without one, the line on which the next block begins."""
    stray: Marker | None = None
    """A closing marker that follows this block and belongs to no other."""

    def dividers(self) -> list[Marker]:
        """The dividers that may be this block's own, most likely none or all of them when they look alike.

        Those of a git conflict or of a block that stands whole inside are content; and where some dividers
        have the indentation and the length of this block's own markers, the others are content too.
        """
        depth = 0
        dividers: list[Marker] = []
        enclosed: list[Marker] = []
        for marker in self._balanced():
            if marker.kind is Kind.DIVIDER:
                (enclosed if depth else dividers).append(marker)
            elif marker.kind in (*_OPENING, Kind.CONFLICT):
                depth += 1
            else:
                depth -= 1
        dividers = dividers or enclosed
        lengths = {self.opening.length, self.closing.length if self.closing else 0}
        in_line = [divider for divider in dividers if divider.margin == self.opening.margin]
        return [divider for divider in in_line if divider.length in lengths] or in_line or dividers

    def _balanced(self) -> Iterator[Marker]:
        """The markers inside, without the opening and closing ones that have no counterpart."""
        open_lines: list[int] = []
        paired: set[int] = set()
        for marker in self.inside:
            if marker.kind in (*_OPENING, Kind.CONFLICT):
                open_lines.append(marker.line)
            elif marker.kind is not Kind.DIVIDER and open_lines:
                paired.update((open_lines.pop(), marker.line))
        return (m for m in self.inside if m.kind is Kind.DIVIDER or m.line in paired)


_LINE = re.compile(
    r"""(?P<margin>[ \t]*)(?:
        (?P<open>(?:<|&lt;){3,}|-{3,})[ \t]*(?P<word>search|original|before)(?:>|&gt;)?
            (?P<said>(?:[ \t:(].*)?)
        |(?P<conflict><{7}(?:[ \t].*)?)
        |(?P<divider>={3,})
        |(?P<close>(?:>|&gt;){3,}|\+{3,})[ \t]*(?P<end>replace|updated?|after)(?:>|&gt;)?(?:`{3,}|</\w+>)*
        |(?P<conflict_end>>{7}(?:[ \t].*)?)
    )[ \t\r\n]*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_SAID = re.compile(
    r"[ \t:(]*(?:(?:start_)?line[ \t:=]*)?\d+\)?|[ \t:(]*[^\s()]*[./][^\s()]*\)?|[ \t:]*", re.IGNORECASE
)
_FIRST = frozenset("<=>-+& \t")


def marker_on(line: str, number: int) -> Marker | None:
    """The marker that a line is, if it is one."""
    if line[:1] not in _FIRST:
        return None
    found = _LINE.match(line)
    if not found:
        return None
    margin = found["margin"]
    if found["divider"]:
        return Marker(Kind.DIVIDER, number, margin, len(found["divider"]))
    if found["conflict"]:
        return Marker(Kind.CONFLICT, number, margin, 7)
    if found["conflict_end"]:
        return Marker(Kind.CONFLICT_END, number, margin, 7)
    opening = found["open"]
    sign = opening or found["close"]
    word = (found["word"] or found["end"]).casefold()
    length = len(sign.replace("&lt;", "<").replace("&gt;", ">"))
    if sign[0] in "-+" and word not in ("search", "replace"):
        return None
    if opening:
        if not _SAID.fullmatch(found["said"].strip()):
            return None
        kind = Kind.BEFORE if word == "before" else Kind.SEARCH
        return Marker(kind, number, margin, length, sign[0] == "&", found["said"].strip(" \t:()\r\n"))
    kind = Kind.AFTER if word == "after" else Kind.REPLACE
    return Marker(kind, number, margin, length, sign[0] == "&")


def blocks(source: Source) -> dict[int, Block]:
    """The blocks of the text, each by the line of its opening marker; linear in the length of the text."""
    markers = [m for number, line in enumerate(source.lines) if (m := marker_on(line, number))]
    closed, strays = _matched(markers)
    places = {marker.line: place for place, marker in enumerate(markers)}
    found: dict[int, Block] = {}
    outermost_end = -1
    for place, marker in enumerate(markers):
        if marker.kind not in _OPENING:
            continue
        closing = closed.get(marker.line)
        if closing is None:
            end = next(_places_of_openings_after(markers, place), len(markers))
            limit = markers[end].line if end < len(markers) else len(source.lines)
            found[marker.line] = Block(marker, None, tuple(markers[place + 1 : end]), limit)
        elif place > outermost_end:
            outermost_end = places[closing.line]
            inside = tuple(markers[place + 1 : outermost_end])
            found[marker.line] = Block(marker, closing, inside, closing.line + 1, strays.get(closing.line))
    return found


def _places_of_openings_after(markers: list[Marker], place: int) -> Iterator[int]:
    return (later for later in range(place + 1, len(markers)) if markers[later].kind in _OPENING)


def _matched(markers: list[Marker]) -> tuple[dict[int, Marker], dict[int, Marker]]:
    """The closing marker of each opening's line, and the stray closing marker after each closing one's line.

    A closing marker belongs to the last opening that has its indentation, or else to the last one at all.
    """
    waiting: list[Marker] = []
    margins: dict[tuple[Kind, str], int] = {}
    closed: dict[int, Marker] = {}
    strays: dict[int, Marker] = {}
    last_end: Marker | None = None
    for marker in markers:
        if marker.kind in _OPENING:
            waiting.append(marker)
            margins[marker.kind, marker.margin] = margins.get((marker.kind, marker.margin), 0) + 1
            last_end = None
        elif marker.kind in _CLOSING:
            if not waiting:
                if last_end and last_end.kind is marker.kind:
                    strays.setdefault(last_end.line, marker)
                continue
            opening_kind = _CLOSING[marker.kind]
            exact = margins.get((opening_kind, marker.margin), 0) > 0
            while waiting:
                opening = waiting.pop()
                margins[opening.kind, opening.margin] -= 1
                if not exact or (opening.kind, opening.margin) == (opening_kind, marker.margin):
                    closed[opening.line] = marker
                    break
            last_end = None if waiting else marker
    return closed, strays
