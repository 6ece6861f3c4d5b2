"""The smallest changes that turn one stretch of a text into another, in offsets of the exact text.

With them, the outcome of an edit that makes them.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from patchpoint.locate.source import SourceText
from patchpoint.outcome import Outcome, Rung, Status
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


def matched(
    source: SourceText, path: str, rung: Rung | None, span: Span, splices: tuple[Splice, ...], message: str
) -> Outcome:
    """Return the outcome of an edit that matched at a span of the exact text, and changes `splices` of it."""
    grown = sum(len(splice.text) - (splice.end - splice.start) for splice in splices)
    return Outcome(
        status=Status.MATCHED,
        path=path,
        rung=rung,
        span=span,
        new_span=(span[0], span[1] + grown),
        splices=splices,
        before=source.text,
        message=message,
    )


def made_by_structure(
    source: SourceText, path: str, new: str, places: Sequence[Span], message: str
) -> Outcome:
    """Return the outcome of an edit that turns a text into `new`, by what it changes of lines at `places`.

    Its span has all these spans of the exact text, and all that changes.
    """
    splices = splices_between(source, (0, len(source.plain)), new)
    spans = [*places, *((splice.start, splice.end) for splice in splices)] or [(0, 0)]
    span = min(start for start, _ in spans), max(end for _, end in spans)
    return matched(source, path, Rung.STRUCTURE, span, splices, message)


def text_of(source: SourceText, lines: Sequence[str]) -> str:
    """Return lines as a text that ends as the file does."""
    is_ended = bool(lines) and (source.plain.endswith("\n") or not source.plain)
    return "\n".join(lines) + ("\n" if is_ended else "")


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
