"""The smallest changes that turn one stretch of a text into another, in offsets of the exact text."""

from __future__ import annotations

from bisect import bisect_right

from patchpoint.locate.alignment import common_start
from patchpoint.locate.hunks import differences
from patchpoint.locate.source import Source
from patchpoint.text.lines import Span
from patchpoint.text.splices import Splice


def splices_between(source: Source, span: Span, new: str) -> tuple[Splice, ...]:
    r"""The ordered, disjoint changes that make `new` of the stretch `span` of `source.plain`.

    Only lines that differ are touched, and of those only what differs. `new` has `\n` for line endings; what
    is written has, for each, the ending of the line it replaces, else that of the line before.
    """
    return tuple(
        Splice(*source.exact_span((start, end)), _with_endings(source, (start, end), text))
        for start, end, text in _changes(source.plain, span, new)
    )


def _changes(text: str, span: Span, new: str) -> list[tuple[int, int, str]]:
    old_lines = _lines(text[span[0] : span[1]])
    new_lines = _lines(new)
    offsets = [span[0]]
    for line in old_lines:
        offsets.append(offsets[-1] + len(line))
    changes = []
    for i1, i2, j1, j2 in differences(old_lines, new_lines):
        changes.append(_trimmed(text, offsets[i1], offsets[i2], "".join(new_lines[j1:j2])))
    return changes


def _lines(text: str) -> list[str]:
    """The lines of a plain text, with their line feeds."""
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _trimmed(text: str, start: int, end: int, new: str) -> tuple[int, int, str]:
    """The change of one stretch, without what the two have in common at either end."""
    old = text[start:end]
    lead = common_start(old, new)
    tail = common_start(old[lead:][::-1], new[lead:][::-1])
    return start + lead, end - tail, new[lead : len(new) - tail]


def _with_endings(source: Source, span: Span, text: str) -> str:
    """`text` with the line endings of its neighbourhood in the exact text for its line feeds."""
    if "\n" not in text or "\r" not in source.text:
        return text
    if source.only_crlf:
        return text.replace("\n", "\r\n")
    line = bisect_right(source.starts, span[0]) - 1
    count = source.plain.count("\n", *span)
    endings = [source.ending(number) for number in range(line, line + count)]
    before = next((ending for number in range(line - 1, -1, -1) if (ending := source.ending(number))), "")
    usual = (endings[-1] if endings else "") or before or source.ending(line) or "\n"
    if span[0] > source.starts[min(line, len(source.starts) - 1)] and not endings:
        usual = source.ending(line) or usual
    pieces = text.split("\n")
    written = pieces[0]
    for number, piece in enumerate(pieces[1:]):
        written += (endings[number] if number < len(endings) and endings[number] else usual) + piece
    return written
