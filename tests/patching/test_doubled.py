"""A replacement that repeats lines next to its place: they stay there, and are not written again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.outcome import Status

NAMES = st.lists(st.from_regex(r"k[a-z]{3,8}", fullmatch=True), min_size=7, max_size=12, unique=True)
TOTAL = """class Shop:
    def total(self, orders):
        result = 0
        for order in orders:
            result += order.amount
        return result

    def close(self):
        self.open = False
"""
BODY = TOTAL.partition("orders):\n")[2].partition("\n\n")[0] + "\n"


def block(path: str, search: str, replacement: str) -> str:
    return f"{path}\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


@given(NAMES, st.integers(2, 3), st.booleans())
def test_two_lines_of_a_neighbour_are_left_out_on_one_yes_and_never_doubled_unasked(
    names: list[str], length: int, is_above: bool
) -> None:
    lines = [f"{name} = 1\n" for name in names]
    own, new = lines[3], "changed = 2\n"
    repeated = "".join(lines[3 - length : 3] if is_above else lines[4 : 4 + length])
    text = "".join(lines)
    files = {"a.toml": text}
    answer = block("a.toml", own, repeated + new if is_above else new + repeated)
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files == {
        "a.toml": "".join([*lines[:3], new, *lines[4:]])
    }


def test_one_line_is_left_out_where_the_file_cannot_be_read_with_it() -> None:
    new = "        return sum(order.amount for order in orders)\n"
    report = apply_edits({"a.py": TOTAL}, block("a.py", BODY, f"    def total(self, orders):\n{new}"))
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    assert report.proposals[0].text == TOTAL.replace(BODY, new)


def test_one_line_that_can_be_read_twice_is_written_twice_where_another_line_is_changed() -> None:
    text = "one()\ntwo()\nthree()\n"
    report = apply_edits({"a.py": text}, block("a.py", "two()\n", "half()\nthree()\n"))
    assert report.files["a.py"] == "one()\nhalf()\nthree()\nthree()\n"


def test_lines_that_the_search_text_has_are_no_neighbours() -> None:
    text = "one()\ntwo()\nthree()\n"
    report = apply_edits({"a.py": text}, block("a.py", "one()\ntwo()\n", "one()\ntwo()\nhalf()\n"))
    assert report.files["a.py"] == "one()\ntwo()\nhalf()\nthree()\n"
