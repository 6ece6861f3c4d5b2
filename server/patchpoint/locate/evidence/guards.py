"""Guards: reasons to reject a place that only resembles the search text.

A score cannot tell a drifted quotation from another place that looks like it; these guards can, for the most
part. The worth of each was measured on edits that real models wrote: the line to be changed, the declared
name, the loose edge and the one-line lookalike each kept edits from wrong places at the cost of few right
ones. Shares of drift in comments, counts of differing identifiers and "the file's line is a line of the
replacement" were measured, too, and made no difference.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from patchpoint.locate.alignment import Alignment, Match, line_similarity
from patchpoint.locate.evidence.search_diff import search_hunks
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote
from patchpoint.outcome import Reason

LONELY_LINE = 0.70
"""Least similarity of a one-line search with other names; it needs half its words and no rival, too."""

SURE_COVERAGE = 0.9
SURE_LINES = 5
"""Coverage and exact lines that allow an insertion next to a search line that is not in the file."""

EDGE_LINE = 0.3
"""Least similarity of unpaired lines at the edge of the search text to their neighbours in the file."""

_DECLARATION = re.compile(
    r"(?:^|\s)(?:def|class|func|fn|function|struct|enum|interface|trait|impl|type|module|macro_rules!|sub|proc)"
    r"\s+(?:\([^)]*\)\s*)?(\w+)"
    r"|^\s*(?:it|test|describe|context|specify)\(\s*(['\"`].*?['\"`])"
)
_WORD = re.compile(r"\w+")


def reason_to_reject(source: SourceText, find: Find, regions: Sequence[Alignment]) -> Reason | None:
    """Return why nothing may be written to `find`, the best of the similar `regions`; `None` if it may."""
    quote = find.quote
    partners = {
        line: pair.found[0]
        for pair in find.pairs
        for line in range(*pair.quoted)
        if pair.found[0] < pair.found[1]
    }
    if len(quote.solid) == 1 and _is_lookalike(source, find, regions):
        return Reason.LOOKALIKE
    if _other_name(source, find):
        return Reason.OTHER_NAME
    solid_lines = set(quote.solid)
    exact = sum(
        quote.stripped[line] == source.stripped[number]
        for line, number in partners.items()
        if line in solid_lines
    )
    sure = find.similarity >= SURE_COVERAGE and exact >= SURE_LINES
    for hunk in search_hunks(quote, find.pairs):
        solid = [line for line in range(*hunk.quoted) if quote.stripped[line]]
        brings = any(line.strip() for line in quote.replace_lines[slice(*hunk.new)])
        if solid and brings and not any(line in partners for line in solid):
            return Reason.LINE_MISSING
        if not solid and brings and not sure and _at_loose_edge(quote, hunk.quoted, partners):
            return Reason.LOOSE_EDGE
    return None


def declared_name(line: str) -> str | None:
    """Return the name of the function, class or test that a line declares, or `None`."""
    match = _DECLARATION.search(line)
    return (match[1] or match[2]) if match else None


def paired_by_position(quoted: Sequence[str], found: Sequence[str], matches: Sequence[Match]) -> list[Match]:
    """Return the matches and, between two of them, equally many unpaired lines of both sides as pairs.

    At the edges lines pair from the inside out, as long as they are at least `EDGE_LINE` similar.
    """
    before: list[Match] = []
    first = matches[0]
    back = 1
    while back <= min(first.quoted, first.found):
        similarity = line_similarity(quoted[first.quoted - back], found[first.found - back])
        if similarity < EDGE_LINE:
            break
        before.append(Match(first.quoted - back, first.found - back, similarity))
        back += 1
    paired = before[::-1]
    for number, match in enumerate(matches):
        paired.append(match)
        if number + 1 == len(matches):
            break
        following = matches[number + 1]
        between = following.quoted - match.quoted
        if between == following.found - match.found:
            for step in range(1, between):
                one, other = quoted[match.quoted + step], found[match.found + step]
                paired.append(Match(match.quoted + step, match.found + step, line_similarity(one, other)))
    last = matches[-1]
    ahead = 1
    while last.quoted + ahead < len(quoted) and last.found + ahead < len(found):
        similarity = line_similarity(quoted[last.quoted + ahead], found[last.found + ahead])
        if similarity < EDGE_LINE:
            break
        paired.append(Match(last.quoted + ahead, last.found + ahead, similarity))
        ahead += 1
    return paired


def _is_lookalike(source: SourceText, find: Find, regions: Sequence[Alignment]) -> bool:
    """Return whether a one-line search has other words than its line, and shares too few or has rivals."""
    quoted = find.quote.stripped[find.quote.solid[0]]
    found = source.stripped[find.lines[0]]
    words, others = Counter(_WORD.findall(quoted)), Counter(_WORD.findall(found))
    if words == others:
        return False
    few_shared = 2 * (words & others).total() < words.total()
    return few_shared or len(regions) > 1 or find.similarity < LONELY_LINE


def _other_name(source: SourceText, find: Find) -> bool:
    """Return whether a search line declares one name and its partner another."""
    for pair in find.pairs:
        if pair.quoted[1] - pair.quoted[0] != 1 or pair.found[1] - pair.found[0] != 1:
            continue
        quoted = find.quote.search_lines[pair.quoted[0]]
        found = source.lines[pair.found[0]]
        if quoted.strip() != found.strip():
            names = declared_name(quoted), declared_name(found)
            if names[0] and names[1] and names[0] != names[1]:
                return True
    return False


def _at_loose_edge(quote: Quote, place: tuple[int, int], partners: dict[int, int]) -> bool:
    """Return whether an insertion at the edge of the search text is next to an unpaired search line."""
    before = [line for line in quote.solid if line < place[0]]
    after = [line for line in quote.solid if line >= place[1]]
    if before and before[-1] not in partners and not any(line in partners for line in after):
        return True
    if after and after[0] not in partners and not any(line in partners for line in before):
        return True
    inner_before = before and before[-1] not in partners
    inner_after = after and after[0] not in partners
    return bool(inner_before and (inner_after or not after)) or bool(inner_after and not before)
