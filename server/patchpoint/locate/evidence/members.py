"""Whether a place is another one of its kind: a twin, a row of the same table, a member of the same family.

A model that misquotes a line writes other words than the file has, here and there. A sibling has its own
names and values, and they are ones that the file knows; its neighbours are others, and in a table the lines
around it are as much like the quoted one as it is.
"""

from __future__ import annotations

from collections import Counter

from patchpoint.locate.alignment import SIMILAR_LINE, line_similarity
from patchpoint.locate.brackets import QUOTED, STRING
from patchpoint.locate.evidence.comparison import Comparison, is_import
from patchpoint.locate.evidence.names import has_name, is_remark, other_names, without_remark
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.lines import TELLING_LINE
from patchpoint.text.regex import TOKEN, WORD, regex

FEW_LINES = 9
FEW_OWN = 3
"""A search text of so few lines shows no place where a line has another word for one of the file's, unless
that is where the edit changes something and more than `FEW_OWN` lines are its own. Neither do so few lines of
its own where another line has several other words."""

FEWEST_LINES = 7
"""Nor does one of so few lines where what it begins or ends with is not there."""

ENOUGH = 2
"""One difference of a kind is a slip; so many are another member's."""

NEIGHBOURS = 6
"""So many lines on either side of a line may be of its family: rows of a table, keys of a section."""

NEARER = 0.095
"""By how much a misquoted line is nearer to the file's than to the lines around that."""

ALIKE = 0.4
"""Lines less alike than this were paired by their place alone: the quoted one was never like the file's."""

_SIGNS = frozenset("-+*/%<>=!&|^~?")
_TRUTH = regex(r"(?i)true|false")
_VALUE = regex(rf"{QUOTED}|\b\d[\w.]*")


def is_another_member(seen: Comparison) -> bool:
    """Return whether what differs at a place is what differs from one member of a family to the next."""
    return _has_known_words(seen) or _ends_otherwise(seen) or _differs(seen) or _is_like_neighbours(seen)


def _has_known_words(seen: Comparison) -> bool:
    """Return whether lines of code are there with other signs, or words for which the file has others.

    A model that misquotes a word invents or misspells one. One that the file has may be of a line that is
    gone, the twin of this; where lines are left out, it may have slipped into the line. Several other words
    are none of a slip, either.
    """
    source, find = seen.source, seen.find
    few, few_own = len(seen.quote.solid) <= FEW_LINES, seen.own <= FEW_OWN
    there = set(WORD.findall(source.plain[slice(*find.span)])) if find.unquoted else set[str]()
    for line, _, quoted, found in seen.misquoted:
        is_far = line not in seen.near
        own, other = (Counter(WORD.findall(without_remark(text))) for text in (quoted, found))
        if few_own and is_far and own and max(len(own - other), len(other - own)) >= ENOUGH:
            return True
        is_code = not (is_remark(quoted) and is_remark(found))
        if not few or not (few_own or is_far) or not is_code or line_similarity(quoted, found) < ALIKE:
            continue
        said, have = TOKEN.findall(quoted), TOKEN.findall(found)
        slots = {(one, other) for one, other in zip(said, have, strict=False) if one != other}
        words = filter(WORD.match, Counter(said) - Counter(have))
        are_signs = len(said) == len(have) and slots and all(_SIGNS.issuperset(pair) for pair in slots)
        if are_signs or any(word not in there and has_name(source, word) for word in words):
            return True
    return False


def _ends_otherwise(seen: Comparison) -> bool:
    """Return whether the first or last search line is not at the place, and no missing one is elsewhere."""
    solid, texts = seen.quote.solid, [seen.quote.stripped[line] for line in seen.missing]
    ends = {solid[0], solid[-1]}.intersection(seen.missing).difference(seen.near)
    is_few = len(solid) <= FEWEST_LINES or (seen.own <= FEW_OWN and any(map(seen.has_code, ends)))
    return (
        is_few
        and any(not is_import(seen.quote.stripped[line]) for line in ends)
        and not any(len(text) >= TELLING_LINE and text in seen.source.places for text in texts)
    )


def _differs(seen: Comparison) -> bool:
    """Return whether lines have words in quotes that are quoted without, other values, or other names.

    One other value is enough in a line that is changed, where there is little else.
    """
    names: set[tuple[str, str]] = set()
    values: set[tuple[str, str]] = set()
    is_little = len(seen.quote.solid) <= FEW_OWN and seen.own < FEW_OWN
    for line, _, quoted, found in seen.misquoted:
        is_negated = quoted.lower() != found.lower() and _TRUTH.sub("", quoted) == _TRUTH.sub("", found)
        strings = len(STRING.findall(quoted)), len(STRING.findall(found))
        if is_negated or (strings[0] != strings[1] and _bare(quoted) == _bare(found)):
            return True
        other = _other_values(quoted, found)
        if other and is_little and line in seen.near:
            return True
        values |= other
        names.update(each for each in other_names(quoted, found) if has_name(seen.source, each[0]))
    return max(len(values), len(names)) >= ENOUGH


def _is_like_neighbours(seen: Comparison) -> bool:
    """Return whether a line that says where the change goes is hardly more like the file's than the lines
    around that, or is the first or last one, and not like it.

    In a table, a list or a section, the row that was quoted may be gone. It is not where words were only left
    out or added.
    """
    stripped, ends = seen.source.stripped, (seen.quote.solid[0], seen.quote.solid[-1])
    brought = {line.strip() for hunk in seen.hunks for line in hunk.brought}
    for line, number, quoted, found in seen.misquoted:
        if line not in seen.near or found in brought or _is_part(quoted, found):
            continue
        nearness = line_similarity(quoted, found)
        if nearness < SIMILAR_LINE and line in ends and line in seen.changed:
            return True
        around = stripped[max(0, number - NEIGHBOURS) : number + NEIGHBOURS + 1]
        others = [line_similarity(quoted, other) for other in around if other and other != found]
        if nearness >= ALIKE and max(others, default=0.0) > nearness - NEARER:
            return True
    return False


def _is_part(one: str, other: str) -> bool:
    """Return whether one line is the other with a run of characters or some words left out."""
    words = Counter(WORD.findall(one)), Counter(WORD.findall(other))
    if not words[0] or not words[1]:
        return False
    if words[0] <= words[1] or words[1] <= words[0]:
        return True
    return sum(shared_ends(one, other)) >= min(len(one), len(other))


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
