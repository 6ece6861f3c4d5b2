"""What the words around a fence say of its code.

They make an edit certain only as a *lead*: a sentence of which each word is known, and none speaks against
it. Any other sentence that names a file makes a proposal at most, and no word of it makes it more.
"""

from __future__ import annotations

from functools import lru_cache

from patchpoint.formats.path_forms import without_links
from patchpoint.formats.sentences.sentence import Reading, WordTable, reading, readings, sentence_spans
from patchpoint.text.regex import regex

_SENTENCES = regex(r"(?<=[.!?])\s+(?=[A-ZÀ-ÞА-Я`*¡¿])|(?<=[。！？])|(?<=: )(?=[A-ZÀ-ÞА-Я`*])")
_OF_LEAD = (
    "fill all do this speaker thing file replace find change new becomes with whole create save place remove"
)
_OF_THE_REST = regex(
    r"(?i)\s*[(（](?=[^()（）]{0,80}(?:\brest|remain|everything else|\bübrig|\bresto|остальн|其余|其他|残り))"
    r"[^()（）]{0,120}[)）]"
)
"""What is said in brackets of what is not shown."""
_CHANGES = "change new becomes create"
_AGAINST_SIGNS = frozenset("\u274c\u2716\u2717\u2718\u26d4\U0001f6ab\U0001f44e")
"""What is put before code that is not to be written: crosses, no entry, a thumb down."""
_QUESTION = ("?", "？")
_OF_REMOVAL = "remove fill this removable needless why"
_BETWEEN = frozenset({"of_file", "file", "this", "stop"})
"""What may be between the word that hands a file over and its path."""
_GIVES = frozenset({"gives", "new", "whole", "save"})
_NOTHING = frozenset[str]()


@lru_cache(maxsize=256)
def is_lead(above: str) -> bool:
    """Return whether the last sentence above a fence says where its code belongs, or that it is a change."""
    if is_offer(above) or not _AGAINST_SIGNS.isdisjoint(above):
        return False
    return any(
        sentence.is_made_of(f"{_OF_LEAD} old needless" if sentence.has("change do remove") else _OF_LEAD)
        and not sentence.has("never")
        and (sentence.has("change do remove") or (bool(sentence.paths) and not sentence.has("speaker")))
        for sentence in readings(last_sentence(above))
    )


@lru_cache(maxsize=256)
def is_label(above: str) -> bool:
    """Return whether each word of a label next to its path is known, and none speaks against it."""
    return _AGAINST_SIGNS.isdisjoint(above) and any(
        sentence.is_made_of(_OF_LEAD) and not sentence.has("never")
        for sentence in readings(without_links(above))
    )


def is_offer(above: str) -> bool:
    """Return whether the last sentence above a fence only says what could be done, or asks."""
    return above.rstrip("*_` ").endswith(_QUESTION) or reading(last_sentence(above)).has("offers")


def is_example(above: str, section: str = "") -> bool:
    """Return whether the words above a fence, or else the heading of its section, call its code no change.

    It is an example then, the code as it was, or as it is now.
    """
    sentence = reading(_OF_THE_REST.sub("", last_sentence(above)))
    if sentence.has("never") or _is_search(sentence):
        return True
    if is_offer(above) and (sentence.has("but") or not sentence.has("change create do")):
        return True
    if _speaks_of(sentence, "old sample"):
        is_put = sentence.has("save") and sentence.has("place")
        return not is_change(above) and not is_put and not sentence.has("remedy")
    is_sample = _speaks_of(reading(section), "sample analysis")
    return is_sample and not is_change(above) and not is_change(section)


def is_current(above: str) -> bool:
    """Return whether the words above a fence call its code what a file has now, and no more."""
    return is_example(above) and reading(last_sentence(above)).has("current")


def is_judged(below: str) -> bool:
    """Return whether the words below a fence judge its code as it is."""
    for sentence in readings(below):
        words = sentence.words
        stop = next((at for at, word in enumerate(words) if word.kinds & {"stop", "end"}), len(words))
        clause = Reading(words[:stop])
        if clause.is_made_of("this thing fill is fine bad unneeded") and clause.has("fine bad unneeded"):
            return True
    return False


@lru_cache(maxsize=256)
def is_change(above: str) -> bool:
    """Return whether the words above a fence call its code a change, or hand a file over."""
    return is_handed_over(above) or _speaks_of(reading(without_links(above)), _CHANGES)


def is_placed(above: str) -> bool:
    """Return whether the words above a fence say a place for its code."""
    return reading(without_links(above)).has("place")


def with_place(above: str, below: str) -> str:
    """Return the words above a fence, with the sentence below it if that only says where its code goes."""
    if says_place(above):
        return above
    start, end = next(sentence_spans(below), (0, 0))
    sentence = below[start:end]
    is_place = says_place(sentence) and any(
        one.is_made_of("below above last first inside others adds")
        for one in readings(sentence, WordTable.PLACES)
    )
    return f"{above}\n{sentence}" if is_place else above


def says_place(words: str) -> bool:
    """Return whether words name something in backquotes, and a side of it."""
    sentence = reading(words, WordTable.PLACES)
    return sentence.has("below above last first") and sentence.has("code name path")


def is_missed(above: str) -> bool:
    """Return whether the words above a fence say that something is to be there that is not."""
    return reading(without_links(above), WordTable.PLACES).has("adds")


@lru_cache(maxsize=256)
def is_handed_over(above: str) -> bool:
    """Return whether the words above a fence hand over the file that they name."""
    sentence = reading(without_links(above))
    return not sentence.has("part") and _hands_over(sentence)


def is_whole(above: str) -> bool:
    """Return whether the words above a fence call its code a whole file."""
    sentence = reading(without_links(above))
    return not sentence.has("part") and _calls_whole(sentence)


def is_new(above: str) -> bool:
    """Return whether the words above a fence call its code a new file."""
    sentence = reading(without_links(above))
    return sentence.has("create") and not sentence.has("part")


def removed(above: str) -> str | None:
    """Return the name of what the words above a fence ask to remove, and no more; `None` if they do not.

    It is empty where they mean the code as a whole.
    """
    for sentence in readings(last_sentence(above)):
        names = [word.text.strip("`()") for word in sentence.words if word.kinds & {"code", "name"}]
        if sentence.has("remove needless") and sentence.is_made_of(_OF_REMOVAL) and len(names) <= 1:
            return names[0].rpartition(".")[2] if names else ""
    return None


def last_sentence(above: str) -> str:
    """Return the sentence that leads to a fence, where the line above it has several."""
    above = without_links(above)
    return _SENTENCES.split(above)[-1] if above.rstrip().endswith((":", "：")) else above


def _speaks_of(sentence: Reading, kinds: str) -> bool:
    """Return whether a sentence has a word of some kinds that tells no place."""
    wanted = set(kinds.split())
    behind = (*(word.kinds for word in sentence.words[1:]), _NOTHING)
    return any(
        not wanted.isdisjoint(word.kinds) and not ("place" in word.kinds and kinds & {"code", "name"})
        for word, kinds in zip(sentence.words, behind, strict=False)
    )


def _is_search(sentence: Reading) -> bool:
    """Return whether a sentence only calls code what is to be looked for."""
    return sentence.has("find") and sentence.is_made_of("find fill this thing") and not sentence.paths


def _hands_over(sentence: Reading) -> bool:
    """Return whether what gives or saves something is right before a path, or what it becomes behind it."""
    words = sentence.words
    for at, word in enumerate(words):
        if "path" not in word.kinds:
            continue
        before = next(
            (one.kinds for one in reversed(words[:at]) if not _BETWEEN & one.kinds or _GIVES & one.kinds),
            _NOTHING,
        )
        is_given = not _GIVES.isdisjoint(before)
        if is_given or (at + 1 < len(words) and "becomes" in words[at + 1].kinds):
            return True
    return False


def _calls_whole(sentence: Reading) -> bool:
    """Return whether a word such as `full` is right before what a file is called, or its path."""
    words = sentence.words
    for at, word in enumerate(words):
        behind = at + 1
        while "whole" in word.kinds and behind < len(words):
            if words[behind].kinds & {"file", "path"}:
                return True
            if not words[behind].kinds & {"new", "of_file", "whole"}:
                break
            behind += 1
    return False
