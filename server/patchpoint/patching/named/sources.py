"""The sources of all cells of a notebook as one text, in which an edit that quotes code is looked for.

Cells are parted by a line that nobody quotes. What is found goes back to the notebook cell by cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from patchpoint.dataclass import dataclass, replace
from patchpoint.locate.source import SourceText
from patchpoint.outcome import Candidate
from patchpoint.patching.named.candidates import exact_rows
from patchpoint.structure.notebook import Cell, Notebook, notebook_of, with_sources
from patchpoint.structure.parse import TextBefore
from patchpoint.text.lines import Span
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

    def with_splices(self, splices: Sequence[Splice]) -> str | None:
        """Return the notebook's text with changes of `text`; `None` where one is not within a cell."""
        *pieces, rest = apply_splices(self.text, splices).split(_PARTING)
        cells = self.notebook.cells
        if rest or len(pieces) != len(cells):
            return None
        added = [_ending(cell) for cell in cells]
        sources = [piece.removesuffix(end) for piece, end in zip(pieces, added, strict=True)]
        return with_sources(self.notebook, sources)

    def problem_of(self, after: str) -> str:
        """Return where a cell of Python no longer parses in the notebook `after`; empty if none does."""
        made = notebook_of(after)
        if made is None or not self.notebook.is_python:
            return ""
        for number, (old, new) in enumerate(zip(self.notebook.cells, made.cells, strict=True)):
            problem = TextBefore("cell.py", old.source).problem_of(new.source) if old.type == "code" else None
            if problem is not None:
                return f"cell {old.id or number}, {problem}"
        return ""

    def is_within_a_cell(self, span: Span) -> bool:
        """Return whether a span of `text` is within one source, its line ending included."""
        return _PARTING not in self.text[slice(*span)]

    def outward(self, span: Span) -> Span:
        """Return the span of the notebook's lines that have what is in a span of `text`."""
        first, last = self._value_at(span[0]), self._value_at(max(span[0], span[1] - 1))
        return first[0], max(first[1], last[1])

    def in_notebook(self, source: SourceText, candidate: Candidate) -> Candidate:
        """Return a candidate in `text` as one in the notebook, whose text is `source`."""
        span = source.exact_span(self.outward(candidate.span))
        first, end = exact_rows(source, span)
        return replace(candidate, span=span, line=first + 1, last_line=end)

    def _value_at(self, offset: int) -> Span:
        """Return the span in the notebook of the line of a source at an offset of `text`."""
        *before, source = self.text[:offset].split(_PARTING)
        cell = self.notebook.cells[min(len(before), len(self.notebook.cells) - 1)]
        items = cell.source_items
        return items[min(source.count("\n"), len(items) - 1)] if items else cell.source_span


def _ending(cell: Cell) -> str:
    return "" if cell.source.endswith("\n") else "\n"
