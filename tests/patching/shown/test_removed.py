"""What an answer asks in words to remove goes, and nothing else but blank lines."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edits

BLANK = st.integers(min_value=0, max_value=3)


def removed(file: str, what: str) -> str:
    """Return a file without what a sentence asks to remove, once that is accepted."""
    report = apply_edits({"m.py": file}, f"Remove the {what} from `m.py`.", accept="all")
    return report.files["m.py"] or ""


@given(gaps=st.lists(BLANK, min_size=4, max_size=4), which=st.integers(min_value=0, max_value=2))
def test_a_method_goes_and_blank_lines_next_to_it_at_most(gaps: list[int], which: int) -> None:
    methods = [f"    # of {name}\n    def {name}(self):\n        return {name!r}\n" for name in "abc"]
    file = "class C:\n" + "".join("\n" * gap + method for gap, method in zip(gaps, methods, strict=False))
    file += "\n" * gaps[3] + "x = C()\n"
    found = removed(file, f"method `{'abc'[which]}`")
    assert [line for line in found.split("\n") if line] == [
        line for line in file.replace(methods[which], "").split("\n") if line
    ]
    assert "\n" * (max(gaps) + 2) not in found


@pytest.mark.parametrize(
    ("what", "line"),
    [
        ("import `json`", "import json\n"),
        ("import `Path`", "from pathlib import Path\n"),
        ("constant `RATE`", "RATE = 0.07\n"),
        ("line `main()`", "main()\n"),
    ],
)
def test_a_line_goes_that_is_there_for_a_name(what: str, line: str) -> None:
    file = "import json\nfrom pathlib import Path\n\nRATE = 0.07\nRATES = 2\n\nmain()\n"
    assert removed(file, what) == file.replace(line, "").rstrip("\n") + "\n"


@pytest.mark.parametrize("what", ["import `os`", "constant `RATE`", "method `total`"])
def test_what_is_there_twice_or_not_at_all_stays(what: str) -> None:
    method = "    def total(self): ...\n"
    file = f"import a, b\nRATE = 1\nRATE = 2\n\nclass A:\n{method}\nclass B:\n{method}"
    assert removed(file, what) == file


def test_of_several_imports_on_a_line_one_goes() -> None:
    file = "import a, b\nfrom c import (d, e)\n"
    assert removed(file, "import `a`") == "import b\nfrom c import (d, e)\n"
    assert removed(file, "import `e`") == "import a, b\nfrom c import (d)\n"


def test_the_only_method_of_a_class_stays() -> None:
    file = "class A:\n    def total(self):\n        return 1\n\n\nx = 1\n"
    assert removed(file, "method `total`") == file


@given(
    gaps=st.lists(st.integers(min_value=1, max_value=3), min_size=4, max_size=4),
    pair=st.sampled_from([("a", "b"), ("b", "c"), ("a", "c"), ("c", "d"), ("d", "c")]),
)
def test_two_that_are_removed_go_both_also_where_they_are_neighbours(
    gaps: list[int], pair: tuple[str, str]
) -> None:
    functions = {name: f"def {name}():\n    return {name!r}\n" for name in "abcd"}
    file = "import os\n" + "".join(
        "\n" * gap + one for gap, one in zip(gaps, functions.values(), strict=True)
    )
    answer = f"In `m.py`, remove `{pair[0]}` and `{pair[1]}`."
    ids = [one.id for one in apply_edits({"m.py": file}, answer).proposals]
    report = apply_edits({"m.py": file}, answer, accept=ids)
    assert report.ok
    left = file
    for name in pair:
        left = left.replace(functions[name], "")
    found = report.files["m.py"] or ""
    assert [line for line in found.split("\n") if line] == [line for line in left.split("\n") if line]
