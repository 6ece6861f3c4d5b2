"""The words that differ between lines and the lines in whose place they are."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.text.line_diff import matching_blocks
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_WORD = regex(r"\w+|[ \t]+|.|\n")
_LEAST_SHARED = 0.4
"""The part of the letters of both sides that they have to share: of what has less in common, words that
happen to be the same would be noise."""


def changed_words(
    before: Sequence[str], after: Sequence[str]
) -> tuple[list[tuple[Span, ...]], list[tuple[Span, ...]]]:
    """Return, for each line of both sides, the parts of it that the other side does not have.

    The lines have no endings. Sides that have little in common get no parts at all.
    """
    old, new = (_WORD.findall("\n".join(side)) for side in (before, after))
    blocks = matching_blocks(old, new)
    shared = sum(len(word) for at, _, size in blocks for word in old[at : at + size] if word.strip())
    longer = max(sum(len(word) for word in side if word.strip()) for side in (old, new))
    if not longer or shared < _LEAST_SHARED * longer:
        return [()] * len(before), [()] * len(after)
    kept_old = {at + step for at, _, size in blocks for step in range(size)}
    kept_new = {at + step for _, at, size in blocks for step in range(size)}
    return _spans(old, kept_old), _spans(new, kept_new)


def _spans(words: Sequence[str], kept: set[int]) -> list[tuple[Span, ...]]:
    """Return the parts of each line that are in no kept word; neighbours are one part."""
    lines: list[list[Span]] = [[]]
    column = 0
    for number, word in enumerate(words):
        if word == "\n":
            lines.append([])
            column = 0
            continue
        end = column + len(word)
        spans = lines[-1]
        if number not in kept:
            if spans and spans[-1][1] == column:
                spans[-1] = (spans[-1][0], end)
            else:
                spans.append((column, end))
        column = end
    return [tuple(spans) for spans in lines]
