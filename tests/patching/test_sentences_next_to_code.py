"""A sentence next to code asks for one more change, or tells what the code does: the file shows which."""

from __future__ import annotations

import pytest

from patchpoint import Reason, Status, apply_edits

FILES = {
    "src/a.py": (
        "import os\n\nTIMEOUT = 5\nRETRIES = 3\n\n\ndef go(x):\n    return x + TIMEOUT\n\n\n"
        "def stop(x):\n    return x\n"
    ),
    "conf.toml": "[a]\nmax = 3\n",
}
CODE = "In `src/a.py`:\n\n```python\ndef go(x):\n    return x * TIMEOUT\n```\n\n"
MULTIPLIED = FILES["src/a.py"].replace("x + T", "x * T")


@pytest.mark.parametrize(
    ("sentence", "path", "old", "new"),
    [
        ("Also replace `RETRIES = 3` with `RETRIES = 4` in `src/a.py`.", "src/a.py", "= 3", "= 4"),
        ("In `conf.toml`, change `max = 3` to `max = 5`.", "conf.toml", "= 3", "= 5"),
        ("### `conf.toml`\n\nÄndere `max = 3` zu `max = 5`.", "conf.toml", "= 3", "= 5"),
        ("Remove the line `import os` from `src/a.py`.", "src/a.py", "import os\n\n", ""),
        ("and slow it down by changing `RETRIES = 3` to `RETRIES = 9`.", "src/a.py", "= 3", "= 9"),
        ("In `conf.toml`, set `max` to `5`.", "conf.toml", "= 3", "= 5"),
        ("### `conf.toml`\n\n- `max = 3` → `max = 5`", "conf.toml", "= 3", "= 5"),
    ],
)
def test_nothing_is_written_before_a_yes_to_what_a_sentence_only_likely_asks_for(
    sentence: str, path: str, old: str, new: str
) -> None:
    report = apply_edits(FILES, f"{CODE}{sentence}\n")
    assert report.files == FILES
    assert Status.PROPOSED in {outcome.status for outcome in report.outcomes}
    expected = {**FILES, "src/a.py": MULTIPLIED}
    expected[path] = expected[path].replace(old, new)
    assert apply_edits(FILES, f"{CODE}{sentence}\n", accept="all").files == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "This replaces `x + TIMEOUT` with `x * TIMEOUT` in `src/a.py`.",
        "I replaced `x + TIMEOUT` with a product in `src/a.py`.",
        "You could also change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`.",
        "If you want, change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`.",
        "Do not change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`.",
        "See `conf.toml` for more.",
    ],
)
def test_a_sentence_that_asks_for_nothing_more_changes_nothing(sentence: str) -> None:
    report = apply_edits(FILES, f"{CODE}{sentence}\n")
    assert report.files == {**FILES, "src/a.py": MULTIPLIED}
    assert len(report.outcomes) == 1


def test_a_sentence_next_to_an_example_of_use_is_proposed() -> None:
    answer = (
        "Replace `RETRIES = 3` with `RETRIES = 4` in `src/a.py`.\n\nUsage:\n\n"
        "```python\nfrom a import go\ngo(1)\n```\n"
    )
    after = apply_edits(FILES, answer, accept="all").files
    assert after == {**FILES, "src/a.py": FILES["src/a.py"].replace("= 3", "= 4")}


def test_what_the_code_shows_already_is_not_asked_for_once_more() -> None:
    answer = f"{CODE.replace('In `', 'Change `x + TIMEOUT` to `x * TIMEOUT` in `')}"
    report = apply_edits(FILES, answer, accept="all")
    assert report.files == {**FILES, "src/a.py": MULTIPLIED}
    assert len(report.outcomes) == 1


def test_a_sentence_of_another_file_that_no_edit_is_made_of_keeps_the_rest_from_being_written() -> None:
    answer = f"{CODE}Then add `b = 2` as the last entry under `nothing` in `conf.toml`.\n"
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.reason for outcome in report.outcomes] == [Reason.INCOMPLETE]
    assert "conf.toml" in report.outcomes[0].message
    assert apply_edits(FILES, answer, accept="all").files == FILES
    assert apply_edits(FILES, answer, atomic="edit").files == {**FILES, "src/a.py": MULTIPLIED}


@pytest.mark.parametrize(
    "sentence",
    [
        "Inside `go`, change `y = 1` to `y = 2`.",
        "Also add `RETRIES = 3` somewhere.",
    ],
)
def test_a_sentence_with_code_that_nothing_else_has_keeps_the_rest_from_being_written(sentence: str) -> None:
    files = {"src/a.py": FILES["src/a.py"].replace("RETRIES = 3\n", "")}
    report = apply_edits(files, f"{CODE}{sentence}\n")
    assert report.files == files
    assert [outcome.reason for outcome in report.outcomes][-1] is Reason.INCOMPLETE


@pytest.mark.parametrize(
    ("sentence", "path", "old", "new"),
    [
        ("**conf.toml** – set `max = 5`.", "conf.toml", "= 3", "= 5"),
        (
            "In `stop`, replace `return x` with `return 2` in `src/a.py`.",
            "src/a.py",
            "return x\n",
            "return 2\n",
        ),
        (
            "In `stop`, change what is returned from `return x` to `return 2`.",
            "src/a.py",
            "return x\n",
            "return 2\n",
        ),
    ],
)
def test_a_value_that_is_set_and_what_is_in_a_named_function_are_proposed_with_the_code(
    sentence: str, path: str, old: str, new: str
) -> None:
    answer = f"{CODE}{sentence}\n"
    assert apply_edits(FILES, answer).files == FILES
    expected = {**FILES, "src/a.py": MULTIPLIED}
    expected[path] = expected[path].replace(old, new)
    assert apply_edits(FILES, answer, accept="all").files == expected


@pytest.mark.parametrize(
    "answer",
    [
        f"{CODE}Then change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`:\n",
        f"Change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`.\n\n{CODE.rpartition('return')[0]}",
    ],
    ids=["leads to code", "code without an end"],
)
def test_a_sentence_is_no_edit_where_the_code_that_it_is_about_is_still_to_come(answer: str) -> None:
    assert "RETRIES = 4" not in (apply_edits(FILES, answer, accept="all").files["src/a.py"] or "")


@pytest.mark.parametrize(
    "sentence",
    [
        "The tests replace `RETRIES = 3` with `RETRIES = 4` in `src/a.py`.",
        "Change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`? No, leave it.",
        "A user asked to change `RETRIES = 3` to `RETRIES = 4` in `src/a.py`.",
    ],
)
def test_what_is_reported_or_asked_of_a_change_is_never_written_without_a_yes(sentence: str) -> None:
    for answer in (f"{sentence}\n", f"{CODE}{sentence}\n"):
        assert "RETRIES = 4" not in (apply_edits(FILES, answer).files["src/a.py"] or "")


@pytest.mark.parametrize(
    "words", ["Then delete `old.ts`.", "Außerdem lösche `old.ts`.", "Delete `old.ts`; nothing uses it."]
)
def test_a_file_that_is_to_be_deleted_next_to_blocks_holds_them_until_a_yes(words: str) -> None:
    files = {"a.ts": "export const x = 1\n", "old.ts": "export const y = 1\n"}
    block = "a.ts\n<<<<<<< SEARCH\nexport const x = 1\n=======\nexport const x = 2\n>>>>>>> REPLACE\n"
    answer = f"First change this:\n\n{block}\n{words}\n"
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files == {"a.ts": "export const x = 2\n", "old.ts": None}


def test_nothing_is_written_where_a_part_of_a_line_is_to_go_and_would_stay() -> None:
    names = "var fs = require('fs')\n  , buffer = require('buffer')\n  , util = require('util');\n\n"
    files = {"files.js": f"{names}function size(file) {{\n  return fs.statSync(file).size;\n}}\n"}
    code = "function size(file) {\n  return fs.lstatSync(file).size;\n}\n"
    removal = (
        "You can also remove the `buffer = require('buffer')` line at the top of that file: nothing uses it."
    )
    answer = f"Here is the corrected function for `files.js`:\n\n```js\n{code}```\n\n{removal}\n"
    report = apply_edits(files, answer)
    assert report.files == files
    assert "removes `buffer" in report.outcomes[0].message


@pytest.mark.parametrize(
    "below", ["- `conf.toml`\n", "```bash\ngit rm conf.toml\n```\n", "* conf.toml\n", "1. `conf.toml`\n"]
)
@pytest.mark.parametrize(
    "lead", ["Then delete these files:", "Remove the old file:", "Lösche diese Dateien:"]
)
def test_files_to_be_deleted_below_a_sentence_go_with_the_code_above_it_on_one_yes(
    lead: str, below: str
) -> None:
    answer = f"{CODE}{lead}\n\n{below}"
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files
    assert after == {"src/a.py": MULTIPLIED, "conf.toml": None}


def test_code_waits_for_an_import_that_is_said_to_be_needed() -> None:
    answer = f"{CODE}You also need `import time` at the top.\n"
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files["src/a.py"]
    assert after == MULTIPLIED.replace("import os\n", "import os\nimport time\n")


def test_what_a_line_is_removed_from_is_not_removed_itself() -> None:
    files = {"CMakeLists.txt": "add_library(core\n    src/a.cpp\n    src/b.cpp\n)\n", "src/b.cpp": "int b;\n"}
    removal = "In `CMakeLists.txt`, remove the line `src/b.cpp` from `add_library`.\n"
    assert "add_library" in (apply_edits(files, removal, accept="all").files["CMakeLists.txt"] or "")
