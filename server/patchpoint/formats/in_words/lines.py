"""A line that a sentence says is to be added, and where: *Add `b = 2` right below `a = 1` in `x.py`.*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.formats.in_words.frame import AskedChange, change_at, code_of
from patchpoint.formats.sentences.sentence import Reading, Word, reading
from patchpoint.text.regex import regex

_MOST_BETWEEN = 3
"""So many words may be between the one that asks to add something and that."""
_MEMBER = regex(r"\"(?P<key>[^\"\n]{1,80})\"\s*:\s*\S")
_SIDES = "below above last first inside"


def added(sentence: Reading, text: str, _: str) -> Iterator[AskedChange]:
    """Yield the lines that a sentence asks to add: one for each verb."""
    words = sentence.words
    verbs = [at for at, word in enumerate(words) if {"more", "others"} <= word.kinds]
    if not verbs:
        return
    ends = [*(words[verb].start for verb in verbs[1:]), len(text)]
    for first, verb, end in zip([0, *ends], verbs, ends, strict=False):
        at = _added(words, verb)
        clause = Reading(tuple(word for word in words if first <= word.start < end))
        line = code_of(words[at]) if at is not None else ""
        is_member = _MEMBER.match(line) is not None and bool(
            clause.paths or sum("code" in word.kinds for word in clause.words) > 1
        )
        line = line if clause.has(_SIDES) or is_member else ""
        if at is not None and line and "\n" not in line:
            before = [word for word in words if "path" in word.kinds and word.end <= words[at].start]
            paths = Reading(tuple(before[-1:])).paths
            lead = f"{text[first : words[at].start]}this{text[words[at].end : end]}"
            yield AskedChange(
                what=f"adds `{line}` to",
                edit=change_at(words[at], words[at], replace=f"{line}\n", lead=lead),
                paths=paths or tuple(each for each in sentence.paths if each != line),
            )


def _added(words: Sequence[Word], verb: int) -> int | None:
    """Return which word is the code that is to be added: next to the verb, behind it where that is usual.

    Where that is a name alone, and the next code the member of that name, it is that member.
    """
    behind = range(verb + 1, min(verb + 1 + _MOST_BETWEEN, len(words)))
    before = () if words[verb].text.isascii() else range(verb - 1, max(-1, verb - 1 - _MOST_BETWEEN), -1)
    first = next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
    if first is None:
        return None
    if (
        reading(words[first - 1].text).has("thing")
        and code_of(words[first]).removesuffix("()").isidentifier()
    ):
        return None  # *a method `clear`*: it is called so
    then = next((at for at in range(first + 1, len(words)) if "code" in words[at].kinds), first)
    member = _MEMBER.match(code_of(words[then]))
    return then if member is not None and member["key"] == code_of(words[first]) else first
