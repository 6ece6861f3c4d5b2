"""The ladder: the rungs in order, strictest first, each tried only when every stricter one found nothing."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from patchpoint.locate.alignment import Alignment
from patchpoint.locate.applied import applied_finds
from patchpoint.locate.blocks import with_blank_lines
from patchpoint.locate.elision import find_elision
from patchpoint.locate.evidence import objection, paired_by_position
from patchpoint.locate.exact import find_exact
from patchpoint.locate.hints import Hints, choose, scope_ranges
from patchpoint.locate.indentation import find_indentation
from patchpoint.locate.similarity import Texts, TooLargeError, similar_regions
from patchpoint.locate.source import Source
from patchpoint.locate.tokens import find_tokens
from patchpoint.locate.transcription import find_transcription
from patchpoint.locate.unicode import find_unicode
from patchpoint.locate.verdict import Answer, Find, Quote, Reason, Sweep, Verdict, line_pair
from patchpoint.locate.whitespace import find_whitespace
from patchpoint.outcome import Rung
from patchpoint.progress import Progress
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class Ladder:
    """Which rungs are tried, and what the similarity rung asks for.

    `min_similarity`: the least weighted Levenshtein similarity of a region that may be written to.
    `min_margin`: by how much it must beat every region that does not overlap it (0.10 is the knee that was
    measured: less gains few right places and lets wrong ones in). `budget`: characters that may be compared.
    """

    rungs: tuple[Rung, ...] = tuple(Rung)
    min_similarity: float = 0.66
    min_margin: float = 0.10
    budget: int = 4_000_000


FINDERS: dict[Rung, Callable[[Source, Quote, Sweep], list[Find]]] = {
    Rung.EXACT: find_exact,
    Rung.WHITESPACE: find_whitespace,
    Rung.INDENTATION: find_indentation,
    Rung.UNICODE: find_unicode,
    Rung.TRANSCRIPTION: find_transcription,
    Rung.ELISION: find_elision,
    Rung.TOKENS: find_tokens,
}

FOR_ALL = (Rung.EXACT, Rung.WHITESPACE, Rung.INDENTATION, Rung.UNICODE, Rung.TRANSCRIPTION, Rung.TOKENS)
"""The rungs that compare whole text, on which replacing all finds is safe."""

HINTED_FINDS = 5000
"""How many finds are looked for when hints are to choose among them."""

NEAREST = 3
"""How many of the nearest regions a verdict of "nowhere" shows."""


def locate(source: Source, quote: Quote, hints: Hints, ladder: Ladder, progress: Progress) -> Verdict:
    """Where the search text stands. It must have a line that is not blank."""
    scopes = scope_ranges(source, hints.scope) if hints.scope else []
    if hints.scope and not scopes:
        return Verdict(Answer.NOWHERE, (), Reason.SCOPE_MISSING)
    sweep = sweep_for(hints)
    for rung, find_on_rung in FINDERS.items():
        progress.check()
        if rung is Rung.TOKENS:
            applied = applied_finds(source, quote)
            if applied:
                return Verdict(Answer.ALREADY, tuple(applied))
        if rung not in ladder.rungs:
            continue
        finds = find_on_rung(source, quote, sweep)
        if not finds:
            continue
        if rung is Rung.INDENTATION:
            applied = applied_finds(source, quote, exactly=True)
            if applied:
                return Verdict(Answer.ALREADY, tuple(applied))
        if hints.replace_all and rung not in FOR_ALL:
            return Verdict(Answer.NOWHERE, tuple(finds), Reason.NOT_FOR_ALL)
        return choose(source, finds, hints, scopes)
    return _by_similarity(source, quote, hints, scopes, ladder, progress)


def sweep_for(hints: Hints) -> Sweep:
    """How many finds are needed to tell what the hints choose."""
    if hints.replace_all:
        return Sweep(sys.maxsize, overlapping=False)
    if hints.line is not None or hints.scope or hints.occurrence is not None or hints.at_end:
        return Sweep(max(HINTED_FINDS, hints.occurrence or 0))
    return Sweep()


def _by_similarity(
    source: Source, quote: Quote, hints: Hints, scopes: list[Span], ladder: Ladder, progress: Progress
) -> Verdict:
    """The region most like the search text, if nothing speaks against it."""
    texts = Texts(source, quote)
    try:
        regions = similar_regions(texts, ladder.budget, progress)
    except TooLargeError:
        return Verdict(Answer.NOWHERE, (), Reason.TOO_LARGE)
    nearest = [find_of_region(texts, region) for region in regions[:NEAREST]]
    if not regions or regions[0].coverage < ladder.min_similarity or Rung.SIMILARITY not in ladder.rungs:
        return Verdict(Answer.NOWHERE, tuple(nearest), Reason.NOTHING_SIMILAR)
    if hints.replace_all:
        return Verdict(Answer.NOWHERE, tuple(nearest), Reason.NOT_FOR_ALL)
    best = regions[0]
    close = [
        find_of_region(texts, region)
        for region in regions
        if region is best
        or min(best.score - region.score, best.coverage - region.coverage) < ladder.min_margin
    ]
    verdict = choose(source, sorted(close, key=lambda find: find.span), hints, scopes)
    if verdict.answer is Answer.SEVERAL:
        return Verdict(Answer.SEVERAL, tuple(close), Reason.TOO_CLOSE)
    if verdict.answer is not Answer.FOUND:
        return verdict
    against = objection(source, verdict.finds[0], regions)
    if against is not None:
        chosen = verdict.finds[0]
        others = [find for find in nearest if find.span != chosen.span]
        return Verdict(Answer.NOWHERE, (chosen, *others), against)
    return verdict


def find_of_region(texts: Texts, region: Alignment) -> Find:
    """A similar region as a find of whole lines, with the lines between its matches paired by position."""
    source, quote = texts.source, texts.quote
    matches = paired_by_position(texts.quoted, texts.found, region.matches)
    runs = [line_pair(quote.solid[match.quoted], source.solid[match.found]) for match in matches]
    pairs = with_blank_lines(source, quote, runs)
    return Find.of_lines(source, quote, Rung.SIMILARITY, pairs, region.coverage)
