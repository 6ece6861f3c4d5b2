"""Two versions of one definition in an answer are a choice, and never both written."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Reason, Status

CART = """\
import math


class Cart:
    def total(self):
        log("total")
        result = 0
        for item in self.items:
            result += item.price
        return math.ceil(result)

    def clear(self):
        self.items = []
"""
FIRST = CART[CART.index("    def total") : CART.index("    def clear")].replace(
    '        log("total")\n', '        log("total", self)\n'
)
SECOND = CART[CART.index("    def total") : CART.index("    def clear")].replace("ceil", "floor")


def fence(code: str) -> str:
    """Return code in a fence."""
    return f"```python\n{code.rstrip()}\n```\n"


def test_two_versions_of_a_function_are_refused_although_they_change_different_lines() -> None:
    answer = f"In `cart.py`:\n\n{fence(FIRST)}\nThen in `cart.py`:\n\n{fence(SECOND)}\nTake one.\n"
    report = apply_edits({"cart.py": CART}, answer)
    assert [one.reason for one in report.outcomes] == [Reason.ALTERNATIVES, Reason.ALTERNATIVES]
    assert report.files["cart.py"] == CART


def test_a_part_of_another_version_is_refused_as_well() -> None:
    part = "    def total(self):\n        # ...\n        return math.floor(result)\n"
    answer = f"In `cart.py`:\n\n{fence(FIRST)}\nAnd in `cart.py`:\n\n{fence(part)}\nThat is all.\n"
    report = apply_edits({"cart.py": CART}, answer)
    assert {one.status for one in report.outcomes} == {Status.CONFLICT}


def test_parts_of_a_function_that_agree_are_both_made() -> None:
    top = '    def total(self):\n        log("total", self)\n        result = 0\n        # ...\n'
    end = "    def total(self):\n        # ...\n        return math.floor(result)\n"
    answer = f"In `cart.py`:\n\n{fence(top)}\nAnd in `cart.py`:\n\n{fence(end)}\nThat is all.\n"
    expected = CART.replace('log("total")', 'log("total", self)').replace("ceil", "floor")
    assert apply_edits({"cart.py": CART}, answer).files["cart.py"] == expected


def test_a_function_next_to_the_whole_file_is_another_version() -> None:
    whole = CART.replace("ceil", "floor")
    answer = f"The complete `cart.py`:\n\n{fence(whole)}\nThen in `cart.py`:\n\n{fence(FIRST)}\nTake one.\n"
    assert apply_edits({"cart.py": CART}, answer).files["cart.py"] == CART


def test_a_line_of_a_class_is_not_deleted_by_leaving_it_out() -> None:
    method = "    def content(key)\n      key.to_sym\n    end\n  end\n"
    file = f"module Shop\n  module Content\n{method}\n  helpers Content\nend\n"
    code = f"module Shop\n  module Content\n    # ... existing code ...\n{method}end\n"
    answer = f"`shop.rb`:\n\n```ruby\n{code.replace('to_sym', 'to_s')}```\n\nDone.\n"
    assert apply_edits({"shop.rb": file}, answer).files["shop.rb"] == file


@pytest.mark.parametrize("depth", ["", "  ", "        "])
def test_the_new_half_of_a_pair_comes_to_the_depth_of_the_old_one(depth: str) -> None:
    old = CART[CART.index("    def clear") :]
    new = "".join(f"{depth}{line[4:]}" for line in (*old.splitlines(keepends=True), "        log(1)\n"))
    answer = f"In `cart.py`, find:\n\n{fence(old)}\nReplace it with:\n\n{fence(new)}"
    assert apply_edits({"cart.py": CART}, answer).files["cart.py"] == f"{CART}        log(1)\n"
