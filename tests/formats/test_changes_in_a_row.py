"""Two changes that are announced in the same way are no pair of what is replaced and what replaces it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

BEFORE = {"src/a.py": "def first():\n    return 1\n\n\ndef second():\n    return 1\n"}
FIRST = "```python\ndef first():\n    return 10\n```"
SECOND = "```python\ndef second():\n    return 2\n```"


@pytest.mark.parametrize(
    ("above", "between"),
    [
        ("Update `src/a.py`:", "Update `src/a.py`:"),
        ("First, update `src/a.py`:", "Then update `src/a.py`:"),
        ("Change `src/a.py`:", "Replace in `src/a.py`:"),
        ("1. Change `src/a.py`:", "2. Change `src/a.py`:"),
    ],
)
def test_each_of_two_changes_of_a_file_is_merged(above: str, between: str) -> None:
    report = apply_edits(BEFORE, f"{above}\n\n{FIRST}\n\n{between}\n\n{SECOND}\n")
    assert report.files["src/a.py"] == "def first():\n    return 10\n\n\ndef second():\n    return 2\n"


def test_what_is_to_be_changed_and_what_to_is_a_pair() -> None:
    old = "```python\ndef first():\n    return 1\n```"
    report = apply_edits(BEFORE, f"In `src/a.py`, change:\n\n{old}\n\nto:\n\n{FIRST}\n")
    assert report.files["src/a.py"] == "def first():\n    return 10\n\n\ndef second():\n    return 1\n"
