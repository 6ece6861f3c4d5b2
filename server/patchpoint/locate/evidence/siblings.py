"""Whether a place is another member of a family: the quoted one is gone, and its siblings resemble it.

Where the quoted line, its line at the place, and a line elsewhere differ three ways in the same word, such as
`on_reset` quoted where there are `on_open` and `on_close`, the quotation is of a member that is not there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from patchpoint.locate.alignment import Alignment, line_similarity
from patchpoint.locate.evidence.elsewhere import only_place
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find
from patchpoint.text.lookalikes import folded

FAMILY = 0.5
"""Least coverage of a region whose lines count as siblings of the lines at the place."""

NEARLY = 0.25
"""How much nearer to the quoted word the file's may be than those of its siblings."""

FAITHFUL = 0.97
ENOUGH_OWN = 2
"""The coverage of a search text of which next to nothing is misquoted, and the number of lines of its own
that need no other evidence. Measured with edits of deleted blocks that have twins: of 400, 58 were written to
a twin without this evidence and 11 with it, at the cost of one in a hundred right ones."""

_WORD = re.compile(r"\w+")
_TOKEN = re.compile(r"\w+|[^\w\s]|\s+")


def is_another_member(
    source: SourceText, find: Find, regions: Sequence[Alignment], hunks: Sequence[SearchHunk]
) -> bool:
    """Return whether a misquoted line at `find` has siblings that differ from it as the quotation does.

    For the lines that say where the change goes, siblings anywhere in the file count; for the others, those
    in similar regions. So it is, too, where no line shows that the place is the one that was quoted.
    """
    if _nothing_of_its_own(source, find, regions):
        return True
    near = _near_changes(find, hunks)
    family: set[int] = set()
    for region in regions[1:]:
        if region.coverage >= FAMILY:
            family.update(range(source.solid[region.first], source.solid[region.end - 1] + 1))
    for pair in find.pairs:
        if pair.quoted[1] - pair.quoted[0] != 1 or pair.found[1] - pair.found[0] != 1:
            continue
        quoted = folded(find.quote.stripped[pair.quoted[0]]).strip()
        found = source.folded[pair.found[0]]
        if quoted == found:
            continue
        siblings = siblings_of(source, quoted, found)
        if not siblings:
            continue
        outside = [line for line in siblings if not find.lines[0] <= line < find.lines[1]]
        if pair.quoted[0] in near:
            if outside:
                return True
        elif any(line in family for line in outside):
            return True
    return False


def _nothing_of_its_own(source: SourceText, find: Find, regions: Sequence[Alignment]) -> bool:
    """Return whether lines are misquoted, and too few of the others are nowhere else in the file.

    Twins share most of their lines: those that occur once show which one was quoted. One of them is enough
    where no other region is similar, or where next to nothing is misquoted; without one, both must hold.
    """
    if len(find.quote.solid) < 2:
        return False
    own = 0
    misquoted = len(find.quote.solid)
    for pair in find.pairs:
        quoted = [line for line in range(*pair.quoted) if find.quote.stripped[line]]
        one = " ".join(find.quote.stripped[line] for line in quoted)
        other = " ".join(source.stripped[slice(*pair.found)])
        if one == other:
            own += only_place(source, one) is not None
            misquoted -= len(quoted)
        elif Counter(_WORD.findall(folded(one))) == Counter(_WORD.findall(folded(other))):
            misquoted -= len(quoted)
    if not misquoted:
        return False
    alone = all(region.coverage < FAMILY for region in regions[1:])
    faithful = find.similarity >= FAITHFUL
    if own >= ENOUGH_OWN:
        return own <= misquoted and not alone and not faithful
    return not (alone and faithful) if not own else not (alone or faithful)


def siblings_of(source: SourceText, quoted: str, found: str) -> list[int]:
    """Return the file lines that differ from both a quoted line and its file line, where these differ.

    There are none where the two differ in more than words.
    """
    said, have = _TOKEN.findall(quoted), _TOKEN.findall(found)
    if len(said) != len(have):
        return []
    slots = [number for number, (a, b) in enumerate(zip(said, have, strict=True)) if a != b]
    words = sum(token[0].isalnum() or token[0] == "_" for token in have)
    if not slots or 2 * len(slots) > words or not all(_is_word(said[n]) and _is_word(have[n]) for n in slots):
        return []
    pattern = "".join(r"(\w+)" if number in slots else re.escape(token) for number, token in enumerate(have))
    lines: list[int] = []
    for match in re.finditer(rf"(?<=\n){pattern}(?=\n)", source.folded_text):
        if any(
            word not in (said[slot], have[slot]) for word, slot in zip(match.groups(), slots, strict=True)
        ):
            lines += [source.solid[position] for position in source.places[match[0]]]
    return lines


def _near_changes(find: Find, hunks: Iterable[SearchHunk]) -> set[int]:
    """Return the search lines that the edit changes, and the neighbours of insertions."""
    near: set[int] = set()
    for hunk in hunks:
        changed = [line for line in find.quote.solid if hunk.quoted[0] <= line < hunk.quoted[1]]
        near.update(changed)
        if not changed:
            near.update([line for line in find.quote.solid if line < hunk.quoted[0]][-1:])
            near.update([line for line in find.quote.solid if line >= hunk.quoted[1]][:1])
    return near


def _is_word(token: str) -> bool:
    return token[0].isalnum() or token[0] == "_"


def _is_third(word: str, quoted: str, found: str) -> bool:
    """Return whether a word is about as near to the quoted one as the file's, and neither of them.

    A name that is nearly the quoted one is misspelt, and not one of many.
    """
    if word in (quoted, found):
        return False
    if quoted.isdigit() or found.isdigit():
        return True
    return line_similarity(quoted, word) >= line_similarity(quoted, found) - NEARLY
