"""Shown lines aligned with lines of the file, where marks stand for lines that are left out.

A global alignment by dynamic programming (Needleman and Wunsch, 1970) in which a mark takes any number of the
file's lines for nothing. A reading that costs nearly as little and puts a mark elsewhere is returned, too: it
is for the caller to say whether that makes a difference.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import accumulate

from rapidfuzz.distance import Indel

MOST_CELLS = 400_000
"""A larger table (some 0.4 s) is not filled: nobody waits for it."""

_MARGIN = 0.55
"""A reading that costs only so much more than the cheapest is as likely."""

_INSERT = 1.0
_DELETE = 1.0
_CLOSING = 0.5
"""What a closing line costs, in parts of another: it tells little about its place."""
_EMPTY_MARK = 0.6
"""What a mark costs that covers no line."""
_OTHER_DEPTH = 0.15
_LEAST_SIMILAR = 0.5
_MOST_RIVALS = 8
_NEVER = float("inf")

_CLOSING_LINE = re.compile(r"[\])};,\s]*(?:end|else|fi|done)?[\])};,:\s{]*\Z")
_NAMING = re.compile(
    r"(?:(?:export|default|const|let|var|val|static|final|public|private|protected|readonly|local|mut|[\w.<>\[\]*&?]+)\s+)*"
    r"(?P<name>[A-Za-z_$@][\w$.]*)(?:\s*:[^=:]*)?\s*:?=(?![=>~])"
)


class Kind(Enum):
    """What a token of an alignment is."""

    LINE = "a line"
    MARK = "a mark"
    IMPLIED = "what goes before or after all that is shown"
    BLOCK = "a whole definition"
    LEAD = "a line above a definition of the file, which stays with it"


@dataclass(frozen=True, slots=True)
class Token:
    """One thing to be aligned, with the lines that it has in its text."""

    kind: Kind
    text: str = ""
    """For a line, its indentation and words, in the depths of the file."""
    first: int = 0
    end: int = 0


class Step(Enum):
    """What becomes of a token."""

    SAME = "both have it"
    CHANGED = "the shown line replaces the file's"
    DELETED = "the file's is not shown"
    INSERTED = "the file has not what is shown"
    KEPT = "a mark covers it"


Path = list[tuple[Step, int, int]]
"""The steps of a reading, with the positions of the file's and the shown token (-1 where there is none)."""


@dataclass(frozen=True)
class Alignment:
    """The cheapest reading, and others that are as likely."""

    best: Path
    rivals: tuple[Path, ...] = ()


class TooLargeError(Exception):
    """There are too many lines to be aligned."""


def align(file: Sequence[Token], shown: Sequence[Token]) -> Alignment | None:
    """Return the alignment of the tokens; `None` when a definition of the file would be lost.

    Raises `TooLargeError` rather than take long.
    """
    head = 0
    while head < min(len(file), len(shown)) and _equal(file[head], shown[head]):
        head += 1
    tail = 0
    while tail < min(len(file), len(shown)) - head and _equal(file[-1 - tail], shown[-1 - tail]):
        tail += 1
    inner = _Table(file[head : len(file) - tail], shown[head : len(shown) - tail]).alignment()
    if inner is None:
        return None
    before: Path = [(Step.SAME, i, i) for i in range(head)]
    after: Path = [(Step.SAME, len(file) - k, len(shown) - k) for k in range(tail, 0, -1)]

    def whole(path: Path) -> Path:
        moved = [(step, i + head if i >= 0 else i, j + head if j >= 0 else j) for step, i, j in path]
        return [*before, *moved, *after]

    return Alignment(whole(inner.best), tuple(map(whole, inner.rivals)))


def is_closing(line: str) -> bool:
    """Return whether a line only closes what others opened."""
    return _CLOSING_LINE.match(line) is not None


def _equal(one: Token, other: Token) -> bool:
    return one.kind in (Kind.LINE, Kind.LEAD) and other.kind is Kind.LINE and one.text == other.text


def _name(line: str) -> str:
    found = _NAMING.match(line)
    return found["name"] if found else ""


class _Table:
    """The costs of aligning the first so many tokens of both, and the last so many."""

    def __init__(self, file: Sequence[Token], shown: Sequence[Token]) -> None:
        self._file = file
        self._shown = shown
        if (len(file) + 1) * (len(shown) + 1) > MOST_CELLS:
            raise TooLargeError
        self._words = [token.text.strip() for token in file]
        self._shown_words = [token.text.strip() for token in shown]
        self._in_file = set(self._words)
        self._in_shown = set(self._shown_words)
        self._deleting = [self._cost(token, _DELETE, _NEVER) for token in file]
        self._similar: dict[tuple[str, str], float] = {}

    def alignment(self) -> Alignment | None:
        count, width = len(self._shown), len(self._file)
        rows = [self._matches(j) for j in range(count)]
        ahead = [self._first_row()]
        for j in range(count):
            ahead.append(self._next(ahead[-1], rows[j], self._shown[j], self._deleting))
        total = ahead[count][width]
        if total == _NEVER:
            return None
        back = [self._first_row(backwards=True)]
        deleting = self._deleting[::-1]
        for j in range(count - 1, -1, -1):
            back.append(self._next(back[-1], rows[j][::-1], self._shown[j], deleting))
        back = [row[::-1] for row in back[::-1]]
        best = self._trace_back(ahead, rows, width, count)
        return Alignment(best, tuple(self._rivals(ahead, back, rows, best, total)))

    def _cost(self, token: Token, usual: float, block: float) -> float:
        if token.kind in (Kind.BLOCK, Kind.LEAD):
            return block
        return usual * _CLOSING if is_closing(token.text) else usual

    def _first_row(self, *, backwards: bool = False) -> list[float]:
        return list(accumulate(self._deleting[::-1] if backwards else self._deleting, initial=0.0))

    def _matches(self, j: int) -> list[float]:
        """Return what it costs to take each token of the file for shown token `j`."""
        shown = self._shown[j]
        if shown.kind is not Kind.LINE:
            return [_NEVER] * len(self._file)
        words = self._shown_words[j]
        verbatim = words in self._in_file
        costs = []
        for token, own in zip(self._file, self._words, strict=True):
            if token.kind is Kind.BLOCK or (token.kind is Kind.LEAD and own != words):
                costs.append(_NEVER)
            elif own == words:
                costs.append(0.0 if token.text == shown.text else _OTHER_DEPTH)
            elif verbatim or own in self._in_shown:
                costs.append(_NEVER)
            else:
                costs.append(self._change(own, words))
        return costs

    def _change(self, old: str, new: str) -> float:
        """Return what it costs to take one line for a changed form of another."""
        key = (old, new)
        if key not in self._similar:
            similar = 0.0
            if _name(old) == _name(new):
                similar = Indel.normalized_similarity(old, new, score_cutoff=_LEAST_SIMILAR)
            self._similar[key] = 0.2 + 1.6 * (1 - similar) if similar >= _LEAST_SIMILAR else _NEVER
        return self._similar[key]

    def _next(
        self, row: list[float], matches: Sequence[float], shown: Token, deleting: Sequence[float]
    ) -> list[float]:
        """Return the costs once one more shown token is aligned."""
        if shown.kind is Kind.MARK or shown.kind is Kind.IMPLIED:
            empty = _EMPTY_MARK if shown.kind is Kind.MARK else 0.0
            least = list(accumulate(row, min))
            return [row[0] + empty, *map(min, least, [cost + empty for cost in row[1:]])]
        insert = self._cost(shown, _INSERT, _INSERT)
        after = [row[0] + insert]
        last = after[0]
        for i, match in enumerate(matches):
            cost = row[i] + match
            other = row[i + 1] + insert
            if other < cost:
                cost = other
            other = last + deleting[i]
            last = other if other < cost else cost
            after.append(last)
        return after

    def _trace_back(self, table: list[list[float]], rows: list[list[float]], i: int, j: int) -> Path:
        """Return the cheapest path that ends with `i` tokens of the file and `j` shown ones."""
        path: Path = []
        while i or j:
            cost = table[j][i]
            if i and _near(table[j][i - 1] + self._deleting[i - 1], cost):
                # A deletion goes last: the shown lines replace those above it.
                i -= 1
                path.append((Step.DELETED, i, -1))
                continue
            assert j
            shown = self._shown[j - 1]
            if shown.kind is Kind.MARK or shown.kind is Kind.IMPLIED:
                empty = _EMPTY_MARK if shown.kind is Kind.MARK else 0.0
                start = next((k for k in range(i) if _near(table[j - 1][k], cost)), i)
                assert start < i or _near(table[j - 1][i] + empty, cost)
                path += [(Step.KEPT, k, j - 1) for k in range(i - 1, start - 1, -1)]
                i, j = start, j - 1
            elif i and _near(table[j - 1][i - 1] + rows[j - 1][i - 1], cost):
                i, j = i - 1, j - 1
                path.append((self._kind(i, j), i, j))
            else:
                j -= 1
                path.append((Step.INSERTED, -1, j))
        return path[::-1]

    def _trace_ahead(self, back: list[list[float]], rows: list[list[float]], i: int, j: int) -> Path:
        """Return the cheapest path that begins behind `i` tokens of the file and `j` shown ones."""
        path: Path = []
        width, count = len(self._file), len(self._shown)
        while i < width or j < count:
            cost = back[j][i]
            if i < width and _near(back[j][i + 1] + self._deleting[i], cost):
                path.append((Step.DELETED, i, -1))
                i += 1
                continue
            assert j < count
            shown = self._shown[j]
            if shown.kind is Kind.MARK or shown.kind is Kind.IMPLIED:
                end = next((k for k in range(width, i, -1) if _near(back[j + 1][k], cost)), i)
                path += [(Step.KEPT, k, j) for k in range(i, end)]
                i, j = end, j + 1
            elif i < width and _near(back[j + 1][i + 1] + rows[j][i], cost):
                path.append((self._kind(i, j), i, j))
                i, j = i + 1, j + 1
            else:
                path.append((Step.INSERTED, -1, j))
                j += 1
        return path

    def _kind(self, i: int, j: int) -> Step:
        return Step.SAME if self._file[i].text == self._shown[j].text else Step.CHANGED

    def _rivals(
        self,
        ahead: list[list[float]],
        back: list[list[float]],
        rows: list[list[float]],
        best: Path,
        total: float,
    ) -> list[Path]:
        """Return readings in which a mark begins or ends elsewhere, and that cost nearly as little."""
        found: list[tuple[float, Path]] = []
        width = len(self._file)
        for j, shown in enumerate(self._shown):
            if shown.kind not in (Kind.MARK, Kind.IMPLIED):
                continue
            empty = _EMPTY_MARK if shown.kind is Kind.MARK else 0.0
            kept = [i for step, i, k in best if step is Step.KEPT and k == j]
            start, end = (kept[0], kept[-1] + 1) if kept else (-1, -1)
            later = list(accumulate(back[j + 1][:0:-1], min))[::-1]  # at k: least of back[j+1][k+1:]
            earlier = list(accumulate(ahead[j], min))
            for i in range(width + 1):
                if i != start:
                    cost = ahead[j][i] + min(later[i] if i < width else _NEVER, back[j + 1][i] + empty)
                    if cost <= total + _MARGIN:
                        to = self._cheapest_end(back[j + 1], i, empty)
                        found.append((cost, self._through(ahead, back, rows, i, to, j)))
                if i != end:
                    cost = back[j + 1][i] + min(earlier[i - 1] if i else _NEVER, ahead[j][i] + empty)
                    if cost <= total + _MARGIN:
                        by = self._cheapest_start(ahead[j], i, empty)
                        found.append((cost, self._through(ahead, back, rows, by, i, j)))
                if len(found) > 20 * _MOST_RIVALS:
                    break
        found.sort(key=lambda pair: pair[0])
        distinct: list[Path] = []
        for _, path in found:
            if path != best and path not in distinct:
                distinct.append(path)
            if len(distinct) == _MOST_RIVALS:
                break
        return distinct

    @staticmethod
    def _cheapest_end(row: list[float], start: int, empty: float) -> int:
        return min(range(start, len(row)), key=lambda k: row[k] + (empty if k == start else 0.0))

    @staticmethod
    def _cheapest_start(row: list[float], end: int, empty: float) -> int:
        return min(range(end + 1), key=lambda k: row[k] + (empty if k == end else 0.0))

    def _through(
        self,
        ahead: list[list[float]],
        back: list[list[float]],
        rows: list[list[float]],
        start: int,
        end: int,
        j: int,
    ) -> Path:
        return [
            *self._trace_back(ahead, rows, start, j),
            *((Step.KEPT, k, j) for k in range(start, end)),
            *self._trace_ahead(back, rows, end, j + 1),
        ]


def _near(one: float, other: float) -> bool:
    return one == other or abs(one - other) < 1e-9
