"""Ways of an answer of which one is to be chosen: a series of options, or one that is instead of another."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import Objection, ObjectionCode
from patchpoint.formats.conversation.phrases import Says
from patchpoint.formats.conversation.surroundings import BOLD, ITEM, PLAIN, Group, Passage
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, readings


@dataclass(slots=True)
class _Way:
    """One member of a series: what it is called, and the groups that it heads."""

    series: str
    key: str
    name: str
    words: str
    level: int
    groups: list[Group] = field(default_factory=list)
    has_code: bool = False


def alternatives(groups: Sequence[Group]) -> dict[int, Objection]:
    """Return the objections to the edits that are alternatives, by the indices of the edits."""
    found: dict[int, Objection] = {}
    series: list[list[_Way]] = []
    current: _Way | None = None
    for group in (*groups, None):
        for passage in group.above if group else groups[-1].below:
            way = _way(passage)
            if (
                way
                and series
                and way.series == series[-1][0].series
                and way.key not in {one.key for one in series[-1]}
            ):
                series[-1].append(way)
            elif way:
                series.append([way])
            elif current and _ends(passage, current):
                current = None
            elif current and not passage.level:
                current.has_code = True
            current = way or current
        if current and group:
            current.groups.append(group)
    for ways in series:
        if sum(bool(way.groups or way.has_code) for way in ways) > 1:
            for way in ways:
                found |= _objections(way.groups, way.name, way.words)
    numbered: dict[int, Objection] = {}
    for words, runs in (*_set_apart(groups, found), *_announced(groups)):
        for number, run in enumerate(runs if words and len(runs) > 1 else (), 1):
            numbered |= _objections(run, str(number), words)
    return numbered | found


def _way(passage: Passage) -> _Way | None:
    """Return the option that a passage heads, if it does."""
    if not passage.level:
        return None
    first = passage.text[:120].replace("**", "").replace("__", "")
    for sentence in readings(first, WordTable.OBJECTIONS):
        found = _named_way(sentence, is_title=passage.is_title)
        if found:
            start, end, key = found
            name = " ".join(first[start:end].split())
            series = f"{first[start : key.start]}{first[key.end : end]}".strip().casefold()
            return _Way(series, key.text.casefold(), name, passage.text, passage.level)
    return None


def _named_way(sentence: Reading, *, is_title: bool) -> tuple[int, int, Word] | None:
    """Return where the name of an option begins and ends in a sentence that begins with it, and its key."""
    words = sentence.words
    at = next((at for at, word in enumerate(words) if "series" in word.kinds), None)
    if at is None:
        return None
    for key, first, last in ((at + 1, at, at + 1), (at - 1, at - 1, at), (at - 2, at - 3, at)):
        if not (first >= 0 and last < len(words) and _is_key(words[key], words[at], is_behind=key > at)):
            continue
        if key == at - 2 and "ordinal" not in words[at - 1].kinds:
            continue
        before, behind = words[:first], words[last + 1 : last + 2]
        is_begun = all(word.kinds & {"fill", "soft", "number", "stop", "end"} for word in before)
        is_begun = is_begun or (is_title and words[first].start <= 24 and before[-1].text == ":")
        if is_begun and (
            is_title or not behind or behind[0].kinds & {"stop", "end"} or behind[0].text == "-"
        ):
            return words[first].start, words[last].end, words[key]
    return None


def _is_key(word: Word, series: Word, *, is_behind: bool) -> bool:
    """Return whether a word is a number, a letter or an ordinal that tells options apart."""
    if "number" in word.kinds:
        return is_behind and len(word.text) <= 2 and word.text.isdigit()
    return "key" in word.kinds and (is_behind or len(word.text) > 1 or not series.text.isascii())


def _ends(passage: Passage, way: _Way) -> bool:
    """Return whether a passage is no longer about an option."""
    if passage.is_title and passage.level <= max(way.level, 0):
        return True
    return passage.level > 0 and passage.first.says(Says.EITHER_WAY)


def _objections(groups: Sequence[Group], name: str, words: str) -> dict[int, Objection]:
    objection = Objection(code=ObjectionCode.ALTERNATIVE, name=name, words=words)
    return {index: objection for group in groups for index in group.blocks}


_Ways = Iterator[tuple[str, list[list[Group]]]]
"""Ways that have no name, and the sentence by which they are some."""


def _set_apart(groups: Sequence[Group], named: Container[int]) -> _Ways:
    """Yield the ways that words such as *alternatively* set apart."""
    ways: list[list[Group]] = [[]]
    words = ""
    for group in groups:
        other = _says_otherwise(group) if ways[-1] and group.blocks[0] not in named else ""
        is_below_title = any(0 < passage.level < BOLD for passage in group.above)
        if not other and (is_below_title or _is_of_every_way(group)):
            yield words, ways
            ways, words = [[]], ""
        if other:
            ways.append([])
            words = other
        ways[-1].append(group)
        one_of = _says_one_of(group)
        if one_of and not words:
            ways, words = [[each] for way in ways for each in way], one_of
    yield words, ways


def _announced(groups: Sequence[Group]) -> _Ways:
    """Yield the ways of which a sentence above says that they are some: each has a heading, or is an item."""
    ways: list[list[Group]] = []
    words = ""
    for group in groups:
        said = [each.sentences[-1] for each in group.above if each.level == PLAIN and each.sentences]
        announced = next((each.written for each in said if each.says(Says.WAYS)), "")
        is_headed = any(passage.is_title or passage.level == ITEM for passage in group.above)
        if announced or _is_of_every_way(group):
            yield words, ways
            ways, words = [], announced
        if words and is_headed:
            ways.append([group])
    yield words, ways


def _is_of_every_way(group: Group) -> bool:
    return group.lead is not None and group.lead.first.says(Says.EITHER_WAY)


def _says_otherwise(group: Group) -> str:
    """Return the words above a group that call it another way than what is above them, if they do."""
    leads = (lead for lead in (group.introduction, group.lead) if lead and not lead.is_title)
    said = [*group.titles, *leads]
    first = (passage.first for passage in said)
    return next((sentence.written for sentence in first if sentence.says(Says.OTHERWISE)), "")


def _says_one_of(group: Group) -> str:
    """Return the sentence below a group that one of several is to be chosen, if there is one."""
    said = (each for passage in group.below[:2] if passage.level for each in passage.sentences)
    return next((sentence.written for sentence in said if sentence.says(Says.ONE_OF)), "")
