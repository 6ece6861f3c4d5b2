"""The cells of a Jupyter notebook in its text, and the text with one cell changed, added or deleted.

Only what changes is written, in the notebook's own layout: its indentation, its way to write a source (a list
of lines, or one text), its spelling of every line that stays. Outputs, metadata and other cells keep every
byte. The format is nbformat's (nbformat.readthedocs.io, versions 4.0 to 4.5).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import count
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.structure.problem import MAX_JSON_CHARACTERS
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

CELL_TYPES = ("code", "markdown", "raw")

_DECODER = json.JSONDecoder(strict=False)
_SPACE = regex(r"[ \t\n\r]*")
_LINE = regex(r"[^\n]*\n|[^\n]+")
_OTHER_LANGUAGE = regex(r'"language"\s*:\s*"(?!python")')
_INDENTATION = regex(r"\{\r?\n([ \t]+)\"")


@dataclass(frozen=True)
class Cell:
    """One cell, as spans of the notebook's text."""

    span: Span
    """The whole object."""
    source_span: Span
    """The value of its source."""
    source: str
    id: str
    type: str
    source_items: tuple[Span, ...] = ()
    """The texts of a source that is a list."""


@dataclass(frozen=True)
class Notebook:
    """A notebook's text and its cells."""

    text: str
    cells: tuple[Cell, ...]
    cells_span: Span
    """The value of `cells`, a list."""
    has_ids: bool
    """Its version gives every cell an id."""

    @cached_property
    def indentation(self) -> str:
        """The indentation of one level; empty for a notebook that is on one line."""
        found = _INDENTATION.match(self.text, self.text.find("{"))
        return found[1] if found else ""

    @cached_property
    def ending(self) -> str:
        """The line ending of its layout."""
        return "\r\n" if "\r\n" in self.text else "\n"

    @cached_property
    def is_python(self) -> bool:
        """Whether its code is Python, as far as its metadata say."""
        start, end = self.cells_span
        return not _OTHER_LANGUAGE.search(self.text[:start] + self.text[end:])


def notebook_of(text: str) -> Notebook | None:
    """Return the notebook in a text, or `None` if it is none that can be changed: not JSON, or no cells."""
    if len(text) > MAX_JSON_CHARACTERS:
        return None
    try:
        return _notebook(text)
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None


@dataclass(frozen=True, slots=True)
class WantedCell:
    """A cell as it is to be: one that the notebook has, by its number from 0, or a new one of a type."""

    source: str
    number: int | None = None
    type: str = "code"


def with_cells(notebook: Notebook, wanted: Sequence[WantedCell]) -> str:
    """Return the text of a notebook with the cells that are wanted, in their order, and no others.

    A cell that it has keeps every byte but those of another source, and what parts it from the one before.
    """
    text, cells = notebook.text, notebook.cells
    start, end = notebook.cells_span[0] + 1, notebook.cells_span[1] - 1
    depth = notebook.indentation * 2
    between = f",{notebook.ending}{depth}" if notebook.indentation else ", "
    taken = {cell.id for cell in cells}
    pieces: list[str] = []
    for one in wanted:
        if one.number is None:
            pieces += (between, _object(notebook, one, depth, taken))
            continue
        own = cells[one.number]
        parting = text[cells[one.number - 1].span[1] : own.span[0]] if one.number else between
        source = text[slice(*own.source_span)]
        if one.source != own.source:
            source = _source(notebook, own, one.source)
        kept = text[own.span[0] : own.source_span[0]], source, text[own.source_span[1] : own.span[1]]
        pieces += (parting, "".join(kept))
    around = (between[1:], f"{notebook.ending}{notebook.indentation}") if notebook.indentation else ("", "")
    if cells:
        around = text[start : cells[0].span[0]], text[cells[-1].span[1] : end]
    written = f"{around[0]}{''.join(pieces[1:])}{around[1]}" if pieces else ""
    return text if not cells and not wanted else f"{text[:start]}{written}{text[end:]}"


def with_sources(notebook: Notebook, sources: Sequence[str]) -> str:
    """Return the text of a notebook with the source of each cell; those that stay keep their spelling."""
    return with_cells(notebook, [WantedCell(source, number) for number, source in enumerate(sources)])


def _notebook(text: str) -> Notebook:
    values = dict(_entries(text, _skipped(text, 0), "{"))
    cells = tuple(_cell(text, span) for _, span in _entries(text, values["cells"][0], "["))
    version = [
        int(text[slice(*values[key])]) if key in values else 0 for key in ("nbformat", "nbformat_minor")
    ]
    has_ids = version >= [4, 5] or any(cell.id for cell in cells)
    return Notebook(text, cells, values["cells"], has_ids)


def _cell(text: str, span: Span) -> Cell:
    members = dict(_entries(text, span[0], "{"))
    source_span = members["source"]
    value = _value(text, source_span)
    items = tuple(item for _, item in _entries(text, source_span[0], "[")) if isinstance(value, list) else ()
    source = "".join(value) if isinstance(value, list) else value
    name = _value(text, members["id"]) if "id" in members else ""
    cell_type = _value(text, members["cell_type"])
    if not isinstance(source, str) or not isinstance(name, str) or cell_type not in CELL_TYPES:
        raise ValueError("no cell")
    return Cell(span, source_span, source, name, cell_type, items)


def _value(text: str, span: Span) -> Any:  # noqa: ANN401 - whatever JSON has
    return _DECODER.raw_decode(text, span[0])[0]


def _entries(text: str, start: int, opening: str) -> Iterator[tuple[str, Span]]:
    """Yield the spans of the values between the brackets that begin at `start`, each with its key, if any."""
    closing = "}" if opening == "{" else "]"
    at = _behind(text, start, opening)
    while text[at] != closing:
        key = ""
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _behind(text, _skipped(text, at), ":")
        _, end = _DECODER.raw_decode(text, at)
        yield key, (at, end)
        at = _skipped(text, end)
        if text[at] != closing:
            at = _behind(text, at, ",")


def _behind(text: str, at: int, sign: str) -> int:
    """Return where what follows a sign begins. Raises `ValueError` where the text has another one."""
    if text[at] != sign:
        raise ValueError(f"{sign!r} was expected")
    return _skipped(text, at + 1)


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _source(notebook: Notebook, cell: Cell, source: str) -> str:
    """Return the value of a cell's source, written as the one that it replaces."""
    text = notebook.text
    start, end = cell.source_span
    if text[start] != "[":
        return json.dumps(source, ensure_ascii=False)
    before = text[text.rfind("\n", 0, start) + 1 : start]
    margin = before[: len(before) - len(before.lstrip())]
    known = {_value(text, span): text[slice(*span)] for span in cell.source_items}
    is_long = "\n" in text[start:end] or (not cell.source_items and bool(notebook.indentation))
    return _list(notebook, source, margin, known, is_long=is_long)


def _list(notebook: Notebook, source: str, margin: str, known: dict[str, str], *, is_long: bool) -> str:
    written = [known.get(line) or json.dumps(line, ensure_ascii=False) for line in _LINE.findall(source)]
    return f"[{_laid_out(notebook, written, margin, is_long=is_long)}]"


def _object(notebook: Notebook, cell: WantedCell, margin: str, taken: set[str]) -> str:
    """Return a new cell as nbformat writes it, its keys in alphabetical order, and its id as `taken`."""
    members: dict[str, str] = {"cell_type": json.dumps(cell.type), "metadata": "{}"}
    if cell.type == "code":
        members |= {"execution_count": "null", "outputs": "[]"}
    if notebook.has_ids:
        members["id"] = json.dumps(_new_id(taken, cell.source))
    is_long = bool(notebook.indentation)
    members["source"] = _list(notebook, cell.source, margin + notebook.indentation, {}, is_long=is_long)
    lines = [f'"{key}": {value}' for key, value in sorted(members.items())]
    return f"{{{_laid_out(notebook, lines, margin, is_long=is_long)}}}"


def _laid_out(notebook: Notebook, items: Sequence[str], margin: str, *, is_long: bool) -> str:
    """Return what is between two brackets, each item on a line of its own if it `is_long`."""
    if not is_long or not items:
        return ", ".join(items)
    separator = f"{notebook.ending}{margin}{notebook.indentation}"
    return f"{separator}{f',{separator}'.join(items)}{notebook.ending}{margin}"


def _new_id(taken: set[str], source: str) -> str:
    """Return an id that no cell has, the same for the same notebook and source; it is `taken` then."""
    for number in count():
        digest = hashlib.sha256(f"{number}\0{len(taken)}\0{source}".encode("utf-8", "surrogatepass"))
        found = digest.hexdigest()[:8]
        if found not in taken:
            break
    taken.add(found)
    return found
