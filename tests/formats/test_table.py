"""The table of formats: nothing that is read is missing from it, and every row is documented and tried."""

from __future__ import annotations

import pytest

from patchpoint.edit import Format
from patchpoint.formats import FORMAT_NAMES, FORMATS, parse_edits
from patchpoint.formats.table import FormatRow, function_named
from tests.formats.examples import FOLDER, read_example
from tools.format_sections import SECTIONS as OF_FORMATS
from tools.format_sections import Section
from tools.formats_page import PAGE, SECTIONS

ROWS = pytest.mark.parametrize("row", FORMATS, ids=lambda row: row.format.value)


def test_every_format_of_an_edit_has_a_row_and_a_name_in_the_protocol() -> None:
    read_from_text = [one for one in Format if one is not Format.REQUEST]
    assert sorted(row.format.name for row in FORMATS) == sorted(one.name for one in read_from_text)
    assert ("auto", *(row.format.value for row in FORMATS)) == FORMAT_NAMES


@ROWS
def test_a_format_has_a_sign_at_which_it_is_read(row: FormatRow) -> None:
    assert row.readers


@ROWS
def test_what_reads_a_format_is_there(row: FormatRow) -> None:
    bare = [row.read_bare] if row.read_bare else []
    assert all(
        callable(function_named(name)) for name in (*row.readers.values(), *row.rest, *bare, *row.sifts)
    )


def test_no_two_kinds_of_sign_have_one_name() -> None:
    patterns = {pattern for row in FORMATS for pattern in row.readers}
    assert len({pattern.name for pattern in patterns}) == len(patterns)


@ROWS
def test_a_format_has_an_example_that_is_read_as_it_even_when_it_is_insisted_on(row: FormatRow) -> None:
    name = row.format.name.lower().replace("_", "-")
    assert any(name in section.examples for section in OF_FORMATS[row.format])
    example = read_example(FOLDER / f"{name}.txt")
    for wanted in ("auto", row.format.value):
        items = parse_edits(example.answer, wanted)
        assert row.format in {item.format for item in items}


@pytest.mark.parametrize("section", SECTIONS, ids=lambda section: section.title)
def test_a_section_has_an_example_for_all_that_its_names_begin_with(section: Section) -> None:
    for prefix in section.examples:
        assert list(FOLDER.glob(f"{prefix}*.txt")), prefix
    assert f"\n## {section.title}\n" in PAGE.read_text(encoding="utf-8")
