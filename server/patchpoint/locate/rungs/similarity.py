"""The similarity rung: the region whose lines, in order, are most like the search lines.

It tolerates reworded lines, lines the model dropped and lines it invented. Candidates come from cheap votes:
a file line equal to a search line votes for the place where the search text would then begin, and search
lines that are nowhere or everywhere vote by similarity as far as a budget allows. Only the stretches with
most votes are aligned (`alignment`). It costs one pass over the lines and, for each search line that votes
by similarity, one comparison with every distinct line (rapidfuzz, with a cut-off).

Similarity alone does not authorise a write: the best region must beat every rival by a margin, and the tests
in `guards` must accept it.
"""

from __future__ import annotations

from functools import cached_property

from patchpoint.dataclass import dataclass
from patchpoint.locate.alignment import (
    Alignment,
    Match,
    best_chain,
    is_small,
    pairs_within,
    similar_lines,
    weight,
)
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Quote
from patchpoint.progress import Progress
from patchpoint.text.lines import positions

VOTING_LINE = 0.55
"""Least similarity of a line that votes for a place."""

RARE = 24
"""A line with more occurrences says nothing about the place, as long as others have fewer."""

MOST_VOTES = 60
"""A search line votes for at most this many of the lines most like it."""

MOST_PLACES = 2000
COMMON_SHARE = 0.66
"""A line that occurs in more than `MOST_PLACES` places does not vote. When such lines make up more than
`COMMON_SHARE` of the search text, by weight, the votes of the others prove nothing either."""

ENOUGH_HEARD = 0.34
SMALL_BUDGET = 120_000
"""When at least three lines, with at least `ENOUGH_HEARD` of the weight of all lines that are not too
frequent, have voted by equality, only `SMALL_BUDGET` characters are compared for votes by similarity: a rival
region would contain none of those lines."""

MOST_PAIRS = 1_000_000_000
"""Lines of the search text times lines of the file beyond which nothing is compared (32,000 in 32,000)."""

STRETCHES = 12
"""The most stretches that are aligned: the best region and its rivals are among the first few."""

RIVALS = 3
"""The most regions of one stretch, none overlapping another; overlapping stretches count as one."""


class TooLargeError(Exception):
    """Searching by similarity would cost more than the budget."""


@dataclass(frozen=True)
class Texts:
    """The lines that are compared: those of file and search text that are not blank, stripped and folded."""

    source: SourceText
    quote: Quote

    @property
    def found(self) -> list[str]:
        """The file's lines."""
        return self.source.folded_solid

    @property
    def quoted(self) -> list[str]:
        """The search lines."""
        return self.quote.folded

    @property
    def places(self) -> dict[str, list[int]]:
        """The different lines of `found`, in order, each with the positions it has there."""
        return self.source.places

    @cached_property
    def weights(self) -> list[float]:
        """The weight of each search line (see `alignment.weight`)."""
        return [weight(line) for line in self.quoted]


def similar_regions(texts: Texts, budget: int, progress: Progress) -> list[Alignment]:
    """Return the most similar regions, best first, no two overlapping.

    `budget` bounds the characters that voting by similarity and aligning may compare. Raises `TooLargeError`
    when it does not suffice to find any place, or to tell the places apart, and for more than `MOST_PAIRS`.
    """
    if not texts.quoted or not texts.found:
        return []
    if len(texts.quoted) * len(texts.found) > MOST_PAIRS:
        raise TooLargeError
    votes = _votes(texts, budget, progress)
    stretches = _stretches(votes, len(texts.quoted), len(texts.found))
    regions: list[Alignment] = []
    for stretch in stretches:
        left, found = [stretch], 0
        pairs = _pairs(texts, *stretch)
        all_pairs = is_small(texts.quoted, texts.found[slice(*stretch)])
        while left and found < RIVALS:
            progress.check()
            start, end = left.pop(0)
            if all_pairs:
                within = [pair for pair in pairs if start <= pair.found < end]
            else:
                within = _pairs(texts, start, end) if found or (start, end) != stretch else pairs
            region = best_chain(within, texts.weights)
            if region is not None:
                regions.append(region)
                found += 1
                left += [(start, region.first), (region.end, end)]
    regions.sort(key=lambda region: (-region.score, region.first))
    apart: list[Alignment] = []
    for region in regions:
        if all(region.end <= other.first or other.end <= region.first for other in apart):
            apart.append(region)
    return apart


def _pairs(texts: Texts, start: int, end: int) -> list[Match]:
    """Return the pairs of similar lines within a stretch."""
    return pairs_within(texts.quoted, texts.weights, texts.found[start:end], start)


def _votes(texts: Texts, budget: int, progress: Progress) -> list[tuple[int, int, float]]:
    """Return search line, file line and weight of each vote."""
    wanted = positions(texts.quoted)
    places = texts.places
    progress.check()
    votes = []
    silent = []
    for line, numbers in wanted.items():
        occurrences = places.get(line, [])
        if occurrences and len(occurrences) <= RARE:
            votes += [
                (number, place, texts.weights[number] / (len(numbers) * len(occurrences)) ** 0.5)
                for number in numbers
                for place in occurrences
            ]
        else:
            silent.append(line)
    silent.sort(key=len, reverse=True)
    distinct = list(places)
    unheard = sum(weight(line) * len(wanted[line]) for line in silent if line not in places)
    heard = sum(texts.weights) - sum(weight(line) * len(wanted[line]) for line in silent)
    if heard >= ENOUGH_HEARD * (heard + unheard) and len(wanted) - len(silent) >= 3:
        budget = min(budget, SMALL_BUDGET)
    length = texts.source.solid_length
    texts.source.effort.spend(length)
    common = 0.0
    for line in silent:
        cost = length * (1 + len(line) // 64)
        if cost > budget and votes:
            break
        if cost > 50 * budget:
            raise TooLargeError
        texts.source.effort.spend(cost)
        budget = max(0, budget - cost)
        progress.check()
        for text, similarity in similar_lines(line, distinct, VOTING_LINE, MOST_VOTES):
            occurrences = places[text]
            share = (
                similarity * texts.weights[wanted[line][0]] / (len(wanted[line]) * len(occurrences)) ** 0.5
            )
            if len(occurrences) * len(wanted[line]) > MOST_PLACES:
                common += texts.weights[wanted[line][0]] * len(wanted[line])
                break
            votes += [(number, place, share) for number in wanted[line] for place in occurrences]
    if common > COMMON_SHARE * sum(texts.weights):
        raise TooLargeError
    return votes


def _stretches(votes: list[tuple[int, int, float]], quoted: int, found: int) -> list[tuple[int, int]]:
    """Return the stretches of the file with most votes, in order, as wide as the search text and its gaps."""
    width = max(4, quoted // 2)
    buckets: dict[int, dict[int, float]] = {}
    for number, place, share in votes:
        bucket = (place - number) // width
        for side in (bucket, bucket + 1):
            lines = buckets.setdefault(side, {})
            if share > lines.get(number, 0.0):
                lines[number] = share
    ranked = sorted(buckets, key=lambda bucket: (-sum(buckets[bucket].values()), bucket))
    wide = sorted(
        (max(0, (bucket - 2) * width - 4), min(found, (bucket + 1) * width + 2 * quoted + 8))
        for bucket in ranked[:STRETCHES]
    )
    stretches: list[tuple[int, int]] = []
    for start, end in wide:
        if stretches and start <= stretches[-1][1]:
            stretches[-1] = (stretches[-1][0], max(end, stretches[-1][1]))
        else:
            stretches.append((start, end))
    return stretches
