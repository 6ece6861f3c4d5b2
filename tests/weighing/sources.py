"""Source texts in ten languages, each with other words for every seed."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

FOLDER = Path(__file__).resolve().parents[1] / "data" / "weighing" / "sources"

_OTHERS: Mapping[str, tuple[str, ...]] = {
    "account": ("holding", "register", "balance_sheet"),
    "attempt": ("effort", "trial"),
    "cache": ("memo", "depot"),
    "customer": ("client", "buyer", "member"),
    "entry": ("record", "posting"),
    "handler": ("callback", "responder"),
    "item": ("part", "unit", "piece"),
    "job": ("task", "chore"),
    "message": ("letter", "notice"),
    "order": ("invoice", "booking", "ticket"),
    "patient": ("guest", "pupil"),
    "product": ("article", "ware"),
    "recipient": ("reader", "addressee"),
    "ring": ("wheel", "buffer"),
    "room": ("hall", "ward"),
    "route": ("track", "trail"),
    "shelf": ("rack", "bay"),
    "visit": ("meeting", "session"),
    "worker": ("runner", "helper"),
}

_SIGNS: Mapping[str, str] = {".py": "#", ".rb": "#", ".c": "/*"}
"""How a line begins that is a comment; `//` in the other languages."""


@dataclass(frozen=True, slots=True)
class Source:
    """The lines of a file, without endings, and its path."""

    path: str
    lines: tuple[str, ...]

    def is_comment(self, number: int) -> bool:
        """Return whether a line is nothing but a comment."""
        return self.lines[number].strip().startswith(_SIGNS.get(PurePath(self.path).suffix, "//"))

    def is_code(self, number: int) -> bool:
        """Return whether there is a line of that number, and it is neither blank nor a comment."""
        return (
            0 <= number < len(self.lines) and bool(self.lines[number].strip()) and not self.is_comment(number)
        )


def sources(chance: random.Random) -> list[Source]:
    """Return a source in each language, some of its words being others."""
    return [_with_other_words(path, chance) for path in sorted(FOLDER.iterdir())]


def _with_other_words(path: Path, chance: random.Random) -> Source:
    text = path.read_text(encoding="utf-8")
    for word, others in _OTHERS.items():
        other = chance.choice((word, *others))
        # In names of every style, and not in longer words: `orders`, `loadOrders`, `MAX_ORDERS`, no `border`.
        text = re.sub(rf"(?<![A-Za-z]){word}(?=s?(?![a-z]))", other, text)
        text = re.sub(rf"(?<![A-Z]){word.upper()}(?=S?(?![A-Z]))", other.upper(), text)
        camel = "".join(part.capitalize() for part in other.split("_"))
        text = re.sub(rf"{word.capitalize()}(?=s?(?![a-z]))", camel, text)
    return Source(path.name, tuple(text.splitlines()))
