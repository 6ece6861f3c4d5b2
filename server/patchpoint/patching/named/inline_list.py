"""A list on one line, in brackets or as words behind a name: one member more, or one less."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.text.regex import regex

_CLOSED = regex(r"(?P<list>[\[({][^\[\](){}]*)(?P<end>[\])}][\s,;]*(?:#.*|//.*)?)\Z")
_WORDS = regex(r"[\w./$(){}@%+-]+(?:[ \t]+[\w./$(){}@%+-]+)*")
_OPENING = ("[", "(", "{")
_MARKS = "\"'` "


def row_of_list(lines: Sequence[str], name: str) -> int | None:
    """Return the one line that gives a name a list, all of it there; `None` where none or several do."""
    bare = name.strip(_MARKS)
    head = re.compile(rf"\s*(?:- )?[\"']?{re.escape(bare)}[\"']?\s*(?::=|\+=|\?=|=|:)") if bare else None
    rows = [
        row for row, line in enumerate(lines) if head and bare in line and _members(line, head) is not None
    ]
    return rows[0] if len(rows) == 1 else None


def with_member(line: str, member: str) -> str | None:
    """Return the line of a list with one more member at its end; `None` where it has that, or is no list."""
    if _place_of(line, member) is not None:
        return None
    closed = _CLOSED.search(line)
    if closed is None:
        is_open = line.rstrip().endswith(_OPENING) or " " in member.strip()
        return None if is_open else f"{line.rstrip()} {member}"
    body = closed["list"].rstrip()
    blank, comma = closed["list"][len(body) :], "," * body.endswith(",")
    if body.strip() in _OPENING:
        return f"{line[: closed.start()]}{body}{member.rstrip(', ')}{closed['end']}"
    between = " " if comma else ", "
    return f"{line[: closed.start()]}{body}{between}{member.rstrip(', ')}{comma}{blank}{closed['end']}"


def without_member(line: str, member: str) -> str | None:
    """Return the line of a list without one of its members; `None` where it has not that one once."""
    place = _place_of(line, member)
    if place is None:
        return None
    above, below = line[: place[0]], line[place[1] :]
    if below.lstrip().startswith(","):
        return f"{above}{below.lstrip()[1:].lstrip()}"
    bare = above.rstrip()
    return f"{above if bare.endswith(_OPENING) else bare.removesuffix(',')}{below}"


def _members(line: str, head: re.Pattern[str]) -> str | None:
    """Return what is behind the name of a list on its line; `None` where that is no list."""
    found = head.match(line)
    rest = line[found.end() :].strip() if found is not None else ""
    is_list = bool(rest) and (_CLOSED.match(rest) is not None or _WORDS.fullmatch(rest) is not None)
    return rest if is_list else None


def _place_of(line: str, member: str) -> tuple[int, int] | None:
    """Return where the one member of a list begins and ends."""
    words = member.strip().rstrip(",")
    pattern = re.compile(rf"(?<![^\s\[({{,=:]){re.escape(words)}(?![^\s\])}},;])")
    found = [each.span() for each in pattern.finditer(line)] if words else []
    return found[0] if len(found) == 1 else None
