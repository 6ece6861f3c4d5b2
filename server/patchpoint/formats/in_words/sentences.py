"""The sentences of an answer with code that nothing else of it shows, and the files that they name."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.edit import Edit
from patchpoint.formats.fences import outer_fences
from patchpoint.formats.in_words.pairs import paths_said, sentences_in
from patchpoint.formats.labels import named_last_above
from patchpoint.formats.source import AnswerText, Item
from patchpoint.text.regex import regex

_CODE = regex(r"(?<!`)`{1,2}([^`\n]{1,600})`{1,2}(?!`)")


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
        added = (item.replace for item in items if isinstance(item, Edit))
        shown = squeezed("".join([*(source.lines[row] for row in rows), *added]))
        known = f"{shown} {' '.join({item.path for item in items})}"
        every = [(start, text) for start, text, _ in sentences_in(source) if _is_left(text, known)]
        return cls(source, every, shown)

    def paths(self, start: int, paths: tuple[str, ...]) -> tuple[str, ...]:
        """Return the `paths` that a sentence names, or the files of what is above it."""
        return paths_said(self.source, start, paths) or named_last_above(
            self.source, self.source.line_of(start)
        )

    def shows(self, code: str) -> bool:
        """Return whether the answer shows some code."""
        return squeezed(code) in self.shown


def squeezed(text: str) -> str:
    """Return a text without white space."""
    return "".join(text.split())


def _is_left(text: str, known: str) -> bool:
    leads_on = text.rstrip("*_ \n").endswith((":", "："))
    return not leads_on and any(squeezed(code) not in known for code in _CODE.findall(text))
