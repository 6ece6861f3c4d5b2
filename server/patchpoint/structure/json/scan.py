"""JSON with comments and trailing commas, read with the place of everything, so that it can be edited."""

from __future__ import annotations

import json
import re
from enum import Enum

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

_BLANK = regex(r"(?:[ \t\r\n]+|//[^\r\n]*|/\*.*?\*/)*", re.DOTALL)
_SCALAR = regex(r"-?\d[\d.eE+-]*|true|false|null")
_STRING = regex(r'"(?:[^"\\\x00-\x1f]|\\.)*"')
_DEEPEST = 100
"""Levels; a configuration file has a few."""


class Shape(Enum):
    """What a value is."""

    OBJECT = "an object"
    LIST = "a list"
    SCALAR = "a plain value"


@dataclass(frozen=True, slots=True)
class Member:
    """A name in an object, with its value."""

    key: str
    start: int
    """Where the name begins, with its quotation mark."""
    value: Value


@dataclass(frozen=True, slots=True)
class Value:
    """A value, and where it is in the text."""

    shape: Shape
    start: int
    end: int
    scalar: object = None
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
        line = self.text.count("\n", 0, self.at) + 1
        return JsonError(f"line {line}: {problem}")

    def value(self, depth: int) -> Value:
        if depth > _DEEPEST:
            raise self.error("it is nested too deeply")
        first = self.text[self.at : self.at + 1]
        if first == "{":
            return self._object(depth)
        if first == "[":
            return self._list(depth)
        start = self.at
        if first == '"':
            return Value(Shape.SCALAR, start, self._string_end(), self._loaded(start))
        match = _SCALAR.match(self.text, self.at)
        if match is None:
            raise self.error("expected a value")
        self.at = match.end()
        return Value(Shape.SCALAR, start, self.at, self._loaded(start))

    def _object(self, depth: int) -> Value:
        start, members = self.at, []
        self.at += 1
        while not self._closes("}"):
            name = self.at
            if self.text[name : name + 1] != '"':
                raise self.error("expected a name in double quotes")
            self._string_end()
            key = self._loaded(name)
            self.skip_blank()
            if self.text[self.at : self.at + 1] != ":":
                raise self.error("expected a colon")
            self.at += 1
            self.skip_blank()
            members.append(Member(str(key), name, self.value(depth + 1)))
            self._comma("}")
        return Value(Shape.OBJECT, start, self.at, members=tuple(members))

    def _list(self, depth: int) -> Value:
        start, items = self.at, []
        self.at += 1
        while not self._closes("]"):
            items.append(self.value(depth + 1))
            self._comma("]")
        return Value(Shape.LIST, start, self.at, items=tuple(items))

    def _closes(self, closer: str) -> bool:
        self.skip_blank()
        if self.text[self.at : self.at + 1] != closer:
            return False
        self.at += 1
        return True

    def _comma(self, closer: str) -> None:
        self.skip_blank()
        if self.text[self.at : self.at + 1] == ",":
            self.at += 1
        elif self.text[self.at : self.at + 1] != closer:
            raise self.error(f"expected a comma or {closer}")

    def _string_end(self) -> int:
        match = _STRING.match(self.text, self.at)
        if match is None:
            raise self.error("a text in quotes does not end")
        self.at = match.end()
        return self.at

    def _loaded(self, start: int) -> object:
        try:
            return json.loads(self.text[start : self.at])
        except ValueError:
            raise self.error("expected a value") from None
