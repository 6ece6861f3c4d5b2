"""Definitions that a sentence asks to move within their file: *Move `load` below `open`.*"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.edit import Side, Target, TargetKind
from patchpoint.formats.in_words.asked_change import AskedChange, code_of, edit_at
from patchpoint.formats.in_words.held import may_ask
from patchpoint.formats.sentences.sentence import (
    Reading,
    Word,
    WordTable,
    likely_readings,
    may_have,
    readings,
)

_NAMES = 2


def moved_definition(text: str) -> list[AskedChange]:
    """Return the definition that a sentence asks to move above or below another one of its file."""
    if not may_have(text, WordTable.LEADS, "move") or not may_ask(text, is_report=False):
        return []
    for sentence in likely_readings(text):
        words = sentence.words
        codes = [at for at, word in enumerate(words) if "code" in word.kinds]
        verb = next((at for at, word in enumerate(words) if "move" in word.kinds), None)
        if verb is None or len(codes) < _NAMES or len(sentence.paths) > 1:
            continue
        moved, anchor = codes[:_NAMES]
        side = _side(text, words, (moved, anchor))
        names = [code_of(words[at]).removesuffix("()") for at in (moved, anchor)]
        is_said = _is_said(words, verb, moved, "its") and _is_said(words, verb, anchor, "")
        if side is None or names[0] == names[1] or not is_said:
            continue
        target = Target(TargetKind.DEFINITION, names[0], side, last=names[1])
        edit = edit_at(words[moved], search=names[0], target=target, lead=text)
        what = f"moves `{names[0]}` {'above' if side is Side.BEFORE else 'below'} `{names[1]}` in"
        return [AskedChange(what=what, edit=edit, paths=sentence.paths)]
    return []


def _is_said(words: tuple[Word, ...], verb: int, at: int, others: str) -> bool:
    """Return whether a verb and what it is about are in one clause, and not of something else."""
    first, last = sorted((verb, at))
    return not Reading(words[first + 1 : last]).has(f"stop uses {others}")


def _side(text: str, words: Sequence[Word], codes: tuple[int, int]) -> Side | None:
    """Return on which side of the second code the first one goes, by the words next to that."""
    moved, anchor = (words[at] for at in codes)
    for one in readings(text, WordTable.PLACES):
        is_unspaced = any(word.is_unspaced for word in one.words)
        near = [
            word.kinds
            for word in one.words
            if (anchor.end <= word.start if is_unspaced else moved.end <= word.start < anchor.start)
            and word.kinds & {"above", "below"}
        ]
        kinds = near[0] if near and (is_unspaced or len(near) == 1) else frozenset[str]()
        if kinds:
            return Side.BEFORE if "above" in kinds else Side.AFTER
    return None
