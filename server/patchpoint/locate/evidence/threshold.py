"""Evidence in place of a threshold: what shows a place although little of the search text resembles it."""

from __future__ import annotations

from patchpoint.locate.alignment import Alignment
from patchpoint.locate.evidence.comparison import only_place
from patchpoint.locate.evidence.search_diff import search_hunks
from patchpoint.locate.rungs.similarity import Texts

LEAST_COVERAGE = 0.5
"""Below this coverage no evidence counts: most of the search text is about something else."""


def is_evident(texts: Texts, region: Alignment) -> bool:
    """Return whether the lines that say where the edit goes are at `region`, and nowhere else in the file.

    These are the lines that it changes and, where it inserts, those next to the new ones. A line that is
    deleted and is nowhere in the file says nothing of the place.
    """
    if region.coverage < LEAST_COVERAGE:
        return False
    quote, source = texts.quote, texts.source
    index = {number: at for at, number in enumerate(quote.solid)}
    exact = {
        match.quoted
        for match in region.matches
        if match.similarity == 1 and only_place(source, texts.quoted[match.quoted]) is not None
    }
    matched = {match.quoted for match in region.matches}
    decided = False
    for hunk in search_hunks(quote):
        changed = [index[line] for line in range(*hunk.quoted) if line in index]
        if changed and not hunk.brought and matched.isdisjoint(changed):
            if any(texts.quoted[at] in source.places for at in changed):
                return False
            continue
        decided = True
        if changed:
            if not exact.issuperset(changed):
                return False
            continue
        before = [at for at in index.values() if quote.solid[at] < hunk.quoted[0]]
        after = [at for at in index.values() if quote.solid[at] >= hunk.quoted[1]]
        if not exact.issuperset(before[-1:] + after[:1]):
            return False
    return decided and bool(exact)
