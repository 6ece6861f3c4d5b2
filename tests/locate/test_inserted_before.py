"""Lines that an edit adds around an exact search text are added once, however often the edit is applied."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.outcome import Status

MODULE = "import json\n\nfrom shop import Basket\n\n\ndef load(path):\n    return Basket(path)\n"
ADDED = "from datetime import date\n"


@pytest.mark.parametrize(
    ("search", "replace"),
    [
        ("from shop import Basket\n", f"{ADDED}\nfrom shop import Basket\n"),
        ("import json\n", f"import json\n{ADDED}"),
        ("    return Basket(path)\n", "    log.info(path)\n    return Basket(path)\n    # the end of it\n"),
        ("from shop import Basket", "from datetime import date\nfrom shop import Basket"),
    ],
)
def test_the_second_time_it_is_there_already(search: str, replace: str) -> None:
    first = apply_edit(MODULE, search, replace)
    assert first.status is Status.APPLIED
    assert first.text is not None
    assert apply_edit(first.text, search, replace).status is Status.ALREADY_APPLIED


def test_lines_that_may_be_there_by_chance_are_added() -> None:
    assert apply_edit("one\n}\ntwo\n", "two\n", "}\ntwo\n").text == "one\n}\n}\ntwo\n"


def test_a_change_of_the_search_text_itself_is_made() -> None:
    text = f"{ADDED}x = compute(1)\n"
    assert (
        apply_edit(text, "x = compute(1)\n", f"{ADDED}x = compute(2)\n").text
        == f"{ADDED}{ADDED}x = compute(2)\n"
    )


def test_a_part_of_a_line_is_no_line() -> None:
    text = "a = first_of(b)\nprint(first_of, b)\n"
    replaced = apply_edit(text, "a = first_of", "a = first_of\nprint(first_of, b)")
    assert replaced.status is Status.APPLIED


@given(
    st.lists(
        st.sampled_from(["alpha beta gamma", "delta epsilon", "", "    zeta eta theta"]),
        min_size=1,
        max_size=4,
    )
)
def test_whatever_is_added_is_added_once(added: list[str]) -> None:
    search = "from shop import Basket\n"
    replace = "".join(f"{line}\n" for line in added) + search
    first = apply_edit(MODULE, search, replace)
    if sum(len(line.replace(" ", "")) for line in added) >= 12:
        assert first.text is not None
        assert apply_edit(first.text, search, replace).status is Status.ALREADY_APPLIED


RATES = """\
rates = [
    ("letter", 3, True),
    ("parcel", 7, True),
    ("crate", 9, False),
]
"""


def test_a_line_to_be_removed_at_the_edge_that_is_there_otherwise_is_not_gone() -> None:
    removed = '    ("letter", 3, True),\n    ("parcel", weight(), surcharge),\n'
    outcome = apply_edit(RATES, removed, '    ("letter", 3, True),\n')
    assert outcome.status is Status.NOT_FOUND


def test_lines_that_are_kept_and_are_in_several_places_do_not_show_that_others_are_gone() -> None:
    text = "def a():\n    start()\n    stop()\n\n\ndef b():\n    start()\n    stop()\n"
    outcome = apply_edit(text, "    start()\n    stop()\n    report()\n", "    start()\n    stop()\n")
    assert outcome.status in (Status.NOT_FOUND, Status.AMBIGUOUS)


def test_a_line_that_was_removed_at_the_edge_is_gone() -> None:
    gone = '    ("crate", 9, False),\n]\n# the end of the rates\n'
    assert apply_edit(RATES, gone, '    ("crate", 9, False),\n]\n').status is Status.ALREADY_APPLIED
