"""The depth of new lines follows from the quotation alone, in the order in which it was quoted."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edit
from patchpoint.outcome import Reason, Rung
from patchpoint.patching.merging.reindent import Depths

BLANKS = st.sampled_from(["", " ", "  ", "    ", "\t", "\t\t", "\t ", "      "])

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
    assert outcome.rung is Rung.INDENTATION
    assert outcome.text == text.replace(search, replace)


@pytest.mark.parametrize(
    ("text", "search", "replace", "wanted"),
    [
        pytest.param(
            "def go():\n    return 1\n",
            "def go():\n  return 1\n",
            "def go():\n    if x:\n        return 2\n    return 1\n",
            "def go():\n    if x:\n        return 2\n    return 1\n",
            id="as deep as in the file",
        ),
        pytest.param(
            "class A:\n    def go():\n        return 1\n",
            "def go():\n  return 1\n",
            "def go():\n    y = 2\n    return y\n",
            "class A:\n    def go():\n        y = 2\n        return y\n",
            id="a member by itself",
        ),
        pytest.param(
            "class A:\n    def go():\n        return 1\n",
            "def go():\n  return 1\n",
            "    def go():\n        return 2\n",
            "class A:\n    def go():\n        return 2\n",
            id="a member where it is",
        ),
        pytest.param(
            "def go():\n    return 1\n",
            "def go():\n  return 1\n",
            "def go():\n  if x:\n    return 2\n  return 1\n",
            "def go():\n    if x:\n        return 2\n    return 1\n",
            id="in the steps of the search text",
        ),
        pytest.param(
            "function go() {\n  return 1;\n}\n",
            "function go() {\n    return 1;\n}\n",
            "function go() {\n  if (x) {\n    return 2;\n  }\n}\n",
            "function go() {\n  if (x) {\n    return 2;\n  }\n}\n",
            id="the file has the smaller steps",
        ),
    ],
)
def test_a_replacement_in_the_steps_of_the_file_stays_as_it_is_where_the_search_text_has_others(
    text: str, search: str, replace: str, wanted: str
) -> None:
    outcome = apply_edit(text, search, replace)
    assert outcome.text == wanted


@given(st.sampled_from(["    ", "\t", "  "]), st.sampled_from(["    ", "\t", " \t"]), st.integers(0, 2))
def test_whole_lines_found_exactly_are_replaced_to_the_letter(depth: str, other: str, first: int) -> None:
    lines = [f"{depth * number}line {number}\n" for number in range(1, 5)]
    search = "".join(lines[first : first + 2])
    replace = "".join(f"{other * (3 - number)}new {number}\n" for number in range(3))
    assert apply_edit("".join(lines), search, replace).text == "".join(lines).replace(search, replace)


METHOD = """\
class Job:
    def run(self):
        if self.ready:
            start()
        return 1
"""


@pytest.mark.parametrize(
    ("search", "replace", "expected"),
    [
        pytest.param(
            "def run(self):\n        if self.ready:\n            start()\n",
            "@timed\ndef run(self):\n    if self.ready:\n        begin()\n        start()\n    else:\n"
            "        wait()\n",
            "    @timed\n    def run(self):\n        if self.ready:\n            begin()\n"
            "            start()\n        else:\n            wait()\n        return 1\n",
            id="the first line is quoted without its depth, and the replacement has none",
        ),
        pytest.param(
            "    if self.ready:\n",
            "    if self.ready:\n        begin()\n    if self.steady:\n",
            "    def run(self):\n        if self.ready:\n            begin()\n        if self.steady:\n"
            "            start()\n        return 1\n",
            id="the line is quoted with half of its depth",
        ),
        pytest.param(
            "return 1\n",
            "if self.steady:\n    stop()\nreturn 2\n",
            "    def run(self):\n        if self.ready:\n            start()\n        if self.steady:\n"
            "            stop()\n        return 2\n",
            id="a line is quoted without its depth",
        ),
    ],
)
def test_new_lines_are_nested_as_they_were_written(search: str, replace: str, expected: str) -> None:
    outcome = apply_edit(METHOD, search, replace, path="job.py")
    assert outcome.text == f"class Job:\n{expected}"
    assert outcome.rung is Rung.INDENTATION


@pytest.mark.parametrize(
    ("search", "replace"),
    [
        ("return 1\n", "if self.steady:\nstop()\n"),
        ("    return 1\n", "    if self.steady:\nstop()\n"),
        ("def run(self):\n        if self.ready:\n", "def run(self):\n    if self.ready:\n"),
    ],
)
def test_a_file_that_the_depth_of_new_lines_would_break_is_left_alone(search: str, replace: str) -> None:
    outcome = apply_edit(METHOD, search, replace, path="job.py")
    assert outcome.reason is Reason.BREAKS_SYNTAX
    assert apply_edit(METHOD, search, replace).text is not None  # Nothing is known of its language.


class PlainDepths(Depths):
    """The same, by looking at every search line for each new one."""

    def of_new_line(self, blanks: str, near: int) -> str:
        if self.same:
            return blanks
        alike = [entry for entry in self.seen if entry[1] == blanks]
        if alike:
            return min(alike, key=lambda entry: abs(entry[0] - near))[2]
        shallower = [entry for entry in self.seen if blanks.startswith(entry[1])]
        if shallower:
            _, quoted, found = max(shallower, key=lambda entry: (len(entry[1]), -abs(entry[0] - near)))
            return found + self._converted(blanks[len(quoted) :])
        deeper = [entry for entry in self.seen if entry[1].startswith(blanks)]
        _, quoted, found = min(deeper, key=lambda entry: (len(entry[1]), abs(entry[0] - near)))
        return found[: max(0, len(found) - len(self._converted(quoted[len(blanks) :])))]


@given(
    st.lists(st.tuples(st.integers(0, 9), BLANKS, st.integers(0, 30)), max_size=12),
    st.booleans(),
    BLANKS,
    st.integers(0, 9),
)
def test_the_nearest_line_decides_whether_numbers_ascend_or_not(
    entries: list[tuple[int, str, int]], ascend: bool, blanks: str, near: int
) -> None:
    # Each line has another depth in the file, which says which one decided.
    seen = [(number, quoted, " " * (own * 20 + at)) for at, (number, quoted, own) in enumerate(entries)]
    if ascend:
        seen = sorted({entry[0]: entry for entry in seen}.values())
    if any(entry[1].startswith(blanks) or blanks.startswith(entry[1]) for entry in seen):
        plain = PlainDepths(tuple(seen), (), ())
        assert Depths(tuple(seen), (), ()).of_new_line(blanks, near) == plain.of_new_line(blanks, near)
