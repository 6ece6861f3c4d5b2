"""Markdown fences: which line opens one, which closes it, and whether another opens in between."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText, SpanSet
from patchpoint.formats.spelling import words_of
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_FENCE = regex(r"[ \t]*(`{3,}|~{3,})[ \t]*(.*?)[ \t\r\n]*\Z")
_WORD = regex(r"\w*")
_CITATION = regex(r"\d+:\d+:")

_LISTS = words_of("diff patch udiff yaml yml markdown md text txt rst org")


class FenceKind(Enum):
    """What the info string of a fence says that it holds."""

    CODE = "code"
    CITATION = "lines that are cited"
    DIFF = "a diff"
    OUTPUT = "what a program prints"
    COMMANDS = "commands"
    TEXT = "text or data"


_KINDS = {
    **dict.fromkeys(words_of("diff patch udiff"), FenceKind.DIFF),
    **dict.fromkeys(words_of("console terminal output log mermaid ascii stdout"), FenceKind.OUTPUT),
    **dict.fromkeys(words_of("bash sh shell zsh fish powershell pwsh ps1 cmd bat"), FenceKind.COMMANDS),
    **dict.fromkeys(words_of("text txt plaintext json markdown md"), FenceKind.TEXT),
}
_OWN_FILES = {
    FenceKind.DIFF: (".diff", ".patch"),
    FenceKind.COMMANDS: words_of(".sh .bash .zsh .fish .ps1 .cmd .bat .bashrc .zshrc .profile .bats"),
}
"""The files of which a fence of that kind has the code."""


@dataclass(frozen=True, slots=True)
class Fence:
    """One fence: its opening and closing lines, and the first line inside that opens one of its length."""

    first: int
    last: int
    """The line of the closing fence; without one, the line behind the text."""
    closed: bool
    nested: int | None
    info: str
    """What follows the signs that open it."""

    @property
    def end(self) -> int:
        """The line behind the fence."""
        return self.last + self.closed

    @property
    def language(self) -> str:
        """The word that its info string begins with, without case."""
        found = _WORD.match(self.info)
        return found[0].casefold() if found else ""

    def fault(self, what: str) -> str:
        """Return what is wrong with a fence around `what`; empty if nothing is."""
        if not self.closed:
            return f"{what} is cut off; the end of its fence was expected"
        if self.nested is not None:
            return f"a fence opens inside {what}; a longer fence was expected around it"
        return ""

    def kind(self, path: str = "") -> FenceKind:
        """Return what its info string says that it holds, if it is for the file at `path`."""
        kind = _KINDS.get(self.language, FenceKind.CODE)
        if self.info[:13].casefold() == "shell-session":
            kind = FenceKind.OUTPUT
        elif _CITATION.match(self.info):
            kind = FenceKind.CITATION
        return FenceKind.CODE if path.casefold().endswith(_OWN_FILES.get(kind, ())) else kind


def fence_on(line: str) -> re.Match[str] | None:
    """Return a line that opens or closes a fence: its signs, and the info string behind them."""
    return _FENCE.match(line) if "```" in line or "~~~" in line else None


def fences(source: AnswerText) -> dict[int, Fence]:
    """Return the fences of the text by their first lines, in time linear in its length.

    As in Markdown, only a line with at least as many of the same signs and nothing else closes a fence. A
    line with an info string opens one even inside another fence: answers are often quoted whole.
    """
    closing: dict[tuple[str, int], int] = {}
    opening: dict[tuple[str, int], int] = {}
    found: dict[int, Fence] = {}
    marks = _marks(source)
    for line, sign, length, info in reversed(marks):
        last = closing.get((sign, length))
        nested = opening.get((sign, length))
        inside = nested if nested is not None and (last is None or nested < last) else None
        end = len(source.lines) if last is None else last
        found[line] = Fence(line, end, last is not None, inside, info)
        for shorter in range(3, length + 1):
            (opening if info else closing)[sign, shorter] = line
    reached = 0
    for line, _, _, info in marks:
        if line >= reached:
            reached = found[line].end
        elif not info:
            del found[line]
    return found


def outer_fences(source: AnswerText) -> list[Fence]:
    """Return the fences of the text that are in no other, in order."""
    return source.once(_outer)


def _outer(source: AnswerText) -> list[Fence]:
    outer: list[Fence] = []
    for _, fence in sorted(source.once(fences).items()):
        if not outer or fence.first >= outer[-1].end:
            outer.append(fence)
    return outer


def has_fence_outside(source: AnswerText, taken: Iterable[Span]) -> bool:
    """Return whether the text has a fence that none of the spans `taken` has lines of."""
    spans = SpanSet(taken) if "```" in source.text or "~~~" in source.text else None
    return spans is not None and not all(
        spans.overlaps(source.span(fence.first, fence.end)) for fence in outer_fences(source)
    )


def without_content(source: AnswerText) -> AnswerText:
    """Return the text with a sign that says nothing in place of each line in a fence."""
    lines = list(source.lines)
    for fence in outer_fences(source):
        for line in range(fence.first + 1, fence.last):
            lines[line] = "·\n"
    return AnswerText("".join(lines), lines)


def lines_without_margin(source: AnswerText, fence: Fence, first: int = 0) -> list[str]:
    """Return the lines in a fence, those from `first` on, without the fence's own indentation."""
    opening = source.lines[fence.first]
    margin = opening[: len(opening) - len(opening.lstrip(" \t"))]
    return without_margin(source.lines[max(fence.first + 1, first) : fence.last], margin)


def without_margin(lines: Sequence[str], margin: str) -> list[str]:
    """Return lines without a margin that all of them have; as they are, where one does not have it."""
    is_shared = all(line.startswith(margin) for line in lines if line.strip())
    return [line.removeprefix(margin) for line in lines] if is_shared else list(lines)


def is_last(source: AnswerText, fence: Fence) -> bool:
    """Return whether nothing follows a fence in an answer, which may then have been cut off in it."""
    at = source.starts[min(fence.end, len(source.lines))]
    return source.may_be_cut_off and source.once(_solid)[1] <= at


def is_first(source: AnswerText, fence: Fence) -> bool:
    """Return whether nothing is above a fence."""
    return source.once(_solid)[0] >= source.starts[fence.first]


def holds_signed_lines(source: AnswerText, fence: Fence) -> bool:
    """Return whether a fence that is called no diff has lines with both signs, and no line without one."""
    signs = {line[0] for line in lines_without_margin(source, fence) if line.strip()}
    return {"+", "-"} <= signs <= {"+", "-", " "} and fence.language not in _LISTS


def _solid(source: AnswerText) -> Span:
    """Return the span of the text without the white space around it."""
    text = source.text
    return len(text) - len(text.lstrip()), len(text.rstrip())


def _marks(source: AnswerText) -> list[tuple[int, str, int, str]]:
    """Return the lines of fences: number, sign, count of signs, and info string."""
    marks = []
    if "```" in source.text or "~~~" in source.text:
        for line, text in enumerate(source.lines):
            fence = fence_on(text)
            if fence:
                marks.append((line, fence[1][0], min(len(fence[1]), 16), fence[2]))
    return marks
