"""What sentences of an answer ask for that none of its edits makes, and none of its code shows."""

from __future__ import annotations

from patchpoint.edit import Unplaced
from patchpoint.formats.in_words.left import left_in_words
from patchpoint.formats.in_words.lines import lines_in_words
from patchpoint.formats.in_words.pairs import unplaced_sentences
from patchpoint.formats.in_words.sentences import SentencesLeft
from patchpoint.formats.in_words.values import values_in_words
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import Item


def asked_in_words(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return what sentences ask for, each with the edit that it is of the file that is named for it.

    What they ask for that is no edit is among them, too.
    """
    left = SentencesLeft.of(scan.source, items)
    found = unplaced_sentences(scan, items, {start for start, _ in left.sentences})
    if left.sentences:
        found += [*lines_in_words(left), *values_in_words(left)]
        found += left_in_words(scan, left, items, found)
    return _without_repeats(found)


def _without_repeats(found: list[Unplaced]) -> list[Unplaced]:
    """Return what sentences ask for, each change once: a recap says it again, in more words."""
    asked: set[object] = set()
    once = []
    for one in found:
        edit = one.edit if one.is_sentence else None
        change = (one.paths, edit.target, edit.search, edit.replace) if edit is not None else one
        once += [one] if change not in asked else []
        asked.add(change)
    return once
