"""The lines of one hunk: what begins with a minus goes, with a plus comes, and all the rest is context."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from patchpoint.text.lines import line_ending, without_ending


@dataclass(frozen=True, slots=True)
class Hunk:
    """The text before and the text after."""

    search: str
    replace: str
    only_adds: bool
    """No line goes, and no line but blank ones says where the new ones belong."""


def read_hunk(lines: Sequence[str]) -> Hunk:
    r"""The hunk that `lines` make.

    A line without a sign in front is context as it stands, an empty one is empty context, and
    `\ No newline at end of file` takes the ending off the line above it. Empty lines at the end of a hunk are
    layout and belong to none.
    """
    last = len(lines)
    while last and not without_ending(lines[last - 1]):
        last -= 1
    old: list[str] = []
    new: list[str] = []
    sides: tuple[list[str], ...] = ()
    for line in lines[:last]:
        sign, rest = line[:1], line[1:]
        if sign == "\\" and "newline" in rest.casefold():
            for side in sides:
                side[-1] = without_ending(side[-1])
            continue
        sides = {"-": (old,), "+": (new,)}.get(sign, (old, new))
        content = rest if sign in ("-", "+", " ") else line
        for side in sides:
            side.append(content if line_ending(content) else content + "\n")
    removes = any(line[:1] == "-" for line in lines)
    return Hunk("".join(old), "".join(new), not removes and not any(line.strip() for line in old))


_NUMBERS = re.compile(r"@@+[ \t]*-(\d+)(?:,(\d+))?[ \t]+\+\d+(?:,(\d+))?[ \t]*@@")


@dataclass(frozen=True, slots=True)
class Heading:
    """What the `@@` line of a hunk says: everything is a hint, and nothing must be there."""

    line: int | None = None
    """The 1-based line at which the text before is said to begin; 0 for a file that did not exist."""
    scope: str = ""
    counts: tuple[int, int] | None = None
    """How many lines the text before and the text after are said to have."""


def read_heading(text: str) -> Heading:
    """What the `@@` line `text` says.

    Beside numbers, what follows is only what the writing tool found above the hunk, so it is no scope.
    """
    numbers = _NUMBERS.match(text)
    if numbers:
        line, old, new = (int(number) if number else 1 for number in numbers.groups())
        return Heading(line=line, counts=(old, new))
    scope = text.strip().strip("@").strip()
    return Heading(scope=scope if any(character.isalnum() for character in scope) else "")
