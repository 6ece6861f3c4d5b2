"""A change within a sentence is proposed where its words are in the file once, and never made unasked."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.formats import read_answer
from patchpoint.outcome import Reason, Status

FILES = {
    "src/app.py": "run(timeout=5)\nrun(timeout=50)\nretries = 3\nleft = retries - 1\n",
    "src/page.css": "a { margin-top: 4px; }\n",
    "src/main.py": "def main():\n    return load_all()\n",
}


def changed(answer: str) -> dict[str, str | None]:
    """Return the files that an answer changes on one yes; without that, it changes none."""
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files
    return {path: text for path, text in after.items() if text != FILES[path]}


@pytest.mark.parametrize(
    "answer",
    [
        "Change `timeout=5` to `timeout=9` in `src/app.py`.",
        "In src/app.py, replace `timeout=5` with `timeout=9`.",
        "Please change the value `timeout=5` in `src/app.py` to `timeout=9`.",
        "### `src/app.py`\n\nReplace `timeout=5` by `timeout=9`.\n",
        "**Fix:** you need to change `timeout=5` to `timeout=9`.",
        "The call is too short.\n\n- Swap `timeout=5` for `timeout=9`.\n",
        "将 `src/app.py` 中的 `timeout=5` 替换为 `timeout=9`。",
        "把 `src/app.py` 里的 `timeout=5` 改为 `timeout=9`。",
        "在 `src/app.py` 中，将 `timeout=5` 改成 `timeout=9`。",
        "Change `timeout=5` to `timeout=9`. Then run this:\n\n```bash\npytest\n```\n",
    ],
)
def test_a_change_that_a_sentence_asks_for_is_proposed(answer: str) -> None:
    assert changed(answer) == {"src/app.py": FILES["src/app.py"].replace("=5)", "=9)")}


@pytest.mark.parametrize(
    "answer",
    [
        "I changed `timeout=5` to `timeout=9` in `src/app.py`.",
        "This changes `timeout=5` to `timeout=9` in `src/app.py`.",
        "The value was changed: replace `timeout=5` with `timeout=9` in `src/app.py`.",
        "Don't change `timeout=5` to `timeout=9` in `src/app.py`.",
        "If it is slow, change `timeout=5` to `timeout=9` in `src/app.py`.",
        "You could change `timeout=5` to `timeout=9` in `src/app.py`.",
        "不要将 `src/app.py` 中的 `timeout=5` 替换为 `timeout=9`。",
        "可以将 `src/app.py` 中的 `timeout=5` 改为 `timeout=9`。",
        "Change `timeout=5` to `timeout=9` or `timeout=8` in `src/app.py`.",
        "Change `timeout=5` to `timeout=9` and add `import os` in `src/app.py`.",
        "Should I change `timeout=5` to `timeout=9` in `src/app.py`?",
        "You wrote:\n\n> Change `timeout=5` to `timeout=9` in `src/app.py`.\n",
        "| Change `timeout=5` to `timeout=9` in `src/app.py`. |",
        "Change `timeout=5` to `timeout=9` in `src/app.py`:\n\n```python\nrun(timeout=9)\n```\n",
        "<think>Change `timeout=5` to `timeout=9` in `src/app.py`.</think>",
        "Rename `src/app.py` to `src/run.py`.",
    ],
)
def test_any_other_sentence_is_prose_or_shown(answer: str) -> None:
    assert apply_edits(FILES, answer).files == FILES


@pytest.mark.parametrize(
    "answer",
    [
        "Set another limit: in `src/app.py` replace `timeout=5` with `timeout=9`.",
        "For the release, edit `src/app.py`:\n\n- change `timeout=5` to `timeout=9`\n",
    ],
)
def test_a_sentence_that_likely_asks_for_a_change_is_proposed(answer: str) -> None:
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    report = apply_edits(FILES, answer, accept="all")
    assert report.files["src/app.py"] == FILES["src/app.py"].replace("=5)", "=9)")


def test_a_line_that_a_sentence_asks_to_delete_is_proposed() -> None:
    answer = "It is not needed: delete the line `retries = 3` from `src/app.py`."
    assert apply_edits(FILES, answer).files == FILES
    after = apply_edits(FILES, answer, accept="all").files["src/app.py"]
    assert after == FILES["src/app.py"].replace("retries = 3\n", "")
    for other in ("Don't delete", "If it fails, delete", "I would delete"):
        assert not apply_edits(FILES, answer.replace("delete", other)).outcomes


def test_several_pairs_of_a_sentence_are_all_made() -> None:
    answer = "In `src/app.py`, change `timeout=5` to `timeout=9` and `retries = 3` to `retries = 4`."
    new = FILES["src/app.py"].replace("=5)", "=9)").replace("= 3", "= 4")
    assert changed(answer) == {"src/app.py": new}


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        ("Replace `retries` with `attempts` in `src/app.py`.", Reason.SEVERAL),
        ("Replace `margin` with `padding` in `src/page.css`.", Reason.NOT_PLACED),
        ("Replace `pause` with `wait` in `src/app.py`.", Reason.NOTHING_SIMILAR),
        ("Replace `load` with `load_all` in `src/main.py`.", Reason.ALREADY_APPLIED),
    ],
)
def test_words_that_are_not_there_once_as_such_are_refused(answer: str, reason: Reason) -> None:
    (outcome,) = apply_edits(FILES, answer).outcomes
    assert outcome.reason is reason
    assert [one.line for one in outcome.candidates] == ([3, 4] if reason is Reason.SEVERAL else [])


def test_the_number_of_a_line_chooses_among_the_same_words() -> None:
    answer = "On line 4 of `src/app.py`, replace `retries` with `tries`."
    assert changed(answer) == {"src/app.py": FILES["src/app.py"].replace("= retries", "= tries")}


def test_a_change_that_is_there_is_not_made_again() -> None:
    answer = "Change `retries` to `retries + 1` in `a.py`."
    once = apply_edits({"a.py": "n = retries\n"}, answer, accept="all").files["a.py"]
    assert once == "n = retries + 1\n"
    (outcome,) = apply_edits({"a.py": once}, answer).outcomes
    assert outcome.status is Status.ALREADY_APPLIED


def test_words_of_one_file_alone_need_no_path() -> None:
    assert changed("Replace `load_all` with `load_some`.") == {
        "src/main.py": FILES["src/main.py"].replace("load_all", "load_some")
    }


def test_a_sentence_that_may_be_cut_off_says_so() -> None:
    answer = read_answer("Change `timeout=5` to `timeout=9` in `src/app.py`")
    assert not answer.items
    assert "may be cut off" in answer.unplaced[0].message


@given(end=st.integers(0, 200))
def test_no_beginning_of_an_answer_changes_another_file(end: int) -> None:
    answer = (
        "Two things.\n\n1. Change `retries = 3` to `retries = 4` in `src/app.py`.\n"
        "2. In `src/main.py`, replace `load_all` with `load_some`.\n"
    )
    whole = changed(answer)
    assert changed(answer[:end]).items() <= whole.items()


@pytest.mark.parametrize(
    "answer",
    [
        "In `src/app.py`:\n\n- `timeout=5` → `timeout=9`\n",
        "### src/app.py\n\n1. `timeout=5` -> `timeout=9`\n",
        "These become:\n\n- `src/app.py`: `timeout=5` => `timeout=9`\n",
        "In `src/app.py`:\n\n| Before | After |\n| --- | --- |\n| `timeout=5` | `timeout=9` |\n",
        "| File | Old value | New value |\n|---|---|---|\n| `src/app.py` | `timeout=5` | `timeout=9` |\n",
        "`src/app.py`:\n\n| Alt | Neu |\n| :-- | --: |\n| `timeout=5` | `timeout=9` |\n",
        "| File | Change |\n| --- | --- |\n| `src/app.py` | `timeout=5` → `timeout=9` |\n",
        "`src/app.py`:\n\n| Where | What |\n| --- | --- |\n| the call | `timeout=5` -> `timeout=9` |\n",
        "`src/app.py`:\n\n| 修改前 | 修改后 |\n| --- | --- |\n| `timeout=5` | `timeout=9` |\n",
    ],
)
def test_a_pair_in_a_list_or_a_table_is_proposed(answer: str) -> None:
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    report = apply_edits(FILES, answer, accept="all")
    assert report.files["src/app.py"] == FILES["src/app.py"].replace("=5)", "=9)")


def test_a_bar_in_a_cell_of_a_table_is_one_of_the_text() -> None:
    files = {"a.toml": 'of = "1|2"\n'}
    answer = 'In `a.toml`:\n\n| Old | New |\n| --- | --- |\n| `"1\\|2"` | `"2\\|3"` |\n'
    assert apply_edits(files, answer, accept="all").files == {"a.toml": 'of = "2|3"\n'}


@pytest.mark.parametrize(
    "answer",
    [
        "- `timeout=5` → `timeout=9`\n",
        "In `src/app.py` or `src/main.py`:\n\n- `timeout=5` → `timeout=9`\n",
        "In `src/app.py`:\n\n- `timeout=5` → `timeout=9` if it is slow\n",
        "In `src/app.py`:\n\n| Option | Default |\n| --- | --- |\n| `timeout=5` | `timeout=9` |\n",
        "In `src/app.py`:\n\n| Before | After |\n| --- | --- |\n| `timeout=5` | nine seconds |\n",
        "| Change |\n| --- |\n| `timeout=5` → `timeout=9` |\n",
        "`src/app.py`:\n\n| One | Two |\n| --- | --- |\n| `5` → `6` | `timeout=5` → `timeout=9` |\n",
        "In `src/app.py`:\n\n```\n- `timeout=5` → `timeout=9`\n```\n",
        "<think>In `src/app.py`:\n\n- `timeout=5` → `timeout=9`\n</think>",
    ],
)
def test_a_list_or_a_table_that_says_something_else_is_prose(answer: str) -> None:
    report = apply_edits(FILES, answer, accept="all")
    assert report.files == FILES
    assert report.outcomes == ()


@pytest.mark.parametrize(
    "answer",
    [
        "Rename `retries` to `attempts` in `src/app.py`.",
        "Rename `retries` to `attempts` everywhere in `src/app.py`.",
        "In `src/app.py`, rename the variable `retries` to `attempts`.",
        "Benenne `retries` in `src/app.py` in `attempts` um.",
        "Renommez `retries` en `attempts` dans `src/app.py`.",
        "Renombra `retries` a `attempts` en `src/app.py`.",
        "Renomeie `retries` para `attempts` em `src/app.py`.",
        "Переименуйте `retries` в `attempts` в `src/app.py`.",
        "将 `src/app.py` 中的 `retries` 重命名为 `attempts`。",
        "`src/app.py` の `retries` を `attempts` に名前変更してください。",
    ],
)
def test_a_name_that_is_renamed_in_several_places_of_a_file_is_proposed(answer: str) -> None:
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]
    report = apply_edits(FILES, answer, accept="all")
    assert report.files["src/app.py"] == FILES["src/app.py"].replace("retries", "attempts")


@pytest.mark.parametrize(
    "answer",
    [
        "Replace `retries` with `attempts` in `src/app.py`.",
        "Rename `retries` to `left` in `src/app.py`.",
        "Rename `retries` to `retries - 1` in `src/app.py`.",
        "Replace `retries` with `attempts` everywhere in `src/app.py`.",
        "Don't rename `retries` to `attempts` in `src/app.py`.",
        "Rename `timeout` to `retries` in `src/app.py`.",
        "Rename `retries` and `attempts` in `src/app.py`.",
        "Переименуйте `retries` и `attempts` в `src/app.py`.",
    ],
)
def test_no_other_change_in_several_places_is_proposed(answer: str) -> None:
    assert apply_edits(FILES, answer, accept="all").files == FILES


@pytest.mark.parametrize(
    ("path", "text", "made"),
    [
        (
            "a.py",
            "import json\n\n\ndef load(path):\n    return json.load(path)\n\n\nload('a')\n",
            "import json\n\n\ndef read(path):\n    return json.load(path)\n\n\nread('a')\n",
        ),
        (
            "a.py",
            "class Box:\n    def load(self):\n        return self.load(self.a.load(), self.a.b.load())\n",
            "class Box:\n    def read(self):\n        return self.read(self.a.load(), self.a.b.load())\n",
        ),
        (
            "a.js",
            "const yaml = require('yaml');\nfunction load(a) {\n  return yaml.load(a) + load(a);\n}\n",
            "const yaml = require('yaml');\nfunction read(a) {\n  return yaml.load(a) + read(a);\n}\n",
        ),
    ],
)
def test_other_objects_keep_their_names(path: str, text: str, made: str) -> None:
    answer = f"Rename `load` to `read` in `{path}`."
    assert apply_edits({path: text}, answer).files == {path: text}
    assert apply_edits({path: text}, answer, accept="all").files == {path: made}


def test_a_name_within_longer_ones_is_not_renamed() -> None:
    files = {"a.css": ".bar { top: 0; }\n.bar-left { top: 1; }\n"}
    assert apply_edits(files, "Rename `bar` to `strip` in `a.css`.", accept="all").files == files
