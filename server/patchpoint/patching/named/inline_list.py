"""A list on one line, in brackets or as words behind a name: one member more, or one less."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.text.regex import regex

_CLOSED = regex(r"(?P<list>[\[({][^\[\](){}]*)(?P<end>[\])}][\s,;]*(?:#.*|//.*)?)\Z")
_WORDS = regex(r"[\w./$(){}@%+-]+(?:[ \t]+[\w./$(){}@%+-]+)*")
_CLOSER = regex(r"\s*[\])}]")
_TABLE = regex(r"\[")
"""What ends a list or a block, and what a table."""
_COMMENTS = ("#", "//", "/*")
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


def with_line_of(lines: Sequence[str], name: str, member: str) -> list[str] | None:
    """Return the lines with one more member at the end of the one list, table or block of several lines.

    It is `None` where there is not one of that name, or its members are not like the new one.
    """
    bare = re.escape(name.strip("`\"' []{}:="))
    head = re.compile(rf"\s*(?:\[{bare}\]|[\"']?{bare}[\"']?\s*(?:[:=]\s*)?[\[({{])\s*(?:#.*|//.*)?")
    rows = [row for row, line in enumerate(lines) if head.fullmatch(line)] if bare else []
    if len(rows) != 1:
        return None
    first = rows[0] + 1
    is_table = lines[rows[0]].strip()[:1] == "["
    ends = _TABLE if is_table else _CLOSER
    end = next(
        (row for row in range(first, len(lines)) if ends.match(lines[row])), len(lines) if is_table else 0
    )
    own = [row for row in range(first, end) if lines[row].strip()]
    if not own or any(line.strip().rstrip(",") == member.strip().rstrip(",") for line in lines[first:end]):
        return None
    last = own[-1]
    depth = lines[last][: len(lines[last]) - len(lines[last].lstrip())]
    if _kind_of(lines[last]) != _kind_of(member) or lines[last].strip().startswith(_COMMENTS):
        return None
    above, is_listed = lines[last].rstrip(), lines[rows[0]].rstrip()[-1:] in ("[", "(")
    has_comma = above.endswith(",") or (is_listed and len(own) == 1)
    is_split = not is_table and (is_listed or any(lines[row].rstrip().endswith(",") for row in own[:-1]))
    before = [f"{above}," if is_split and not above.endswith(",") else lines[last]]
    new = f"{depth}{member.strip().rstrip(',')}{',' if has_comma and not is_table else ''}"
    return [*lines[:last], *before, new, *lines[last + 1 :]]


def _kind_of(line: str) -> str:
    """Return what kind of member a line is, by its first sign, and the sign of what it sets."""
    words = line.strip()
    return words[:1] if not words[:1].isalpha() else "=" if "=" in words else " " if " " in words else "a"


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
