"""A notebook as an editor has it open: its cells, which may differ from those of the file."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.dataclass import dataclass
from patchpoint.structure.notebook import (
    Cell,
    Notebook,
    notebook_of,
    with_new_cell,
    with_sources,
    without_cell,
)
from patchpoint.text.line_diff import changed_ranges


@dataclass(frozen=True, slots=True)
class OpenCell:
    """What an editor tells of a cell: its source, and whether that is Markdown; raw cells count as code."""

    is_markdown: bool
    source: str


@dataclass(frozen=True, slots=True)
class OpenNotebook:
    """The cells of a notebook that is open in an editor. Outputs are not among what an editor tells."""

    cells: tuple[OpenCell, ...]

    def is_in(self, text: str) -> bool:
        """Return whether the notebook in `text` has these cells; false if there is none in it."""
        notebook = notebook_of(text)
        return notebook is not None and _shown(notebook.cells) == _with_line_feeds(self.cells)

    def written_over(self, text: str) -> str | None:
        """Return `text` with these cells; `None` if no notebook is in it.

        Cells that are in both keep every byte, those with another source their outputs and metadata.
        """
        notebook = notebook_of(text)
        if notebook is None:
            return None
        wanted = _with_line_feeds(self.cells)
        there = _shown(notebook.cells)
        # From the last to the first, so that the numbers of the cells before stay what they are.
        for (start, end), (first, last) in reversed(changed_ranges(_compared(there), _compared(wanted))):
            shared = 0
            while (
                shared < min(end - start, last - first)
                and there[start + shared].is_markdown == wanted[first + shared].is_markdown
            ):
                shared += 1
            for number in reversed(range(start + shared, end)):
                text = without_cell(_known(text), number)
            for cell in reversed(wanted[first + shared : last]):
                kind = "markdown" if cell.is_markdown else "code"
                text = with_new_cell(_known(text), start + shared, kind, cell.source)
            notebook = _known(text)
            sources = [cell.source for cell in notebook.cells]
            sources[start : start + shared] = [cell.source for cell in wanted[first : first + shared]]
            text = with_sources(notebook, sources)
        return text


def _known(text: str) -> Notebook:
    notebook = notebook_of(text)
    assert notebook is not None, "a change of its cells leaves a notebook"
    return notebook


def _shown(cells: Sequence[Cell]) -> list[OpenCell]:
    return _with_line_feeds([OpenCell(cell.type == "markdown", cell.source) for cell in cells])


def _compared(cells: Sequence[OpenCell]) -> list[str]:
    return [f"{cell.is_markdown} {cell.source}" for cell in cells]


def _with_line_feeds(cells: Sequence[OpenCell]) -> list[OpenCell]:
    """Return cells as they are compared: an editor may have other line endings than the file."""
    return [
        OpenCell(cell.is_markdown, cell.source.replace("\r\n", "\n").replace("\r", "\n")) for cell in cells
    ]
