"""A cell of a notebook that an edit names by its id, or by its number from 0 as `cell-3` or `3`."""

from __future__ import annotations

from patchpoint.edit import Side, Target
from patchpoint.patching.named.unplaced import not_placed, not_there
from patchpoint.structure.notebook import CELL_TYPES, Notebook, WantedCell, notebook_of, with_cells
from patchpoint.text.regex import regex

_NUMBER = regex(r"(?:cell-)?(\d{1,9})")
_MOST_NAMED = 10


def with_cell(text: str, target: Target, source: str) -> str:
    """Return a notebook's text with `source` in the cell that `target` names, or in a new one next to it.

    A new cell goes to the top, or behind all others, where no cell is named. Raises `UnplacedError` where
    there is no such cell.
    """
    notebook = notebook_of(text)
    if notebook is None:
        raise not_placed(_shown(target), "the file is not a notebook with a list of cells")
    cells = [WantedCell(cell.source, number) for number, cell in enumerate(notebook.cells)]
    at = _number(notebook, target)
    if target.name and target.side is Side.DELETED:
        return with_cells(notebook, [*cells[:at], *cells[at + 1 :]])
    if target.name and target.side is Side.INSTEAD:
        known = notebook.cells[at].type
        if target.cell_type not in ("", known):
            why = f"its type is {known}; to make it {target.cell_type}, delete it and insert another"
            raise not_placed(_shown(target), why)
        return with_cells(notebook, [*cells[:at], WantedCell(source, at), *cells[at + 1 :]])
    if target.cell_type not in CELL_TYPES:
        why = "the type of the new cell ('cell_type') was expected: code, markdown or raw"
        raise not_placed(_shown(target), why)
    at += target.side is Side.AFTER
    return with_cells(notebook, [*cells[:at], WantedCell(source, type=target.cell_type), *cells[at:]])


def names_by_id(text: str, target: Target) -> bool:
    """Return whether a cell of the notebook has the name as its id."""
    notebook = notebook_of(text)
    return notebook is not None and any(cell.id == target.name for cell in notebook.cells)


def _number(notebook: Notebook, target: Target) -> int:
    """Return the number of the cell of an id or, where no cell has it, of a number from 0.

    One past the last is a place to insert at, and so are the first and the last where no cell is named.
    """
    count = len(notebook.cells)
    if not target.name:
        return count if target.side is Side.AFTER else 0
    of_id = [number for number, cell in enumerate(notebook.cells) if cell.id == target.name]
    found = _NUMBER.fullmatch(target.name)
    numbers = of_id or ([int(found[1])] if found else [])
    if len(numbers) != 1 or numbers[0] >= count + (target.side is Side.BEFORE):
        names = [cell.id or str(number) for number, cell in enumerate(notebook.cells)]
        more = f" and {count - _MOST_NAMED} more" if count > _MOST_NAMED else ""
        raise not_there(
            f"a cell {target.name}; its cells are {', '.join(names[:_MOST_NAMED]) or 'none'}{more}"
        )
    return numbers[0]


def _shown(target: Target) -> str:
    return f"cell {target.name}" if target.name else "a new cell"
