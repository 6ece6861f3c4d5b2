"""The best text for shown lines in a file, by its blocks, if it is sound: no grammar is needed."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from patchpoint.dataclass import dataclass
from patchpoint.structure.blocks.merge import BRACKETS, ShownBlocks, is_inline
from patchpoint.structure.blocks.pairing import Text, is_telling
from patchpoint.structure.blocks.tree import blocks_of, is_document
from patchpoint.structure.lazy.bindings import lacks_comma
from patchpoint.structure.lazy.marks import is_left_out, is_mark, without_path
from patchpoint.text.lines import Span, without_blank_ends
from patchpoint.text.regex import regex

_LONGEST = 400
"""A longer line is no mark."""
_DOTS = regex(
    r"(?:\.\.\.|…)\s*/?>?\Z|(?:#|//|--|/\*|<!--|;|%|\{/\*)\s*(?:(?:\.\.\.|…).*|.*(?:\.\.\.|…)\W*\Z)"
)


@dataclass(frozen=True, slots=True)
class Draft:
    """The text that shown lines likely mean."""

    lines: tuple[str, ...]
    gone: tuple[str, ...]
    """The lines of the file that it has no more, but for those that only change."""


def draft(
    file: Sequence[str],
    shown: Sequence[str],
    path: str,
    within: Sequence[Span] = (),
    *,
    every: bool = False,
    adds: bool = False,
) -> Draft | None:
    """Return what becomes of a file by lines that show parts of it; `None` where that is not known.

    Of several places, those `within` some rows of the file are meant, or `every` one of them. What only
    `adds` leaves each value as it is. What comes of it changes something, doubles nothing, and has its
    brackets in balance as the file has them.
    """
    shown = without_blank_ends(without_path(shown, file, path))
    known = {line.strip() for line in file}
    marks = frozenset(
        row for row, line in enumerate(shown) if _is_left_out(line) and line.strip() not in known
    )
    own, given = blocks_of(file, path), blocks_of(shown, path, marks)
    if own is None or given is None or not own.parts or not given.parts:
        return None
    is_text = is_document(path)
    texts = Text(file, own, frozenset(), is_text), Text(shown, given, marks, is_text)
    merge = ShownBlocks(*texts, within, every, adds=adds)
    lines = merge.result() if merge.has_evidence() else None
    if lines is None:
        return None
    if (
        lines == list(file)
        or merge.is_cut
        or merge.is_anywhere
        or merge.is_doubled
        or not _is_sound(file, lines, merge.shown)
    ):
        return None
    return Draft(tuple(lines), tuple(_gone([file[row] for row in merge.dropped], lines)))


def depths(lines: Sequence[str]) -> list[int]:
    """Return how many brackets of each kind are open at the end of lines."""
    return [sum(line.count(one) - line.count(other) for line in lines) for one, other in BRACKETS]


def _is_left_out(line: str) -> bool:
    return (
        is_mark(line) or is_left_out(line) or (len(line) < _LONGEST and _DOTS.match(line.strip()) is not None)
    )


def _is_sound(file: Sequence[str], lines: Sequence[str], shown: Text) -> bool:
    """Return whether a result has no mark, the brackets and commas that it needs, and no line twice."""
    marks = {shown.lines[row].strip() for row in shown.marks}
    if any(line.strip() in marks for line in lines):
        return False
    there = {line.strip().rstrip(",;") for line in lines}
    said = [line.strip() for row, line in enumerate(shown.lines) if row not in shown.marks]
    if any(is_telling(line) and line.rstrip(",;") not in there and not is_inline(line) for line in said):
        return False
    doubled = _doubled(lines).intersection(said) - _doubled(file)
    return depths(file) == depths(lines) and not doubled and not lacks_comma(file, lines)


def _doubled(lines: Sequence[str]) -> set[str]:
    """Return the lines that are there twice, one right below the other."""
    return {one.strip() for one, other in pairwise(lines) if one.strip() == other.strip() and is_telling(one)}


def _gone(dropped: Sequence[str], lines: Sequence[str]) -> list[str]:
    """Return the lines that are dropped, and nowhere in a result."""
    there = {line.strip() for line in lines}
    return [line.strip() for line in dropped if line.strip() and line.strip() not in there]
