"""Marks of what is left out of a search text, and of a replacement."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

FILE = """class Shop:
    def total(self, orders):
        result = 0
        for order in orders:
            result += order.amount
        return result

    def close(self):
        return True
"""
NEW = "        return sum(order.amount for order in orders)\n"


def answer(search: str, replacement: str) -> str:
    return f"a.py\n<<<<<<< SEARCH\n{search}=======\n{replacement}>>>>>>> REPLACE\n"


@pytest.mark.parametrize("mark", ["...", "# ...", "# ... existing code ..."])
@pytest.mark.parametrize("indent", ["        ", "    "])
def test_lines_that_only_the_search_text_leaves_out_go_on_one_yes(mark: str, indent: str) -> None:
    search = f"{indent}result = 0\n{indent}{mark}\n{indent}return result\n"
    text = answer(search, indent + NEW.lstrip())
    report = apply_edits({"a.py": FILE}, text)
    assert report.files == {"a.py": FILE}
    assert [one.status for one in report.outcomes] == [Status.PROPOSED]
    body = FILE[FILE.index("        result = 0") : FILE.index("\n    def close")]
    assert apply_edits({"a.py": FILE}, text, accept="all").files == {"a.py": FILE.replace(body, NEW)}


def test_an_edit_is_refused_where_it_is_not_certain_what_its_search_text_leaves_out() -> None:
    text = answer("        result = 1\n        ...\n        return result\n", NEW)
    report = apply_edits({"a.py": FILE}, text, accept="all")
    assert report.files == {"a.py": FILE}
    assert report.outcomes[0].message.startswith("`...` leaves lines out of the search text")


def test_dots_that_the_file_has_are_no_mark() -> None:
    stub = "def total(orders):\n    ...\n"
    assert apply_edits({"a.py": stub}, answer(stub, "def total(orders):\n    return 0\n")).files == {
        "a.py": "def total(orders):\n    return 0\n"
    }
