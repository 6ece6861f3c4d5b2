"""What a sentence asks to remove: *Remove the line `a = 1` from `x.py`. Delete `y.py`.*"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import takewhile

from patchpoint.dataclass import replace
from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind
from patchpoint.formats.in_words.frame import ONLY_SAID, AskedChange, change_at, code_of
from patchpoint.formats.sentences.sentence import Reading, Word, reading

_MOST_BETWEEN = 4
"""So many words may be between the verb and what is removed."""


def removed(sentence: Reading, text: str, _: str) -> Iterator[AskedChange]:
    """Yield what a sentence asks to remove from every file that it names, if its verb is the first."""
    words = sentence.words
    verb = next((at for at, word in enumerate(words) if "remove" in word.kinds), None)
    if verb is None or sentence.has("old replace") or not _is_first(words[:verb]):
        return
    files = _files(words, verb)
    for file in files:
        edit = Edit(path="", operation=Operation.DELETE, doubt=ONLY_SAID, format=Format.PAIR, lead=text)
        span = (file.start, file.end)
        yield AskedChange(what="deletes", edit=replace(edit, span=span), paths=Reading((file,)).paths)
    if files:
        return
    for at in _objects(words, verb, text):
        name = code_of(words[at])
        target = Target(TargetKind.DEFINITION, name.removesuffix("()"), Side.DELETED)
        edit = change_at(words[at], words[at], search=name, target=target, lead=text)
        yield AskedChange(what=f"removes `{name}` from", edit=edit, paths=sentence.paths, is_in_each=True)


def _files(words: Sequence[Word], verb: int) -> list[Word]:
    """Return the files that are removed: all code of a sentence, behind the verb, at the end of a clause."""
    clause = list(takewhile(lambda word: word.text not in (";", "；"), words))
    named = [at for at, word in enumerate(clause) if word.kinds & {"code", "path"}]
    first = named[0] if named else 0
    if first <= verb or "path" not in words[first].kinds or not _is_first(words[:verb], ""):
        return []
    if [first, *_joined(words, first, "path")] != named:
        return []
    last = named[-1]
    behind = words[last + 1].kinds if last + 1 < len(words) else frozenset(("end",))
    between = Reading(tuple(words[verb + 1 : first]))
    is_object = between.is_made_of("fill file") and not between.has("from number")
    return [words[at] for at in named] if is_object and behind & {"stop", "end", "purpose"} else []


def _is_first(before: Sequence[Word], subject: str = "file code removable thing of_file") -> bool:
    """Return whether nothing before a verb in its clause is more than a step, a place, or what fills.

    A `subject` may be there, as in *the constant `A` can be removed*.
    """
    at = max((at + 1 for at, word in enumerate(before) if word.kinds & {"stop", "purpose"}), default=0)
    return Reading(tuple(before[at:])).is_made_of(f"fill number place {subject}")


def _objects(words: Sequence[Word], verb: int, text: str) -> list[int]:
    """Return which words are what is removed: next to the verb, on the side that is usual."""
    stop = next((at for at in range(verb + 1, len(words)) if "stop" in words[at].kinds), len(words))
    behind = range(verb + 1, min(verb + 2 + _MOST_BETWEEN, stop))
    # in German, an infinitive is behind it
    is_last = not words[verb].text.isascii() or words[verb].text.endswith("en")
    before = range(verb - 1, max(-1, verb - 2 - _MOST_BETWEEN), -1) if is_last else ()
    first = next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
    if first is None or (
        first > verb and _is_of_another(text[words[verb].end : words[first].start], text[words[first].end :])
    ):
        return []
    return [first, *_joined(words, first, "code")]


def _is_of_another(between: str, behind: str) -> bool:
    """Return whether code behind a verb only says where something is: *the body of `f`*, *all but `f`*."""
    before = reading(between)
    return (before.has("its but place") and not before.has("itself")) or reading(behind.lstrip()[:1]).has(
        "whose"
    )


def _joined(words: Sequence[Word], first: int, kind: str) -> Iterator[int]:
    """Yield which words of a kind go on a list that a word begins: `a`, `b` and `c`."""
    reached = first
    for at in range(first + 1, len(words)):
        joint = Reading(tuple(words[reached + 1 : at]))
        if not joint.is_made_of("fill stop") or joint.has("from of_file place"):
            return
        if kind in words[at].kinds:
            yield at
            reached = at
