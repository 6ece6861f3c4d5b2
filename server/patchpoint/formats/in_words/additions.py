"""The lines that a sentence asks to add, and where: *Add `retries = 3` below `timeout` in `config.toml`.*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.formats.in_words.asked_change import AskedChange, code_of, edit_at
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings
from patchpoint.text.regex import regex

_MEMBER = regex(r"\"(?P<key>[^\"\n]{1,80})\"\s*:\s*\S")
_NEAR = 5
"""So many words may be between a verb or a name and what belongs to it."""


def added(sentence: Reading, text: str) -> Iterator[AskedChange]:
    """Yield the lines that a sentence, in words of places, asks to add, and where: one for each verb."""
    words = sentence.words
    begin = 2 * begins_with_aim(sentence)
    verbs = [at for at in range(begin, len(words)) if {"more", "others"} <= words[at].kinds]
    ends = [*(words[verb].start for verb in verbs[1:]), len(text)]
    for first, verb, end in zip([0, *ends], verbs, ends, strict=False):
        at = _line_added(words, verb)
        clause = Reading(tuple(word for word in words if first <= word.start < end))
        line = code_of(words[at]) if at is not None else ""
        is_member = _MEMBER.match(line) is not None and bool(
            clause.paths or sum("code" in word.kinds for word in clause.words) > 1
        )
        if (
            at is None
            or not line
            or "\n" in line
            or not (is_member or clause.has("below above last first inside") or _is_into(words, at, text))
        ):
            continue
        before = [word for word in words[:at] if "path" in word.kinds]
        paths = Reading(tuple(before[-1:])).paths or tuple(each for each in sentence.paths if each != line)
        lead = f"{text[first : words[at].start]}this{text[words[at].end : end]}"
        edit = edit_at(words[at], new=f"{line}\n", lead=lead)
        yield AskedChange(what=f"adds `{line}` to", edit=edit, paths=paths)


def adds(text: str) -> bool:
    """Return whether a sentence has a verb, in any language, by which something is added."""
    return any(
        {"more", "others"} <= word.kinds for one in readings(text, WordTable.PLACES) for word in one.words
    )


def begins_with_aim(sentence: Reading) -> bool:
    """Return whether a sentence begins with what it is for: *To add `x`, ...*."""
    return any(
        Reading(reading(word.text, WordTable.DOUBTS).words[:1]).has("aims") for word in sentence.words[:1]
    )


def _is_into(words: Sequence[Word], at: int, text: str) -> bool:
    """Return whether nothing but a preposition is between what is added and the file that it goes into."""
    paths = [each for each in range(len(words)) if "path" in words[each].kinds and each != at]
    near = min(paths, key=lambda each: abs(each - at), default=at)
    between = reading(text[words[min(near, at)].end : words[max(near, at)].start])
    return (
        near != at
        and between.is_made_of("fill onto with within change file of_file")
        and not between.has("stop")
    )


def _line_added(words: Sequence[Word], verb: int) -> int | None:
    """Return which word is the code that is to be added: next to the verb, behind it where that is usual.

    Where that is a name alone, and the next code the member of that name, it is that member.
    """
    behind = range(verb + 1, min(verb + _NEAR - 1, len(words)))
    before = () if words[verb].text.isascii() else range(verb - 1, max(-1, verb - _NEAR + 1), -1)
    first = next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
    if first is None:
        return None
    name = code_of(words[first])
    then = next((at for at in range(first + 1, len(words)) if "code" in words[at].kinds), first)
    member = _MEMBER.match(code_of(words[then]))
    if member is not None and member["key"] == name:
        return then
    unknown = [word for word in words[first + 1 : first + 2] if not word.kinds]
    is_called_so = reading(words[first - 1].text).has("thing") or any(
        not reading(word.text).words[0].kinds for word in unknown
    )
    # *a method `clear`*, *a `clear` button*
    return None if is_called_so and name.removesuffix("()").isidentifier() else first
