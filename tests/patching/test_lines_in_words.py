"""A line that a sentence says is to be added is proposed where the file has that place."""

from __future__ import annotations

import pytest

from patchpoint import Status, apply_edits

FILES = {
    "src/a.py": "import os\n\nTIMEOUT = 5\nRETRIES = 3\n\n\ndef go(x):\n    y = x\n    return y + TIMEOUT\n",
    "c.js": 'var config = {\n    "css": true,\n    "feed": false,\n    "lang": "en",\n};\n',
    "pom.toml": '[tool]\ntests = [\n    "pytest",\n    "pytest-cov",\n]\n',
    "A.java": "class A {\n    private int a;\n    private String b;\n\n    int get() { return a; }\n}\n",
}


@pytest.mark.parametrize(
    ("sentence", "path", "old", "new"),
    [
        ('In `c.js`, add `"max": 5,` after `"feed": false,`.', "c.js", "false,\n", 'false,\n    "max": 5,\n'),
        (
            "`src/a.py` の `RETRIES = 3` の下に `DELAY = 2` を追加してください。",
            "src/a.py",
            "= 3\n",
            "= 3\nDELAY = 2\n",
        ),
        (
            "In `src/a.py`, add `DELAY = 2` right below `RETRIES = 3`.",
            "src/a.py",
            "= 3\n",
            "= 3\nDELAY = 2\n",
        ),
        (
            "In `src/a.py` füge `DELAY = 2` direkt unter `RETRIES = 3` ein.",
            "src/a.py",
            "= 3\n",
            "= 3\nDELAY = 2\n",
        ),
        ("在 `src/a.py` 的 `RETRIES = 3` 后面添加 `DELAY = 2`。", "src/a.py", "= 3\n", "= 3\nDELAY = 2\n"),
        (
            'In `pom.toml`, add `"x",` right after `"pytest-cov",`.',
            "pom.toml",
            'cov",\n',
            'cov",\n    "x",\n',
        ),
        (
            "In `A.java` add `private long c;` below `private String b;`.",
            "A.java",
            "b;\n",
            "b;\n    private long c;\n",
        ),
    ],
)
def test_a_line_is_proposed_next_to_the_one_that_the_sentence_names(
    sentence: str, path: str, old: str, new: str
) -> None:
    report = apply_edits(FILES, f"{sentence}\n")
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    after = apply_edits(FILES, f"{sentence}\n", accept="all").files
    assert after == {**FILES, path: FILES[path].replace(old, new)}


@pytest.mark.parametrize(
    "sentence",
    [
        "In `src/a.py`, I added `DELAY = 2` below `RETRIES = 3`.",
        "You could add `DELAY = 2` below `RETRIES = 3` in `src/a.py`.",
        "Do not add `DELAY = 2` below `RETRIES = 3` in `src/a.py`.",
        "Adding `DELAY = 2` below `RETRIES = 3` in `src/a.py` would be slow.",
        "Should I add `DELAY = 2` below `RETRIES = 3` in `src/a.py`?",
        "In `src/a.py`, add `DELAY = 2` below `NOWHERE = 3`.",
        "Add `DELAY = 2` below `RETRIES = 3`.",
    ],
)
def test_a_sentence_that_asks_for_no_line_or_names_no_place_changes_nothing(sentence: str) -> None:
    assert apply_edits({**FILES, "b.py": "B = 1\n"}, f"{sentence}\n", accept="all").changes == ()


def test_a_line_that_code_shows_is_not_added_once_more() -> None:
    answer = "In `src/a.py`, add `DELAY = 2` below `RETRIES = 3`:\n\n```python\nRETRIES = 3\nDELAY = 2\n```\n"
    report = apply_edits(FILES, answer, accept="all")
    assert report.files["src/a.py"] == FILES["src/a.py"].replace("= 3\n", "= 3\nDELAY = 2\n")
    assert len(report.outcomes) == 1
