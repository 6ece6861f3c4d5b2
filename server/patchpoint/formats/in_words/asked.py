"""What sentences of an answer ask for that none of its edits makes, and none of its code shows."""

from __future__ import annotations

from patchpoint.edit import Edit, Unplaced
from patchpoint.formats.in_words.left import left_in_words
from patchpoint.formats.in_words.lines import lines_in_words
from patchpoint.formats.in_words.pairs import unplaced_sentences
from patchpoint.formats.in_words.removals import removals_in_words
from patchpoint.formats.in_words.renames import renames_in_words
from patchpoint.formats.in_words.sentences import SentencesLeft
from patchpoint.formats.in_words.values import values_in_words
from patchpoint.formats.scan import TextScan
from patchpoint.formats.source import Item
from patchpoint.text.regex import regex

_CODE = regex(r"`[^`\n]{1,200}`")
_READERS = (lines_in_words, values_in_words, removals_in_words, renames_in_words)


def asked_in_words(scan: TextScan, items: list[Item]) -> list[Unplaced]:
    """Return what sentences ask for, each with the edit that it is of the file that is named for it.

    What they ask for that is no edit is among them, too.
    """
    left = SentencesLeft.of(scan.source, items)
    found = unplaced_sentences(scan, items, {start for start, _ in left.sentences})
    if left.sentences:
        found += [one for read in _READERS for one in read(left)]
        found += left_in_words(scan, left, items, found)
    made = [item for item in items if isinstance(item, Edit) and item.target is not None]
    return _without_repeats([one for one in found if not any(_is_same(one, edit) for edit in made)])


def _is_same(one: Unplaced, made: Edit) -> bool:
    """Return whether what a sentence asks for is an edit that is made of it already."""
    edit = one.edit
    if edit is None or made.span[1] <= edit.span[0] or edit.span[1] <= made.span[0]:
        return False
    return edit.search == made.search and edit.replace == made.replace


def _without_repeats(found: list[Unplaced]) -> list[Unplaced]:
    """Return what sentences ask for, each change once: a recap says it again, in more words."""
    asked: set[object] = set()
    once = []
    for one in found:
        edit = one.edit if one.is_sentence else None
        codes = frozenset(_CODE.findall(edit.lead)) if edit is not None else frozenset[str]()
        change = (one.paths, edit.target, edit.search, edit.replace, codes) if edit is not None else one
        once += [one] if change not in asked else []
        asked.add(change)
    return once
