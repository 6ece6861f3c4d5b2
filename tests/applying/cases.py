"""Cases of the open benchmark: an edit of a file, and what may become of the file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).resolve().parents[1] / "data" / "applying"
SOURCES = DATA / "sources"
CASES = DATA / "cases.jsonl"

Change = tuple[int, int, tuple[str, ...]]
"""The half-open range of 0-based lines that are others, and which."""


class Verdict(Enum):
    """What became of a case. The value is the heading of its column."""

    RIGHT = "right"
    """Byte for byte, or refused where nothing may be written."""
    ALTERED = "altered"
    """In the right place, but lines that the edit does not mean to change are no longer what they were."""
    WRONG = "wrong"
    """Something was written anywhere else, or where nothing may be written."""
    REFUSED = "refused"
    """Nothing was written, and something should have been."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """An edit of `text`. Without `right`, nothing may be written."""

    name: str
    kind: str
    source: str
    licence: str
    text: str
    search: str
    replace: str
    right: tuple[str, ...]
    place: tuple[int, int] | None
    """The half-open range of 0-based lines that the search text means."""

    def verdict(self, after: str | None) -> Verdict:
        """Return what a result is worth; `None` if there is none."""
        if after is None or after == self.text:
            return Verdict.REFUSED if self.right else Verdict.RIGHT
        if after in self.right:
            return Verdict.RIGHT
        if self.place is None:
            return Verdict.WRONG
        lines = self.text.splitlines(keepends=True)
        ahead, behind = "".join(lines[: self.place[0]]), "".join(lines[self.place[1] :])
        is_within = after.startswith(ahead) and after[len(ahead) :].endswith(behind)
        return Verdict.ALTERED if is_within else Verdict.WRONG


def read_cases(file: Path = CASES) -> Iterator[Case]:
    """Yield the cases of a file, one a line."""
    with file.open(encoding="utf-8") as lines:
        for line in lines:
            row: dict[str, Any] = json.loads(line)
            text = _changed(source_text(row["source"]), row["before"])
            yield Case(
                name=row["name"],
                kind=row["kind"],
                source=row["source"],
                licence=row["licence"],
                text=text,
                search=row["search"],
                replace=row["replace"],
                right=tuple(_changed(text, changes) for changes in row["right"]),
                place=tuple(row["place"]) if row["place"] else None,
            )


def row_of(case: Case) -> dict[str, Any]:
    """Return a case as a line of a file has it: texts are what differs from the source, or from the text."""
    return {
        "name": case.name,
        "kind": case.kind,
        "source": case.source,
        "licence": case.licence,
        "before": _changes(source_text(case.source), case.text),
        "search": case.search,
        "replace": case.replace,
        "right": [_changes(case.text, right) for right in case.right],
        "place": case.place,
    }


@cache
def source_text(source: str) -> str:
    """Return the text of a source file."""
    return (SOURCES / source).read_text(encoding="utf-8")


def _changes(before: str, after: str) -> list[Change]:
    """Return what turns one text into another, from its end to its beginning."""
    one, other = before.splitlines(keepends=True), after.splitlines(keepends=True)
    codes = SequenceMatcher(None, one, other, autojunk=False).get_opcodes()
    return [(i, j, tuple(other[k:m])) for what, i, j, k, m in reversed(codes) if what != "equal"]


def _changed(text: str, changes: Iterable[Sequence[Any]]) -> str:
    lines = text.splitlines(keepends=True)
    for start, end, new in changes:
        lines[start:end] = new
    return "".join(lines)
