"""Differences between quoted and found lines that are those of another member, and not of a misquotation.

A model that misquotes a line writes other words than the file has, here and there. A sibling has its own
names and values throughout, and they are names that the file knows.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence

from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.locate.brackets import QUOTED, STRING
from patchpoint.locate.evidence.names import has_name, is_remark, other_names
from patchpoint.locate.evidence.search_diff import SearchHunk
from patchpoint.locate.source import SourceText
from patchpoint.locate.verdict import Find
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.regex import TOKEN, WORD, regex

MISSPELT = 0.8
"""Names at least this similar, or of which one has the other in it, are the same name, misspelt."""

ENOUGH = 2
"""One difference of a kind is a slip; so many are another member's."""

NEIGHBOURS = 6
"""So many lines on either side of a line may be of its family: rows of a table, keys of a section."""

NEARER = 0.1
"""By how much a misquoted line is nearer to the file's than to the lines around that. Measured on lines that
an edit changes: of 27 that models misquoted, none was less near, but for those of which a part was left out;
of 16 quoted ones that are gone, and paired with a neighbour, nine."""

ALIKE = 0.4
"""Lines less alike than this were paired by their place alone: the quoted one was never like the file's."""

_REMARK = regex(r"\s(?:#|//|--|;)\s")
_SIGNS = frozenset("-+*/%<>=!&|^~?")
_TRUTH = regex(r"true|false", re.IGNORECASE)
_VALUE = regex(rf"{QUOTED}|\b\d[\w.]*")


def differs_as_another(source: SourceText, find: Find) -> bool:
    """Return whether the lines at `find` differ from the quoted ones as those of another member do.

    So it is where lines have words in quotes that are quoted without, or the other way round, or another
    truth value; where two of them have other values, but for one word that is another throughout; and where
    they have two other names than the quoted ones, which the file has, too, or one of them twice. A name that
    is nearly the quoted one may be that, misspelt throughout.
    """
    names: Counter[tuple[str, str]] = Counter()
    values: set[tuple[str, str]] = set()
    for _, _, quoted, found in find.misquoted():
        if _is_unquoted(quoted, found) or _is_negated(quoted, found):
            return True
        values |= _other_values(quoted, found)
        names.update({each for each in other_names(quoted, found) if has_name(source, each[0])})
    again = (count for (one, other), count in names.items() if not _is_misspelt(one, other))
    return max(len(values), len(names), *again) >= ENOUGH


def lines_with_known_word(source: SourceText, find: Find) -> Iterator[int]:
    """Yield the search lines of code that are there with other signs, or a word for one of the file's.

    A model that misquotes a word invents or misspells one. One that the file has may be of a line that is
    gone, the twin of this; where lines are left out, it may have slipped into the line.
    """
    there = set(WORD.findall(source.plain[slice(*find.span)])) if find.unquoted else set[str]()
    for line, _, quoted, found in find.misquoted():
        if line_similarity(quoted, found) < ALIKE or (is_remark(quoted) and is_remark(found)):
            continue
        said, have = TOKEN.findall(quoted), TOKEN.findall(found)
        slots = {(one, other) for one, other in zip(said, have, strict=False) if one != other}
        other = filter(WORD.match, Counter(said) - Counter(have))
        if any(word not in there and has_name(source, word) for word in other) or (
            len(said) == len(have) and slots and all(_SIGNS.issuperset(pair) for pair in slots)
        ):
            yield line


def lines_with_several_words(find: Find) -> Iterator[int]:
    """Yield the search lines that differ in several words from what is there, remarks at their ends aside."""
    for line, _, quoted, found in find.misquoted():
        said, have = (Counter(WORD.findall(without_remark(text))) for text in (quoted, found))
        if said and max(len(said - have), len(have - said)) >= ENOUGH:
            yield line


def without_remark(line: str) -> str:
    """Return a line without the remark that may be at its end."""
    return _REMARK.split(line, maxsplit=1)[0]


def is_like_its_neighbours(
    source: SourceText, find: Find, hunks: Sequence[SearchHunk], kept: Collection[int | None]
) -> bool:
    """Return whether a line that the edit changes, or inserts after, may be a neighbour of what is there.

    The quoted line is hardly more like the file's than like the lines around that: in a table, a list or a
    section, the row that was quoted may be gone. So it is, too, where the first or last line that was quoted
    is not like the file's. It is not where words were only left out or added. `kept` are the file lines that
    stay as they are.
    """
    ends = find.quote.solid[0], find.quote.solid[-1]
    for line, number in _deciding(find, hunks, kept):
        quoted, found = find.quote.stripped[line], source.stripped[number]
        if _is_part(quoted, found):
            continue
        nearness = line_similarity(quoted, found)
        if nearness < SIMILAR_LINE and line in ends:
            return True
        if nearness < ALIKE:
            continue
        around = range(max(0, number - NEIGHBOURS), min(len(source.lines), number + NEIGHBOURS + 1))
        if any(
            line_similarity(quoted, source.stripped[other]) > nearness - NEARER
            for other in around
            if source.stripped[other] and source.stripped[other] != found
        ):
            return True
    return False


def _deciding(
    find: Find, hunks: Sequence[SearchHunk], kept: Collection[int | None]
) -> Iterator[tuple[int, int]]:
    """Yield each search line that a hunk changes, or inserts after, and the file line it is paired with."""
    partner = {
        pair.quoted[0]: pair.found[0]
        for pair in find.pairs
        if pair.quoted[1] - pair.quoted[0] == 1 and pair.found[1] - pair.found[0] == 1
    }
    for hunk in hunks:
        changed = hunk.solid
        for line in changed or hunk.next_to[0]:
            if line in partner and not (changed and partner[line] in kept):
                yield line, partner[line]


def _is_part(one: str, other: str) -> bool:
    """Return whether one line is the other with a run of characters or some words left out."""
    words = Counter(WORD.findall(one)), Counter(WORD.findall(other))
    if not words[0] or not words[1]:
        return False
    if words[0] <= words[1] or words[1] <= words[0]:
        return True
    return sum(shared_ends(one, other)) >= min(len(one), len(other))


def _is_unquoted(quoted: str, found: str) -> bool:
    """Return whether two lines are equal but for words that are a string in one and code in the other."""
    strings = len(STRING.findall(quoted)), len(STRING.findall(found))
    return strings[0] != strings[1] and _bare(quoted) == _bare(found)


def _is_negated(quoted: str, found: str) -> bool:
    """Return whether two lines are equal but for a truth value, which is the other one."""
    return quoted.lower() != found.lower() and _TRUTH.sub("", quoted) == _TRUTH.sub("", found)


def _bare(line: str) -> list[str]:
    return TOKEN.findall(STRING.sub(lambda match: match[0][1:-1], line))


def _other_values(quoted: str, found: str) -> set[tuple[str, str]]:
    """Return what differs between two lines that are equal but for their values; nothing for others.

    Values are numbers, and strings without white space: a longer one is a text, which is easily misquoted.
    """
    if _VALUE.sub("", quoted) != _VALUE.sub("", found):
        return set()
    differing: set[tuple[str, str]] = set()
    for one, other in zip(_VALUE.findall(quoted), _VALUE.findall(found), strict=False):
        one, other = one.strip("\"'"), other.strip("\"'")
        if one != other and not any(map(str.isspace, one + other)):
            words = TOKEN.findall(one), TOKEN.findall(other)
            changed = {(a, b) for a, b in zip(*words, strict=False) if a != b}
            differing |= changed if len(words[0]) == len(words[1]) and len(changed) == 1 else {(one, other)}
    return differing


def _is_misspelt(one: str, other: str) -> bool:
    return one in other or other in one or line_similarity(one, other) >= MISSPELT
