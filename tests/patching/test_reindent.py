"""The depth of new lines follows from the quotation alone, in the order in which it was quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.outcome import Rung
from patchpoint.patching.merging.reindent import Depths

TWO, FOUR, EIGHT = " " * 2, " " * 4, " " * 8


def test_one_depth_quoted_for_two_of_the_file_steps_from_the_later_one() -> None:
    # A set of these pairs has another order in each process, since strings are hashed with a random seed.
    stepping = Depths(((0, FOUR, "\t"), (1, FOUR, TWO), (2, EIGHT, FOUR)), (), ())
    assert stepping.of_new_line(" " * 12, 2) == " " * 6
    broken = Depths(((0, FOUR, TWO), (1, FOUR, "\t"), (2, EIGHT, FOUR)), (), ())
    assert broken.of_new_line(" " * 12, 2) == EIGHT


@pytest.mark.parametrize(
    ("text", "search", "replace"),
    [
        ("def go():\n    x = 1\n    y = 2\n", "x = 1\n    y = 2", "if x:\n\tx = 1\n\ty = 3"),
        ("def go():\n\tx = 1\n", "x = 1", "if x:\n        x = 1\n"),
        ("class A:\n        x = 1\n        y = 2\n", "x = 1\n        y = 2", "x = 1\n\t\ty = 3"),
    ],
)
def test_what_is_found_exactly_is_written_in_the_tabs_or_spaces_of_the_replacement(
    text: str, search: str, replace: str
) -> None:
    outcome = apply_edit(text, search, replace)
    assert outcome.rung is Rung.EXACT
    assert outcome.text == text.replace(search, replace)


@given(st.sampled_from(["    ", "\t", "  "]), st.sampled_from(["    ", "\t", " \t"]), st.integers(0, 2))
def test_whole_lines_found_exactly_are_replaced_to_the_letter(depth: str, other: str, first: int) -> None:
    lines = [f"{depth * number}line {number}\n" for number in range(1, 5)]
    search = "".join(lines[first : first + 2])
    replace = "".join(f"{other * (3 - number)}new {number}\n" for number in range(3))
    assert apply_edit("".join(lines), search, replace).text == "".join(lines).replace(search, replace)
