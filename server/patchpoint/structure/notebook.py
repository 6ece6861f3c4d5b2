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
from typing import Any

from patchpoint.dataclass import dataclass
from patchpoint.structure.languages import MAX_JSON_CHARACTERS
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

CELL_TYPES = ("code", "markdown", "raw")

_DECODER = json.JSONDecoder(strict=False)
_SPACE = regex(r"[ \t\n\r]*")
_LINE = regex(r"[^\n]*\n|[^\n]+")
_ESCAPE = regex(r"\\u(?!00[01])")
"""The escape of a character that JSON allows unescaped."""
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

    @cached_property
    def is_ascii(self) -> bool:
        """Whether characters beyond ASCII are written as escapes."""
        return self.text.isascii() and _ESCAPE.search(self.text) is not None


def notebook_of(text: str) -> Notebook | None:
    """Return the notebook in a text, or `None` if it is none that can be changed: not JSON, or no cells."""
    if len(text) > MAX_JSON_CHARACTERS:
        return None
    try:
        return _notebook(text)
    except (ValueError, RecursionError, KeyError, TypeError, IndexError):
        return None


def with_sources(notebook: Notebook, sources: Sequence[str]) -> str:
    """Return the text of a notebook with the source of each cell; those that stay keep their spelling."""
    pieces: list[str] = []
    reached = 0
    for cell, source in zip(notebook.cells, sources, strict=True):
        if source != cell.source:
            pieces += (notebook.text[reached : cell.source_span[0]], _source(notebook, cell, source))
            reached = cell.source_span[1]
    return "".join((*pieces, notebook.text[reached:]))


def without_cell(notebook: Notebook, number: int) -> str:
    """Return the text of a notebook without one of its cells, and without the comma that it needs no more."""
    text, cells = notebook.text, notebook.cells
    start, end = cells[number].span
    if number + 1 < len(cells):
        end = cells[number + 1].span[0]
    elif number:
        start = cells[number - 1].span[1]
    else:
        start, end = notebook.cells_span[0] + 1, notebook.cells_span[1] - 1
    return text[:start] + text[end:]


def with_new_cell(notebook: Notebook, number: int, cell_type: str, source: str) -> str:
    """Return the text of a notebook with a new cell before cell `number`, or at the end."""
    text, cells = notebook.text, notebook.cells
    depth = notebook.indentation * 2
    cell = _object(notebook, cell_type, source, depth)
    between = f"{notebook.ending}{depth}" if notebook.indentation else " "
    if number < len(cells):
        at = cells[number].span[0]
        return f"{text[:at]}{cell},{between}{text[at:]}"
    if cells:
        at = cells[-1].span[1]
        return f"{text[:at]},{between}{cell}{text[at:]}"
    at, end = notebook.cells_span[0] + 1, notebook.cells_span[1] - 1
    if not notebook.indentation:
        return f"{text[:at]}{cell}{text[end:]}"
    return f"{text[:at]}{between}{cell}{notebook.ending}{notebook.indentation}{text[end:]}"


def _notebook(text: str) -> Notebook | None:
    cells: list[Cell] | None = None
    cells_span = (0, 0)
    version = (0, 0)
    values = dict(_members(text, _skipped(text, 0)))
    for key, (start, end) in values.items():
        if key == "cells":
            cells, cells_span = [_cell(text, at) for at in _elements(text, start)], (start, end)
        elif key in ("nbformat", "nbformat_minor"):
            number = int(text[start:end])
            version = (number, version[1]) if key == "nbformat" else (version[0], number)
    if cells is None:
        return None
    has_ids = version >= (4, 5) or any(cell.id for cell in cells)
    return Notebook(text, tuple(cells), cells_span, has_ids)


def _cell(text: str, start: int) -> Cell:
    members = dict(_members(text, start))
    end = start
    for _, (_, member_end) in members.items():
        end = max(end, member_end)
    end = text.index("}", _skipped(text, end)) + 1
    source_span = members["source"]
    value = _value(text, source_span)
    items = tuple(_element_spans(text, source_span[0])) if isinstance(value, list) else ()
    source = "".join(value) if isinstance(value, list) else value
    name = _value(text, members["id"]) if "id" in members else ""
    cell_type = _value(text, members["cell_type"])
    if not isinstance(source, str) or not isinstance(name, str) or cell_type not in CELL_TYPES:
        raise ValueError("no cell")
    return Cell((start, end), source_span, source, name, cell_type, items)


def _value(text: str, span: Span) -> Any:  # noqa: ANN401 - whatever JSON has
    return _DECODER.raw_decode(text, span[0])[0]


def _members(text: str, start: int) -> Iterator[tuple[str, Span]]:
    """Yield the keys and the spans of the values of the object that begins at `start`."""
    return _entries(text, start, "{", "}")


def _element_spans(text: str, start: int) -> Iterator[Span]:
    """Yield the spans of the elements of the list that begins at `start`."""
    return (span for _, span in _entries(text, start, "[", "]"))


def _entries(text: str, start: int, opening: str, closing: str) -> Iterator[tuple[str, Span]]:
    """Yield the spans of the values between two brackets, each with its key in an object."""
    if text[start] != opening:
        raise ValueError(f"{opening!r} was expected")
    at = _skipped(text, start + 1)
    while text[at] != closing:
        key = ""
        if opening == "{":
            key, at = _DECODER.raw_decode(text, at)
            at = _skipped(text, _behind(text, _skipped(text, at), ":"))
        _, end = _DECODER.raw_decode(text, at)
        yield key, (at, end)
        at = _skipped(text, end)
        if text[at] == closing:
            return
        at = _skipped(text, _behind(text, at, ","))


def _elements(text: str, start: int) -> Iterator[int]:
    return (span[0] for span in _element_spans(text, start))


def _behind(text: str, at: int, sign: str) -> int:
    if text[at] != sign:
        raise ValueError(f"{sign!r} was expected")
    return at + 1


def _skipped(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at


def _source(notebook: Notebook, cell: Cell, source: str) -> str:
    """Return the value of a cell's source, written as the one that it replaces."""
    text = notebook.text
    start, end = cell.source_span
    if text[start] != "[":
        return _json(notebook, source)
    before = text[text.rfind("\n", 0, start) + 1 : start]
    margin = before[: len(before) - len(before.lstrip())]
    known = {_value(text, span): text[slice(*span)] for span in cell.source_items}
    is_long = "\n" in text[start:end] or (not cell.source_items and bool(notebook.indentation))
    return _list(notebook, source, margin, known, is_long=is_long)


def _list(notebook: Notebook, source: str, margin: str, known: dict[str, str], *, is_long: bool) -> str:
    lines = _LINE.findall(source)
    written = [known.get(line) or _json(notebook, line) for line in lines]
    if not written:
        return "[]"
    if not is_long:
        return f"[{', '.join(written)}]"
    item = f"{notebook.ending}{margin}{notebook.indentation}"
    return f"[{item}{f',{item}'.join(written)}{notebook.ending}{margin}]"


def _object(notebook: Notebook, cell_type: str, source: str, margin: str) -> str:
    """Return a new cell as nbformat writes it, its keys in alphabetical order."""
    members: dict[str, str] = {"cell_type": json.dumps(cell_type), "metadata": "{}"}
    if cell_type == "code":
        members |= {"execution_count": "null", "outputs": "[]"}
    if notebook.has_ids:
        members["id"] = json.dumps(_new_id(notebook, source))
    inner = margin + notebook.indentation
    is_long = bool(notebook.indentation)
    members["source"] = _list(notebook, source, inner, {}, is_long=is_long)
    lines = [f'"{key}": {value}' for key, value in sorted(members.items())]
    if not is_long:
        return f"{{{', '.join(lines)}}}"
    separator = f"{notebook.ending}{inner}"
    return f"{{{separator}{f',{separator}'.join(lines)}{notebook.ending}{margin}}}"


def _new_id(notebook: Notebook, source: str) -> str:
    """Return an id that no cell has, the same for the same notebook and source."""
    taken = {cell.id for cell in notebook.cells}
    number = 0
    while True:
        digest = hashlib.sha256(f"{number}\0{len(taken)}\0{source}".encode("utf-8", "surrogatepass"))
        if (found := digest.hexdigest()[:8]) not in taken:
            return found
        number += 1


def _json(notebook: Notebook, value: str) -> str:
    return json.dumps(value, ensure_ascii=notebook.is_ascii)


def cells_named(notebook: Notebook) -> str:
    """Return the ids of the first cells, or their numbers, in words."""
    names = [cell.id or str(number) for number, cell in enumerate(notebook.cells)]
    shown = ", ".join(names[:10])
    return f"{shown} and {len(names) - 10} more" if len(names) > 10 else shown or "none"
