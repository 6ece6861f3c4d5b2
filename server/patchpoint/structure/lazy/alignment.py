"""Shown lines aligned with lines of the file, where marks stand for lines that are left out.

A global alignment by dynamic programming (Needleman and Wunsch, 1970) in which a mark takes any number of the
file's lines for nothing. A reading that costs nearly as little and puts a mark elsewhere is returned, too: it
is for the caller to say whether that makes a difference.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum
from functools import cached_property
from itertools import accumulate, pairwise
from typing import NamedTuple

from rapidfuzz.distance import Indel

from patchpoint.dataclass import dataclass
from patchpoint.text.regex import regex

MOST_CELLS = 400_000
"""A larger table (some 0.4 s) is not filled: nobody waits for it."""

_MARGIN = 0.55
"""A reading that costs only so much more than the cheapest is as likely."""

_INSERT = 1.0
_DELETE = 1.0
_CLOSING = 0.5
"""What a closing line costs, in parts of another: it tells little about its place."""
_EMPTY_MARK = 0.5
"""What a mark costs that covers no line: less than `_MARGIN`, as marks are written out of habit, too."""
_EMPTY_OF_OPEN = 0.6
"""The same where more is left out without a mark, or a definition is new: it is there to tell the place."""
_OTHER_DEPTH = 0.15
_AT_ITS_DEPTH = 0.5
"""What it costs in addition where the file has the line at the depth that is shown."""
_AT_MARK = 0.7
"""What it costs in addition that a line next to a mark is new or changed: it is there to show the place."""
_KNOWN = 1.0
"""What it costs in addition that a line is taken for new although the file has it once."""
_KNOWN_AT_MARK = 4.0
"""The same for a line next to a mark that the file has at all."""
_LEAST_SIMILAR = 0.5
_GOES_ON = 0.8
"""How similar a line is at least to one that it goes on where that ends."""
_MOST_RIVALS = 8
_NEVER = float("inf")

_CLOSING_LINE = regex(r"[\])};,\s]*(?:end|else|fi|done|(?:</[\w.:-]*>\s*)+)?[\])};,:\s{]*\Z")
_NAMING = regex(
    r"(?!<)(?:[\w.<>\[\]*&?]{1,80}\s{1,40}){0,20}"
    r"(?P<name>[A-Za-z_$@][\w$.]*)(?:\s*:[^=:]{0,400})?\s*:?=(?![=>~])"
)

_LABEL = regex(r"(?:case|when)\s+(?P<name>\S.*?)\s*(?::|=>|->|\bthen\b|\Z)")
"""A branch that a value chooses: another value is another branch."""


class Kind(Enum):
    """What a token of an alignment is."""

    LINE = "a line"
    MARK = "a mark"
    IMPLIED = "what goes before or after all that is shown"
    BLOCK = "a whole definition"
    LEAD = "a line above a definition of the file, which stays with it"


class Token(NamedTuple):
    """One thing to be aligned, with the lines that it has in its text.

    A tuple, which is made in a quarter of the time: every line of a file may be one.
    """

    kind: Kind
    text: str = ""
    """For a line, its indentation and words, in the depths of the file, as for marks of no known language."""
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


def with_blocks_below(path: Path, file: Sequence[Token], shown: Sequence[Token], start: int) -> Path:
    """Return a reading in which new definitions go below the file's that begins on line `start`."""
    new = [each for each in path if each[0] is Step.INSERTED and shown[each[2]].kind is Kind.BLOCK]
    result: Path = []
    for each in path:
        if each not in new:
            result.append(each)
            own = file[each[1]] if each[1] >= 0 else None
            if own is not None and own.kind is Kind.BLOCK and own.first == start:
                result += new
    return result


def is_balanced(lines: Iterable[str]) -> bool:
    """Return whether lines have as many closing brackets of each kind as opening ones."""
    signs = Counter("".join(lines))
    return all(signs[opening] == signs[closing] for opening, closing in ("()", "[]", "{}"))


def is_closing(line: str) -> bool:
    """Return whether a line only closes what others opened."""
    return _CLOSING_LINE.match(line) is not None


def likeness(one: str, other: str) -> float:
    """Return how similar two texts are, from 0 to 1, by the characters that they have in common in order."""
    return Indel.normalized_similarity(one, other)


def _equal(one: Token, other: Token) -> bool:
    return one.kind in (Kind.LINE, Kind.LEAD) and other.kind is Kind.LINE and one.text == other.text


def _name(line: str) -> str:
    found = _NAMING.match(line) or _LABEL.match(line)
    return found["name"] if found else ""


class _Costs:
    """The costs of aligning the first so many tokens of both: a row for each number of shown ones."""

    def __init__(
        self,
        empties: Sequence[float | None],
        deleting: Sequence[float],
        inserting: Sequence[float],
        matches: Sequence[Sequence[float]],
        after_lead: Sequence[bool],
    ) -> None:
        """Take what each shown token costs that covers none, and what deleting, adding and pairing costs.

        Nothing new goes between a lead and its block.
        """
        self._empties, self._deleting, self._inserting = empties, deleting, inserting
        self._matches, self._after_lead = matches, after_lead
        self.rows = [list(accumulate(deleting, initial=0.0))]
        for j in range(len(empties)):
            self.rows.append(self._next(self.rows[-1], j))

    def mirrored(self) -> _Costs:
        """Return the costs of aligning the last so many tokens of both, counted from the end."""
        matches = [row[::-1] for row in self._matches[::-1]]
        others = self._empties[::-1], self._deleting[::-1], self._inserting[::-1]
        return _Costs(*others, matches, self._after_lead[::-1])

    def path_to(self, i: int, j: int) -> Path:
        """Return the cheapest path that ends with `i` tokens of the file and `j` shown ones."""
        path: Path = []
        table = self.rows
        while i or j:
            cost = table[j][i]
            if i and _near(table[j][i - 1] + self._deleting[i - 1], cost):
                # A deletion goes last: the shown lines replace those above it.
                i -= 1
                path.append((Step.DELETED, i, -1))
                continue
            assert j
            j -= 1
            if self._empties[j] is not None:
                start = next((k for k in range(i) if _near(table[j][k], cost)), i)
                path += [(Step.KEPT, k, j) for k in range(i - 1, start - 1, -1)]
                i = start
            elif i and _near(table[j][i - 1] + self._matches[j][i - 1], cost):
                i -= 1
                path.append((Step.CHANGED if self._matches[j][i] else Step.SAME, i, j))
            else:
                path.append((Step.INSERTED, -1, j))
        return path[::-1]

    def _next(self, row: list[float], j: int) -> list[float]:
        """Return the costs once one more shown token is aligned."""
        empty = self._empties[j]
        if empty is not None:
            least = list(accumulate(row, min))
            return [row[0] + empty, *map(min, least, [cost + empty for cost in row[1:]])]
        insert, deleting, after_lead = self._inserting[j], self._deleting, self._after_lead
        after = [row[0] + insert]
        last = after[0]
        for i, match in enumerate(self._matches[j]):
            cost = row[i] + match
            other = _NEVER if after_lead[i + 1] else row[i + 1] + insert
            if other < cost:
                cost = other
            other = last + deleting[i]
            last = other if other < cost else cost
            after.append(last)
        return after


class _Table:
    """What aligning some tokens costs, from their beginning and from their end."""

    def __init__(self, file: Sequence[Token], shown: Sequence[Token]) -> None:
        self._file = file
        self._shown = shown
        if (len(file) + 1) * (len(shown) + 1) > MOST_CELLS:
            raise TooLargeError
        self._words = [token.text.strip() for token in file]
        self._shown_words = [token.text.strip() for token in shown]
        self._counts = Counter(self._words)
        self._in_file = set(self._words)
        self._texts = {token.text for token in file}
        self._in_shown = {token.text if is_closing(token.text) else token.text.strip() for token in shown}
        self._names = {words: _name(words) for words in (*self._words, *self._shown_words)}
        self._similar: dict[tuple[str, str], float] = {}
        numbers = range(len(shown))
        is_open = any(token.kind in (Kind.BLOCK, Kind.IMPLIED) for token in shown)
        empties = {Kind.MARK: _EMPTY_OF_OPEN if is_open else _EMPTY_MARK, Kind.IMPLIED: 0.0}
        self._empties = [empties.get(token.kind) for token in shown]
        self._ahead = _Costs(
            self._empties,
            [self._cost(token, _DELETE, _NEVER) for token in file],
            list(map(self._cost_of_new, numbers)),
            list(map(self._matches, numbers)),
            [False, *(token.kind is Kind.LEAD for token in file)],
        )

    def alignment(self) -> Alignment | None:
        width, count = len(self._file), len(self._shown)
        total = self._ahead.rows[count][width]
        if total == _NEVER:
            return None
        best = self._ahead.path_to(width, count)
        return Alignment(best, tuple(self._rivals(best, total)))

    @cached_property
    def _back(self) -> _Costs:
        return self._ahead.mirrored()

    def _cost(self, token: Token, usual: float, block: float) -> float:
        if token.kind in (Kind.BLOCK, Kind.LEAD):
            return block
        return usual * _CLOSING if is_closing(token.text) else usual

    def _is_at_mark(self, j: int) -> bool:
        """Return whether shown token `j` is next to a mark."""
        return any(token.kind is Kind.MARK for token in self._shown[max(0, j - 1) : j + 2])

    def _cost_of_new(self, j: int) -> float:
        token = self._shown[j]
        if token.kind is not Kind.LINE:
            return _INSERT
        if self._is_at_mark(j):
            return _INSERT + (_KNOWN_AT_MARK if self._shown_words[j] in self._in_file else _AT_MARK)
        is_known = self._counts[self._shown_words[j]] == 1 and not is_closing(token.text)
        return self._cost(token, _INSERT, _INSERT) + (_KNOWN if is_known else 0.0)

    def _matches(self, j: int) -> list[float]:
        """Return what it costs to take each token of the file for shown token `j`."""
        shown = self._shown[j]
        if shown.kind is not Kind.LINE:
            return [_NEVER] * len(self._file)
        words = self._shown_words[j]
        verbatim = words in self._in_file
        at_mark = _AT_MARK if self._is_at_mark(j) else 0.0
        elsewhere = at_mark + (_AT_ITS_DEPTH if shown.text in self._texts else 0.0)
        is_end = bool(at_mark) and is_closing(words)
        costs = []
        for token, own in zip(self._file, self._words, strict=True):
            if token.kind is Kind.BLOCK or (token.kind is Kind.LEAD and own != words):
                costs.append(_NEVER)
            elif own == words:
                costs.append(0.0 if token.text == shown.text else _OTHER_DEPTH + elsewhere)
            elif verbatim or is_end or (token.text if is_closing(own) else own) in self._in_shown:
                costs.append(_NEVER)
            else:
                costs.append(self._change(own, words) + at_mark)
        return costs

    def _change(self, old: str, new: str) -> float:
        """Return what it costs to take one line for a changed form of another."""
        key = (old, new)
        if key not in self._similar:
            similar = 0.0
            if self._names[old] == self._names[new]:
                similar = Indel.normalized_similarity(old, new, score_cutoff=_LEAST_SIMILAR)
                similar = max(similar, _GOES_ON if new.startswith(f"{old} ") and " " in old else 0.0)
            self._similar[key] = 0.2 + 1.6 * (1 - similar) if similar >= _LEAST_SIMILAR else _NEVER
        return self._similar[key]

    def _rivals(self, best: Path, total: float) -> list[Path]:
        """Return readings in which a mark begins or ends elsewhere, and that cost nearly as little."""
        found: list[tuple[float, int, int, int]] = []
        width, count = len(self._file), len(self._shown)
        for j, empty in enumerate(self._empties):
            if empty is None:
                continue
            above, below = self._ahead.rows[j], self._back.rows[count - j - 1][::-1]
            kept = [i for step, i, k in best if step is Step.KEPT and k == j]
            start, end = (kept[0], kept[-1] + 1) if kept else (-1, -1)
            later = list(accumulate(below[:0:-1], min))[::-1]  # at k: least of below[k+1:]
            earlier = list(accumulate(above, min))
            for i in range(width + 1):
                if i != start:
                    cost = above[i] + min(later[i] if i < width else _NEVER, below[i] + empty)
                    if cost <= total + _MARGIN:
                        found.append((cost, i, _cheapest(below, range(i, width + 1), i, empty), j))
                if i != end:
                    cost = below[i] + min(earlier[i - 1] if i else _NEVER, above[i] + empty)
                    if cost <= total + _MARGIN:
                        found.append((cost, _cheapest(above, range(i + 1), i, empty), i, j))
                if len(found) > 20 * _MOST_RIVALS:
                    break
        found.sort(key=lambda each: each[0])
        distinct: list[Path] = []
        for _, start, end, j in found:
            kept_lines = [(Step.KEPT, k, j) for k in range(start, end)]
            path = [*self._ahead.path_to(start, j), *kept_lines, *self._path_from(end, j + 1)]
            if path != best and path not in distinct and not self._deletes_at_mark(path):
                distinct.append(path)
            if len(distinct) == _MOST_RIVALS:
                break
        return distinct

    def _path_from(self, i: int, j: int) -> Path:
        """Return the cheapest path that begins behind `i` tokens of the file and `j` shown ones."""
        width, count = len(self._file), len(self._shown)
        return [
            (step, width - 1 - one if one >= 0 else one, count - 1 - other if other >= 0 else other)
            for step, one, other in reversed(self._back.path_to(width - i, count - j))
        ]

    def _deletes_at_mark(self, path: Path) -> bool:
        """Return whether a reading deletes right next to a mark what the mark could have covered."""
        for one, other in pairwise(path):
            for (step, _, j), (next_to, _, _) in ((one, other), (other, one)):
                if step is Step.KEPT and next_to is Step.DELETED and self._shown[j].kind is Kind.MARK:
                    return True
        return False


def _cheapest(row: Sequence[float], among: range, at: int, empty: float) -> int:
    """Return the first end of a mark that costs least, of which the one at `at` makes it an empty one."""
    return min(among, key=lambda k: row[k] + (empty if k == at else 0.0))


def _near(one: float, other: float) -> bool:
    return one == other or abs(one - other) < 1e-9
