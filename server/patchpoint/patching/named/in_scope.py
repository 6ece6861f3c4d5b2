"""The places inside a definition for lines that an edit adds to it, with no line of the file next to them.

Nothing tells where they go: below the head of the definition and at its end are offered, for a person to
choose.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import dataclass
from patchpoint.locate.hints import scope_ranges
from patchpoint.locate.source import SourceText, indentation
from patchpoint.outcome import Candidate
from patchpoint.patching.named.candidates import candidate_at
from patchpoint.text.lines import Span


@dataclass(frozen=True, slots=True)
class PlaceInScope:
    """A place between two lines."""

    line: int
    """The number of lines above it, at least one."""
    span: Span
    """The same in the exact text; it is empty."""
    where: str

    def candidate(self, source: SourceText) -> Candidate:
        """Return the place as one that a person can choose."""
        return candidate_at(source, (self.line - 1, self.line), self.span, where=self.where)


def places_in_scope(source: SourceText, scope: Sequence[str]) -> Iterator[PlaceInScope]:
    """Yield the places in each definition that `scope` names, outermost first."""
    for start, end in scope_ranges(source, scope):
        head = _end_of_head(source, start, end)
        last = _end_of_body(source, start, head, end)
        yield PlaceInScope(head, _span(source, head), "after its first line")
        if last > head:
            yield PlaceInScope(last, _span(source, last), "at its end")


def _end_of_head(source: SourceText, start: int, end: int) -> int:
    """Return one past the lines of a head: up to where its parentheses close, and a brace alone below."""
    depth = 0
    for number in range(start, end):
        line = source.stripped[number]
        depth += sum(line.count(one) for one in "([") - sum(line.count(one) for one in ")]")
        if depth <= 0:
            below = number + 1
            return below + 1 if below < end and source.stripped[below] == "{" else below
    return start + 1


def _end_of_body(source: SourceText, start: int, head: int, end: int) -> int:
    """Return one past the last line of a body: neither blank lines below it nor its closing bracket count."""
    depth = len(indentation(source.lines[start]))
    while end > head:
        text = source.stripped[end - 1]
        closes = text[:1] in (")", "]", "}") and len(indentation(source.lines[end - 1])) <= depth
        if text and not closes:
            break
        end -= 1
    return end


def _span(source: SourceText, line: int) -> Span:
    at = source.starts[line] if line < len(source.starts) else len(source.plain)
    return source.exact_span((at, at))
