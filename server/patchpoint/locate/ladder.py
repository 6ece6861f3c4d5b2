"""The ladder: the rungs in order, strictest first, each tried only when every stricter one found nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from patchpoint.locate.alignment import Alignment
from patchpoint.locate.blocks import with_blank_lines
from patchpoint.locate.exact import find_exact
from patchpoint.locate.indentation import find_indentation
from patchpoint.locate.similarity import Texts, TooLargeError, similar_regions
from patchpoint.locate.source import Source
from patchpoint.locate.verdict import Answer, Find, Quote, Reason, Verdict
from patchpoint.locate.whitespace import find_whitespace
from patchpoint.outcome import Rung
from patchpoint.progress import Progress, Silent


@dataclass(frozen=True, slots=True)
class Ladder:
    """Which rungs are tried, and what the similarity rung asks for.

    `min_similarity`: the least weighted Levenshtein similarity of a region that may be written to.
    `min_margin`: by how much it must beat every region that does not overlap it (0.10 is the knee that was
    measured: lower gains few right places and lets wrong ones in). `budget`: characters that may be compared.
    """

    rungs: tuple[Rung, ...] = tuple(Rung)
    min_similarity: float = 0.66
    min_margin: float = 0.10
    budget: int = 4_000_000


WHOLE_TEXT: dict[Rung, Callable[[Source, Quote], list[Find]]] = {
    Rung.EXACT: find_exact,
    Rung.WHITESPACE: find_whitespace,
    Rung.INDENTATION: find_indentation,
}


def locate(source: Source, quote: Quote, ladder: Ladder, progress: Progress | None = None) -> Verdict:
    """Where the search text stands."""
    progress = progress or Silent()
    for rung in Rung:
        if rung not in ladder.rungs:
            continue
        progress.check()
        if rung in WHOLE_TEXT:
            finds = WHOLE_TEXT[rung](source, quote)
            if finds:
                return Verdict(Answer.FOUND if len(finds) == 1 else Answer.SEVERAL, tuple(finds))
    if Rung.SIMILARITY not in ladder.rungs:
        return Verdict(Answer.NOWHERE, (), Reason.NOTHING_SIMILAR)
    texts = Texts(source, quote)
    try:
        regions = similar_regions(texts, ladder.budget, progress)
    except TooLargeError:
        return Verdict(Answer.NOWHERE, (), Reason.TOO_LARGE)
    finds = [find_of_region(source, quote, region) for region in regions[:5]]
    if not regions or regions[0].coverage < ladder.min_similarity:
        return Verdict(Answer.NOWHERE, tuple(finds), Reason.NOTHING_SIMILAR)
    best = regions[0]
    rivals = [
        number
        for number, rival in enumerate(regions[1:5], 1)
        if min(best.score - rival.score, best.coverage - rival.coverage) < ladder.min_margin
    ]
    if rivals:
        return Verdict(Answer.SEVERAL, (finds[0], *(finds[number] for number in rivals)), Reason.TOO_CLOSE)
    return Verdict(Answer.FOUND, (finds[0],))


def find_of_region(source: Source, quote: Quote, region: Alignment) -> Find:
    """A similar region as a find."""
    matched = [(quote.solid[match.quoted], source.solid[match.found]) for match in region.matches]
    lines = (matched[0][1], matched[-1][1] + 1)
    pairs = with_blank_lines(source, quote, matched)
    return Find(
        rung=Rung.SIMILARITY,
        similarity=region.coverage,
        span=source.whole_lines(*lines),
        lines=lines,
        quote=quote,
        pairs=pairs,
    )
