"""The sentences of an answer with code that nothing else of it shows, and the files that they name."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import takewhile

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit
from patchpoint.formats.fences import outer_fences
from patchpoint.formats.in_words.pairs import named_near, paths_said, sentences_in
from patchpoint.formats.sentences.sentence import Reading, WordTable, may_have, reading, readings
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import regex

_CODE = regex(r"(?<!`)`{1,2}([^`\n]{1,600})`{1,2}(?!`)")

_NOT_MEANT = regex(
    r"(?i)\((?:and|und|et|y|e|not|nicht|pas|no|não|не|the|because|since|nothing|nobody|der|die|das|weil|denn|nichts|le|la|les"
    r"|parce que|car|rien|el|los|las|porque|ya que|nada|o|os|as|já que|потому что)\b[^()\n]{0,200}\)"
)
"""What is said in brackets of something else, or why."""
_FIRST_WORDS = 3


@dataclass(frozen=True, slots=True)
class SentencesLeft:
    """The sentences of an answer that have code which is nowhere else in it, each with where it begins."""

    source: AnswerText
    sentences: Sequence[tuple[int, str]]
    shown: str
    """All code that the answer shows, and that its edits bring, without white space."""

    @classmethod
    def of(cls, source: AnswerText, items: list[Item]) -> SentencesLeft:
        """Return those of an answer with some edits, but for those that lead to code.

        There are none where code has no end: what it would have shown is not known.
        """
        fences = list(outer_fences(source))
        if not all(fence.closed for fence in fences):
            return cls(source, (), "")
        rows = (row for fence in fences for row in range(fence.first, fence.end))
        added = (item.replace for item in items if isinstance(item, Edit) and item.target is None)
        shown = squeezed("".join([*(source.lines[row] for row in rows), *added]))
        known = f"{shown} {' '.join({item.path for item in items})}"
        heads = {fence.first for fence in fences}
        every = [
            (start, text)
            for start, text in _with_what_goes_on(source)
            if _is_left(text, known) and not _is_right_above(source, start + len(text), heads)
        ]
        return cls(source, every, shown)

    def paths(self, start: int, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return the `paths` that a sentence names, or the files of what is above it."""
        return paths_said(self.source, start, paths) or named_near(self.source, start)

    def shows(self, code: str) -> bool:
        """Return whether the answer shows some code."""
        return squeezed(code) in self.shown


def is_held(text: str, kinds: str) -> bool:
    """Return whether a sentence has words of some kinds in any language, but for what it says it is for."""
    for sentence in readings(text):
        asked = takewhile(lambda word: "purpose" not in word.kinds, sentence.words)
        if Reading(tuple(asked)).has(kinds):
            return True
    return False


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _with_what_goes_on(source: AnswerText) -> Iterator[tuple[int, str]]:
    """Yield the sentences, without what is said in brackets of something else, or why.

    One without code is part of the sentence before it if it asks to change *it*.
    """
    held: tuple[int, str] | None = None
    for start, said, _ in sentences_in(source):
        text = _NOT_MEANT.sub(lambda found: " " * len(found[0]), said) if "(" in said else said
        if held and "`" not in text and _changes_it(text):
            held = held[0], held[1] + source.text[held[0] + len(held[1]) : start + len(text)]
            continue
        if held:
            yield held
        held = start, text
    if held:
        yield held


def _changes_it(text: str) -> bool:
    """Return whether a sentence asks to change *it*."""
    sentence = reading(text)
    return sentence.has("change assign replace") and Reading(sentence.words[:_FIRST_WORDS]).has("this")


def _is_right_above(source: AnswerText, end: int, heads: Collection[int]) -> bool:
    """Return whether nothing but blank lines is between the end of a sentence and code."""
    row = source.line_of(max(0, end - 1))
    rest = source.text[end : source.starts[row + 1] if row + 1 < len(source.starts) else None]
    below = next((at for at in range(row + 1, len(source.lines)) if source.bare(at)), None)
    return not rest.strip() and below in heads


def _is_left(text: str, known: str) -> bool:
    leads_on = text.rstrip("*_ \n").endswith((":", "："))
    if leads_on or "`" not in text:
        return False
    is_removal = may_have(text, WordTable.LEADS, "remove")
    return is_removal or any(squeezed(code) not in known for code in _CODE.findall(text))
