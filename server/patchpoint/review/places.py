"""In which definition a change is, in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import accumulate

from patchpoint.text.lines import Span

_MOST_CHARACTERS = 200_000
"""Of the files of one result, the first ones, whose definitions are named: that takes up to a second."""


def place_of(text: str, path: str, lines: Span) -> str:
    """Return the definition around some lines, as "in Cart > total"; empty where it is not known."""
    # Loaded where it is needed: a file that is only written again needs no names.
    from patchpoint.structure.lazy.outline.around import names_around

    names = names_around(text, path, lines)
    return f"in {' > '.join(names)}" if names else ""


def are_named(texts: Iterable[str]) -> Iterator[bool]:
    """Yield for each file of a result, by its text, whether the places of its changes are named."""
    return (total <= _MOST_CHARACTERS for total in accumulate(map(len, texts)))
