"""The scripts and style sheets within a page, as texts of their own."""

from __future__ import annotations

import re
from collections.abc import Sequence

from patchpoint.dataclass import dataclass, replace
from patchpoint.structure.lazy.definition import Definition, UnmergedError
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.structure.lazy.syntax import syntaxes_of
from patchpoint.text.regex import regex

_OPENING = regex(r"\s*<(?P<tag>script|style)\b(?P<attributes>[^<>]*)>\s*\Z", re.IGNORECASE)
_TYPE = regex(r"""\b(?:lang|type)\s*=\s*["']?(?P<type>[\w/+.-]+)""", re.IGNORECASE)
_SUFFIXES = {
    "script": {
        "": "js", "module": "js", "js": "js", "jsx": "js", "text/javascript": "js",
        "application/javascript": "js", "text/babel": "js", "ts": "ts", "typescript": "ts",
        "text/typescript": "ts", "tsx": "tsx",
    },
    "style": {"": "css", "css": "css", "text/css": "css"},
}  # fmt: skip
"""What is within an element, by its language or type; nothing is known of others."""


@dataclass(frozen=True, slots=True)
class Embedded:
    """The lines of a file from `first` up to `end`, which are a text of their own."""

    first: int
    end: int
    path: str
    """A name for it, by which its language is known."""

    def error(self, error: UnmergedError, file: Sequence[str]) -> UnmergedError:
        """Return an error of the part as one of the whole file."""
        places = [_moved(each, self.first) for each in error.places]
        readings = [self.within(file, each) for each in error.readings]
        return UnmergedError(error.reason, error.name, places, readings)

    def definitions(self, some: Sequence[Definition]) -> tuple[Definition, ...]:
        """Return definitions of the part as those of the whole file."""
        return tuple(_moved(each, self.first) for each in some)

    def within(self, file: Sequence[str], lines: Sequence[str]) -> tuple[str, ...]:
        """Return the lines of the file with others in place of the part's."""
        return (*file[: self.first], *lines, *file[self.end :])


def embedded_parts(file: Sequence[str], shown: Sequence[str], path: str) -> list[Embedded]:
    """Return the parts of a page that shown code may be of; none where it shows elements, or in no page."""
    if not any(syntax.family == "html" for syntax in syntaxes_of(path)):
        return []
    first = next((words for line in shown if (words := line.strip()) and not is_mark(line)), "<")
    if first.startswith("<"):
        return []
    found: list[Embedded] = []
    opened: tuple[int, str, str] | None = None
    for row, line in enumerate(file):
        if opened is None:
            match = _OPENING.match(line)
            if match is not None:
                tag = match["tag"].lower()
                kind = _TYPE.search(match["attributes"])
                opened = (row + 1, tag, _SUFFIXES[tag].get(kind["type"].lower() if kind else "", ""))
        elif line.strip().lower() == f"</{opened[1]}>":
            if opened[2]:
                found.append(Embedded(opened[0], row, f"{opened[1]}.{opened[2]}"))
            opened = None
    return found


def _moved(definition: Definition, rows: int) -> Definition:
    return replace(
        definition,
        lead=definition.lead + rows,
        start=definition.start + rows,
        end=definition.end + rows,
        children=tuple(_moved(child, rows) for child in definition.children),
    )
