"""What words put into a list over several lines, and names that they change wherever they are."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

PANELS = """\
def config():
    return {
        "ON": True,
        "PANELS": (
            "panels.Timer",
            "panels.Headers",
            "panels.Logger",
        ),
    }
"""
NEW = '            "panels.Routes",\n'
GO = "package main\n\nvar printLabel = true\n\nfunc main() {\n\tif printLabel {\n\t\treturn\n\t}\n}\n"


@pytest.mark.parametrize(
    ("words", "above"),
    [
        ("In `c.py`, add it at the end of `PANELS`:", '"panels.Logger",\n'),
        ('In `c.py`, add it to `PANELS`, right after `"panels.Headers",`:', '"panels.Headers",\n'),
        ('In `c.py`, add this right after `"panels.Timer",`:', '"panels.Timer",\n'),
    ],
)
def test_an_entry_goes_where_it_is_said_and_not_behind_the_bracket(words: str, above: str) -> None:
    files = {"c.py": PANELS, "other.py": "x = 1\n"}
    report = apply_edits(files, f"{words}\n\n```python\n{NEW}```\n", accept="all")
    assert report.files["c.py"] == PANELS.replace(above, f"{above}{NEW}")


@pytest.mark.parametrize(
    "words",
    [
        "In `main.go`, rename `printLabel` to `onlyLabel` (the declaration and its use in `main`).",
        "In `main.go`, replace every `printLabel` with `onlyLabel`.",
    ],
)
def test_a_name_is_changed_at_every_place_or_at_none(words: str) -> None:
    first = apply_edits({"main.go": GO}, f"{words}\n")
    assert first.files == {"main.go": GO}
    assert [one.status for one in first.outcomes] == [Status.PROPOSED]
    after = apply_edits({"main.go": GO}, f"{words}\n", accept="all").files["main.go"]
    assert after == GO.replace("printLabel", "onlyLabel")
