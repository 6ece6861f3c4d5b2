"""Which similar regions could be meant as well as the best one, although their score is lower.

A score adds up all lines alike. A region is no rival where the lines tell the two apart: by the words of at
least two of them, by the name of what they declare, or by the line that the edit changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from patchpoint.locate.alignment import Alignment, Match, measured
from patchpoint.locate.evidence.names import declared_name
from patchpoint.locate.evidence.search_diff import search_hunks
from patchpoint.locate.rungs.similarity import Texts
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote
from patchpoint.text.regex import WORD

ENOUGH_LINES = 2
"""So many lines that only the best region has outdo a rival. One proves too little."""

AT_DEPTH = 2 / 3
"""The share of the search lines that are at another place, at the depth that they were quoted at, and make
that as likely as one where all of them are at another depth."""

FEWEST_AT_DEPTH = 3

MOST_LINES = 400
"""A search text with more lines has so many at its place that no other is as likely."""

MOST_OCCURRENCES = 200
"""A line that occurs more often than this is looked for in so many places only."""


def rivals_of(texts: Texts, regions: Sequence[Alignment], margin: float) -> list[Alignment]:
    """Return the best of `regions` (best first) and those that could be meant as well, in their order.

    Where only one of these has every line that the edit changes, it is the only one that could be meant: a
    line that is nowhere in the file tells none of them apart.
    """
    best = regions[0]
    close = [
        region
        for region in regions
        if region is best
        or (
            min(best.score - region.score, best.coverage - region.coverage) < margin
            and not _is_outdone(texts, best, region)
        )
    ]
    close += _spread_rivals(texts, best)
    if len(close) > 1:
        changed = _changed_lines(texts) & _lines_of_file(texts, close)
        having = [region for region in close if changed and changed <= _exact_lines(region)]
        others = [region for region in close if region not in having]
        if len(having) == 1 and not any(_has_any(texts, region, changed) for region in others):
            return having
    return close


def rival_at_quoted_depth(source: SourceText, quote: Quote, find: Find) -> Find | None:
    """Return the place that has most search lines at the depth that they were quoted at, if `find` has not.

    One of two twins was changed a little since it was quoted, and the other one is at another depth.
    """
    if source.lines[find.lines[0]].rstrip() == quote.search_lines[find.pairs[0].quoted[0]].rstrip():
        return None
    if len(quote.solid) > MOST_LINES:
        return None
    places: Counter[int] = Counter()
    for at, line in enumerate(quote.solid):
        text = quote.search_lines[line].rstrip()
        for place in source.places.get(quote.folded[at], ())[:MOST_OCCURRENCES]:
            number = source.solid[place]
            if source.lines[number].rstrip() == text and not find.lines[0] <= number < find.lines[1]:
                places[place - at] += 1
    if not places:
        return None
    first, _ = max(places.items(), key=lambda item: (item[1], -item[0]))
    there = places[first] + places[first - 1] + places[first + 1]
    if there < max(FEWEST_AT_DEPTH, AT_DEPTH * len(quote.solid)):
        return None
    start, end = max(0, first), min(len(source.solid), first + len(quote.solid))
    span = source.whole_lines(source.solid[start], source.solid[end - 1] + 1)
    return Find(source=source, rung=find.rung, similarity=find.similarity, span=span, quote=quote)


def _spread_rivals(texts: Texts, best: Alignment) -> list[Alignment]:
    """Return the places above and below where all lines of a region that is spread out are in order, too.

    Where the search text leaves out more lines than it has, it is no matter how far apart the others are.
    """
    spread = best.end - best.first - len(best.matches)
    if spread <= len(texts.quoted) or any(match.similarity < 1 for match in best.matches):
        return []
    rivals = []
    for at, end in ((0, best.first), (best.end, len(texts.found))):
        chain: list[Match] = []
        for match in best.matches:
            places = texts.places[texts.quoted[match.quoted]]
            place = next((place for place in places if at <= place < end), None)
            if place is None:
                break
            chain.append(Match(match.quoted, place, 1.0))
            at = place + 1
        else:
            rivals.append(measured(chain, texts.weights))
    return rivals


def _is_outdone(texts: Texts, best: Alignment, rival: Alignment) -> bool:
    """Return whether the lines of the best region leave no doubt about a rival."""
    there = {match.quoted: match for match in rival.matches}
    here = {match.quoted: match for match in best.matches}
    proofs = 0
    for number, line in enumerate(texts.quoted):
        ours, theirs = here.get(number), there.get(number)
        if theirs is not None and theirs.similarity > (ours.similarity if ours else 0.0):
            return False
        if ours is None or ours.similarity < 1:
            continue
        found = texts.found[theirs.found] if theirs is not None else ""
        if theirs is None or theirs.similarity < 1:
            name, other = declared_name(line), declared_name(found)
            if name is not None and other is not None and name != other:
                return True
            proofs += bool(WORD.search(line)) and _words(line) != _words(found)
    return proofs >= ENOUGH_LINES


def _changed_lines(texts: Texts) -> set[int]:
    """Return the indexes, into the lines compared, of those with a word that the edit changes."""
    index = {number: at for at, number in enumerate(texts.quote.solid)}
    return {
        index[line]
        for hunk in search_hunks(texts.quote)
        for line in range(*hunk.quoted)
        if line in index and WORD.search(texts.quoted[index[line]])
    }


def _lines_of_file(texts: Texts, regions: Sequence[Alignment]) -> set[int]:
    """Return the indexes of the lines that are in the file, or resemble one in a region."""
    there = {number for number, line in enumerate(texts.quoted) if line in texts.places}
    return there.union(match.quoted for region in regions for match in region.matches)


def _exact_lines(region: Alignment) -> set[int]:
    return {match.quoted for match in region.matches if match.similarity == 1}


def _has_any(texts: Texts, region: Alignment, lines: set[int]) -> bool:
    """Return whether a region has one of the lines, or one with the same words."""
    return any(
        match.quoted in lines and _words(texts.quoted[match.quoted]) == _words(texts.found[match.found])
        for match in region.matches
    )


def _words(line: str) -> Counter[str]:
    return Counter(WORD.findall(line))
