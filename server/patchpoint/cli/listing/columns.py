"""Text in columns of a terminal, in which some characters take two and some none."""

from __future__ import annotations

from unicodedata import combining, east_asian_width


def columns_of(text: str) -> int:
    """Return how many columns a text of one line takes."""
    return len(text) if text.isascii() else sum(map(_columns, text))


def cut(text: str, columns: int | None) -> str:
    """Return `text`, or its beginning and `…`, in at most so many columns; `None` is as many as it needs."""
    if columns is None or columns_of(text) <= columns:
        return text
    taken = ""
    left = columns - 1
    for character in text:
        left -= _columns(character)
        if left < 0:
            break
        taken += character
    return f"{taken.rstrip()}…" if columns > 0 else ""


def padded(text: str, columns: int, *, right: bool = False) -> str:
    """Return `text` with spaces after it, or before it, in at least so many columns."""
    space = " " * (columns - columns_of(text))
    return space + text if right else text + space


def _columns(character: str) -> int:
    if combining(character):
        return 0
    return 2 if east_asian_width(character) in "WF" else 1
