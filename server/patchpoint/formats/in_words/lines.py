"""A line that a sentence says is to be added, and where: *Add `b = 2` right below `a = 1` in `x.py`.*

Nothing but the words of the sentence says so, so it is proposed at most, where the file has that place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.edit import Edit, Format, Operation, Unplaced
from patchpoint.formats.in_words.sentences import SentencesLeft, is_held
from patchpoint.formats.sentences.sentence import Reading, Word, WordTable, reading, readings
from patchpoint.formats.source import AnswerText
from patchpoint.text.lines import Span

_ONLY_SAID = "Only a sentence says so."
_MOST_BETWEEN = 3
"""So many words may be between the one that asks to add something and that."""
_SIDES = "below above last first inside"
_HELD = "never offers done old sample remove replace"


def lines_in_words(left: SentencesLeft) -> list[Unplaced]:
    """Return the lines that sentences ask to add, each with the file that is named for it.

    Lines that code shows as well, or one of the edits adds, are left out.
    """
    found = (one for start, text in left.sentences for one in _lines_in(left, start, text))
    return [
        one
        for one in found
        if one.edit is not None
        and (one.edit.replace.strip().isidentifier() or not left.shows(one.edit.replace))
    ]


def _lines_in(left: SentencesLeft, start: int, text: str) -> Iterator[Unplaced]:
    """Yield the lines that a sentence asks to add, if it does: one for each verb."""
    said = text.rstrip("*_ \n")
    if said.endswith(("?", "？", ":", "：")) or is_held(text, _HELD):
        return
    for sentence in readings(text, WordTable.PLACES):
        words = sentence.words
        verbs = [at for at, word in enumerate(words) if {"more", "others"} <= word.kinds]
        added = {verb: _added(words, verb) for verb in verbs if not _is_not(text)}
        ends = [*(words[verb].start for verb in verbs[1:]), len(text)]
        found = []
        for first, verb, end in zip([0, *ends], verbs, ends, strict=False):
            at = added.get(verb)
            clause = Reading(tuple(word for word in words if first <= word.start < end))
            if at is None or not clause.has(_SIDES):
                continue
            line = words[at].text.strip("`").strip()
            before = [word for word in words if "path" in word.kinds and word.end <= words[at].start]
            named = Reading(tuple(before[-1:])).paths or tuple(
                each for each in sentence.paths if each != line
            )
            paths = left.paths(start, named)
            lead = f"{text[first : words[at].start]}this{text[words[at].end : end]}"
            if "\n" not in line and line and len(paths) == 1:
                found.append(
                    _line(left.source, (start + words[at].start, start + words[at].end), line, paths, lead)
                )
        if found:
            yield from found
            return


def _is_not(text: str) -> bool:
    """Return whether a sentence says *not*, but for what it says it is for."""
    words = reading(text).words
    end = next((word.start for word in words if "purpose" in word.kinds), len(text))
    return any(one.has("not") for one in readings(text[:end], WordTable.PLACES))


def _line(source: AnswerText, span: Span, line: str, paths: tuple[str, ...], lead: str) -> Unplaced:
    edit = Edit(
        path="",
        operation=Operation.MERGE,
        replace=f"{line}\n",
        doubt=_ONLY_SAID,
        format=Format.PAIR,
        span=span,
        lead=lead,
    )
    message = f"this sentence adds `{line}` to {paths[0]}, and no edit was made of it"
    row = source.line_of(span[0]) + 1
    return Unplaced(message=message, span=span, line=row, edit=edit, paths=paths, is_sentence=True)


def _added(words: Sequence[Word], verb: int) -> int | None:
    """Return which word is the code that is to be added: next to the verb, behind it where that is usual."""
    behind = range(verb + 1, min(verb + 1 + _MOST_BETWEEN, len(words)))
    before = () if words[verb].text.isascii() else range(verb - 1, max(-1, verb - 1 - _MOST_BETWEEN), -1)
    return next((at for at in (*behind, *before) if "code" in words[at].kinds), None)
