"""JSON with comments and trailing commas, read with the place of everything, so that it can be edited."""

from __future__ import annotations

import json
import re
from enum import Enum

from patchpoint.dataclass import dataclass, field
from patchpoint.text.regex import regex

_BLANK = regex(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_DEEPEST = 200
"""Levels: no text with more of them is judged."""
_QUOTED = r'"[^"\\\x00-\x1f]*(?:\\.[^"\\\x00-\x1f]*)*"'
_STRING = regex(_QUOTED)
_SCALAR = regex(_QUOTED + r"|-?\d[\d.eE+-]*|true|false|null")


class Shape(Enum):
    """What a value is."""

    OBJECT = "an object"
    LIST = "a list"
    SCALAR = "a plain value"


@dataclass(frozen=True, slots=True)
class Member:
    """A name in an object, with its value."""

    key: str
    start: int = field(compare=False)
    """Where the name begins, with its quotation mark."""
    value: Value


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and where it is in the text; two that are written alike are equal, wherever they are."""

    shape: Shape
    start: int = field(compare=False)
    end: int = field(compare=False)
    scalar: object = field(default=None, compare=False)
    written: str = ""
    """How a plain value is written."""
    members: tuple[Member, ...] = ()
    items: tuple[Value, ...] = ()

    def member(self, key: str) -> Member | None:
        """Return the member that counts: the last of that name."""
        return next((each for each in reversed(self.members) if each.key == key), None)

    def text_of(self, key: str) -> str:
        """Return the text that a member has as its value, or nothing."""
        found = self.member(key)
        return found.value.scalar if found is not None and isinstance(found.value.scalar, str) else ""


class JsonError(Exception):
    """The text is no JSON; the message says where and why."""

    def __init__(self, problem: str, text: str = "", at: int = 0) -> None:
        super().__init__(f"line {text.count(chr(10), 0, at) + 1}: {problem}" if text else problem)
        self.problem = problem
        self.at = at


def scan(text: str) -> Value:
    """Return the value of a JSON text, which may have comments and trailing commas. Raises `JsonError`."""
    scanner = _Scanner(text)
    scanner.skip_blank()
    value = scanner.value(0)
    scanner.skip_blank()
    if scanner.at < len(text):
        raise scanner.error("expected the end")
    return value


def blank_end(text: str, at: int) -> int:
    """Return where the white space and comments that begin at `at` end."""
    match = _BLANK.match(text, at)
    return match.end() if match else at


@dataclass(slots=True)
class _Scanner:
    text: str
    at: int = 0

    def skip_blank(self) -> None:
        self.at = blank_end(self.text, self.at)

    def error(self, problem: str) -> JsonError:
        return JsonError(problem, self.text, self.at)

    def value(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise self.error("it is nested too deeply")
        start = self.at
        if self._took("{"):
            members: list[Member] = []
            while self._goes_on("}", is_first=not members):
                members.append(self._member(depth))
            return Value(Shape.OBJECT, start, self.at, members=tuple(members))
        if self._took("["):
            items: list[Value] = []
            while self._goes_on("]", is_first=not items):
                items.append(self.value(depth + 1))
            return Value(Shape.LIST, start, self.at, items=tuple(items))
        scalar = self._plain(_SCALAR, "a value")
        return Value(Shape.SCALAR, start, self.at, scalar, self.text[start : self.at])

    def _member(self, depth: int) -> Member:
        start = self.at
        key = self._plain(_STRING, "a name in double quotes")
        self.skip_blank()
        if not self._took(":"):
            raise self.error("expected a colon")
        self.skip_blank()
        return Member(str(key), start, self.value(depth + 1))

    def _took(self, sign: str) -> bool:
        found = self.text.startswith(sign, self.at)
        self.at += found
        return found

    def _goes_on(self, closer: str, *, is_first: bool) -> bool:
        """Return whether another entry follows; behind the last one there may be a comma."""
        self.skip_blank()
        if not is_first and not self._took(",") and not self.text.startswith(closer, self.at):
            raise self.error(f"expected a comma or {closer}")
        self.skip_blank()
        return not self._took(closer)

    def _plain(self, pattern: re.Pattern[str], expected: str) -> object:
        match = pattern.match(self.text, self.at)
        try:
            value = json.loads(match[0] if match else "")
        except ValueError:
            raise self.error(f"expected {expected}") from None
        self.at += len(match[0]) if match else 0
        return value
