"""The grammar of objections: the words of all languages as patterns, and a text as sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache, lru_cache

from patchpoint.dataclass import dataclass
from patchpoint.formats.conversation.words.table import LANGUAGES
from patchpoint.formats.conversation.words.vocabulary import Vocabulary
from patchpoint.text.regex import regex

_SENTENCE = regex(r"\S.*?(?:[.!?…][\"'”’)\]*_]*(?=\s)|[。！？]|\Z)", re.DOTALL)
_CLAUSE = regex(
    r"[,;:，；：、()（）—–]\s*|\s-+\s|\s(?=(?:and|but|so|und|aber|et|mais|y|pero|e|mas|и|но|а)\s)",
    re.IGNORECASE,
)
_CODE = regex(r"`+[^`]*`+")
_EMPHASIS = regex(r"(?<!\w)[*_]+|[*_]+(?!\w)")
_WORD = regex(r"\w+")
_LETTERS = regex(r"[^\W\d_]+")
_LONGEST = 600
"""A longer sentence is not looked at."""
_PARAGRAPH = 2000
"""So much of the beginning and of the end of a paragraph is looked at."""
_OF_WAYS = frozenset({"otherwise", "one_of", "either_way", "announces"})
_SIGNS = tuple(
    (each, frozenset(each.signs.split()), frozenset(each.signs_of_ways.split()))
    for each in LANGUAGES
    if not each.script
)
"""The languages without letters of their own, with the words that take back, and those that speak of ways."""
_ANY_SIGN = frozenset().union(*(signs | signs_of_ways for _, signs, signs_of_ways in _SIGNS))
"""All of these words."""
_ANY_BEGINNING = frozenset(sign[:-1] for sign in _ANY_SIGN if sign.endswith("*"))
_IN_FILE = regex(r"\W*(?:in|im|dans|en|em|no|na|в|在)\s?·\s?(?:中|里)?\W*", re.IGNORECASE)
_END = r"(?=\W*\Z|\s*[,.;:!?()–—…，。；：！？、（）]|\s-+\s{because})"


class Use(Enum):
    """Where in a sentence the words of a pattern are looked for."""

    BEGINNING = "at the beginning, behind words that add nothing"
    BEHIND_A_TURN = "at the beginning, behind words that take something back"
    WHOLE = "there is nothing else in it"
    ANYWHERE = "anywhere"


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence: as written, and as the patterns expect it."""

    written: str
    plain: str
    taking_back: tuple[Vocabulary, ...]
    """The languages in which it may take something back."""
    of_ways: tuple[Vocabulary, ...]
    """The languages in which it may speak of several ways."""

    @property
    def points_on(self) -> bool:
        """Return whether it announces what follows."""
        return self.plain.rstrip().endswith((":", "："))

    def begins(self, part: str) -> bool:
        """Return whether it begins with words that are such a part of the grammar."""
        in_file = _IN_FILE.match(self.plain) if self._languages(part) else None
        return self._matches(part, Use.BEGINNING, in_file.end() if in_file else 0)

    def turns_and_begins(self, part: str) -> bool:
        """Return whether it takes back what the speaker has just said, and goes on so."""
        return self._matches(part, Use.BEHIND_A_TURN)

    def has_clause(self, part: str) -> bool:
        """Return whether one of its clauses begins so."""
        found = [pattern(each, part, Use.BEGINNING) for each in self._languages(part)]
        starts = (0, *(clause.end() for clause in _CLAUSE.finditer(self.plain))) if found else ()
        return any(each.match(self.plain, start) for each in found for start in starts)

    def has(self, part: str) -> bool:
        """Return whether it has such words anywhere."""
        found = (pattern(language, part, Use.ANYWHERE) for language in self._languages(part))
        return any(each.search(self.plain) for each in found)

    def is_only(self, part: str) -> bool:
        """Return whether it says this, in some file perhaps, and nothing else."""
        in_file = _IN_FILE.match(self.plain) if self._languages(part) else None
        return self._matches(part, Use.WHOLE) or (
            in_file is not None and self._matches(part, Use.WHOLE, in_file.end())
        )

    def _languages(self, part: str) -> tuple[Vocabulary, ...]:
        return self.of_ways if part in _OF_WAYS else self.taking_back

    def _matches(self, part: str, use: Use, start: int = 0) -> bool:
        return any(pattern(each, part, use).match(self.plain, start) for each in self._languages(part))


NOTHING = Sentence("", "", (), ())


def may_speak_against(text: str) -> bool:
    """Return whether one of the sentences of a text may take something back, or speak of several ways.

    It tells by its words alone: a text without any of them is quick to turn down.
    """
    words = _LETTERS.findall(text.casefold())
    return (
        bool(_in_their_own_letters(text))
        or not _ANY_SIGN.isdisjoint(words)
        or not _ANY_BEGINNING.isdisjoint([word[:4] for word in words])
    )


def _signs_in(words: Sequence[str]) -> frozenset[str]:
    """Return those of the signs of any language that are among some words, or are their beginnings."""
    return _ANY_SIGN.intersection(words) | _ANY_SIGN.intersection([f"{word[:4]}*" for word in words])


@lru_cache(maxsize=1024)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a paragraph; answers say the same above many of their edits."""
    if len(text) > 2 * _PARAGRAPH:
        text = f"{text[:_PARAGRAPH]} … {text[-_PARAGRAPH:]}"
    return tuple(_sentence(found[0].strip()) for found in _SENTENCE.finditer(text))


@cache
def pattern(language: Vocabulary, part: str, use: Use) -> re.Pattern[str]:
    """Return the pattern of one part of the grammar in one language."""
    because = rf"|\s+(?:{language.because})\b" if language.because else ""
    ways = getattr(language, part)
    own = "|".join((ways,) if isinstance(ways, str) else ways).replace(
        "§", _END.replace("{because}", because)
    )
    edge = r"(?!\w)" if language.is_spaced else ""
    if use is Use.ANYWHERE:
        return re.compile(rf"(?:{own}){edge}", re.IGNORECASE)
    turn = rf"(?:{language.turns}){edge}[^\w(]*" if use is Use.BEHIND_A_TURN else ""
    said = rf"(?:(?:{language.turns}|{language.softly}){edge}[^\w(]*){{0,3}}"
    after = r"(?:\s*[(（][^()（）]*[)）])?\W*\Z" if use is Use.WHOLE else edge
    return re.compile(rf"[^\w·(]*{turn}{said}(?:{own}){after}", re.IGNORECASE)


def _sentence(written: str) -> Sentence:
    plain = written.replace("’", "'") if len(written) <= _LONGEST else ""
    plain = _CODE.sub("·", plain) if "`" in plain else plain
    plain = _EMPHASIS.sub("", plain) if "*" in plain or "_" in plain else plain
    spoken = _in_their_own_letters(plain)
    found = _signs_in(_WORD.findall(plain.casefold()))
    taking_back = tuple(each for each, signs, _ in _SIGNS if not signs.isdisjoint(found)) if found else ()
    of_ways = tuple(each for each, _, signs in _SIGNS if not signs.isdisjoint(found)) if found else ()
    return Sentence(written, plain, (*taking_back, *spoken), (*of_ways, *spoken))


def _in_their_own_letters(plain: str) -> tuple[Vocabulary, ...]:
    """Return the languages with letters of their own that a sentence may be in."""
    if plain.isascii() and "NG" not in plain:
        return ()
    return tuple(each for each in LANGUAGES if each.script and re.search(each.script, plain))
