"""The answers of `tests/data/chat`, written as chat pages write them, and what becomes of the files.

Each is one file: a title, and sections headed by a line that begins with `:::: `. The section `says` has the
outcome of each edit, and what is said of each fence that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parents[1] / "data" / "chat"
_HEAD = "\n:::: "


@dataclass(frozen=True)
class ChatAnswer:
    """One answer; `after` has all files as they are afterwards."""

    name: str
    title: str
    answer: str
    before: Mapping[str, str]
    after: Mapping[str, str]
    says: str


@cache
def chat_answers() -> tuple[ChatAnswer, ...]:
    """Return all answers, by name."""
    return tuple(_read(path) for path in sorted(FOLDER.glob("*.txt")))


def _read(path: Path) -> ChatAnswer:
    title, *sections = path.read_text(encoding="utf-8").split(_HEAD)
    texts: dict[tuple[str, str], str] = {}
    for section in sections:
        name, _, text = section.partition("\n")
        kind, _, file = name.partition(" ")
        texts[kind, file] = text if text.endswith("\n") else text + "\n"
    before = {file: text for (kind, file), text in texts.items() if kind == "before"}
    changed = {file: text for (kind, file), text in texts.items() if kind == "after"}
    return ChatAnswer(path.stem, title, texts["answer", ""], before, {**before, **changed}, texts["says", ""])
