"""The place where a text does not parse, and the reason why a text is not judged."""

from __future__ import annotations

import re

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

MAX_DEPTH = 200
"""A text with deeper brackets, or with more characters of indentation, is not judged.

Parsers recurse, or keep a stack of fixed size: `tree-sitter-yaml` 0.7.2 writes past the end of its own at 260
levels, `tree-sitter-java` 0.23.5 past the end of the thread's at some 100,000.
"""

MAX_JSON_CHARACTERS = 5_000_000
"""Longer JSON is not judged; it is read at some 30 million characters a second."""

_BRACKETS = regex(r"[(\[{}\])]")
_DEEP_INDENTATION = regex(rf"\n[ \t?:-]{{{MAX_DEPTH}}}")


class UnjudgedError(Exception):
    """A text is too long or too deep to be judged, or its grammar cannot be loaded."""


@dataclass(frozen=True, slots=True)
class Problem:
    """The first place where a text does not parse."""

    line: int
    """From 1."""
    column: int
    """From 1, in characters."""
    message: str
    """A few words, such as "')' is missing"."""

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


def problem_at(text: str, offset: int, message: str) -> Problem:
    """Return the problem at a character offset of `text`."""
    head = text[:offset]
    lines = re.split(r"\r\n|\n|\r", head)
    return Problem(len(lines), len(lines[-1]) + 1, message)


def require_judgeable(text: str, most: int) -> None:
    """Raise `UnjudgedError` for a text of more than `most` characters, or nested too deep."""
    if len(text) > most:
        raise UnjudgedError
    if text.count("(") + text.count("[") + text.count("{") > MAX_DEPTH:
        depth = 0
        for bracket in _BRACKETS.findall(text):
            # A closing bracket too many, as in a string, does not make room for deeper ones.
            depth = depth + 1 if bracket in "([{" else max(0, depth - 1)
            if depth > MAX_DEPTH:
                raise UnjudgedError
    if _DEEP_INDENTATION.search(text) or _DEEP_INDENTATION.match("\n" + text[:MAX_DEPTH]):
        raise UnjudgedError
