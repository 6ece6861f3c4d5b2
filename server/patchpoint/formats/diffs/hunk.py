"""The lines of one hunk: those with a minus are removed, those with a plus added, all others are context."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Split
from patchpoint.text.lines import line_ending, without_ending
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True)
class ParsedHunk:
    """One hunk as the text before and the text after."""

    search: str
    replace: str
    only_adds: bool
    """No line is removed, and no line but blank ones shows where the new ones belong."""
    splits: tuple[Split, ...] = ()
    """Where every changed line has two signs (`-- x`, `+- y`): the second is content, or it is not."""


def read_hunk(lines: Sequence[str]) -> ParsedHunk:
    r"""Return the hunk that `lines` make.

    A line without a sign in front is context as it is, an empty one is empty context, and `\ No newline at
    end of file` removes the ending of the line above it. Empty lines at the end of a hunk are layout and
    belong to none.
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
    only_adds = not removes and not any(line.strip() for line in old)
    hunk = ParsedHunk("".join(old), "".join(new), only_adds)
    return replace(hunk, splits=_readings(hunk, lines[:last])) if removes else hunk


def _readings(hunk: ParsedHunk, lines: Sequence[str]) -> tuple[Split, ...]:
    """Return both readings of a hunk with two signs on each changed line; none if one line has but one."""
    changed = [line for line in lines if line[:1] in ("-", "+") and line[1:].strip()]
    if not changed or any(line[1] not in "-+" for line in changed):
        return ()
    single = read_hunk([line[0] + line[2:] if line in changed else line for line in lines])
    return (Split(hunk.search, hunk.replace), Split(single.search, single.replace))


_NUMBERS = regex(r"@@+[ \t]*-(\d+)(?:,(\d+))?[ \t]+\+\d+(?:,(\d+))?[ \t]*@@(.*)")


@dataclass(frozen=True, slots=True)
class Heading:
    """The content of the `@@` line of a hunk: all of it is a hint, and all of it may be missing."""

    line: int | None = None
    """The stated 1-based first line of the text before; 0 for a file that did not exist."""
    scope: str = ""
    counts: tuple[int, int] | None = None
    """The stated numbers of lines of the text before and the text after."""
    section: str = ""
    """The line of the file behind the numbers, which is above the hunk."""


def read_heading(text: str) -> Heading:
    """Return the content of the `@@` line `text`.

    Text behind numbers was only found above the hunk by the tool that wrote it, so it is no scope.
    """
    numbers = _NUMBERS.match(text)
    if numbers:
        line, old, new = (int(number) if number else 1 for number in numbers.groups()[:3])
        return Heading(line=line, counts=(old, new), section=numbers[4].strip())
    scope = text.strip().strip("@").strip()
    return Heading(scope=scope if any(character.isalnum() for character in scope) else "")
