"""A suggestion of a review goes to the lines that it is about, or nowhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.edit import Malformed
from patchpoint.formats import read_answer
from patchpoint.outcome import Reason, Status

CART = """\
import os

def total(items):
    result = 0
    for item in items:
        result += item.price
    return result

def count(items):
    return len(items)

def mean(items):
    return total(items) / len(items)
"""
NEW = "        result += item.price * item.count"
AFTER = CART.replace("        result += item.price", NEW)


def suggested(label: str, *lines: str, info: str = "suggestion") -> str:
    """Return the file with a suggestion below a label applied."""
    code = "".join(f"{line}\n" for line in lines)
    after = apply_edits({"src/cart.py": CART}, f"{label}\n\n```{info}\n{code}```\n").files["src/cart.py"]
    assert after is not None
    return after


@pytest.mark.parametrize(
    "label",
    [
        "`src/cart.py:6`",
        "`src/cart.py`, line 6",
        "**src/cart.py** (lines 6–6)",
        "[src/cart.py](src/cart.py#L6)",
        "Comment on src/cart.py line R6:",
        "In `src/cart.py`:",
    ],
)
def test_the_place_may_be_said_in_many_ways_or_be_plain(label: str) -> None:
    assert suggested(label, NEW) == AFTER


def test_several_lines_become_what_is_suggested_for_them() -> None:
    lines = ("    return sum(item.price for item in items)",)
    after = suggested("src/cart.py lines 4 to 7", "    result = 0", "    for item in items:", NEW, *lines)
    assert after == AFTER.replace("    return result", *lines)


def test_the_numbers_may_be_counted_from_the_commented_line() -> None:
    lines = ("    result = 0.0", "    for item in items:", NEW)
    after = suggested("src/cart.py line 6", *lines, info="suggestion:-2+0")
    assert after == AFTER.replace("result = 0", "result = 0.0")


@pytest.mark.parametrize("numbers", ["5", "7", "10", "4-5", "9-11"])
def test_numbers_of_other_lines_than_it_resembles_are_refused(numbers: str) -> None:
    assert suggested(f"`src/cart.py:{numbers}`", NEW) == CART


def test_numbers_choose_among_equal_lines() -> None:
    text = "a = load(one)\nuse(a)\nb = 1\na = load(one)\nuse(a)\n"
    answer = "`x.py`{}\n\n```suggestion\na = load(one, two)\n```\n"
    assert apply_edits({"x.py": text}, answer.format(", line 4")).files["x.py"] == (
        "a = load(one)\nuse(a)\nb = 1\na = load(one, two)\nuse(a)\n"
    )
    (outcome,) = apply_edits({"x.py": text}, answer.format(":")).outcomes
    assert (outcome.status, outcome.reason) == (Status.AMBIGUOUS, Reason.UNCLEAR)
    assert [one.line for one in outcome.candidates] == [1, 4]


@pytest.mark.parametrize(
    "lines",
    [
        ("    return 5",),
        ("x",),
        ("    return total(items)",),
        ("def sum(items):",),
        ("    fresh = compute()", "    return len(items)"),
        (),
    ],
)
def test_what_resembles_no_lines_for_certain_is_refused(lines: tuple[str, ...]) -> None:
    assert suggested("src/cart.py", *lines) == CART


def test_a_hunk_above_it_is_no_edit_of_its_own() -> None:
    hunk = "```diff\n@@ -3,3 +3,4 @@\n def total(items):\n     result = 0\n     for item in items:\n"
    hunk += "-        result += item\n+        result += item.price\n```\n\nCount them:"
    assert suggested(f"src/cart.py\n\n{hunk}", NEW) == AFTER
    older = CART.replace("+= item.price", "+= item")
    answer = f"src/cart.py\n\n{hunk}\n\n```suggestion\n{NEW}\n```\n"
    assert apply_edits({"src/cart.py": older}, answer).files["src/cart.py"] == older


def test_a_suggestion_that_is_cut_off_leaves_no_edit_of_the_hunk_above_it() -> None:
    hunk = "```diff\n@@ -6,1 +6,1 @@\n-        result += item\n+        result += item.price\n```\n"
    for cut in ("```suggestion", f"```suggestion\n{NEW}\n"):
        (item,) = read_answer(f"**src/cart.py**\n\n{hunk}\n{cut}").items
        assert isinstance(item, Malformed)


def test_the_lines_may_be_quoted_right_above() -> None:
    quoted = "src/cart.py\n\n```python\n        result += item.price\n    return result\n```"
    assert suggested(quoted, NEW, "    return result") == AFTER
    assert suggested(quoted.replace("item.price", "item.cost"), NEW, "    return result") == CART


def test_what_nothing_but_its_own_lines_vouches_for_should_be_confirmed() -> None:
    (outcome,) = apply_edits({"src/cart.py": CART}, f"src/cart.py\n\n```suggestion\n{NEW}\n```\n").outcomes
    assert outcome.needs_confirmation
    assert "Placed by the suggested text alone." in outcome.notes


@given(line=st.integers(0, 20), data=st.data())
def test_numbers_never_bring_it_elsewhere(line: int, data: st.DataObject) -> None:
    last = data.draw(st.integers(line, 20))
    assert suggested(f"`src/cart.py:{line}-{last}`", NEW) in (CART, AFTER)


def test_a_suggestion_below_a_broken_block_has_only_its_own_lines() -> None:
    answer = (
        "<<<<<<< SEARCH\n**a.py**\n\n```diff\n@@ -1 +1,2 @@\n def greet(name):\n+    print(name)\n```\n\n"
        "```suggestion\n    print(f'Hello {name}')\n```\n"
    )
    first, second = sorted(item.span for item in read_answer(answer).items)
    assert first[1] <= second[0]
