"""The region between two anchors, BEFORE lines and AFTER lines, the lines between them never being quoted.

Each anchor is located by the rungs that compare whole text; similarity would be a guess on top of a guess.
Only the tightest pairs count, in which neither anchor occurs again between the two; there must be only one.
"""

from __future__ import annotations

from patchpoint.dataclass import dataclass
from patchpoint.locate.hints import SCOPE, Hints, choose, scope_ranges
from patchpoint.locate.ladder import Ladder
from patchpoint.locate.rungs.table import RUNGS, STRICTNESS
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find, Quote, SearchLimit, VerdictKind
from patchpoint.outcome import Rung
from patchpoint.progress import Progress

MOST_ANCHORS = 200
"""The most places of an anchor that are looked for: every pair is weighed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The half-open range of lines between two anchors, and the anchors; one that was not given is `None`."""

    lines: tuple[int, int]
    before: Find | None
    after: Find | None

    @property
    def rung(self) -> Rung:
        """The less strict rung of the two anchors."""
        rungs = [find.rung for find in (self.before, self.after) if find is not None]
        return max(rungs, key=STRICTNESS.__getitem__)


def gaps_between(
    source: SourceText, before: str, after: str, hints: Hints, ladder: Ladder, progress: Progress
) -> tuple[list[Gap], str]:
    """Return every gap that the anchors may mean, in order, and what is not in the text when there is none.

    An empty `before` is the beginning of the text, an empty `after` its end; at most one may be empty.
    """
    starts = _finds(source, before, ladder, progress) if before.strip() else [None]
    ends = _finds(source, after, ladder, progress) if after.strip() else [None]
    gaps = []
    for first in starts:
        for last in ends:
            start = first.lines[1] if first else 0
            end = last.lines[0] if last else len(source.lines)
            if start <= end:
                gaps.append(Gap((start, end), first, last))
    tight = [
        gap
        for gap in gaps
        if not any(
            other is not gap and gap.lines[0] <= other.lines[0] and other.lines[1] <= gap.lines[1]
            for other in gaps
        )
    ]
    if not tight:
        return [], "the two anchors in this order"
    return _hinted(source, tight, hints)


def _hinted(source: SourceText, gaps: list[Gap], hints: Hints) -> tuple[list[Gap], str]:
    scopes = scope_ranges(source, hints.scope) if hints.scope else []
    if hints.scope and not scopes:
        return [], SCOPE
    anchors = {id(anchor): gap for gap in gaps if (anchor := gap.before or gap.after) is not None}
    finds = [anchor for gap in gaps if (anchor := gap.before or gap.after) is not None]
    verdict = choose(source, finds, hints, scopes)
    if verdict.kind is VerdictKind.NOWHERE:
        return [], verdict.missing
    return [anchors[id(find)] for find in verdict.finds], ""


def _finds(source: SourceText, anchor: str, ladder: Ladder, progress: Progress) -> list[Find | None]:
    quote = Quote.of(anchor, anchor)
    for row in RUNGS:
        progress.check()
        if row.whole_text and row.find is not None and row.rung in ladder.rungs:
            finds = row.find(source, quote, SearchLimit(MOST_ANCHORS))
            if finds:
                return list(finds)
    return []
