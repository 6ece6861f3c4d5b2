"""The smallest changes that turn one stretch of a text into another, in offsets of the exact text."""

from __future__ import annotations

from bisect import bisect_right

from patchpoint.locate.source import SourceText
from patchpoint.text.lines import Span
from patchpoint.text.splice import Splice, minimal_splices


def splices_between(source: SourceText, span: Span, new: str) -> tuple[Splice, ...]:
    r"""Return the ordered, disjoint changes that turn the stretch `span` of `source.plain` into `new`.

    Only the differing parts of differing lines are touched. `new` has `\n` for line endings; each is written
    as the ending of the line it replaces, or else of the line before.
    """
    start = span[0]
    spans = [
        ((start + splice.start, start + splice.end), splice.text)
        for splice in minimal_splices(source.plain[slice(*span)], new)
    ]
    return tuple(
        Splice(*source.exact_span(where), _with_endings(source, where, text)) for where, text in spans
    )


def _with_endings(source: SourceText, span: Span, text: str) -> str:
    """Return `text` with its line feeds replaced by the line endings around it in the exact text."""
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
