"""Where each line of a file is, so that a question about the lines outside of a definition costs one look."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from typing import TypeVar

from patchpoint.structure.lazy.definition import Definition
from patchpoint.text.lines import is_telling

_Key = TypeVar("_Key", bound=Hashable)
_Rows = tuple[int, int]
"""The first and the last row, or the first and the one behind the last."""


class FileRows:
    """The lines of a file, with the first and last row of each."""

    def __init__(self, lines: Sequence[str]) -> None:
        """Take the lines of the whole file."""
        self.lines = lines

    def has_line_outside(self, of: Definition, line: str) -> bool:
        """Return whether a line is outside of a definition at its own depth, blanks at its end aside."""
        return _is_outside(self._lines.get(line), (of.start, of.end))

    def has_words_outside(self, of: Definition, words: str) -> bool:
        """Return whether a line is outside of a definition at any depth."""
        return _is_outside(self._words.get(words), (of.start, of.end))

    def has_pair_outside(self, of: Definition, pair: tuple[str, str]) -> bool:
        """Return whether two lines follow each other outside of a definition, at any depth."""
        return _is_outside(self._pairs.get(pair), (of.start - 1, of.end))

    def only_row(self, words: str) -> int | None:
        """Return the row of the one line of the file with these words; `None` for words that tell little."""
        first, last = self._words.get(words, (0, -1))
        return first if first == last and is_telling(words) else None

    @cached_property
    def _lines(self) -> dict[str, _Rows]:
        return _first_and_last(line.rstrip() for line in self.lines)

    @cached_property
    def _words(self) -> dict[str, _Rows]:
        return _first_and_last(line.strip() for line in self.lines)

    @cached_property
    def _pairs(self) -> dict[tuple[str, str], _Rows]:
        return _first_and_last(pairwise(line.strip() for line in self.lines))


def _first_and_last(keys: Iterable[_Key]) -> dict[_Key, _Rows]:
    found: dict[_Key, _Rows] = {}
    for row, key in enumerate(keys):
        found[key] = (found[key][0], row) if key in found else (row, row)
    return found


def _is_outside(rows: _Rows | None, within: _Rows) -> bool:
    return rows is not None and (rows[0] < within[0] or rows[1] >= within[1])
