"""Code of a file that the words above it only speak of is proposed, where the answer has nothing else."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

APP = (
    "import os\n\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n\n\n"
    "def main():\n    print(load('a'))\n"
)
FILES = {"src/app.py": APP, "src/names.py": "NAMES = ['a']\n"}
LOAD = "def load(path):\n    with open(path, encoding='utf-8') as file:\n        return file.read()\n"
CHANGED = APP.replace("open(path)", "open(path, encoding='utf-8')")


def fenced(code: str) -> str:
    return f"```python\n{code}```\n"


@pytest.mark.parametrize(
    "above",
    [
        "`load` in `src/app.py` gets an encoding:",
        "Texts are UTF-8, and `load` in `src/app.py` knows it:",
        "`load` aus `src/app.py` mit einer Kodierung:",
    ],
)
def test_code_below_a_sentence_that_names_its_file_is_proposed(above: str) -> None:
    answer = f"{above}\n\n{fenced(LOAD)}"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    assert apply_edits(FILES, answer, accept="all").files["src/app.py"] == CHANGED


@pytest.mark.parametrize(
    "code",
    [
        APP[APP.index("def load") : APP.index("\n\ndef main")],
        "load('b')\nload('c')\n",
        "def store(path, text):\n    with open(path, 'w') as file:\n        file.write(text)\n",
    ],
)
def test_code_that_changes_nothing_there_stays_prose(code: str) -> None:
    report = apply_edits(FILES, f"`load` in `src/app.py` goes with this:\n\n{fenced(code)}", accept="all")
    assert report.files == FILES
    assert report.outcomes == ()


def test_next_to_an_edit_it_is_a_sample() -> None:
    block = "src/names.py\n<<<<<<< SEARCH\nNAMES = ['a']\n=======\nNAMES = ['b']\n>>>>>>> REPLACE\n"
    answer = f"{block}\n`load` in `src/app.py` could know more:\n\n{fenced(LOAD)}"
    report = apply_edits(FILES, answer, accept="all")
    assert report.files == {**FILES, "src/names.py": "NAMES = ['b']\n"}
