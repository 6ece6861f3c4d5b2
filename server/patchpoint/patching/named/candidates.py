"""The places of a text that a person is offered for an edit, each named by the definition that it is in."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING

from patchpoint.outcome import Candidate
from patchpoint.structure.lazy.definition import UnmergedError
from patchpoint.text.regex import regex

if TYPE_CHECKING:
    from patchpoint.locate.source import SourceText
    from patchpoint.locate.verdict import Find
    from patchpoint.structure.lazy.definition import Definition
    from patchpoint.text.lines import Span


PREVIEW_LINES = 5
MOST_CANDIDATES = 100
"""An ambiguous outcome lists no more places than this; its message gives their number."""
LEAST_SIMILARITY = 0.25
"""A place less similar to what an edit quotes is not offered."""

_MOST_CHARACTERS = 150_000
"""The definitions of a longer text are not named: that takes more than a tenth of a second."""
_LONGEST_NAME = 60
_HEADING = regex(r"#+ ")


def offered(source: SourceText, finds: Iterable[Find]) -> list[Find]:
    """Return the finds that may be meant: those alike enough, with a letter or digit in their lines."""
    return [find for find in finds if find.similarity >= 1 or _may_be_meant(source, find)]


def candidates_at(source: SourceText, finds: Sequence[Find]) -> tuple[Candidate, ...]:
    """Return the first of the finds as candidates."""
    return tuple(
        candidate_at(source, find.span, find.lines, find.similarity) for find in finds[:MOST_CANDIDATES]
    )


def candidate_at(source: SourceText, span: Span, lines: Span, similarity: float) -> Candidate:
    """Return the candidate with a span of the plain text, in the 0-based half-open range `lines`."""
    first, end = lines
    return Candidate(
        span=source.exact_span(span),
        similarity=similarity,
        line=first + 1,
        last_line=max(first + 1, end),
        preview="\n".join(source.lines[first : min(end, first + PREVIEW_LINES)]),
    )


def in_definitions(source: SourceText, path: str, candidates: Sequence[Candidate]) -> tuple[Candidate, ...]:
    """Return candidates with the definition around each, such as "in Cart > total", in its `where`.

    One that says where it is already stays as it is, and so does one that is in no definition.
    """
    if all(one.where for one in candidates) or len(source.plain) > _MOST_CHARACTERS:
        return tuple(candidates)
    outline = _outline_of(path, source.plain)
    return tuple(
        one if one.where or outline is None else replace(one, where=_named_around(outline, one))
        for one in candidates
    )


def _may_be_meant(source: SourceText, find: Find) -> bool:
    first, end = find.lines
    has_words = any(character.isalnum() for line in source.lines[first:end] for character in line)
    return has_words and find.similarity >= LEAST_SIMILARITY


# The edits of an answer, and a pending edit while nobody types, are held against the same text.
@lru_cache(maxsize=4)
def _outline_of(path: str, text: str) -> Definition | None:
    from patchpoint.structure.lazy.outline.by_grammar import outline_of_file

    try:
        return outline_of_file(text.split("\n"), path)[1]
    except UnmergedError:
        return None


def _named_around(outline: Definition, candidate: Candidate) -> str:
    """Return the definitions that begin above a candidate and end with it or below it, outermost first."""
    names: list[str] = []
    around: Definition | None = outline
    while around is not None:
        around = next(
            (
                one
                for one in around.children
                if one.start < candidate.line - 1 and candidate.last_line <= one.end
            ),
            None,
        )
        names += [_HEADING.sub("", around.name, count=1)[:_LONGEST_NAME]] if around is not None else []
    return f"in {' > '.join(names)}" if names else ""
