"""The hunks of any diff: their lines as the text before and the text after, their headings, their edits.

Lines with a minus are removed, those with a plus added, and all others are context.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format, Operation, Split
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.lines import line_ending, without_ending
from patchpoint.text.regex import regex

_NUMBERS = regex(r"@@+[ \t]*-(\d+)(?:,(\d+))?[ \t]+\+\d+(?:,(\d+))?[ \t]*@@(.*)")
_END_OF_FILE = regex(r"\s*\*\*\*\s*end of file\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class DiffHunk:
    """A hunk as the text before and the text after, its lines in the answer, and all hints at its place.

    All that its `@@` line says is a hint, and all of it may be missing.
    """

    search: str
    replace: str
    signs: frozenset[str]
    """What its lines begin with."""
    splits: tuple[Split, ...] = ()
    """Where every changed line has two signs (`-- x`, `+- y`): the second is content, or it is not."""
    first: int = 0
    body: int = 0
    """The line below its heading."""
    end: int = 0
    line: int | None = None
    """The stated 1-based first line of the text before; 0 for a file that did not exist."""
    scope: tuple[str, ...] = ()
    section: str = ""
    """The line of the file behind the numbers: the tool that wrote it only found it above the hunk."""
    counts: tuple[int, int] | None = None
    """The stated numbers of lines of the text before and the text after."""
    at_end: bool = False
    fault: str = ""
    """What shows that the text was cut off in it."""

    @property
    def changes(self) -> bool:
        """Whether a line is removed or added."""
        return not self.signs.isdisjoint("+-")

    def item(self, source: AnswerText, path: str, first: int, origin: Format) -> Item:
        """Return the edit of a hunk, which begins on line `first` together with what is above it."""
        if self.fault:
            return source.malformed(self.fault, first, self.end, at=self.end - 1, path=path, origin=origin)
        edit = Edit(
            path=path,
            search=self.search,
            replace=self.replace,
            splits=self.splits,
            line=self.line or None,
            scope=self.scope,
            section=self.section,
            at_end=self.at_end,
            format=origin,
            span=source.span(first, self.end),
        )
        if "-" in self.signs or self.search.strip():
            return edit
        ends = self.at_end and origin is Format.ENVELOPE
        if self.line is not None and not ends and (not self.scope or origin is Format.UNIFIED_DIFF):
            message = "nothing says where these lines go; a line of the file next to them was expected"
            return source.malformed(message, first, self.end, at=self.body, path=path, origin=origin)
        # Lines without any context have no place in the file: where they go is decided there.
        added = replace(edit, operation=Operation.INSERT, search="", splits=(), line=None, section="")
        is_below = bool(self.scope) and not ends
        return replace(added, at_end=self.at_end and not is_below, scope=self.scope if is_below else ())


def hunks_in(source: AnswerText, first: int, end: int) -> Iterator[DiffHunk]:
    """Yield the hunks on the lines from `first` up to `end`.

    Several `@@` lines above one of them are scopes, outermost first.
    """
    start = body = first
    hints: dict[str, Any] = {}
    for number in range(first, end + 1):
        text = source.lines[number] if number < end else ""
        at_end = _END_OF_FILE.match(text) is not None
        if number < end and not at_end and not text.startswith("@@"):
            continue
        lines = source.lines[body:number]
        has_content = any(line.strip() for line in lines)
        if has_content:
            last = number + 1 if at_end else body + len(_without_empty_end(lines))
            hunk = read_hunk(lines, first=start, body=body, end=last, **hints)
            yield replace(hunk, at_end=hunk.at_end or at_end)
        if has_content or at_end:
            start, hints = number + at_end, {}
        if number < end and not at_end:
            below = read_heading(text)
            hints |= {**below, "scope": (*hints.get("scope", ()), *below.get("scope", ()))}
        body = number + 1


def read_hunk(lines: Sequence[str], **known: Any) -> DiffHunk:  # noqa: ANN401
    r"""Return the hunk that `lines` make, with what is `known` of it otherwise.

    A line without a sign in front is context as it is, an empty one is empty context, and `\ No newline at
    end of file` removes the ending of the line above it. Empty lines at the end of a hunk are layout and
    belong to none.
    """
    lines = _without_empty_end(lines)
    old: list[str] = []
    new: list[str] = []
    sides: tuple[list[str], ...] = ()
    for line in lines:
        sign, rest = line[:1], line[1:]
        if sign == "\\" and "newline" in rest.casefold():
            known["at_end"] = True
            for side in sides:
                side[-1] = without_ending(side[-1])
            continue
        sides = {"-": (old,), "+": (new,)}.get(sign, (old, new))
        content = rest if sign in ("-", "+", " ") else line
        for side in sides:
            side.append(content if line_ending(content) else content + "\n")
    signs = frozenset(line[:1] for line in lines)
    before, after = "".join(old), "".join(new)
    splits = _readings(before, after, lines) if "-" in signs else ()
    return DiffHunk(before, after, signs, splits, **known)


def _readings(before: str, after: str, lines: Sequence[str]) -> tuple[Split, ...]:
    """Return both readings of a hunk with two signs on each changed line; none if one line has but one."""
    changed = [line for line in lines if line[:1] in ("-", "+") and line[1:].strip()]
    if not changed or any(line[1] not in "-+" for line in changed):
        return ()
    single = read_hunk([line[0] + line[2:] if line in changed else line for line in lines])
    return (Split(before, after), Split(single.search, single.replace))


def read_heading(text: str) -> dict[str, Any]:
    """Return the hints of the `@@` line `text`, by their fields of `DiffHunk`."""
    numbers = _NUMBERS.match(text)
    if numbers:
        line, old, new = (int(number) if number else 1 for number in numbers.groups()[:3])
        return {"line": line, "counts": (old, new), "section": numbers[4].strip()}
    scope = text.strip().strip("@").strip()
    return {"scope": (scope,)} if any(map(str.isalnum, scope)) else {}


def _without_empty_end(lines: Sequence[str]) -> Sequence[str]:
    last = len(lines)
    while last and not without_ending(lines[last - 1]):
        last -= 1
    return lines[:last]
