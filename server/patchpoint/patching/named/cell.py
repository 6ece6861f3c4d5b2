"""A cell of a notebook that an edit names by its id, or by its number from 0 as `cell-3` or `3`."""

from __future__ import annotations

from patchpoint.edit import Side, Target
from patchpoint.outcome import Reason
from patchpoint.patching.named.unplaced import UnplacedError
from patchpoint.structure.notebook import (
    CELL_TYPES,
    Notebook,
    cells_named,
    notebook_of,
    with_new_cell,
    with_sources,
    without_cell,
)
from patchpoint.text.regex import regex

_NUMBER = regex(r"(?:cell-)?(\d{1,9})")


def with_cell(text: str, target: Target, source: str) -> str:
    """Return a notebook's text with `source` in the cell that `target` names, or in a new one next to it.

    A new cell goes to the top, or behind all others, where no cell is named. Raises `UnplacedError` where
    there is no such cell.
    """
    notebook = notebook_of(text)
    if notebook is None:
        why = "the file is not a notebook with a list of cells"
        raise UnplacedError(Reason.NOT_PLACED, {"name": _shown(target), "why": why})
    if not target.name:
        at = len(notebook.cells) if target.side is Side.AFTER else 0
        return with_new_cell(notebook, at, _type(target), source)
    number = _number(notebook, target.name)
    if number is None and target.side is Side.BEFORE and target.name == str(len(notebook.cells)):
        return with_new_cell(notebook, len(notebook.cells), _type(target), source)
    if number is None:
        raise UnplacedError(Reason.NO_CELL, {"name": target.name, "cells": cells_named(notebook)})
    if target.side is Side.DELETED:
        return without_cell(notebook, number)
    if target.side is not Side.INSTEAD:
        return with_new_cell(notebook, number + (target.side is Side.AFTER), _type(target), source)
    known = notebook.cells[number].type
    if target.cell_type not in ("", known):
        why = f"its type is {known}; to make it {target.cell_type}, delete it and insert another"
        raise UnplacedError(Reason.NOT_PLACED, {"name": _shown(target), "why": why})
    sources = [cell.source for cell in notebook.cells]
    return with_sources(notebook, [*sources[:number], source, *sources[number + 1 :]])


def names_by_id(text: str, target: Target) -> bool:
    """Return whether a cell of the notebook has the name as its id."""
    notebook = notebook_of(text)
    return notebook is not None and any(cell.id == target.name for cell in notebook.cells)


def _number(notebook: Notebook, name: str) -> int | None:
    """Return the number of the cell of an id or, where no cell has it, of a number from 0."""
    of_id = [number for number, cell in enumerate(notebook.cells) if cell.id == name]
    if of_id:
        return of_id[0] if len(of_id) == 1 else None
    found = _NUMBER.fullmatch(name)
    return int(found[1]) if found and int(found[1]) < len(notebook.cells) else None


def _type(target: Target) -> str:
    if target.cell_type in CELL_TYPES:
        return target.cell_type
    why = "the type of the new cell ('cell_type') was expected: code, markdown or raw"
    raise UnplacedError(Reason.NOT_PLACED, {"name": _shown(target), "why": why})


def _shown(target: Target) -> str:
    return f"cell {target.name}" if target.name else "a new cell"
