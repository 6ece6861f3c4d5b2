"""A notebook as an editor has it open: its cells, which may differ from those of the file."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile

from patchpoint.dataclass import dataclass
from patchpoint.structure.notebook import Cell, WantedCell, notebook_of, with_cells
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
        return notebook is not None and _of_file(notebook.cells) == _compared(self.cells)

    def written_over(self, text: str) -> str | None:
        """Return `text` with these cells; `None` if no notebook is in it.

        Cells that are in both keep every byte, those with another source their outputs and metadata.
        """
        notebook = notebook_of(text)
        if notebook is None:
            return None
        shown, there = _compared(self.cells), _of_file(notebook.cells)
        wanted: list[WantedCell] = []
        reached = 0
        behind = (len(there), len(there)), (len(shown), len(shown))
        for (start, end), (first, last) in (*changed_ranges(there, shown), behind):
            wanted += [WantedCell(notebook.cells[old].source, old) for old in range(reached, start)]
            # A cell does not become one of another type: from there on they are new.
            pairs = zip(there[start:end], shown[first:last], strict=False)
            alike = len([*takewhile(lambda pair: pair[0][0] == pair[1][0], pairs)])
            for at, of_cell in enumerate(shown[first:last]):
                kind = "markdown" if of_cell[0] == _MARKDOWN else "code"
                wanted.append(WantedCell(of_cell[1:], start + at if at < alike else None, kind))
            reached = end
        return with_cells(notebook, wanted)


_MARKDOWN = "M"


def _of_file(cells: Iterable[Cell]) -> list[str]:
    return _compared(OpenCell(cell.type == "markdown", cell.source) for cell in cells)


def _compared(cells: Iterable[OpenCell]) -> list[str]:
    """Return cells as they are compared: an editor may have other line endings than the file."""
    return [
        (_MARKDOWN if cell.is_markdown else "C") + cell.source.replace("\r\n", "\n").replace("\r", "\n")
        for cell in cells
    ]
