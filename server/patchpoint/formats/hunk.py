"""The lines of one hunk: what begins with a minus goes, with a plus comes, and all the rest is context."""

from __future__ import annotations

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
