"""The marker lines of blocks (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), and which belong together.

Both known families are read (`<`, `=`, `>` and `-`, `=`, `+`), from three characters, in any case, escaped
for HTML or not. Git's own conflict markers (`<<<<<<< HEAD`) are recognised: they are never a block.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex


class MarkerKind(Enum):
    """The role of a marker line."""

    SEARCH = "search"
    BEFORE = "before"
    DIVIDER = "divider"
    REPLACE = "replace"
    AFTER = "after"
    CONFLICT = "conflict"
    """Git's start of a conflict."""
    CONFLICT_END = "conflictEnd"


_OPENING = (MarkerKind.SEARCH, MarkerKind.BEFORE)
_CLOSING = {MarkerKind.REPLACE: MarkerKind.SEARCH, MarkerKind.AFTER: MarkerKind.BEFORE}


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker line: its indentation, the length of its signs, and the label behind them."""

    kind: MarkerKind
    line: int
    indentation: str
    length: int
    escaped: bool = False
    """Its angle brackets are written as HTML entities."""
    label: str = ""


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
            elif marker.kind in (*_OPENING, MarkerKind.CONFLICT):
                depth += 1
            else:
                depth -= 1
        dividers = dividers or enclosed
        lengths = {self.opening.length, self.closing.length if self.closing else 0}
        in_line = [divider for divider in dividers if divider.indentation == self.opening.indentation]
        return [divider for divider in in_line if divider.length in lengths] or in_line or dividers

    def _balanced(self) -> Iterator[Marker]:
        """Return the markers inside, without the opening and closing ones that have no counterpart."""
        open_lines: list[int] = []
        paired: set[int] = set()
        for marker in self.inside:
            if marker.kind in (*_OPENING, MarkerKind.CONFLICT):
                open_lines.append(marker.line)
            elif marker.kind is not MarkerKind.DIVIDER and open_lines:
                paired.update((open_lines.pop(), marker.line))
        return (m for m in self.inside if m.kind is MarkerKind.DIVIDER or m.line in paired)


_LINE = regex(
    r"""(?P<indentation>[ \t]*)(?:
        (?P<open>(?:<|&lt;){3,}|-{3,})[ \t]*(?P<word>search|original|before)(?:>|&gt;)?
            (?P<label>(?:[ \t:(].*)?)
        |(?P<conflict><{7}(?:[ \t].*)?)
        |(?P<divider>={3,})
        |(?P<close>(?:>|&gt;){3,}|\+{3,})[ \t]*(?P<end>replace|updated?|after)(?:>|&gt;)?(?:`{3,}|</\w+>)*
        |(?P<conflict_end>>{7}(?:[ \t].*)?)
    )[ \t\r\n]*\Z""",
    re.IGNORECASE | re.VERBOSE,
)
_LABEL = regex(
    r"[ \t:(]*(?:(?:start_)?line[ \t:=]*)?\d+\)?|[ \t:(]*[^\s()]*[./][^\s()]*\)?|[ \t:]*", re.IGNORECASE
)
_FIRST = frozenset("<=>-+& \t")
_BEGINNINGS = frozenset(("<<", "<&", "&l", "--", "==", ">>", ">&", "&g", "++"))


def marker_on(line: str, number: int) -> Marker | None:
    """Return the marker that a line is, or `None`."""
    if line[:1] not in _FIRST or line.lstrip(" \t")[:2].lower() not in _BEGINNINGS:
        return None
    found = _LINE.match(line)
    if not found:
        return None
    indentation = found["indentation"]
    if found["divider"]:
        return Marker(MarkerKind.DIVIDER, number, indentation, len(found["divider"]))
    if found["conflict"]:
        return Marker(MarkerKind.CONFLICT, number, indentation, 7)
    if found["conflict_end"]:
        return Marker(MarkerKind.CONFLICT_END, number, indentation, 7)
    opening = found["open"]
    sign = opening or found["close"]
    word = (found["word"] or found["end"]).casefold()
    length = len(sign.replace("&lt;", "<").replace("&gt;", ">"))
    if sign[0] in "-+" and word not in ("search", "replace"):
        return None
    if opening:
        if not _LABEL.fullmatch(found["label"].strip()):
            return None
        kind = MarkerKind.BEFORE if word == "before" else MarkerKind.SEARCH
        return Marker(kind, number, indentation, length, sign[0] == "&", found["label"].strip(" \t:()\r\n"))
    kind = MarkerKind.AFTER if word == "after" else MarkerKind.REPLACE
    return Marker(kind, number, indentation, length, sign[0] == "&")


def find_blocks(source: AnswerText) -> dict[int, MarkerBlock]:
    """Return the blocks of the text by the lines of their opening markers, in time linear in its length."""
    markers = [m for number, line in enumerate(source.lines) if (m := marker_on(line, number))]
    closed, strays = _matched(markers)
    places = {marker.line: place for place, marker in enumerate(markers)}
    found: dict[int, MarkerBlock] = {}
    outermost_end = -1
    for place, marker in enumerate(markers):
        if marker.kind not in _OPENING:
            continue
        closing = closed.get(marker.line)
        if closing is None:
            end = next(_places_of_openings_after(markers, place), len(markers))
            limit = markers[end].line if end < len(markers) else len(source.lines)
            found[marker.line] = MarkerBlock(marker, None, tuple(markers[place + 1 : end]), limit)
        elif place > outermost_end:
            outermost_end = places[closing.line]
            inside = tuple(markers[place + 1 : outermost_end])
            found[marker.line] = MarkerBlock(
                marker, closing, inside, closing.line + 1, strays.get(closing.line)
            )
    return found


def _places_of_openings_after(markers: list[Marker], place: int) -> Iterator[int]:
    return (later for later in range(place + 1, len(markers)) if markers[later].kind in _OPENING)


def _matched(markers: list[Marker]) -> tuple[dict[int, Marker], dict[int, Marker]]:
    """Return each closing marker by its opening's line, each stray one by the line of the closing before it.

    A closing marker belongs to the last opening that has its indentation, or else to the last one at all.
    """
    waiting: list[Marker] = []
    indentations: dict[tuple[MarkerKind, str], int] = {}
    closed: dict[int, Marker] = {}
    strays: dict[int, Marker] = {}
    last_end: Marker | None = None
    for marker in markers:
        if marker.kind in _OPENING:
            waiting.append(marker)
            indentations[marker.kind, marker.indentation] = (
                indentations.get((marker.kind, marker.indentation), 0) + 1
            )
            last_end = None
        elif marker.kind in _CLOSING:
            if not waiting:
                if last_end and last_end.kind is marker.kind:
                    strays.setdefault(last_end.line, marker)
                continue
            opening_kind = _CLOSING[marker.kind]
            exact = indentations.get((opening_kind, marker.indentation), 0) > 0
            while waiting:
                opening = waiting.pop()
                indentations[opening.kind, opening.indentation] -= 1
                if not exact or (opening.kind, opening.indentation) == (opening_kind, marker.indentation):
                    closed[opening.line] = marker
                    break
            last_end = None if waiting else marker
    return closed, strays
