"""Code that is only shown to say what to remove is not merged, and is not called a change that is there."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

LOAD = "def load():\n    return 1\n"
FILES = {"src/a.py": f"{LOAD}\n\ndef save():\n    return 2\n"}


@pytest.mark.parametrize(
    "sentence",
    [
        "Remove `load`:",
        "Delete the function `load`:",
        "2. Then remove the `load()` function from `src/a.py`:",
        "Remove this function from `src/a.py`:",
        "Please delete the following lines:",
    ],
)
def test_what_is_to_be_removed_is_said_to_need_a_search_text(sentence: str) -> None:
    report = apply_edits(FILES, f"{sentence}\n\n```python\n{LOAD}```\n")
    assert report.files == FILES
    assert report.outcomes == ()
    assert ["it is to be removed" in each.message for each in report.unplaced] == [True]


@pytest.mark.parametrize(
    "sentence", ["Remove the `cache` flag from `load` in `src/a.py`:", "Remove `cache` in `src/a.py`:"]
)
def test_code_without_what_is_to_be_removed_is_merged(sentence: str) -> None:
    files = {"src/a.py": FILES["src/a.py"].replace("return 1", "return cache(1)")}
    report = apply_edits(files, f"{sentence}\n\n```python\n{LOAD}```\n")
    assert report.files == FILES
