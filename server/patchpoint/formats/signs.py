"""The signs by which the beginning of an edit is recognised in the middle of a text.

One regular expression visits the beginning of each line and stops only where a sign may be: that is what
makes a long text without edits quick to read.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterable

from patchpoint.dataclass import dataclass
from patchpoint.formats.source import AnswerText
from patchpoint.text.regex import regex


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignPattern:
    """The pattern of one kind of sign; its line may have white space and quote marks before it."""

    name: str
    """A name of its own, which is an identifier."""
    pattern: str
    """A regular expression for the whole sign: case-insensitive, with free spacing."""
    first: str
    """The characters that it may begin with."""
    prefix: str
    """A quick regular expression for the beginning of the sign: case-sensitive, without free spacing."""
    prefix_below: str = ""
    """A narrower `prefix` for lines below the first, unless every sign of this kind counts."""
    may_be_indented: bool = False
    """If the sign and the line below it are indented, the whole edit is taken to be indented."""
    is_worthwhile: Callable[[AnswerText], bool] | None = None
    """For a sign that is common in texts without edits: whether a text may hold such an edit at all."""


@dataclass(frozen=True, slots=True)
class Sign:
    """A sign: its kind, its offsets, and the number of quote marks before it."""

    pattern: SignPattern
    start: int
    end: int
    quotes: int


class SignFinder:
    """Finds the signs of certain kinds."""

    def __init__(self, patterns: Iterable[SignPattern], *, every: SignPattern | None = None) -> None:
        """Prepare to find the signs of `patterns`, of which the first that fits counts.

        Of `every`, no sign is left out below the first line.
        """
        self._patterns = {pattern.name: pattern for pattern in patterns}
        self._sign = regex(
            "|".join(f"(?P<{name}>{each.pattern})" for name, each in self._patterns.items()),
            re.IGNORECASE | re.VERBOSE,
        )
        whole = [each.prefix for each in self._patterns.values()]
        below = [
            each.prefix if each is every else each.prefix_below or each.prefix
            for each in self._patterns.values()
        ]
        self._may_begin = regex(self._beginning(whole))
        self._later = regex(r"\n" + self._beginning(below))
        self._later_or_return = regex(r"[\n\r]" + self._beginning(whole))

    def _beginning(self, prefixes: Iterable[str]) -> str:
        """Return what lines with a sign begin with; the two sets of characters turn down most lines."""
        first = "".join(
            re.escape(c) for c in sorted({c for each in self._patterns.values() for c in each.first})
        )
        return rf"(?=[ \t>{first}])[ \t>]*(?=[{first}])(?:{'|'.join(dict.fromkeys(prefixes))})"

    def find(self, text: str) -> Generator[Sign, int, None]:
        """Yield the signs of `text`, in order.

        The generator may be sent an offset: the next sign is then on a line that begins behind it.
        """
        later = self._later
        if text.count("\r") != text.count("\r\n"):
            later = self._later_or_return
        found = self._may_begin.match(text) or later.search(text)
        while found:
            line_start = found.start() + (text[found.start()] in "\r\n")
            prefix_end = found.end() - len(text[line_start : found.end()].lstrip(" \t>"))
            sign = self._sign.match(text, prefix_end)
            reached = found.end()
            if sign:
                quotes = text.count(">", line_start, prefix_end)
                name = sign.lastgroup or ""
                at = Sign(self._patterns[name], sign.start(name), sign.end(), quotes)
                reached = max(reached, (yield at) or 0)
            found = later.search(text, reached)
