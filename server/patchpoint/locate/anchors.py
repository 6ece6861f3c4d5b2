"""Where the region between two anchors lies: BEFORE lines and AFTER lines, what stands between never quoted.

Each anchor is looked for on the rungs that compare whole text. The pair must be the only one in order with
neither anchor standing again in between; similarity would be a guess on top of a guess.
"""

from __future__ import annotations

from dataclasses import dataclass

from patchpoint.locate.hints import Hints, choose, scope_ranges
from patchpoint.locate.ladder import FINDERS, Ladder
from patchpoint.locate.source import Source
from patchpoint.locate.verdict import Answer, Find, Quote, Reason, Sweep
from patchpoint.outcome import Rung
from patchpoint.progress import Progress

ANCHOR_RUNGS = (Rung.EXACT, Rung.WHITESPACE, Rung.INDENTATION, Rung.UNICODE, Rung.TRANSCRIPTION, Rung.TOKENS)

MOST_ANCHORS = 200
"""An anchor that stands more often than this is not looked for further: every pair is weighed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """The lines between two anchors, half-open, and the anchors; an anchor that was not given is `None`."""

    lines: tuple[int, int]
    before: Find | None
    after: Find | None

    @property
    def rung(self) -> Rung:
        """The looser rung of the two anchors."""
        rungs = [find.rung for find in (self.before, self.after) if find is not None]
        return max(rungs, key=list(Rung).index)


def gaps_between(
    source: Source, before: str, after: str, hints: Hints, ladder: Ladder, progress: Progress
) -> tuple[list[Gap], Reason | None]:
    """Every gap that the anchors may mean, in order, and why there is none, if there is none.

    An empty `before` is the beginning of the text, an empty `after` its end; not both may be empty.
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
        return [], Reason.NOTHING_SIMILAR
    return _hinted(source, tight, hints)


def _hinted(source: Source, gaps: list[Gap], hints: Hints) -> tuple[list[Gap], Reason | None]:
    scopes = scope_ranges(source, hints.scope) if hints.scope else []
    if hints.scope and not scopes:
        return [], Reason.SCOPE_MISSING
    anchors = {id(anchor): gap for gap in gaps if (anchor := gap.before or gap.after) is not None}
    finds = [anchor for gap in gaps if (anchor := gap.before or gap.after) is not None]
    verdict = choose(source, finds, hints, scopes)
    if verdict.answer is Answer.NOWHERE:
        return [], verdict.reason
    return [anchors[id(find)] for find in verdict.finds], None


def _finds(source: Source, anchor: str, ladder: Ladder, progress: Progress) -> list[Find | None]:
    quote = Quote.of(anchor, anchor)
    for rung in ANCHOR_RUNGS:
        progress.check()
        if rung in ladder.rungs:
            finds = FINDERS[rung](source, quote, Sweep(MOST_ANCHORS))
            if finds:
                return list(finds)
    return []
