"""A sentence as words of known kinds: the one matcher of all that an answer says in words.

A sentence of which each word is known in a language says no more than they do. What another one says, nobody
knows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache, lru_cache
from importlib import import_module
from itertools import chain, product

from patchpoint.dataclass import dataclass
from patchpoint.formats.path_forms import is_product, names_a_source, without_line
from patchpoint.text.regex import regex

_TOKEN = regex(
    r"(?P<code>(?<!`)(?:`(?!`)[^`\n]{1,200}(?<= )``[^`\n]{1,200}``[^`\n]{0,200}`(?!`)"
    r"|(?P<tick>`{1,2})(?!`)[^`]{1,600}(?P=tick)))"
    r"|(?P<quoted>(?<![\w\"])\"[^\"`\n]{0,100}\"(?![\w\"])|„[^“”\"„`\n]{1,100}[“”\"]|“[^“”`\n]{1,100}”"
    r"|«[^«»`\n]{1,100}»|「[^「」`\n]{1,100}」|『[^『』`\n]{1,100}』)"
    r"|(?P<name>\w[\w@+~-]*(?:(?:[./\\]+|_)[\w@+~-]+)+(?:\(\))?|[./~@](?=[@+~./\\-]{0,40}\w)[\w@+~./\\-]*\w"
    r"|\w+\(\)|[a-z]+[A-Z]\w*)"
    r"|(?P<number>\d+\w*|L\d+(?!\w))|(?P<word>[^\W\d_]+(?:['’-][^\W\d_]+)*)"
    r"|(?P<stop>[,;:()，；：（）、—–]|(?<= )-+(?= ))|(?P<end>[.!?…。！？]+)"
)
_CAPITALS = regex(r"[A-Z]{3,40}")
_LETTERS = regex(r"[^\W\d_]+")
_NEUTRAL = frozenset({"code", "path", "name", "number", "stop", "end"})
_ELISIONS = frozenset(["l", "d", "j", "n", "s", "c", "m", "t", "qu"])
_OWN_LETTERS = {"ja": "[\u3040-\u30ff]", "zh": "[\u4e00-\u9fff]", "ru": "[\u0400-\u04ff]"}
"""The letters that only some languages have."""
_SPACED_LATIN = ("en", "de", "fr", "es", "pt")
_LAST_SPACED = "\u2e80"
"""The letters of Chinese and Japanese are behind this one."""
_UNKNOWN = frozenset[str]()
_LONGEST = 1000
_SHORTEST_STEM = 2


class WordTable(Enum):
    """What words are looked for, and the module with the table of that name."""

    LEADS = "what is said of code that is shown", "lexicon"
    OBJECTIONS = "what is said against an edit", "objections"
    PLACES = "where something goes", "lexicon"
    DOUBTS = "what may be said against an edit", "doubts"

    def rows(self, language: str) -> str:
        """Return the rows of the table for one language; a table is loaded when it is first needed."""
        module = import_module(f"patchpoint.formats.sentences.{self.value[1]}")
        rows: str = getattr(module, self.name)[language]
        return rows


@dataclass(frozen=True, slots=True)
class Word:
    """A word, a phrase of several, or what is no word: its text, its kinds, and its place in the sentence."""

    text: str
    kinds: frozenset[str]
    start: int
    end: int

    @property
    def is_unspaced(self) -> bool:
        """Return whether it is of a language that has no spaces between words: Chinese or Japanese."""
        return self.text > _LAST_SPACED


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in one language, word by word."""

    words: tuple[Word, ...]

    def has(self, kinds: str) -> bool:
        """Return whether it has a word of one of some kinds."""
        return any(not word.kinds.isdisjoint(kinds.split()) for word in self.words)

    def is_made_of(self, kinds: str) -> bool:
        """Return whether each of its words is of one of some kinds, or is no word."""
        wanted = _NEUTRAL.union(kinds.split())
        return all(not word.kinds.isdisjoint(wanted) for word in self.words)

    @property
    def paths(self) -> tuple[str, ...]:
        """The files that it names."""
        named = (word.text.strip("`") for word in self.words if "path" in word.kinds)
        return tuple(dict.fromkeys(map(without_line, named)))


@lru_cache(maxsize=1024)
def readings(text: str, table: WordTable = WordTable.LEADS) -> tuple[Reading, ...]:
    """Return a text in each language that it may be in; answers say the same above many of their edits."""
    text = text[:_LONGEST].replace("’", "'")
    languages: tuple[str, ...] = ()
    if not text.isascii():
        languages = tuple(one for one, letters in _OWN_LETTERS.items() if re.search(letters, text))
    if "zh" in languages and "ja" not in languages:
        languages = ("ja", *languages)
    tokens = list(_TOKEN.finditer(text))
    return tuple(Reading(tuple(_words(tokens, _lexicon(one, table)))) for one in languages or _SPACED_LATIN)


@lru_cache(maxsize=1024)
def reading(text: str, table: WordTable = WordTable.LEADS) -> Reading:
    """Return a text in the language in which the fewest of its words are unknown."""
    return min(readings(text, table), key=lambda one: sum(not word.kinds for word in one.words))


def likely_readings(text: str) -> tuple[Reading, ...]:
    """Return a text in the languages in which the fewest of its words are unknown, or one more."""
    each = [(sum(not word.kinds for word in one.words), one) for one in readings(text)]
    least = min(unknown for unknown, _ in each)
    return tuple(one for unknown, one in each if unknown <= least + 1)


def trimmed(text: str) -> str:
    """Return a sentence without the signs of bold, and the white space, at its end."""
    return text.rstrip("*_ \t\r\n")


def sentence_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each sentence of a paragraph begins and ends, which no code in backquotes does."""
    start = 0
    for found in _TOKEN.finditer(text):
        is_end = found["end"] and (
            not found["end"].isascii() or not text[found.end() : found.end() + 1].strip()
        )
        if is_end and not text[start : found.start()].strip(" \t\r\n(").isdigit():
            yield start, found.end()
            start = found.end()
    if text[start:].strip():
        yield start, len(text)


def may_have(text: str, table: WordTable, kinds: str) -> bool:
    """Return whether a text may have a word of some kinds in any language: it is quick to turn most down."""
    languages = _SPACED_LATIN if text.isascii() else (*_SPACED_LATIN, *_OWN_LETTERS)
    words, stems, phrases = _words_of_kinds(languages, table, kinds)
    said = _LETTERS.findall(text.casefold())
    in_row = f" {' '.join(said)} "
    return (
        not words.isdisjoint(said)
        or any(phrase in in_row for phrase in phrases)
        or any(word[:end] in stems for word in {*said} for end in range(_SHORTEST_STEM, len(word) + 1))
    )


@cache
def _words_of_kinds(
    languages: tuple[str, ...], table: WordTable, kinds: str
) -> tuple[frozenset[str], frozenset[str], tuple[str, ...]]:
    """Return words, stems, and what is sought in a row: phrases, and words of languages without spaces."""
    words: set[str] = set()
    stems: set[str] = set()
    phrases: list[str] = []
    for lexicon in (_lexicon(language, table) for language in languages):
        exact, own = lexicon.of_kinds(frozenset(kinds.split()))
        if not lexicon.is_spaced:
            phrases += exact | own
            continue
        rows = [" ".join(_LETTERS.findall(word)) for word in exact]
        words.update(rows)
        stems |= own
        phrases += (f" {row} " for row in rows if " " in row)
    return frozenset(words), frozenset(stems), tuple(phrases)


def _words(tokens: Sequence[re.Match[str]], lexicon: _Lexicon) -> Iterator[Word]:
    pending: list[tuple[str, int, int]] = []
    for found in tokens:
        kind = found.lastgroup or ""
        named = lexicon.kinds_of_name(found[0]) if _CAPITALS.fullmatch(found[0]) else None
        if kind == "word" and named is None:
            pending += _pieces(found[0], found.start(), lexicon)
            continue
        yield from lexicon.kinds_of(pending)
        pending = []
        if kind == "word" and named is not None:
            yield Word(found[0], named, *found.span())
            continue
        known = lexicon.exact.get(found[0].casefold(), _UNKNOWN) if kind == "name" else _UNKNOWN
        yield Word(
            found[0], known | _kinds_of_name(found[0], "code" if kind == "tick" else kind), *found.span()
        )
    yield from lexicon.kinds_of(pending)


@lru_cache(maxsize=1024)
def _kinds_of_name(text: str, kind: str) -> frozenset[str]:
    """Return the kinds of what is no word: whether code or a name is a path, too."""
    bare = text.strip("`")
    is_file = kind in ("code", "name") and names_a_source(without_line(bare)) and not is_product(bare)
    is_call = kind == "name" and bare.endswith("()")
    return frozenset({"path"} if is_file else {kind, "code"} if is_call else {kind})


def _pieces(word: str, start: int, lexicon: _Lexicon) -> Iterator[tuple[str, int, int]]:
    """Yield a word as the words that it consists of: an elision, or those of a language without spaces."""
    word = word.casefold()
    first, _, rest = word.partition("'")
    if rest and first in _ELISIONS:
        yield f"{first}'", start, start + len(first) + 1
        start += len(first) + 1
        word = rest
    if lexicon.is_spaced or word.isascii():
        yield word, start, start + len(word)
        return
    at = 0
    while at < len(word):
        ends = range(min(at + lexicon.longest, len(word)), at, -1)
        end = next((end for end in ends if word[at:end] in lexicon.exact), at + 1)
        yield word[at:end], start + at, start + end
        at = end


class _Lexicon:
    """The words of one language, with their kinds."""

    def __init__(self, language: str, table: WordTable) -> None:
        self.is_spaced = language not in ("zh", "ja")
        self.exact: dict[str, frozenset[str]] = {}
        """Words, and phrases with one space between their words."""
        self._stems: dict[str, frozenset[str]] = {}
        self._phrases: dict[str, int] = {}
        """By the first word of phrases, the number of words of the longest."""
        for row in table.rows(language).split("|"):
            kinds, _, words = row.partition(":")
            for word in chain.from_iterable(map(_alternatives, words.split())):
                known = self._stems if word.endswith("*") else self.exact
                key = word.rstrip("*").replace("_", " ")
                known[key] = known.get(key, _UNKNOWN).union(kinds.split())
                if " " in key:
                    first = key.partition(" ")[0]
                    self._phrases[first] = max(self._phrases.get(first, 0), key.count(" ") + 1)
        self.longest = max(map(len, self.exact))

    def of_kinds(self, kinds: frozenset[str]) -> tuple[set[str], set[str]]:
        """Return the words and phrases of some kinds, and the stems."""
        exact = {word for word, own in self.exact.items() if own & kinds}
        return exact, {stem for stem, own in self._stems.items() if own & kinds}

    def kinds_of(self, pieces: list[tuple[str, int, int]]) -> Iterator[Word]:
        """Yield words that follow each other, those of a phrase as one."""
        at = 0
        while at < len(pieces):
            longest = self._phrases.get(pieces[at][0], 1)
            for end in range(min(at + longest, len(pieces)), at, -1):
                word = " ".join(piece for piece, *_ in pieces[at:end])
                if end == at + 1 or word in self.exact:
                    yield Word(word, self._of_word(word), pieces[at][1], pieces[end - 1][2])
                    break
            at = end

    def kinds_of_name(self, word: str) -> frozenset[str] | None:
        """Return the kinds of a word in capital letters; `None` where it says more than a name does."""
        kinds = self._of_word(word.casefold())
        is_name = word.casefold() not in self._phrases and (not kinds or "thing" in kinds)
        return kinds if is_name else None

    def _of_word(self, word: str) -> frozenset[str]:
        if " " in word:
            return self.exact[word]
        stems = (word[:length] for length in range(len(word), _SHORTEST_STEM - 1, -1))
        of_stem = next((self._stems[stem] for stem in stems if stem in self._stems), _UNKNOWN)
        return self.exact.get(word, _UNKNOWN) | of_stem


def _alternatives(words: str) -> list[str]:
    """Return what words with alternatives say, such as `can_be_(removed/deleted)`."""
    parts = (part.split("/") for part in re.split(r"[()]", words))
    return ["".join(each) for each in product(*parts)]


@cache
def _lexicon(language: str, table: WordTable) -> _Lexicon:
    return _Lexicon(language, table)
