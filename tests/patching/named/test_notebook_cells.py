"""Notebooks by cell: what is written is the change alone, in the notebook's own layout."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation, Side, Target, TargetKind
from patchpoint.outcome import Status
from patchpoint.structure.notebook import notebook_of
from tests.sampling import tries

PATH = "a.ipynb"

LAYOUTS: dict[str, Callable[[Any], str]] = {
    "nbformat": lambda value: json.dumps(value, indent=1, ensure_ascii=False, sort_keys=True) + "\n",
    "two spaces": lambda value: json.dumps(value, indent=2) + "\n",
    "tabs": lambda value: json.dumps(value, indent="\t", ensure_ascii=False),
    "one line": json.dumps,
    "Windows": lambda value: json.dumps(value, indent=1).replace("\n", "\r\n"),
}

# A byte-order mark at the beginning of what a model wrote is none of its characters.
_TEXTS = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\ufeff"), max_size=30)


def _lines(source: str) -> list[str]:
    return [f"{line}\n" for line in source.split("\n")[:-1]] + [source.split("\n")[-1]] * bool(
        source.split("\n")[-1]
    )


@st.composite
def _cells(draw: st.DrawFn) -> list[dict[str, Any]]:
    cells: list[dict[str, Any]] = []
    for number in range(draw(st.integers(1, 4))):
        source = draw(_TEXTS)
        cell: dict[str, Any] = {
            "cell_type": draw(st.sampled_from(["code", "markdown", "raw"])),
            "id": f"c{number}",
            "metadata": {"x": draw(_TEXTS)},
            "source": draw(st.sampled_from([source, _lines(source)])),
        }
        if cell["cell_type"] == "code":
            cell |= {"execution_count": 3, "outputs": [{"output_type": "stream", "text": ['} ] , "\n']}]}
        cells.append(cell)
    return cells


def notebook(cells: list[dict[str, Any]]) -> dict[str, Any]:
    """A notebook of the newest version."""
    return {"cells": cells, "metadata": {"cells": "no"}, "nbformat": 4, "nbformat_minor": 5}


def placed(text: str, side: Side, name: str, source: str = "", cell_type: str = "") -> tuple[str, Status]:
    """The text of a notebook after one edit of a cell, and what became of the edit."""
    target = Target(TargetKind.CELL, name, side, cell_type=cell_type)
    edit = Edit(path=PATH, operation=Operation.PLACE, target=target, replace=source)
    report = apply_edits({PATH: text}, [edit])
    return report.files[PATH] or "", report.outcomes[0].status


def source_of(cell: dict[str, Any]) -> str:
    """The source of a cell as one text."""
    return "".join(cell["source"])


@given(_cells(), st.sampled_from(sorted(LAYOUTS)), _TEXTS, st.data())
@settings(deadline=None)
def test_a_replaced_cell_is_all_that_changes(
    cells: list[dict[str, Any]], layout: str, source: str, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(cells) - 1))
    text = LAYOUTS[layout](notebook(cells))
    after, status = placed(text, Side.INSTEAD, f"c{number}", source)
    if source == source_of(cells[number]):
        assert (after, status) == (text, Status.ALREADY_APPLIED)
        return
    read = json.loads(after)
    assert source_of(read["cells"][number]) == source
    assert type(read["cells"][number]["source"]) is type(cells[number]["source"])
    read["cells"][number]["source"] = cells[number]["source"]
    assert read == notebook(cells)
    found = notebook_of(text)
    assert found is not None
    start, end = found.cells[number].source_span
    assert after.startswith(text[:start])
    assert after.endswith(text[end:])


@given(_cells(), st.sampled_from(sorted(LAYOUTS)), _TEXTS, st.data())
@settings(deadline=None)
def test_a_new_cell_is_as_nbformat_writes_it_and_the_others_keep_every_byte(
    cells: list[dict[str, Any]], layout: str, source: str, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(cells) - 1))
    side = data.draw(st.sampled_from([Side.BEFORE, Side.AFTER]))
    text = LAYOUTS[layout](notebook(cells))
    after, _ = placed(text, side, f"c{number}", source, "code")
    read = json.loads(after)
    at = number + (side is Side.AFTER)
    new = read["cells"].pop(at)
    assert read == notebook(cells)
    assert source_of(new) == source
    assert sorted(new) == ["cell_type", "execution_count", "id", "metadata", "outputs", "source"]
    assert new["id"] not in {cell["id"] for cell in cells}
    if layout == "nbformat":
        everything = json.loads(after)
        assert after == LAYOUTS[layout](everything)


@given(_cells(), st.sampled_from(sorted(LAYOUTS)), st.data())
@settings(max_examples=tries(60), deadline=None)
def test_a_deleted_cell_leaves_the_rest_as_it_was(
    cells: list[dict[str, Any]], layout: str, data: st.DataObject
) -> None:
    number = data.draw(st.integers(0, len(cells) - 1))
    text = LAYOUTS[layout](notebook(cells))
    after, _ = placed(text, Side.DELETED, str(number))
    assert json.loads(after) == notebook([*cells[:number], *cells[number + 1 :]])
    if layout == "nbformat" and len(cells) > 1:
        assert after == LAYOUTS[layout](json.loads(after))


@given(st.text(max_size=200), st.data())
@settings(max_examples=tries(60), deadline=None)
def test_any_text_is_a_notebook_or_none(text: str, data: st.DataObject) -> None:
    notebook_of(text)
    whole = LAYOUTS["nbformat"](notebook([{"cell_type": "raw", "metadata": {}, "source": []}]))
    assert notebook_of(whole) is not None
    end = data.draw(st.integers(0, len(whole) - 2))
    notebook_of(whole[:end])


RUN = {"cell_type": "code", "execution_count": 1, "metadata": {}, "outputs": []}
CODE: list[dict[str, Any]] = [
    {**RUN, "source": ["x = 1\n", "y = 2"]},
    {"cell_type": "markdown", "metadata": {}, "source": ["x = 1 is *one*"]},
    {**RUN, "source": ["y = 2\n", "z = 3"]},
]
TEXT = LAYOUTS["nbformat"]({**notebook(CODE), "nbformat_minor": 4})


def replaced(search: str, new: str, **hints: Any) -> tuple[list[str], Status]:
    """The sources of the cells after an edit that quotes one, and what became of the edit."""
    edit = Edit(path=PATH, search=search, replace=new, **hints)
    report = apply_edits({PATH: TEXT}, [edit])
    read = json.loads(report.files[PATH] or "")
    return [source_of(cell) for cell in read["cells"]], report.outcomes[0].status


def test_code_that_is_quoted_as_code_is_found_in_its_cell() -> None:
    sources, status = replaced("x = 1\ny = 2\n", 'x = "1"\ny = 2\nprint(x)\n')
    assert status is Status.APPLIED
    assert sources == ['x = "1"\ny = 2\nprint(x)', "x = 1 is *one*", "y = 2\nz = 3"]


def test_a_cell_of_python_that_would_no_longer_parse_is_refused() -> None:
    source = ["def total(values):\n", "    result = sum(values)\n", "    return result\n"]
    text = LAYOUTS["nbformat"](notebook([{**RUN, "id": "c", "source": source}]))
    search = "def total(values):\n      result = sum(values)\n      return result\n"
    broken = search.replace(")", "", 1)
    other = text.replace('"cells": "no"', '"kernelspec": {"language": "R"}')
    for before, new, status in (
        (text, search.replace("sum", "max"), Status.APPLIED),
        (other, broken, Status.APPLIED),
        (text, broken, Status.NOT_FOUND),
    ):
        report = apply_edits({PATH: before}, [Edit(path=PATH, search=search, replace=new)])
        assert report.outcomes[0].status is status, report.outcomes[0].message
    assert "cell c, line 1" in report.outcomes[0].message
    assert report.files[PATH] == text


def test_what_is_in_two_cells_is_ambiguous_and_can_be_chosen() -> None:
    edit = Edit(path=PATH, search="y = 2", replace="y = 4")
    report = apply_edits({PATH: TEXT}, [edit])
    assert report.outcomes[0].status is Status.AMBIGUOUS
    assert len(report.outcomes[0].candidates) == 2
    for one in report.outcomes[0].candidates:
        assert "y = 2" in TEXT.splitlines()[one.line - 1]
    sources, status = replaced("y = 2", "y = 4", replace_all=True)
    assert status is Status.APPLIED
    assert sources == ["x = 1\ny = 4", "x = 1 is *one*", "y = 4\nz = 3"]


def test_code_that_reaches_over_two_cells_is_not_found() -> None:
    assert replaced("y = 2\nx = 1 is *one*\n", "y = 3\n")[1] is Status.NOT_FOUND


def test_the_json_of_a_notebook_may_be_quoted_too() -> None:
    sources, status = replaced('    "x = 1\\n",\n    "y = 2"\n', '    "x = 5\\n",\n    "y = 2"\n')
    assert status is Status.APPLIED
    assert sources[0] == "x = 5\ny = 2"


@pytest.mark.parametrize("first", [Side.BEFORE, Side.AFTER, Side.DELETED])
def test_a_number_that_an_earlier_edit_shifts_is_refused(first: Side) -> None:
    edits = [
        Edit(
            path=PATH, operation=Operation.PLACE, target=Target(TargetKind.CELL, "0", first, cell_type="raw")
        ),
        Edit(path=PATH, operation=Operation.PLACE, target=Target(TargetKind.CELL, "1"), replace="new"),
    ]
    report = apply_edits({PATH: TEXT}, edits)
    assert report.outcomes[1].status is Status.REJECTED
    assert "its id" in report.outcomes[1].message
    assert report.files == {PATH: TEXT}


def test_a_cell_of_another_type_is_deleted_and_made_again() -> None:
    after, status = placed(TEXT, Side.INSTEAD, "1", "x", "code")
    assert (after, status) == (TEXT, Status.REJECTED)
