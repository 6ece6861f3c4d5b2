"""The places inside a definition for lines that an edit adds to it, with no line of the file next to them.

Nothing tells where they go: below the head of the definition and at its end are offered, for a person to
choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.locate.hints import scope_ranges
from patchpoint.locate.source import SourceText, indentation
from patchpoint.outcome import Candidate
from patchpoint.patching.named.candidates import candidate_at


def places_in_scope(source: SourceText, scope: Sequence[str]) -> Iterator[Candidate]:
    """Yield the places in each definition that `scope` names, outermost first.

    Each has an empty span, and the line above it.
    """
    for start, end in scope_ranges(source, scope):
        head = _end_of_head(source, start, end)
        last = _end_of_body(source, start, head, end)
        for line, which in ((head, "first"), (last, "last"))[: 1 + (last > head)]:
            at = source.starts[line]
            span = source.exact_span((at, at))
            yield candidate_at(source, (line - 1, line), span, where=f"below its {which} line")


def _end_of_head(source: SourceText, start: int, end: int) -> int:
    """Return one past the lines of a head: up to where its parentheses close, and a brace alone below."""
    depth = 0
    for number in range(start, end):
        line = source.stripped[number]
        depth += sum(map(line.count, "([")) - sum(map(line.count, ")]"))
        if depth <= 0:
            below = number + 1
            return below + 1 if below < end and source.stripped[below] == "{" else below
    return start + 1


def _end_of_body(source: SourceText, start: int, head: int, end: int) -> int:
    """Return one past the last line of a body: neither blank lines below it nor its closing bracket count."""
    margin = indentation(source.lines[start])
    while end > head:
        text = source.stripped[end - 1]
        closes = text[:1] in (")", "]", "}") and len(indentation(source.lines[end - 1])) <= len(margin)
        if text and not closes:
            break
        end -= 1
    return end
