"""A file of a review as rows: what was there, what is there now, and folds over what is the same."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import Enum
from itertools import accumulate

from patchpoint.dataclass import dataclass
from patchpoint.review.change_set import FileChanges
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span, split_at_line_feeds
from patchpoint.text.regex import regex
from patchpoint.text.unified_diff import CONTEXT

MOST_ROWS = 2_000
"""Lines of one side of a change that are shown until somebody asks for more."""
_MOST_LINES_FOR_WORDS = 400
"""Lines of a change in whose lines the words that differ are looked for."""
_WORD = regex(r"\w+|[ \t]+|.|\n")
_LEAST_SHARED = 0.4
"""The part of the letters of both sides that they have to share: of what has less in common, words that
happen to be the same would be noise."""


class RowKind(Enum):
    """What a row shows."""

    SAME = "same"
    REMOVED = "removed"
    ADDED = "added"
    FOLD = "fold"
    """Lines that are not shown."""
    NOTE = "note"
    """Something about the file that no line says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of a file, or several that are not shown."""

    kind: RowKind
    text: str = ""
    """Without the ending of the line."""
    then: int | None = None
    """The number of the line at the checkpoint, from 0."""
    now: int | None = None
    """The number of the line now, from 0."""
    hunk: str = ""
    """The id of the change that it is part of."""
    words: tuple[Span, ...] = ()
    """The parts of `text` that differ from the line in whose place it is."""
    hidden: int = 0
    """How many lines a fold hides."""
    fold: int = 0
    """Which fold it is, for `rows_of`."""


def rows_of(file: FileChanges, opened: Mapping[int, int] | None = None) -> tuple[Row, ...]:
    """Return the rows of a file.

    `opened` says of a fold, by its `Row.fold`, how many lines more are shown at each of its ends.
    """
    more = opened or {}
    if file.texts is not None:
        then, now = (split_at_line_feeds(text) for text in file.texts)
        changes = [(hunk.old, hunk.new, hunk.id) for hunk in file.hunks]
        return tuple(_rows(then, now, changes, more))
    (whole,) = file.hunks
    then, now = split_at_line_feeds(whole.removed), split_at_line_feeds(whole.added)
    changes = [(old, new, whole.id) for old, new in changed_ranges(then, now)]
    notes = tuple(Row(kind=RowKind.NOTE, text=note, hunk=whole.id) for note in file.notes)
    return (*notes, *_rows(then, now, changes, more))


def _rows(
    then: Sequence[str],
    now: Sequence[str],
    changes: Sequence[tuple[Span, Span, str]],
    opened: Mapping[int, int],
) -> Iterator[Row]:
    end = (len(then), len(then)), (len(now), len(now)), ""
    old_at = new_at = 0
    for number, (old, new, id_) in enumerate((*changes, end)):
        is_first, is_last = number == 0, number == len(changes)
        yield from _unchanged(now, old_at, (new_at, new[0]), opened, is_first, is_last)
        yield from _changed(then, now, (old, new), id_, opened)
        old_at, new_at = old[1], new[1]


def _unchanged(
    now: Sequence[str], old_at: int, new: Span, opened: Mapping[int, int], is_first: bool, is_last: bool
) -> Iterator[Row]:
    """Yield lines that are the same, from line `old_at` of the checkpoint on, with a fold in the middle."""
    start, end = new
    head = 0 if is_first else CONTEXT
    tail = 0 if is_last else CONTEXT
    more = opened.get(start, 0)
    head, tail = (side + more if side or (is_first and is_last) else 0 for side in (head, tail))
    lines: list[int | None] = [*range(start, end)]
    if end - start - head - tail > 1:
        lines = [*range(start, start + head), None, *range(end - tail, end)]
    for line in lines:
        if line is None:
            yield Row(kind=RowKind.FOLD, hidden=end - start - head - tail, fold=start)
        else:
            yield Row(kind=RowKind.SAME, text=_bare(now[line]), then=old_at + line - start, now=line)


def _changed(
    then: Sequence[str], now: Sequence[str], lines: tuple[Span, Span], id_: str, opened: Mapping[int, int]
) -> Iterator[Row]:
    old, new = lines
    removed, added = [_bare(line) for line in then[slice(*old)]], [_bare(line) for line in now[slice(*new)]]
    words: Sequence[Sequence[tuple[Span, ...]]] = [()] * len(removed), [()] * len(added)
    if removed and added and len(removed) + len(added) <= _MOST_LINES_FOR_WORDS:
        words = changed_words(removed, added)
    sides = (RowKind.REMOVED, removed, words[0], old[0]), (RowKind.ADDED, added, words[1], new[0])
    for kind, texts, parts, first in sides:
        # Folds within changes are counted down from -1, so that none has the number of one between them.
        fold = -1 - 2 * first - (kind is RowKind.ADDED)
        most = MOST_ROWS + opened.get(fold, 0)
        for at, text in enumerate(texts[:most]):
            then_at, now_at = (first + at, None) if kind is RowKind.REMOVED else (None, first + at)
            yield Row(kind=kind, text=text, then=then_at, now=now_at, hunk=id_, words=parts[at])
        if len(texts) > most:
            yield Row(kind=RowKind.FOLD, hidden=len(texts) - most, fold=fold, hunk=id_)


def _bare(line: str) -> str:
    return line.removesuffix("\n").removesuffix("\r")


def changed_words(
    before: Sequence[str], after: Sequence[str]
) -> tuple[list[tuple[Span, ...]], list[tuple[Span, ...]]]:
    """Return, for each line of both sides, the parts of it that the other side does not have.

    The lines have no endings. Sides that have little in common get no parts at all.
    """
    old, new = (_WORD.findall("\n".join(side)) for side in (before, after))
    changes = changed_ranges(old, new)
    shared = _letters(old) - sum(_letters(old[slice(*removed)]) for removed, _ in changes)
    longer = max(_letters(old), _letters(new))
    if not longer or shared < _LEAST_SHARED * longer:
        return [()] * len(before), [()] * len(after)
    return _spans(old, [removed for removed, _ in changes]), _spans(new, [added for _, added in changes])


def _letters(words: Iterable[str]) -> int:
    return sum(len(word) for word in words if word.strip())


def _spans(words: Sequence[str], changed: Iterable[Span]) -> list[tuple[Span, ...]]:
    """Return the parts of each line that are in ranges of words that are changed."""
    offsets = list(accumulate(map(len, words), initial=0))
    lines = [0, *(offsets[at + 1] for at, word in enumerate(words) if word == "\n"), offsets[-1] + 1]
    parts: list[list[Span]] = [[] for _ in lines[1:]]
    for start, end in ((offsets[first], offsets[last]) for first, last in changed):
        for at in range(bisect_right(lines, start) - 1, bisect_left(lines, end)):
            part = max(start - lines[at], 0), min(end, lines[at + 1] - 1) - lines[at]
            parts[at] += [part] if part[0] < part[1] else []
    return [tuple(line) for line in parts]
