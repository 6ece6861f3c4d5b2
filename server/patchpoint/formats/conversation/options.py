"""Ways of an answer of which one is to be chosen: a series of options, or one that is instead of another."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from patchpoint.dataclass import dataclass, field
from patchpoint.edit import Objection, ObjectionCode
from patchpoint.formats.conversation.surroundings import BOLD, ITEM, PLAIN, Group, Passage
from patchpoint.formats.conversation.words.table import LANGUAGES

_KEY = (
    r"(?:[A-Za-zА-Я]|\d{1,2}|I{1,3}|IV|VI{0,3}|[一二三四五六]|one|two|three|four|first|second|third|eins|zwei|drei|"
    r"un|deux|trois|uno|dos|tres|um|dois|três|первый|второй)"
)
_ORDINAL = (
    r"(?:first|second|third|1st|2nd|3rd|erste|zweite|dritte|première|premier|deuxième|second|seconde|troisième|"
    r"primera|primer|segunda|segundo|tercera|primeira|primeiro|terceira|перв(?:ый|ое|ая)|втор(?:ой|ое|ая)|трет(?:ий|ье|ья))"
)
_BEFORE = r"(?:\d{1,2}[.)]\s*)?(?:(?:for|with|für|bei|mit|pour|avec|para|con|com|для)\s+)?"
_LONGEST_HEAD = 120
_PUNCTUATION = r"(?=\s*(?:[:.)\]—–,(，：（、-]|\Z))"


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
            if way:
                known = series[-1] if series else []
                is_next = (
                    known and known[0].series == way.series and way.key not in {one.key for one in known}
                )
                if is_next:
                    known.append(way)
                else:
                    series.append([way])
                current = way
            elif current and _ends(passage, current):
                current = None
            elif current and not passage.level:
                current.has_code = True
        if current and group:
            current.groups.append(group)
    for ways in series:
        if sum(bool(way.groups or way.has_code) for way in ways) > 1:
            for way in ways:
                found |= _objections(way.groups, way.name, way.words)
    return _unnamed(groups, found) | _announced(groups) | found if len(groups) > 1 else found


def may_name_way(text: str) -> bool:
    """Return whether a text in letters that several languages have may name an option."""
    return _named_way().search(text.replace("**", "").replace("__", "")) is not None


def _way(passage: Passage) -> _Way | None:
    """Return the option that a passage heads, if it does."""
    if not passage.level:
        return None
    first = passage.text[:_LONGEST_HEAD].replace("**", "").replace("__", "")
    match = _series(is_title=passage.is_title).match(first)
    if match is None:
        return None
    group = next(group for group in ("key", "other", "third", "fourth", "fifth") if match[group])
    series = first[match.start("name") : match.start(group)] + first[match.end(group) : match.end("name")]
    name = " ".join(match["name"].split())
    return _Way(series.strip().casefold(), match[group].casefold(), name, passage.text, passage.level)


@cache
def _named_way() -> re.Pattern[str]:
    """Return a pattern of what each name of an option has, in letters that several languages have."""
    spaced = "|".join(language.series for language in LANGUAGES if language.is_spaced)
    return re.compile(
        rf"\b(?:(?:{spaced})(?:\s*[#№]\s*|\s*(?=\d)|\s+){_KEY}(?!\w)|{_ORDINAL}\s+(?:{spaced})(?!\w))",
        re.IGNORECASE,
    )


@cache
def _series(*, is_title: bool) -> re.Pattern[str]:
    """Return the pattern of how an option begins."""
    spaced = "|".join(language.series for language in LANGUAGES if language.is_spaced)
    joined = "|".join(language.series for language in LANGUAGES if not language.is_spaced)
    end = r"(?![\w.])|(?=\.(?:\s|\Z))" if is_title else _PUNCTUATION
    recommended = r"(?:[\w ]{1,24}:\s*)?" if is_title else r"(?:the\s+)?"
    return re.compile(
        rf"\W*{recommended}{_BEFORE}(?P<name>(?:{spaced})(?:\s*[#№]\s*|\s*(?=\d)|\s+)(?P<key>{_KEY})(?:{end})"
        rf"|(?:{joined})\s*(?:その)?(?P<other>{_KEY})(?:{end}|(?=\s*[：:，、。]))"
        rf"|第(?P<third>{_KEY})(?:种|个|の)?(?:{joined})|(?P<fourth>[A-Z\d一二三])(?:{joined})(?:{end}|(?=\s*[：:，、。]))"
        rf"|(?P<fifth>{_ORDINAL})\s+(?:{spaced})(?:{end}))",
        re.IGNORECASE,
    )


def _ends(passage: Passage, way: _Way) -> bool:
    """Return whether a passage is no longer about an option."""
    if passage.is_title and passage.level <= max(way.level, 0):
        return True
    return passage.level > 0 and passage.first.begins("either_way")


def _objections(groups: Sequence[Group], name: str, words: str) -> dict[int, Objection]:
    objection = Objection(code=ObjectionCode.ALTERNATIVE, name=name, words=words)
    return {index: objection for group in groups for index in group.blocks}


def _unnamed(groups: Sequence[Group], named: dict[int, Objection]) -> dict[int, Objection]:
    """Return the objections to edits that words such as *alternatively* set apart, named by their number."""
    found: dict[int, Objection] = {}
    ways: list[list[Group]] = [[]]
    words = ""
    for group in groups:
        other = _says_otherwise(group) if ways[-1] and group.blocks[0] not in named else ""
        if not other and _begins_another(group):
            found |= _numbered(ways, words)
            ways, words = [[]], ""
        if other:
            ways.append([])
            words = other
        ways[-1].append(group)
        one_of = _says_one_of(group)
        if one_of and not words:
            ways, words = [[each] for way in ways for each in way], one_of
    return found | _numbered(ways, words)


def _announced(groups: Sequence[Group]) -> dict[int, Objection]:
    """Return the objections to edits of which a sentence above their headings says that they are ways."""
    found: dict[int, Objection] = {}
    ways: list[list[Group]] = []
    words = ""
    level = 0
    for group in groups:
        heads = [passage for passage in group.above if passage.is_title or passage.level == ITEM]
        announcement = _announcement(group)
        is_outside = any(head.level < level for head in heads) or _is_of_every_way(group)
        if announcement or is_outside:
            found |= _numbered(ways, words)
            ways, words = [], announcement
            level = heads[-1].level if heads else 0
        if words and heads and heads[-1].level == level:
            ways.append([group])
        elif words and ways:
            ways[-1].append(group)
    return found | _numbered(ways, words)


def _announcement(group: Group) -> str:
    """Return the sentence right above the heading of a group that says that ways follow."""
    before = None
    for passage in group.above:
        if passage.level == PLAIN:
            before = passage
        elif before and before.sentences and before.sentences[-1].begins("announces"):
            return before.sentences[-1].written
        else:
            before = None
    return ""


def _is_of_every_way(group: Group) -> bool:
    return group.lead is not None and group.lead.first.begins("either_way")


def _numbered(ways: Sequence[Sequence[Group]], words: str) -> dict[int, Objection]:
    found: dict[int, Objection] = {}
    for number, way in enumerate(ways if words and len(ways) > 1 else (), 1):
        found |= _objections(way, str(number), words)
    return found


def _says_otherwise(group: Group) -> str:
    """Return the words above a group that call it another way than what is above them, if they do."""
    leads = (lead for lead in (group.farther_lead, group.lead) if lead and not lead.is_title)
    said = [*group.titles, *leads]
    first = (passage.first for passage in said)
    return next((sentence.written for sentence in first if sentence.begins("otherwise")), "")


def _says_one_of(group: Group) -> str:
    """Return the sentence below a group that one of several is to be chosen, if there is one."""
    said = (each for passage in group.below[:2] if passage.level for each in passage.sentences)
    return next((sentence.written for sentence in said if sentence.begins("one_of")), "")


def _begins_another(group: Group) -> bool:
    """Return whether what is above a group ends what is said of one change."""
    return any(0 < passage.level < BOLD for passage in group.above) or _is_of_every_way(group)
