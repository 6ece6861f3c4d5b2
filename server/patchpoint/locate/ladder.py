"""The ladder: the rungs in order, strictest first, each tried only when all stricter ones found nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from functools import cache, partial
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.locate.already_applied import applied_finds, inserted_already, made_at_hint, made_instead
from patchpoint.locate.effort import REQUEST_BUDGET
from patchpoint.locate.hints import SCOPE, choose, is_within, scope_ranges
from patchpoint.locate.rungs.exact import find_exact, find_exact_near, find_exact_within, of_whole_words
from patchpoint.locate.rungs.table import RUNGS
from patchpoint.locate.verdict import SearchLimit, Verdict, VerdictKind
from patchpoint.outcome import Guard, Reason, Rung

if TYPE_CHECKING:
    from patchpoint.locate.alignment import Alignment
    from patchpoint.locate.hints import Hints
    from patchpoint.locate.rungs.similarity import Texts
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Find, Quote
    from patchpoint.progress import Progress
    from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class Ladder:
    """Which rungs are tried, and what the similarity rung requires.

    `min_similarity`: the least weighted Levenshtein similarity (0 to 1) of a region that may be written to.
    `min_margin`: by how much it must beat every region that does not overlap it (0.10 is the knee that was
    measured: less gains few right places and lets wrong ones in). `budget`: characters that may be compared
    for one edit. `request_budget`: for all edits of a request; those that are left then are refused.
    `without`: guards that are left out, to weigh what they are worth (`make weigh`); none is, otherwise.
    """

    rungs: tuple[Rung, ...] = tuple(Rung)
    min_similarity: float = 0.66
    min_margin: float = 0.10
    budget: int = 4_000_000
    request_budget: int = REQUEST_BUDGET
    without: frozenset[Guard] = frozenset()


HINTED_FINDS = 5000
"""The most finds of one rung when hints are to choose among them."""

_MOST_SCOPES = 20
"""So many places that a scope names are looked through one by one."""

_AT_ANY_DEPTH = (Rung.INDENTATION, Rung.TOKENS)
_WITH_SURROUNDINGS = (Rung.EXACT, Rung.UNICODE, Rung.QUOTES)
"""Rungs on which what is only added to the search text is looked for around what was found."""

PROPOSED_SIMILARITY = 0.5
"""The least similarity of a region that is proposed although it is not similar enough to be written to. Of
485 edits that must be refused, the most similar region that nothing else rejects has 0.43."""

_FOR_ALL = "the text itself, which replacing every occurrence needs, only similar text"

NEAREST = 3
"""The most regions in a verdict that found nothing."""


def locate(source: SourceText, quote: Quote, hints: Hints, ladder: Ladder, progress: Progress) -> Verdict:
    """Locate the search text, which must have a line that is not blank. Raises what `progress` raises."""
    verdict = _located(source, quote, hints, ladder, progress)
    if verdict.kind is VerdictKind.FOUND and not _not_inserted(source, quote, verdict.finds, ladder):
        return _already(verdict.finds)
    if verdict.kind not in (VerdictKind.FOUND, VerdictKind.DOUBTED) or not _looks_for_replacement(ladder):
        return verdict
    made = made_at_hint(source, quote, verdict.finds[0], hints)
    return _already(made) if made else verdict


def _already(finds: Sequence[Find]) -> Verdict:
    return Verdict.rejected(Guard.REPLACEMENT_THERE, finds, VerdictKind.ALREADY)


def _looks_for_replacement(ladder: Ladder) -> bool:
    return Guard.REPLACEMENT_THERE not in ladder.without


def _located(source: SourceText, quote: Quote, hints: Hints, ladder: Ladder, progress: Progress) -> Verdict:
    scopes = scope_ranges(source, hints.scope) if hints.scope else []
    if hints.scope and not scopes:
        return Verdict(VerdictKind.NOWHERE, (), Reason.NOT_THERE, missing=SCOPE)
    limit = limit_for(hints)
    parts: list[Find] = []
    for row in RUNGS:
        progress.check()
        if row.rung is Rung.TOKENS and _looks_for_replacement(ladder):
            applied = applied_finds(source, quote)
            if applied:
                return _already(applied)
        if row.find is None or row.rung not in ladder.rungs:
            continue
        at_hint = _at_hint(source, quote, hints, scopes, ladder) if row.rung is Rung.EXACT else None
        if at_hint is not None:
            return at_hint
        finds = row.find(source, quote, limit)
        if row.rung is Rung.EXACT and finds:
            if not _not_inserted(source, quote, finds, ladder):
                return _already(finds)
            parts, finds = _apart(source, finds, hints, ladder)
        elif parts:
            finds = [find for find in finds if not any(_overlap(find, part) for part in parts)]
        if row.rung is not Rung.EXACT:
            if Guard.CLOSES_ANOTHER not in ladder.without:
                from patchpoint.locate.brackets import closes_another

                finds = [find for find in finds if not closes_another(source, find)]
        elif not hints.replace_all and hints.occurrence is None and len(finds) < limit.most:
            finds = of_whole_words(source, finds)
        if not finds:
            continue
        if row.rung in _WITH_SURROUNDINGS:
            left = _not_inserted(source, quote, finds, ladder)
            if not left:
                return _already(finds)
            finds = left if hints.replace_all else finds
        elif row.rung is Rung.INDENTATION and _looks_for_replacement(ladder):
            applied = applied_finds(source, quote, exactly=True)
            if applied:
                return _already(applied)
        if hints.replace_all and not row.whole_text:
            return Verdict(VerdictKind.NOWHERE, tuple(finds), Reason.NOT_THERE, missing=_FOR_ALL)
        verdict = choose(source, finds, hints, scopes)
        if row.rung is Rung.EXACT and verdict.kind is VerdictKind.FOUND and Guard.PART not in ladder.without:
            from patchpoint.locate.evidence.parts import is_inside_words

            if is_inside_words(source, verdict.finds):
                return Verdict.doubted((Guard.PART,), verdict.finds)
        if row.rung in _AT_ANY_DEPTH and verdict.kind is VerdictKind.FOUND and len(verdict.finds) == 1:
            from patchpoint.locate.evidence.rivals import rival_at_quoted_depth

            rival = rival_at_quoted_depth(source, quote, verdict.finds[0])
            if rival is not None and Guard.RIVAL_AT_DEPTH not in ladder.without:
                finds = [*verdict.finds, rival]
                return Verdict.rejected(Guard.RIVAL_AT_DEPTH, finds, VerdictKind.SEVERAL)
        return verdict
    if parts:
        return Verdict.rejected(Guard.PART, parts)
    return _by_similarity(source, quote, hints, scopes, ladder, progress)


def _apart(
    source: SourceText, finds: Sequence[Find], hints: Hints, ladder: Ladder
) -> tuple[list[Find], list[Find]]:
    """Return the exact finds that are only a part of something else, and the other ones."""
    if Guard.PART in ladder.without:
        return [], list(finds)
    from patchpoint.locate.evidence.parts import is_deeper, is_part

    search = finds[0].quote.search if finds else ""
    if hints.of_lines and search[:1].isspace() and "\n" not in search.rstrip():
        finds = [find for find in finds if not is_deeper(source, find)]
    parts: list[Find] = []
    others: list[Find] = []
    for find in finds:
        is_one = is_part(source, find, of_lines=hints.of_lines, is_only=len(finds) == 1)
        (parts if is_one else others).append(find)
    return parts, others


def _overlap(one: Find, other: Find) -> bool:
    return one.lines[0] < other.lines[1] and other.lines[0] < one.lines[1]


def _not_inserted(source: SourceText, quote: Quote, finds: Sequence[Find], ladder: Ladder) -> list[Find]:
    """Return the finds without what the edit adds around them."""
    if not _looks_for_replacement(ladder):
        return list(finds)
    return [find for find in finds if not inserted_already(source, quote, find)]


def _at_hint(
    source: SourceText, quote: Quote, hints: Hints, scopes: list[Span], ladder: Ladder
) -> Verdict | None:
    """Return the exact place that a scope or a line chooses; `None` where others may matter, too."""
    if hints.replace_all or hints.occurrence is not None or len(scopes) > _MOST_SCOPES:
        return None
    if scopes:
        finds = find_exact_within(source, quote, scopes, HINTED_FINDS)
    elif hints.line is not None and not hints.at_end:
        finds = find_exact_near(source, quote, hints.line - 1)
    else:
        return None
    finds = _apart(source, finds, hints, ladder)[1]
    if not finds or not _not_inserted(source, quote, finds, ladder):
        return None
    verdict = choose(source, finds, hints, scopes)
    if scopes:
        return verdict
    section = scope_ranges(source, (hints.section,)) if hints.section.strip() else []
    if verdict.kind is VerdictKind.FOUND and (
        is_within(verdict.finds[0], section) or not find_exact_within(source, quote, section, 1)
    ):
        return verdict
    every = of_whole_words(source, find_exact(source, quote, SearchLimit()))
    return Verdict(VerdictKind.SEVERAL, tuple(every), Reason.SEVERAL)


def limit_for(hints: Hints) -> SearchLimit:
    """Return how many finds are needed to know which one the hints choose."""
    if hints.replace_all:
        return SearchLimit(sys.maxsize, overlapping=False)
    if hints.line is not None or hints.scope or hints.occurrence is not None or hints.at_end:
        return SearchLimit(max(HINTED_FINDS, hints.occurrence or 0))
    return SearchLimit()


def _by_similarity(
    source: SourceText, quote: Quote, hints: Hints, scopes: list[Span], ladder: Ladder, progress: Progress
) -> Verdict:
    """Return the region most like the search text, unless a rival is too close or a guard rejects it."""
    from patchpoint.locate.evidence.pairing import find_of_region
    from patchpoint.locate.evidence.threshold import is_evident
    from patchpoint.locate.rungs.similarity import Texts, TooLargeError, similar_regions

    texts = Texts(source, quote)
    try:
        regions = similar_regions(texts, ladder.budget, progress)
    except TooLargeError:
        return Verdict(VerdictKind.NOWHERE, (), Reason.TOO_LARGE)
    find_of = cache(partial(find_of_region, texts))
    nearest = regions[:NEAREST]
    if Rung.SIMILARITY not in ladder.rungs:
        return Verdict(VerdictKind.NOWHERE, tuple(map(find_of, nearest)), Reason.NOTHING_SIMILAR)
    coverage = regions[0].coverage if regions else 0.0
    if coverage >= ladder.min_similarity or (regions and is_evident(texts, regions[0])):
        return _at_best(texts, regions, find_of, hints, scopes, ladder)
    below = Verdict.rejected(Guard.THRESHOLD, map(find_of, nearest))
    if not regions or (coverage < PROPOSED_SIMILARITY and Guard.THRESHOLD not in ladder.without):
        return below
    best = _at_best(texts, regions, find_of, hints, scopes, ladder)
    if Guard.THRESHOLD in ladder.without:
        return best
    if best.kind not in (VerdictKind.FOUND, VerdictKind.DOUBTED):
        return below
    return Verdict.doubted((Guard.THRESHOLD, *best.doubts), below.finds)


def _at_best(
    texts: Texts,
    regions: Sequence[Alignment],
    find_of: Callable[[Alignment], Find],
    hints: Hints,
    scopes: list[Span],
    ladder: Ladder,
) -> Verdict:
    """Return the verdict on the best of the similar regions, whatever its similarity."""
    from patchpoint.locate.evidence.guards import rejecting_guards
    from patchpoint.locate.evidence.half_applied import half_applied
    from patchpoint.locate.evidence.rivals import rivals_of

    source = texts.source
    nearest = regions[:NEAREST]
    if hints.replace_all:
        similar = tuple(map(find_of, nearest))
        return Verdict(VerdictKind.NOWHERE, similar, Reason.NOT_THERE, missing=_FOR_ALL)
    close = [find_of(region) for region in rivals_of(texts, regions, ladder.min_margin)]
    if Guard.RIVALS in ladder.without:
        del close[1:]
    verdict = choose(source, sorted(close, key=lambda find: find.span), hints, scopes)
    if verdict.kind is VerdictKind.SEVERAL:
        return Verdict.rejected(Guard.RIVALS, close, VerdictKind.SEVERAL)
    if verdict.kind is not VerdictKind.FOUND:
        return verdict
    made = made_instead(source, texts.quote, verdict.finds[0])
    if made and _looks_for_replacement(ladder):
        return _already(made)
    partly_there = half_applied(source, verdict.finds[0])
    if partly_there is not None:
        return Verdict(VerdictKind.FOUND, (partly_there,))
    guards = Guard.heard(rejecting_guards(verdict.finds[0], regions), ladder.without)
    if not guards:
        return verdict
    chosen = verdict.finds[0]
    finds = [chosen, *(find for find in map(find_of, nearest) if find.span != chosen.span)]
    if guards[-1].is_settled_by_a_look:
        return Verdict.doubted(guards, finds)
    return Verdict.rejected(guards[0], finds)
