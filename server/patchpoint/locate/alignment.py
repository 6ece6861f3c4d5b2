"""Alignment of the lines of a search text with a stretch of a file, gaps allowed on both sides.

The result is the chain of similar line pairs, ascending on both sides, that is worth most. Each pair is worth
its similarity times the weight of the search line; file lines passed over inside the chain cost a little
each, search lines passed over earn nothing. The best chain is found as in Hunt and Szymanski (1977): pairs in
order, the best values so far kept as a staircase that `bisect` searches, so that time grows with the pairs
that are similar at all, not with the area.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import NamedTuple

from rapidfuzz import process
from rapidfuzz.distance import Levenshtein

from patchpoint.dataclass import dataclass
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.lines import positions

SIMILAR_LINE = 0.55
"""Least similarity of a pair of lines (0.5 to 0.6 measured alike)."""

PASSED_LINE = 0.08
"""Cost of a file line inside the chain that the search text left out, in lines."""

LONG_LINE = 4000
"""Lines with more characters than this are compared by their common beginning and end alone."""

FULL_AREA = 40_000
FULL_WORK = 6_000_000
"""Up to these limits every line is compared with every other: pairs of lines, and characters times words of
64 characters."""

RARE_PAIRS = 9
"""A line equal on both sides is an anchor only when it makes at most this many pairs."""


class Match(NamedTuple):
    """A search line and the file line that corresponds to it, as indexes into the aligned sequences.

    A tuple, since thousands are made for one search: a frozen dataclass takes four times as long to make.
    """

    quoted: int
    found: int
    similarity: float


@dataclass(frozen=True, slots=True)
class Alignment:
    """The best chain of one stretch.

    `coverage` (0 to 1) is the weighted similarity of all search lines, those without a partner counting 0;
    `score` is the coverage less the cost of the file lines passed over.
    """

    matches: tuple[Match, ...]
    coverage: float
    score: float

    @property
    def first(self) -> int:
        """Index of the first file line of the chain."""
        return self.matches[0].found

    @property
    def end(self) -> int:
        """Index one past the last file line of the chain."""
        return self.matches[-1].found + 1


def weight(line: str) -> float:
    """Return how much a line tells about the place, from 0.2 (a closing brace) to 1 (a whole statement)."""
    return min(1.0, 0.2 + len(line) / 25)


def line_similarity(one: str, other: str) -> float:
    """Return the normalized Levenshtein similarity; of long lines, the share of equal beginnings and ends."""
    if one == other:
        return 1.0
    longest = max(len(one), len(other))
    if longest > LONG_LINE:
        return sum(shared_ends(one, other)) / longest
    return Levenshtein.normalized_similarity(one, other)


def similar_pairs(
    quoted: Sequence[str],
    found: Sequence[str],
    cutoff: float = SIMILAR_LINE,
    wanted: Callable[[str], bool] | None = None,
    *,
    at: tuple[int, int] = (0, 0),
) -> list[Match]:
    """Return all pairs of similar lines by search line, then by file line.

    `wanted` says which search lines take part; all of them without it. `at` are the indexes of the first line
    of each side.
    """
    places = positions(found, at[1])
    distinct = list(places)
    known: dict[str, list[tuple[int, float]]] = {}
    pairs: list[Match] = []
    for number, line in enumerate(quoted, at[0]):
        if wanted is not None and not wanted(line):
            continue
        if cutoff >= 1:
            pairs += [Match(number, place, 1.0) for place in places.get(line, ())]
            continue
        if line not in known:
            known[line] = sorted(
                (place, similarity)
                for text, similarity in similar_lines(line, distinct, cutoff)
                for place in places[text]
            )
        pairs += [Match(number, place, similarity) for place, similarity in known[line]]
    return pairs


def similar_lines(
    line: str, among: Sequence[str], cutoff: float, limit: int | None = None
) -> list[tuple[str, float]]:
    """Return the lines of `among` (distinct) at least `cutoff` similar to `line`, the `limit` best."""
    if len(line) > LONG_LINE:
        compared = ((other, line_similarity(line, other)) for other in among)
        return [(other, similarity) for other, similarity in compared if similarity >= cutoff]
    return [
        (text, similarity)
        for text, similarity, _ in process.extract(
            line, among, scorer=Levenshtein.normalized_similarity, score_cutoff=cutoff, limit=limit
        )
    ]


def pairs_within(
    quoted: Sequence[str], weights: Sequence[float], found: Sequence[str], at: int = 0
) -> list[Match]:
    """Return the pairs of similar lines that may be part of the best chain, in order.

    When there are too many lines to compare each with each, equal lines that are rare make a chain first, and
    only the lines between its links are compared. `at` is the index of the first file line.
    """
    if is_small(quoted, found):
        return similar_pairs(quoted, found, at=(0, at))
    count, places = Counter(quoted), Counter(found)
    anchors = similar_pairs(quoted, found, 1.0, lambda line: count[line] * places[line] <= RARE_PAIRS)
    chain = best_chain(anchors, weights)
    if chain is None:
        return []
    pairs: list[Match] = []
    links = [Match(-1, chain.first - len(quoted) - 1, 1.0), *chain.matches]
    links.append(Match(len(quoted), min(len(found), chain.end + len(quoted)), 1.0))
    for link, following in pairwise(links):
        if link.quoted >= 0:
            pairs.append(Match(link.quoted, link.found + at, link.similarity))
        start = max(0, link.found + 1)
        between = found[start : following.found]
        left_out = quoted[link.quoted + 1 : following.quoted]
        if left_out and between and is_small(left_out, between):
            pairs += similar_pairs(left_out, between, at=(link.quoted + 1, start + at))
    return pairs


def is_small(quoted: Sequence[str], found: Sequence[str]) -> bool:
    """Return whether there are few enough lines to compare every one with every other."""
    if len(quoted) * len(found) > FULL_AREA:
        return False
    if (len(quoted) + sum(map(len, quoted)) // 64) * sum(map(len, found)) <= FULL_WORK:
        return True  # a bound that nearly always tells
    words = sum(1 + min(len(line), LONG_LINE) // 64 for line in quoted)
    return words * sum(min(len(line), LONG_LINE) for line in found) <= FULL_WORK


def best_chain(pairs: Sequence[Match], weights: Sequence[float]) -> Alignment | None:
    """Return the chain worth most of `pairs`, which are ordered by search line; `None` without pairs."""
    stairs: list[int] = []
    keys: list[float] = []
    nodes: list[tuple[Match, float, int]] = []
    tops: list[int] = []
    best = -1
    number = 0
    while number < len(pairs):
        row_end = number
        row = pairs[number].quoted
        fresh: list[int] = []
        while row_end < len(pairs) and pairs[row_end].quoted == row:
            pair = pairs[row_end]
            row_end += 1
            value, previous = weights[row] * (pair.similarity - 0.3) / 0.7, -1
            step = bisect_left(stairs, pair.found) - 1
            if step >= 0:
                carried = keys[step] - PASSED_LINE * (pair.found - 1)
                if carried > 0:
                    value, previous = value + carried, tops[step]
            nodes.append((pair, value, previous))
            fresh.append(len(nodes) - 1)
            if best < 0 or value > nodes[best][1]:
                best = len(nodes) - 1
        for node in fresh:
            pair, value, _ = nodes[node]
            _raise_stair(stairs, keys, tops, pair.found, value + PASSED_LINE * pair.found, node)
        number = row_end
    if best < 0:
        return None
    chain: list[Match] = []
    while best >= 0:
        chain.append(nodes[best][0])
        best = nodes[best][2]
    chain.reverse()
    return measured(chain, weights)


def measured(chain: Sequence[Match], weights: Sequence[float]) -> Alignment:
    """Return the chain with its coverage and score."""
    whole = sum(weights)
    covered = sum(weights[match.quoted] * match.similarity for match in chain)
    passed = chain[-1].found + 1 - chain[0].found - len(chain)
    return Alignment(tuple(chain), covered / whole, (covered - PASSED_LINE * passed) / whole)


def _raise_stair(
    stairs: list[int], keys: list[float], tops: list[int], place: int, key: float, node: int
) -> None:
    """Insert a value at `place` into the staircase, whose keys ascend with the places."""
    at = bisect_left(stairs, place)
    if at < len(stairs) and stairs[at] == place:
        if keys[at] >= key:
            return
        stairs[at], keys[at], tops[at] = place, key, node
    else:
        if at and keys[at - 1] >= key:
            return
        stairs.insert(at, place)
        keys.insert(at, key)
        tops.insert(at, node)
    end = at + 1
    while end < len(stairs) and keys[end] <= key:
        end += 1
    del stairs[at + 1 : end], keys[at + 1 : end], tops[at + 1 : end]
