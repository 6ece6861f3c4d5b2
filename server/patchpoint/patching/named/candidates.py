"""The places of a text that a person is offered for an edit, each named by the definition that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from patchpoint.dataclass import replace
from patchpoint.outcome import Candidate
from patchpoint.text.lines import LineTable

if TYPE_CHECKING:
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Find
    from patchpoint.text.lines import Span


PREVIEW_LINES = 5
MOST_CANDIDATES = 100
"""An ambiguous outcome lists no more places than this; its message gives their number."""
LEAST_SIMILARITY = 0.25
"""A place less similar to what an edit quotes is not offered."""


def offered(source: SourceText, finds: Iterable[Find]) -> list[Find]:
    """Return the finds that may be meant: those alike enough, with a letter or digit in their lines."""

    def may_be_meant(find: Find) -> bool:
        return find.similarity >= LEAST_SIMILARITY and any(
            map(str.isalnum, "".join(source.lines[slice(*find.lines)]))
        )

    return [find for find in finds if find.similarity >= 1 or may_be_meant(find)]


def candidates_at(source: SourceText, finds: Sequence[Find]) -> tuple[Candidate, ...]:
    """Return the first of the finds as candidates."""
    return tuple(
        candidate_at(source, find.lines, source.exact_span(find.span), similarity=find.similarity)
        for find in finds[:MOST_CANDIDATES]
    )


def candidate_at(
    source: SourceText, lines: Span, span: Span | None = None, *, similarity: float = 1.0, where: str = ""
) -> Candidate:
    """Return the candidate in the 0-based half-open range `lines`, with all of them as its span by default.

    `span` is in the exact text.
    """
    first, end = lines
    return Candidate(
        span=rows_span(source, lines) if span is None else span,
        similarity=similarity,
        line=first + 1,
        last_line=max(first + 1, end),
        preview="\n".join(source.lines[first : min(end, first + PREVIEW_LINES)]),
        where=where,
    )


def rows_span(source: SourceText, lines: Span) -> Span:
    """Return the span in the exact text of the 0-based half-open range `lines`, endings included."""
    return source.exact_span(source.whole_lines(*lines))


def exact_rows(source: SourceText, span: Span) -> Span:
    """Return the 0-based half-open range of the lines that a span of the exact text has something of."""
    table = LineTable.of(source.text)
    return table.line_of(span[0]), table.line_of(max(span[0], span[1] - 1)) + 1


def in_definitions(source: SourceText, path: str, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates with the definition around each, such as "in Cart > total", in its `where`.

    One that says where it is already stays as it is, and so does one that is in no definition.
    """
    found = []
    for one in candidates:
        # Loaded where it is needed: most edits have no candidates.
        from patchpoint.structure.lazy.outline.around import names_around

        names = () if one.where else names_around(source.plain, path, (one.line - 1, one.last_line))
        found.append(replace(one, where=f"in {' > '.join(names)}") if names else one)
    return tuple(found)
