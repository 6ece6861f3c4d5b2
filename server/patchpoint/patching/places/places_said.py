"""Where the sentence above some code says that it goes, by the words of eight languages.

A word for a side, few others, and the name of what is there, in backquotes: that is one place. Where all
words of the sentence are known, it says that and nothing else (*it runs after* has one that is not). What it
means in a file is for the caller to find out. Words never make an edit: what they place is one already.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from itertools import pairwise, takewhile

from patchpoint.dataclass import dataclass
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings, sentence_spans
from patchpoint.text.regex import regex

_MOST_WORDS = 4
"""So many words that are not known may be between the side and the name."""
_MOST_SIGNS = 8
"""So many between the name and the side, where that is behind it."""
_LONGEST = 600
"""A longer sentence is not read."""
_SIDES = "below above last first"
_ENDS = ("stop", "end")
FILES = frozenset(
    (
        *("file", "datei", "fichier", "archivo", "fichero", "arquivo"),
        *("ficheiro", "файла", "файл", "文件", "ファイル"),
    )
)
BETWEEN = frozenset(("between", "zwischen", "entre", "между", "之间", "中间", "の間"))
AND = frozenset(("and", "und", "et", "y", "e", "и", "和", "与", "と"))
_USE = regex(
    r"(?i)\b(?:call|calls|calling|use|used|usage|using|run|output|example|aufruf\w*|verwend\w+|nutz\w+|ausgabe"
    r"|appel\w*|utilis\w+|llam\w+|us[ao]r?|cham\w+|вызов\w*|вызыва\w+|использ\w+)\b|调用|使用|呼び|使い"
)
_NAMED = regex(r"`([^`\n]{1,200})`")
_QUOTED = regex(r"\A\s*(?:>|[\"“„«「])")
_CLOSING = " *_:.)\"'"
_POSTPOSED = ("\u3040", "\u9fff")
"""The first and the last of the signs of languages with the side behind the name."""


class Relation(Enum):
    """On which side of what is named."""

    ABOVE = "above"
    BELOW = "below"
    FIRST = "at the top of"
    LAST = "at the end of"


_EDGES = (Relation.FIRST, Relation.LAST)
_IMPORTS = regex(r"(?i)imports?|importe?n?|importations|importaciones|importações|импорт\w*|导入|インポート")


@dataclass(frozen=True, slots=True)
class PlaceSaid:
    """One place that a sentence names."""

    relation: Relation
    name: str
    """What is named, as written; for the top and the end empty where that is the file itself."""


def places_said(sentence: str) -> tuple[PlaceSaid, ...]:
    """Return the places that a sentence names, each once; none for one that names none."""
    if len(sentence) > _LONGEST or "`" not in sentence:
        return ()
    # what an earlier sentence denies is not where this one puts something
    sentence = next((each for each in (sentence, last_sentence(sentence)) if not denies(each)), "")
    found = (
        PlaceSaid(Relation.ABOVE if _is_second_of_two(one, name) else relation, name)
        for one in readings(sentence, WordTable.PLACES)
        for relation in Relation
        for name in _next_to(one, relation.name.casefold(), _MOST_WORDS)
    )
    return tuple(dict.fromkeys(found))


def _is_second_of_two(sentence: Reading, name: str) -> bool:
    """Return whether something is said to be between two, of which only the second has that name."""
    words = [word.text.casefold() for word in sentence.words]
    at = next((row for row, word in enumerate(words) if word in BETWEEN), None)
    named = next((row for row, word in enumerate(sentence.words) if word.text.strip("` ") == name), None)
    if at is None or named is None or named < at:
        return False
    between = words[at + 1 : named]
    return not AND.isdisjoint(between) and not any(word.startswith("`") for word in between)


def with_place_below(lead: str, tail: str, code: str) -> str:
    """Return the words above some code, with the sentence below it if only that says where the code goes.

    It names nothing else then but what the code has, and is not about what is shown below it.
    """
    is_about = not tail.rstrip(" *_\r\n").endswith((":", "："))
    said = places_said(tail) if is_about and says(tail, "puts") and not says_a_side(lead) else ()
    names = {each.name for each in said}
    others = (name for name in _NAMED.findall(tail) if name.strip() not in names)
    if len(names) != 1 or is_question(tail) or not all(name in code for name in others):
        return lead
    return f"{lead.rstrip(_CLOSING)}. {tail}"


def last_sentence(words: str) -> str:
    """Return the last of some sentences."""
    *_, (start, _) = ((0, 0), *sentence_spans(words))
    return words[start:]


def denies(sentence: str) -> bool:
    """Return whether a sentence denies something, and not only in what it says that it is for."""
    words = reading(sentence, WordTable.LEADS).words
    end = next((word.start for word in words if "purpose" in word.kinds), len(sentence))
    return says(sentence[:end] if "`" in sentence[:end] else sentence, "not")


def is_closed(words: str) -> bool:
    """Return whether the last sentence says nothing but that something is added, and where.

    Every word of it is known then, and none of those before it may mean that it is not to be added.
    """
    *_, (start, _) = ((0, 0), *sentence_spans(words))
    if reading(words).has("never offers sample maybe") or reading(words[:start]).has("old"):
        return False
    if "?" in words or "？" in words or _QUOTED.search(words[start:]):
        return False
    last = words[start:]
    every = readings(last, WordTable.PLACES)
    return any(one.is_made_of(f"{_SIDES} others") and _asks(one, last) for one in every)


def is_known(words: str) -> bool:
    """Return whether each word of the last sentence of some words is known, and none says *maybe*."""
    last = last_sentence(words.rstrip(":： \r\n"))
    return all(word.kinds - {"maybe", "offers"} for word in reading(last).words)


def _asks(sentence: Reading, text: str) -> bool:
    """Return whether a sentence with a side says that something is put there, or begins with the side.

    What is only called something at that side may be what is there.
    """
    sides = set(_SIDES.split())
    side = next((word for word in sentence.words if not word.kinds.isdisjoint(sides)), None)
    if side is None or sentence.has("puts"):
        return side is not None
    return not is_postposed(side) and not any(one.has("thing this") for one in readings(text[: side.start]))


def says(sentence: str, kinds: str) -> bool:
    """Return whether a sentence has a word of some kinds, in any language."""
    return any(one.has(kinds) for one in readings(sentence, WordTable.PLACES))


def asks_to_remove(sentence: str, code: str) -> bool:
    """Return whether the last of some sentences asks to remove `code`: *these lines*, or a name in it."""
    for one in readings(last_sentence(sentence)):
        names = [word.text.strip("`() ") for word in one.words if word.kinds & {"code", "name"}]
        is_named = one.has("this") or not names or any(name in code for name in names)
        asked = [word for word in one.words if word.kinds & {"remove", "needless"}]
        is_only = bool(asked) and not one.has("never but change replace stays offers")
        # *`del` removes it*
        is_only = is_only and not all(word.text.casefold().endswith("s") for word in asked)
        if is_named and is_only:
            return True
    return False


def is_question(sentence: str) -> bool:
    """Return whether a sentence asks something."""
    return sentence.rstrip(_CLOSING).endswith(("?", "？"))


def says_a_side(sentence: str) -> bool:
    """Return whether a sentence has words for a side, whatever it is a side of."""
    words = [word for one in readings(sentence, WordTable.PLACES) for word in one.words if len(word.text) > 1]
    return says(sentence, "last first") or any(
        "others" not in word.kinds and not word.kinds.isdisjoint(("below", "above")) for word in words
    )


def edge_said(sentence: str, things: frozenset[str] = FILES) -> Relation | None:
    """Return the top or the end where a sentence names that of a thing, or nothing that it is of."""
    for one in () if says(sentence, "not") else readings(sentence, WordTable.PLACES):
        for at, word in enumerate(one.words):
            relation = next((each for each in _EDGES if each.name.casefold() in word.kinds), None)
            clause = list(takewhile(lambda each: each.kinds.isdisjoint(_ENDS), one.words[at + 1 :]))
            behind = takewhile(lambda each: "others" in each.kinds or each.text.casefold() in things, clause)
            is_of_it = any(each.text.casefold() in things for each in behind)
            of_what, then = Reading(tuple(clause)), one.words[at + 1 + len(clause) :][:2]
            # *of the client (`src/client.ts`)*
            is_named = [word.text for word in then[:1]] == ["("] and Reading(then).has("path")
            is_of_it |= things is FILES and is_named and not of_what.has("inside code name")
            if relation is not None and (is_of_it or (things is FILES and not clause)):
                return relation
    return None


def says_below_imports(sentence: str) -> bool:
    """Return whether a sentence says that something goes below the imports, and names none of them."""
    for one in () if says(sentence, "not") else readings(sentence, WordTable.PLACES):
        for at, word in enumerate(one.words):
            clause = list(takewhile(lambda each: each.kinds.isdisjoint(_ENDS), one.words[at + 1 :]))
            is_of_imports = any(map(_IMPORTS.fullmatch, (each.text for each in clause[:3])))
            if "below" in word.kinds and is_of_imports and not Reading(tuple(clause)).has("code name"):
                return True
    return False


def begins_with_and(sentence: str) -> bool:
    """Return whether a sentence goes on with what is before it."""
    return next((word.text.casefold() for word in reading(sentence).words), "") in AND


def says_a_use(sentence: str) -> bool:
    """Return whether a sentence speaks of how something is used."""
    return _USE.search(sentence) is not None


def names_a_file(sentence: str) -> bool:
    """Return whether a sentence speaks of a file, in any language."""
    every = readings(sentence, WordTable.PLACES)
    return any(word.text.casefold() in FILES for one in every for word in one.words)


def names_only(sentence: str) -> bool:
    """Return whether a sentence says no more than what something is in, as *In `src/a.py`:* does."""
    every = readings(sentence, WordTable.PLACES)
    return any(one.is_made_of("inside others") and one.has("inside") for one in every)


def names_inside(sentence: str) -> list[str]:
    """Return the names in backquotes which a sentence says something is in."""
    return [name for one in readings(sentence, WordTable.PLACES) for name in _next_to(one, "inside", 3)]


def names_behind_article(sentence: str) -> list[str]:
    """Return the names in backquotes right behind a word such as *of* or *the*, which is no verb."""
    every = (pairwise(one.words) for one in readings(sentence, WordTable.PLACES))
    return [
        word.text.strip("`").strip()
        for pairs in every
        for before, word in pairs
        if word.text.startswith("`") and not before.kinds.isdisjoint(("others", "inside"))
    ]


def is_postposed(word: Word) -> bool:
    """Return whether a side is behind the name of what it is one of."""
    return _POSTPOSED[0] <= word.text[0] <= _POSTPOSED[1]


def _next_to(sentence: Reading, kind: str, most: int) -> Iterator[str]:
    """Yield the names with few words between a word of a kind and them: behind it, or in front of it."""
    for at, word in enumerate(sentence.words):
        if kind not in word.kinds:
            continue
        is_behind = is_postposed(word)
        near = sentence.words[:at][::-1] if is_behind else sentence.words[at + 1 : at + 2 + most]
        signs = 0
        for each in near:
            if each.text.startswith("`"):
                yield each.text.strip("`").strip()
            signs += len(each.text) if is_behind else 0
            if each.text.startswith("`") or signs > _MOST_SIGNS or not each.kinds.isdisjoint(_ENDS):
                break
