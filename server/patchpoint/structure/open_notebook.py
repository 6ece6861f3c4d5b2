"""A notebook as an editor has it open: its cells, which may differ from those of the file."""

from __future__ import annotations

from collections.abc import Sequence
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
        return notebook is not None and _shown(notebook.cells) == _with_line_feeds(self.cells)

    def written_over(self, text: str) -> str | None:
        """Return `text` with these cells; `None` if no notebook is in it.

        Cells that are in both keep every byte, those with another source their outputs and metadata.
        """
        notebook = notebook_of(text)
        if notebook is None:
            return None
        shown, there = _with_line_feeds(self.cells), _shown(notebook.cells)
        changed = changed_ranges(_compared(there), _compared(shown))
        wanted: list[WantedCell] = []
        reached = 0
        for (start, end), (first, last) in (*changed, ((len(there), len(there)), (len(shown), len(shown)))):
            wanted += [WantedCell(notebook.cells[old].source, old) for old in range(reached, start)]
            # A cell does not become one of another type: from there on they are new.
            pairs = takewhile(
                lambda pair: there[pair[0]].is_markdown == shown[pair[1]].is_markdown,
                zip(range(start, end), range(first, last), strict=False),
            )
            shared = [WantedCell(shown[new].source, old) for old, new in pairs]
            new = shown[first + len(shared) : last]
            wanted += shared
            wanted += [WantedCell(one.source, type="markdown" if one.is_markdown else "code") for one in new]
            reached = end
        return with_cells(notebook, wanted)


def _shown(cells: Sequence[Cell]) -> list[OpenCell]:
    return _with_line_feeds([OpenCell(cell.type == "markdown", cell.source) for cell in cells])


def _compared(cells: Sequence[OpenCell]) -> list[str]:
    return [f"{cell.is_markdown} {cell.source}" for cell in cells]


def _with_line_feeds(cells: Sequence[OpenCell]) -> list[OpenCell]:
    """Return cells as they are compared: an editor may have other line endings than the file."""
    return [
        OpenCell(cell.is_markdown, cell.source.replace("\r\n", "\n").replace("\r", "\n")) for cell in cells
    ]
