"""The sources of all cells of a notebook as one text, in which an edit that quotes code is looked for.

Cells are parted by a line that nobody quotes. What is found goes back to the notebook cell by cell.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass, replace
from patchpoint.locate.source import SourceText
from patchpoint.outcome import Candidate, Outcome
from patchpoint.structure.notebook import Cell, Notebook, notebook_of, with_sources
from patchpoint.structure.parse import TextBefore
from patchpoint.text.lines import LineTable, Span
from patchpoint.text.splice import Splice, apply_splices

_PARTING = "\0\n"


@dataclass(frozen=True)
class CellSources:
    """The sources of a notebook's cells, one below the other."""

    notebook: Notebook

    @cached_property
    def text(self) -> str:
        """All sources, each with a line ending behind it and a line that parts it from the next."""
        return "".join(f"{cell.source}{_ending(cell)}{_PARTING}" for cell in self.notebook.cells)

    @cached_property
    def spans(self) -> tuple[Span, ...]:
        """The span of each source in `text`."""
        return tuple(self._spans())

    def with_splices(self, splices: Sequence[Splice]) -> str | None:
        """Return the notebook's text with changes of `text`; `None` where one is not within a cell."""
        sources: list[str] = []
        left = list(splices)
        for cell, (start, end) in zip(self.notebook.cells, self.spans, strict=True):
            limit = end + len(_ending(cell))
            own = [splice for splice in left if start <= splice.start and splice.end <= limit]
            left = [splice for splice in left if splice not in own]
            moved = [Splice(splice.start - start, splice.end - start, splice.text) for splice in own]
            source = apply_splices(cell.source + _ending(cell), moved) if own else cell.source
            if own and _ending(cell) and source.endswith("\n"):
                source = source[:-1]
            sources.append(source)
        return None if left else with_sources(self.notebook, sources)

    def problem_of(self, splices: Sequence[Splice]) -> str:
        """Return where a cell of Python would no longer parse after changes of `text`; empty if none does."""
        after = notebook_of(self.with_splices(splices) or "")
        if after is None or not self.notebook.is_python:
            return ""
        for number, (old, new) in enumerate(zip(self.notebook.cells, after.cells, strict=True)):
            if old.type == "code" and old.source != new.source:
                problem = TextBefore("cell.py", old.source).problem_of(new.source)
                if problem is not None:
                    return f"cell {old.id or number}, {problem}"
        return ""

    def is_within_a_cell(self, span: Span) -> bool:
        """Return whether a span of `text` is within one source, its line ending included."""
        number = self._cell_at(span[0])
        return span[1] <= self.spans[number][1] + 1

    def outward(self, span: Span) -> Span:
        """Return the span of the notebook's lines that have what is in a span of `text`."""
        first, last = self._value_at(span[0]), self._value_at(max(span[0], span[1] - 1))
        return first[0], max(first[1], last[1])

    def in_notebook(self, source: SourceText, candidate: Candidate) -> Candidate:
        """Return a candidate in `text` as one in the notebook, whose text is `source`."""
        start, end = self.outward(candidate.span)
        table = LineTable.of(source.plain)
        first, last = table.line_of(start), table.line_of(max(start, end - 1))
        span = source.exact_span((start, end))
        return replace(candidate, span=span, line=first + 1, last_line=last + 1)

    def place_of(self, source: SourceText, found: Outcome) -> Candidate:
        """Return the place in the notebook, whose text is `source`, of an edit that was found in `text`."""
        start, end = found.span or (0, 0)
        place = Candidate(
            span=(start, end),
            similarity=found.similarity or 1.0,
            line=1,
            last_line=1,
            preview=self.text[start:end].rstrip("\n"),
        )
        return self.in_notebook(source, place)

    def _spans(self) -> Iterator[Span]:
        at = 0
        for cell in self.notebook.cells:
            yield at, at + len(cell.source)
            at += len(cell.source) + len(_ending(cell)) + len(_PARTING)

    def _cell_at(self, offset: int) -> int:
        return max(0, bisect_right([start for start, _ in self.spans], offset) - 1)

    def _value_at(self, offset: int) -> Span:
        """Return the span in the notebook of the line of a source at an offset of `text`."""
        number = self._cell_at(offset)
        cell = self.notebook.cells[number]
        lines = cell.source[: offset - self.spans[number][0]].count("\n")
        return (
            cell.source_items[min(lines, len(cell.source_items) - 1)]
            if cell.source_items
            else cell.source_span
        )


def _ending(cell: Cell) -> str:
    return "" if cell.source.endswith("\n") else "\n"
