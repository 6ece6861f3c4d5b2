"""What a sentence next to others, or to code, asks to remove: *Remove the line `a = 1` from `x.py`.*

Nothing but the words of the sentence says so, so it is proposed at most, where the file has that once.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.edit import Edit, Format, Operation, Side, Target, TargetKind, Unplaced
from patchpoint.formats.in_words.sentences import SentencesLeft, is_held
from patchpoint.formats.sentences.sentence import Reading, Word, readings

_HELD = "never offers done sample speaker"
_ONLY_SAID = "Only a sentence says so."
_MOST_BETWEEN = 4
"""So many words may be between the verb and what is removed."""


def removals_in_words(left: SentencesLeft) -> list[Unplaced]:
    """Return what sentences ask to remove, each from every file that is named for it."""
    return [one for start, text in left.sentences for one in _removed(left, start, text)]


def _removed(left: SentencesLeft, start: int, text: str) -> Iterator[Unplaced]:
    """Yield what a sentence asks to remove, if its verb is the first."""
    every = readings(text)
    if text.rstrip("*_ \n").endswith(("?", "？", ":", "：")) or is_held(text, _HELD):
        return
    for sentence in every:
        words = sentence.words
        verb = next((at for at, word in enumerate(words) if "remove" in word.kinds), None)
        if verb is None or sentence.has("old replace") or not _is_first(words[:verb]):
            continue
        objects = _objects(words, verb)
        if not objects:
            continue
        for at in objects:
            yield from _unplaced(left, text, start, sentence.paths, words[at])
        return


def _unplaced(
    left: SentencesLeft, text: str, start: int, paths: tuple[str, ...], word: Word
) -> Iterator[Unplaced]:
    """Yield the removal of what a word names, from every file that the sentence is about."""
    name = word.text.strip("`").strip()
    span = (start + word.start, start + word.end)
    for path in left.paths(start, paths):
        edit = Edit(
            path="",
            operation=Operation.PLACE,
            search=name,
            target=Target(TargetKind.DEFINITION, name.removesuffix("()"), Side.DELETED),
            doubt=_ONLY_SAID,
            format=Format.PAIR,
            span=span,
            lead=text,
        )
        message = f"this sentence removes `{name}` from {path}, and no edit was made of it"
        row = left.source.line_of(span[0]) + 1
        yield Unplaced(message=message, span=span, line=row, edit=edit, paths=(path,), is_sentence=True)


def _is_first(before: Sequence[Word]) -> bool:
    """Return whether nothing before a verb in its clause is more than a step, a place, or what fills."""
    at = max((at + 1 for at, word in enumerate(before) if word.kinds & {"stop", "purpose"}), default=0)
    return Reading(tuple(before[at:])).is_made_of("fill number file code removable thing of_file place")


def _objects(words: Sequence[Word], verb: int) -> list[int]:
    """Return which words are what is removed: next to the verb, on the side that is usual."""
    stop = next((at for at in range(verb + 1, len(words)) if "stop" in words[at].kinds), len(words))
    behind = range(verb + 1, min(verb + 2 + _MOST_BETWEEN, stop))
    # in German, an infinitive is behind it
    is_last = not words[verb].text.isascii() or words[verb].text.endswith("en")
    before = range(verb - 1, max(-1, verb - 2 - _MOST_BETWEEN), -1) if is_last else ()
    first = next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
    return [] if first is None else [first, *_joined(words, first)]


def _joined(words: Sequence[Word], first: int) -> Iterator[int]:
    """Yield which words go on a list that a word begins: `a`, `b` and `c`."""
    reached = first
    for at in range(first + 1, len(words)):
        joint = Reading(tuple(words[reached + 1 : at]))
        if not joint.is_made_of("fill stop") or joint.has("from of_file place"):
            return
        if "code" in words[at].kinds:
            yield at
            reached = at
