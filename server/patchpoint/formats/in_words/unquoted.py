"""What sentences name without backquotes: texts in quotation marks, values, and what has them."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.formats.in_words.asked_change import code_of
from patchpoint.formats.sentences.sentence import Reading, Word, reading
from patchpoint.text.regex import regex

LITERAL = regex(r"(?i)[-+.]?\d|[\"'\[#>=~^/]|https?:|(?:true|false|null|none|nil|on|off|yes|no)\Z")
BARE_CODE = regex(r"(?<![\w`.])(?:\w+\(\)|[A-Z][A-Z0-9_]{2,40})(?!\.?[\w`(])")
"""What is code without backquotes: a call, or a name in capital letters."""
_BARE = regex(r"(?i)\d[\w.]*|true|false|null|none|nil|on|off|yes|no")
_OF_VALUES = frozenset({"code", "change", "replace", "assign"})
_NO_NAME = frozenset({"fill", "this", "it", "file", "number", "never", "stop", *_OF_VALUES})
_WORD = regex(r"[a-z]{3,30}|[A-Z][A-Z0-9_]{2,40}")
_NOUNS = frozenset({"version", "port"})
"""What has a value under the same name in most files, in whatever language it is spoken of."""
_ABOUT_NOUN = (
    "fill article of_file within file with onto change assign replace must becomes also package object whose"
)
_QUOTES = '"“”„«»「」『』 '
_PAIR = 2


def may_have_code(text: str) -> bool:
    """Return whether a sentence has code in backquotes, a call, a name in capital letters, or a path."""
    return "`" in text or BARE_CODE.search(text) is not None or bool(reading(text).paths)


def is_value(text: str) -> bool:
    """Return whether a text is a value that needs no quotation marks: a number or a constant."""
    return _BARE.fullmatch(text) is not None


def is_bare_value(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is a value without backquotes, next to *from* or *to*."""
    before = words[at - 1].kinds if at else frozenset[str]()
    is_behind = not before.isdisjoint(("with", "onto", "from", "becomes", "must", "instead")) or (
        "as_name" in before and Reading(tuple(words[:at])).has("assign")
    )
    # in Japanese, it is behind the value
    is_behind = is_behind or any(
        word.kinds & {"with", "from"} and not word.text.isascii() for word in words[at + 1 : at + 2]
    )
    return is_behind and ("quoted" in words[at].kinds or is_value(words[at].text))


def with_quoted(sentence: Reading) -> Reading:
    """Return a sentence with its two texts in quotation marks as code: what is there, and what it becomes."""
    quoted = [word for word in sentence.words if "quoted" in word.kinds]
    between = (word for word in sentence.words if quoted and quoted[0].end <= word.start < quoted[-1].start)
    if len(quoted) != _PAIR or any(word.kinds & {"code", "end"} for word in between):
        return sentence
    words = (
        Word(f"`{word.text.strip(_QUOTES)}`", frozenset({"code"}), word.start, word.end)
        if word in quoted
        else word
        for word in sentence.words
    )
    return Reading(tuple(words))


def with_noun(sentence: Reading) -> Reading:
    """Return a sentence whose one value is for *the version* or *the port* with that as a name in code."""
    words = sentence.words
    nouns = [at for at, word in enumerate(words) if word.kinds & _NOUNS]
    values = [at for at in range(len(words)) if "code" in words[at].kinds or is_bare_value(words, at)]
    others = Reading(tuple(word for at, word in enumerate(words) if at not in (*nouns, *values)))
    if (
        len(nouns) != 1
        or len(values) != 1
        or not LITERAL.match(code_of(words[values[0]]))
        or others.has("amount")
        or not others.is_made_of(_ABOUT_NOUN)
    ):
        return sentence
    (at,) = nouns
    name = next(iter(words[at].kinds & _NOUNS))
    named = Word(f"`{name}`", frozenset({"code"}), words[at].start, words[at].end)
    return Reading((*words[:at], named, *words[at + 1 :]))


def _is_bare_name(words: Sequence[Word], at: int) -> bool:
    """Return whether a word without backquotes may be the name of what gets a value right behind it."""
    behind, before = words[at + 1 : at + 3], [word for word in words[:at] if word.kinds & _OF_VALUES]
    is_word = _WORD.fullmatch(words[at].text) is not None and words[at].kinds.isdisjoint(_NO_NAME)
    is_name = words[at].text.isupper()
    links = ("with", "onto", "from", *(("must", "becomes") if is_name else ()))
    is_linked = len(behind) > 1 and not behind[0].kinds.isdisjoint(links)
    is_linked |= is_name and len(behind) > 1 and behind[0].is_unspaced
    is_of_code = bool(before) and "code" in before[-1].kinds
    return is_word and is_linked and not is_of_code and LITERAL.match(code_of(behind[1])) is not None


def is_code(words: Sequence[Word], at: int) -> bool:
    """Return whether a word is code, in backquotes or not."""
    return "code" in words[at].kinds or is_bare_value(words, at) or _is_bare_name(words, at)
