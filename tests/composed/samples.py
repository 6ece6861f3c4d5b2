"""Small files in many languages and formats, each of three parts with other texts for them."""

from __future__ import annotations

import difflib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tests.composed.answers import table

_WRONG_NUMBERS = "@@ -50,7 +50,9 @@"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A file. Its lines end with line feeds, those of its parts as well."""

    path: str
    fence: str
    """The language of a block of it."""
    comment: tuple[str, str]
    """What begins a comment and what ends it."""
    indent: str = ""
    """That of the parts."""
    names: tuple[str, str, str]
    head: str
    parts: tuple[str, str, str]
    changed: tuple[str, str, str]
    """The parts as an answer has them."""
    between: str
    """What is between two parts."""
    tail: str = ""
    added: str
    """One more part."""
    imported: str
    """One more line of the head."""
    limit: tuple[str, str, str] = ("", "", "")
    """The name of a value of the head, and its line before and after a change."""
    call: tuple[str, str] = ("", "")
    """A call in the third part, before and after a change."""

    @property
    def text(self) -> str:
        """The whole file."""
        return self.head + self.between.join(self.parts) + self.tail

    def texts(self) -> dict[str, str]:
        """Return the texts that the file may become, by what is done."""
        first = self._with(0)
        all_removed, alone_removed = self.between + self.parts[2], self.parts[2]
        return {
            "first": first,
            "second": self._with(1),
            "first and third": self._with(0, 2),
            "added after the first": replaced_once(self.text, self.parts[0], self._and_added(self.parts[0])),
            "added after the third": replaced_once(self.text, self.parts[2], self._and_added(self.parts[2])),
            "added at the end": self._and_added(self.text),
            "added below a blank line": f"{self.text}\n{self.added}",
            "third removed": replaced_once(self.text, all_removed, ""),
            "third alone removed": replaced_once(self.text, alone_removed, ""),
            "first, third removed": replaced_once(first, all_removed, ""),
            "first, third alone removed": replaced_once(first, alone_removed, ""),
        }

    def fields(self) -> dict[str, str]:
        """Return what a template of an answer may show, by name."""
        old, new = self.parts, self.changed
        marks = "````" if self.fence == "markdown" else "```"
        begin, end = self.indent + self.comment[0], f"{self.comment[1]}\n"
        mark = f"{begin}...existing code...{end}"
        diff, other_diff = (self._diff(name) for name in ("first and third", "second"))
        line = self.text[: self.text.index(old[1])].count("\n") + 1
        stem, dot, suffix = self.path.partition(".")
        found = {
            "path": self.path,
            "other_path": f"{stem}2{dot}{suffix}",
            "open": f"{marks}{self.fence}\n",
            "open_diff": f"{marks}diff\n",
            "close": f"{marks}\n",
            "head": self.head,
            "between": self.between,
            "whole": self.texts()["first and third"],
            "begin": begin,
            "end": end,
            "marked_second": mark + new[1] + mark,
            "odd_second": old[1].replace("sum", "acc").replace("0", "1"),
            "outdented_second": re.sub(rf"(?m)^{self.indent}", "", new[1]),
            "added": self.added,
            "imported": self.imported,
            "imported_line": self.imported.strip(),
            "diff": diff,
            "misnumbered_diff": re.sub(r"@@ -\d+,\d+ \+\d+,\d+ @@", _WRONG_NUMBERS, other_diff),
            "limit": self.limit[0],
            "call": self.call[0],
            "other_call": self.call[1],
            "line": str(line),
            "last_line": str(line + old[1].count("\n") - 1),
        }
        for at, word in enumerate(("first", "second", "third")):
            found |= {word: self.names[at], f"old_{word}": old[at], f"new_{word}": new[at]}
        return found

    def _with(self, *numbers: int) -> str:
        text = self.text
        for number in numbers:
            text = replaced_once(text, self.parts[number], self.changed[number])
        return text

    def _and_added(self, text: str) -> str:
        return text + self.between + self.added

    def _diff(self, name: str) -> str:
        before, after = (text.splitlines(keepends=True) for text in (self.text, self.texts()[name]))
        return "".join(difflib.unified_diff(before, after, f"a/{self.path}", f"b/{self.path}"))


@cache
def samples() -> Mapping[str, Sample]:
    """Return all samples, by the name of their language or format."""
    return {name: _sample(row) for name, row in table("samples").items()}


def replaced_once(text: str, old: str, new: str) -> str:
    """Return a text with the first of an old one replaced, which must be in it."""
    if old not in text:
        raise ValueError(f"{old!r} is not in {text!r}")
    return text.replace(old, new, 1)


def _sample(row: Mapping[str, Any]) -> Sample:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in row.items()
    }
    return Sample(**values)
