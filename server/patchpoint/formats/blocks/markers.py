"""The marker lines of blocks (`<<<<<<< SEARCH`, `=======`, `>>>>>>> REPLACE`), and which belong together.

Both known families are read (`<`, `=`, `>` and `-`, `=`, `+`), from three characters, in any case, escaped
for HTML or not. Git's own conflict markers (`<<<<<<< HEAD`) are recognised: they are never a block.
"""

from __future__ import annotations

import re

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex

OPENING, DIVIDER, CLOSING = _KINDS = ("opening", "divider", "closing")
_CONFLICT = ("conflict", "conflict_end")
"""The kinds of markers, which are the names of their groups of the pattern; the last two are git's."""


@dataclass(frozen=True, slots=True)
class Marker:
    """One marker line, as the pattern finds it."""

    kind: str
    line: int
    parts: re.Match[str]

    @property
    def family(self) -> tuple[bool, str]:
        """Whether it is `BEFORE` or `AFTER`, and not `SEARCH` or `REPLACE`; and its indentation."""
        return bool(self.parts["before"] or self.parts["after"]), self.parts["indentation"]

    @property
    def is_anchor(self) -> bool:
        """Whether it is of a block of anchors."""
        return self.family[0]

    @property
    def is_escaped(self) -> bool:
        """Whether its angle brackets are written as HTML entities."""
        return self.parts[self.kind][0] == "&"

    @property
    def length(self) -> int:
        """The number of its signs."""
        return len(self.parts[self.kind].split(maxsplit=1)[0].replace("&lt;", "<").replace("&gt;", ">"))


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
            if marker.kind == DIVIDER:
                (enclosed if depth else own).append(marker)
            else:
                depth = max(0, depth + (1 if marker.kind in (OPENING, _CONFLICT[0]) else -1))
        lengths = {marker.length for marker in (self.opening, self.closing) if marker}
        in_line = [each for each in own or enclosed if each.family[1] == self.opening.family[1]]
        return [each for each in in_line if each.length in lengths] or in_line or own or enclosed


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


def _markers(source: AnswerText) -> list[Marker]:
    """Return the lines of a text that are markers."""
    found: list[Marker] = []
    for number, line in enumerate(source.lines):
        may_be_one = line[:1] in _FIRST and line.lstrip(" \t")[:2].lower() in _BEGINNINGS
        if may_be_one and (parts := _LINE.match(line)):
            kind = next(kind for kind in (*_KINDS, *_CONFLICT) if parts[kind])
            found.append(Marker(kind, number, parts))
    return found


def find_blocks(source: AnswerText) -> dict[int, MarkerBlock]:
    """Return the blocks of the text by the lines of their opening markers, in time linear in its length."""
    markers = _markers(source)
    closed = _matched(markers)
    openings = [place for place, marker in enumerate(markers) if marker.kind == OPENING]
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
            is_stray = (behind.kind, behind.is_anchor) == (CLOSING, closing.is_anchor)
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
        if marker.kind == OPENING:
            waiting.append(place)
        elif marker.kind == CLOSING and waiting:
            near = waiting[: -_MOST_WAITING - 1 : -1]
            opening = next((at for at in near if markers[at].family == marker.family), waiting[-1])
            del waiting[waiting.index(opening, -len(near)) :]
            closed[opening] = place
    return closed
