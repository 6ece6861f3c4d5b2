"""Whether a place is another member of a family: the quoted one is gone, and its siblings resemble it.

Where the quoted line, its line at the place, and a line elsewhere differ three ways in the same word, such as
`on_reset` quoted where there are `on_open` and `on_close`, the quotation is of a member that is not there.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.locate.alignment import Alignment, line_similarity
from patchpoint.locate.evidence.differences import (
    differs_as_another,
    lines_with_known_word,
    lines_with_several_words,
)
from patchpoint.locate.evidence.elsewhere import only_place
from patchpoint.locate.evidence.names import code_of, files_names
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.evidence.threshold import is_import
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find
from patchpoint.outcome import Guard
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.lookalikes import folded
from patchpoint.text.regex import WORD, begins_word, regex

FAMILY = 0.5
"""Least coverage of a region whose lines count as siblings of the lines at the place."""

MISSPELT = 0.8
NEARLY = 0.25
"""The least similarity of a misspelt word to the file's, and how much nearer to it than to its siblings'."""

FAITHFUL = 0.97
ENOUGH_OWN = 2
"""The coverage of a search text of which next to nothing is misquoted, and the number of lines of its own
that need no other evidence. Measured with edits of deleted blocks that have twins: of 400, 58 were written to
a twin without this evidence and 11 with it, at the cost of one in a hundred right ones."""

FEW_LINES = 9
FEW_OWN = 3
"""A search text of so few lines shows no place where a line has another word for one of the file's, unless
that is where the edit changes something and more than `FEW_OWN` lines are its own. Neither do so few lines of
its own where another line has several other words. With `GOES_ON_OTHERWISE` of few lines and `LITTLE_QUOTED`,
two in five of what was written wrongly of 14,400 drifted edits still are, and more are written rightly."""

SURE_OWN = 4
"""So many lines of its own show a place of more than `FEW_LINES` that goes on otherwise than quoted."""

TELLING_CHANGE = 40
"""So many characters of lines to be changed that are nowhere else in the file show the place alone."""

TELLING_WORD = 6
NEAR = 5
"""A shared word with so many characters that is nowhere else in the file, but for so many lines around the
place, shows which line was misquoted."""

_ESCAPE = regex(r"\\.")
_TOKEN = regex(r"\w+|[^\w\s]|\s+")


def guards_of_another_member(
    source: SourceText, find: Find, regions: Sequence[Alignment], hunks: Sequence[SearchHunk]
) -> Iterator[Guard]:
    """Yield what says that a misquoted line at `find` has siblings that differ from it as the quotation does.

    For the lines that say where the change goes, siblings anywhere in the file count; for the others, those
    in similar regions. So it is, too, where no line shows that the place is the one that was quoted.
    """
    shares = _shares_of(source, find)
    alone = all(region.coverage < FAMILY for region in regions[1:])
    if _nothing_of_its_own(source, find, shares, alone=alone) and not _changes_its_own(source, find, hunks):
        yield Guard.NOTHING_OF_ITS_OWN
    near = near_changes(hunks)
    if _goes_on_otherwise(source, find, shares, near):
        yield Guard.GOES_ON_OTHERWISE
    if differs_as_another(source, find):
        yield Guard.DIFFERS_AS_ANOTHER
    few, few_own = len(find.quote.solid) <= FEW_LINES, shares.own <= FEW_OWN
    if (few and any(few_own or line not in near for line in lines_with_known_word(source, find))) or (
        few_own and any(line not in near for line in lines_with_several_words(find))
    ):
        yield Guard.KNOWN_WORD
    family: set[int] = set()
    for region in regions[1:]:
        if region.coverage >= FAMILY:
            family.update(range(source.solid[region.first], source.solid[region.end - 1] + 1))
    for line, number, words, _ in find.misquoted():
        quoted, found = folded(words).strip(), source.folded[number]
        siblings = siblings_of(source, quoted, found) if quoted != found else []
        outside = [other for other in siblings if not find.lines[0] <= other < find.lines[1]]
        if line in near:
            if outside:
                yield Guard.SIBLING_NEAR_CHANGE
        elif any(other in family for other in outside):
            yield Guard.SIBLING_IN_FAMILY


@dataclass(frozen=True, slots=True)
class _Shares:
    """How many search lines speak for a place, and how many do not."""

    own: int
    """Runs of lines with all words as quoted, of which one is nowhere else in the file, wrapped otherwise or
    not."""
    misquoted: int
    missing: tuple[int, ...]
    """The search lines without a partner."""
    differing: tuple[tuple[list[str], list[str]], ...]
    """The words of each misquoted run, and of the file lines it is paired with."""
    drifted: int
    """The misquoted and missing lines that have other code than the file: anybody may reword a comment, leave
    an import out, or write a mark for lines left out."""

    @property
    def doubtful(self) -> int:
        """The number of lines that are not there as they were quoted."""
        return self.misquoted + len(self.missing)


def _shares_of(source: SourceText, find: Find) -> _Shares:
    own = misquoted = drifted = 0
    missing = set(find.quote.solid)
    differing: list[tuple[list[str], list[str]]] = []
    for pair in find.pairs:
        quoted = [line for line in range(*pair.quoted) if find.quote.stripped[line]]
        if not quoted:
            continue
        missing.difference_update(quoted)
        said, have = [find.quote.stripped[line] for line in quoted], source.stripped[slice(*pair.found)]
        same = said == list(filter(None, have))
        one, other = ([], []) if same else (_words(said), _words(have))
        if one == other:
            own += any(
                only_place(source, source.stripped[number]) is not None for number in range(*pair.found)
            )
            continue
        if Counter(one) != Counter(other):
            differing.append((one, other))
            misquoted += len(quoted)
            if Counter(_words(map(code_of, said))) != Counter(_words(map(code_of, have))):
                drifted += len(quoted)
    drifted += sum(_has_code(find.quote.stripped[line]) for line in missing)
    return _Shares(own, misquoted, tuple(sorted(missing)), tuple(differing), drifted)


def _has_code(line: str) -> bool:
    """Return whether a line is more than a comment, an import, or a mark for lines left out."""
    return WORD.search(code_of(line)) is not None and not is_import(line)


def _nothing_of_its_own(source: SourceText, find: Find, shares: _Shares, *, alone: bool) -> bool:
    """Return whether lines are misquoted, and too few of the others are nowhere else in the file.

    Twins share most of their lines: those that occur once show which one was quoted. One of them is enough
    where no other region is similar (`alone`), or where next to nothing is misquoted but for names that the
    file has others for throughout. Without one, the latter must hold, and no other region be similar or a
    word of a misquoted line be nowhere else. Where nothing is misquoted, lines that nobody quoted may be
    those of another.
    """
    if len(find.quote.solid) < 2:
        return False
    own, differing = shares.own, shares.differing
    if not shares.doubtful:
        return not own and not alone and bool(find.unquoted)
    if own >= ENOUGH_OWN and (own > shares.doubtful or alone):
        return False
    faithful = find.similarity >= FAITHFUL or (not shares.missing and _is_renamed(source, find, differing))
    if own:
        return not (alone or faithful or not shares.drifted)
    return not faithful or not (
        alone or any(_has_word_of_its_own(source, find, one, other) for one, other in differing)
    )


def _goes_on_otherwise(source: SourceText, find: Find, shares: _Shares, near: Collection[int]) -> bool:
    """Return whether the first or the last search line is not at the place, and no missing one is elsewhere.

    The neighbours of a twin are others. Of many lines, what is missing must be code, and few be its own.
    """
    ends = {find.quote.solid[0], find.quote.solid[-1]}.intersection(shares.missing).difference(near)
    if not any(not is_import(find.quote.stripped[line]) for line in ends) or not shares.own:
        return False
    texts = [find.quote.stripped[line] for line in shares.missing]
    if any(len(text) >= TELLING_LINE and text in source.places for text in texts):
        return False
    return len(find.quote.solid) <= FEW_LINES or (
        shares.own < SURE_OWN and any(_has_code(find.quote.stripped[line]) for line in ends)
    )


def _is_renamed(source: SourceText, find: Find, differing: Iterable[tuple[list[str], list[str]]]) -> bool:
    """Return whether all that differs are names for which the file has others throughout."""
    renamed = files_names(source, find, of_any_length=True)
    return bool(renamed) and all(
        Counter(renamed.get(word, word) for word in one) == Counter(other) for one, other in differing
    )


def _has_word_of_its_own(source: SourceText, find: Find, one: Sequence[str], other: Sequence[str]) -> bool:
    """Return whether a quoted and a file line share most words, one of them being nowhere but at the find."""
    shared = Counter(one) & Counter(other)
    if 2 * shared.total() <= max(len(one), len(other)):
        return False
    start = source.starts[max(0, find.lines[0] - NEAR)]
    end = source.starts[min(len(source.lines), find.lines[1] + NEAR)]
    return any(
        len(word) >= TELLING_WORD
        and not word.isdigit()
        and start <= source.plain.find(word)
        and source.plain.rfind(word) < end
        for word in shared
    )


def _changes_its_own(source: SourceText, find: Find, hunks: Sequence[SearchHunk]) -> bool:
    """Return whether all that the edit changes is as quoted, and nowhere else in the file."""
    partners = {pair.quoted[0]: pair.found for pair in find.pairs}
    changed = [line for hunk in hunks for line in hunk.solid]
    there = [line for line in changed if line in partners]
    return sum(len(find.quote.stripped[line]) for line in there) >= TELLING_CHANGE and all(
        only_place(source, find.quote.stripped[line]) == partners[line][0] for line in there
    )


def _words(lines: Iterable[str]) -> list[str]:
    # An escape sequence is no word: a text is misquoted by one more backslash, and means the same.
    text = folded("\n".join(lines))
    return WORD.findall(_ESCAPE.sub(" ", text) if "\\" in text else text)


def siblings_of(source: SourceText, quoted: str, found: str) -> list[int]:
    """Return the file lines that differ from both a quoted line and its file line, where these differ.

    There are none where the two differ in more than words.
    """
    said, have = _TOKEN.findall(quoted), _TOKEN.findall(found)
    if len(said) != len(have):
        return []
    slots = [number for number, (a, b) in enumerate(zip(said, have, strict=True)) if a != b]
    words = sum(map(begins_word, have))
    if (
        not slots
        or 2 * len(slots) > words
        or not all(begins_word(said[n]) and begins_word(have[n]) for n in slots)
    ):
        return []
    pattern = "".join(r"(\w+)" if number in slots else re.escape(token) for number, token in enumerate(have))
    lines: list[int] = []
    for match in re.finditer(rf"(?<=\n){pattern}(?=\n)", source.folded_text):
        if any(
            _is_third(word, said[slot], have[slot]) for word, slot in zip(match.groups(), slots, strict=True)
        ):
            lines += [source.solid[position] for position in source.places[match[0]]]
    return lines


def near_changes(hunks: Iterable[SearchHunk]) -> set[int]:
    """Return the search lines that the edit changes, and the neighbours of insertions."""
    near: set[int] = set()
    for hunk in hunks:
        near.update(hunk.solid or itertools.chain(*hunk.next_to))
    return near


def _is_third(word: str, quoted: str, found: str) -> bool:
    """Return whether a word is about as near to the quoted one as the file's, and neither of them.

    A name that is nearly the quoted one is misspelt, and not one of many.
    """
    if word in (quoted, found):
        return False
    if quoted.isdigit() or found.isdigit():
        return True
    nearness = line_similarity(quoted, found)
    return nearness < MISSPELT or line_similarity(quoted, word) >= nearness - NEARLY
