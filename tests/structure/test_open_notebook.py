"""What an editor shows of a notebook, held against the file."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from patchpoint.structure.open_notebook import OpenCell, OpenNotebook

SOURCES = st.text(alphabet='ab\n"\\é ', max_size=12)
CELLS = st.lists(st.builds(OpenCell, st.booleans(), SOURCES), max_size=6)


def cell(source: str, kind: str = "code", *, name: str = "") -> dict[str, Any]:
    """Return a cell as it is in a file, its source as a list of lines."""
    outputs = {"execution_count": 3, "outputs": [{"output_type": "stream"}]} if kind == "code" else {}
    ids = {"id": name} if name else {}
    lines = source.splitlines(keepends=True)
    return {"cell_type": kind, **ids, "metadata": {"kept": True}, **outputs, "source": lines}


def notebook(*cells: dict[str, Any], indent: int | None = 1, minor: int = 5) -> str:
    """Return the text of a notebook."""
    return json.dumps(
        {"cells": list(cells), "metadata": {}, "nbformat": 4, "nbformat_minor": minor}, indent=indent
    )


def as_open(text: str) -> OpenNotebook:
    """Return a notebook as an editor has it that just opened it."""
    cells = json.loads(text)["cells"]
    return OpenNotebook(
        tuple(OpenCell(one["cell_type"] == "markdown", "".join(one["source"])) for one in cells)
    )


def test_cells_as_they_are_in_the_file_are_saved() -> None:
    text = notebook(cell("import os\n"), cell("# Title", "markdown"), cell("%%html", "raw"))
    assert as_open(text).is_in(text)


def test_another_source_is_not_saved() -> None:
    text = notebook(cell("a = 1"))
    assert not OpenNotebook((OpenCell(False, "a = 2"),)).is_in(text)


def test_a_cell_more_or_of_another_kind_is_not_saved() -> None:
    text = notebook(cell("a = 1"))
    assert not OpenNotebook((OpenCell(False, "a = 1"), OpenCell(False, ""))).is_in(text)
    assert not OpenNotebook((OpenCell(True, "a = 1"),)).is_in(text)


def test_the_line_endings_of_the_editor_are_no_difference() -> None:
    text = notebook(cell("a = 1\nb = 2"))
    assert OpenNotebook((OpenCell(False, "a = 1\r\nb = 2"),)).is_in(text)


def test_what_is_no_notebook_has_no_cells() -> None:
    opened = OpenNotebook((OpenCell(False, "a = 1"),))
    assert not opened.is_in("{")
    assert opened.written_over("{") is None


def test_a_changed_cell_keeps_its_outputs_and_the_others_every_byte() -> None:
    text = notebook(cell("a = 1", name="one"), cell("b = 1", name="two"), cell("c = 1", name="three"))
    sources = [OpenCell(False, "a = 1"), OpenCell(False, "b = 2\nb += 1"), OpenCell(False, "c = 1")]
    written = OpenNotebook(tuple(sources)).written_over(text)
    assert written is not None
    assert json.loads(written)["cells"][1] == cell("b = 2\nb += 1", name="two")
    expected = text.replace('"b = 1"', '"b = 2\\n",\n    "b += 1"')
    assert written == expected


def test_a_cell_between_two_others_is_added_and_the_others_keep_their_outputs() -> None:
    text = notebook(cell("a = 1", name="one"), cell("b = 1", name="two"))
    sources = [OpenCell(False, "a = 1"), OpenCell(True, "# New"), OpenCell(False, "b = 1")]
    written = OpenNotebook(tuple(sources)).written_over(text)
    assert written is not None
    cells = json.loads(written)["cells"]
    assert [one["cell_type"] for one in cells] == ["code", "markdown", "code"]
    assert (cells[0], cells[2]) == (cell("a = 1", name="one"), cell("b = 1", name="two"))


@given(before=CELLS, after=CELLS, indent=st.sampled_from([None, 1, 2]), minor=st.sampled_from([4, 5]))
def test_what_is_written_has_the_cells_of_the_editor(
    before: list[OpenCell], after: list[OpenCell], indent: int | None, minor: int
) -> None:
    text = notebook(
        *(cell(one.source, "markdown" if one.is_markdown else "code") for one in before),
        indent=indent,
        minor=minor,
    )
    opened = OpenNotebook(tuple(after))
    written = opened.written_over(text)
    assert written is not None
    assert opened.is_in(written)
    assert opened.written_over(written) == written
    json.loads(written)
