"""Code that an answer cites, as the file has it now, is no edit, however the answer misquotes it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status
from tests.formats.sentences import sentences

PATH = "src/cart.py"
CART = (
    "class Cart:\n    def __init__(self):\n        self.items = []\n\n"
    "    def total(self):\n        result = 0\n        for item in self.items:\n"
    "            result += item.price * item.quantity\n        return result\n"
)
SHOWN = (
    "def total(self):\n    result = 0\n    for item in self.items:\n"
    "        result += item.price\n    return result\n"
)
ROWS = sentences("above-code")


@pytest.mark.parametrize("sentence", ROWS["held"])
def test_code_that_the_file_is_said_to_have_is_not_written(sentence: str) -> None:
    report = apply_edits({PATH: CART}, _answer(sentence))
    assert report.files[PATH] == CART
    assert not report.changes
    assert report.unplaced or [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]


@pytest.mark.parametrize("sentence", ROWS["proposed"])
def test_code_below_a_sentence_with_words_that_are_not_known_is_proposed(sentence: str) -> None:
    report = apply_edits({PATH: CART}, _answer(sentence))
    assert report.files[PATH] == CART
    assert [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]


@pytest.mark.parametrize("sentence", ROWS["made"])
def test_code_below_a_sentence_of_known_words_is_written(sentence: str) -> None:
    report = apply_edits({PATH: CART}, _answer(sentence))
    assert report.files[PATH] == CART.replace(" * item.quantity", "")


@pytest.mark.parametrize(
    "heading",
    ["### Code review of `src/cart.py`", "## The problem in `src/cart.py`", "## How `src/cart.py` works"],
)
def test_code_below_the_heading_of_an_analysis_is_not_written(heading: str) -> None:
    report = apply_edits({PATH: CART}, f"{heading}\n\n1. The sum:\n\n```python\n{SHOWN}```\n")
    assert report.files[PATH] == CART


@pytest.mark.parametrize(
    "verdict",
    ["This function is fine.", "`total` looks good.", "No changes needed here.", "This is not safe."],
)
def test_code_that_is_judged_below_it_is_not_written(verdict: str) -> None:
    report = apply_edits({PATH: CART}, f"**{PATH}**\n\n```python\n{SHOWN}```\n\n{verdict}\n")
    assert report.files[PATH] == CART


@pytest.mark.parametrize("path", [f"`{PATH}`", f"**{PATH}**"])
def test_the_sentence_above_a_path_alone_counts(path: str) -> None:
    old = apply_edits({PATH: CART}, f"Your current code:\n\n{path}\n```python\n{SHOWN}```\n")
    new = apply_edits({PATH: CART}, f"Here is the fix:\n\n{path}\n```python\n{SHOWN}```\n")
    assert old.files[PATH] == CART
    assert new.changes


def test_code_as_it_is_on_a_fence_with_its_path_is_not_written() -> None:
    report = apply_edits({PATH: CART}, f"The current code:\n\n```python title={PATH}\n{SHOWN}```\n")
    assert report.files[PATH] == CART


def test_what_an_earlier_sentence_says_of_the_past_does_not_count() -> None:
    sentence = f"The sum was wrong. In `{PATH}`:"
    assert apply_edits({PATH: CART}, _answer(sentence)).changes


def test_code_whose_sentence_names_another_file_than_the_heading_is_not_written_to_that_one() -> None:
    files = {PATH: CART, "src/basket.py": CART}
    first = SHOWN.replace("price", "cost")
    below = _answer("Here is the updated code of src/basket.py:")
    answer = f"### {PATH}\n\n```python\n{first}```\n\n{below}"
    report = apply_edits(files, answer)
    assert report.files["src/cart.py"] == CART.replace("price * item.quantity", "cost")
    assert report.files["src/basket.py"] == CART.replace("price * item.quantity", "price")


def _answer(sentence: str) -> str:
    return f"{sentence}\n\n```python\n{SHOWN}```\n"


@pytest.mark.parametrize("form", ["**{}**\n\n`src/cart.py`\n{}", "## {}\n\nIn `src/cart.py`:\n\n{}"])
@pytest.mark.parametrize(
    "heading",
    [
        *("Current code", "Your code", "The old version", "Before", "What you have", "The buggy version"),
        *("Example", "Usage", "Expected output", "How it works", "Root cause", "The problem", "Code review"),
        *("Aktueller Code", "Vorher", "Beispiel", "Avant", "Exemple", "Antes", "Ejemplo", "Exemplo"),
        *("Было", "Пример", "修改前", "示例", "変更前", "例"),
    ],
)
def test_code_below_a_heading_that_calls_it_old_or_an_example_is_not_written(heading: str, form: str) -> None:
    files = {"src/cart.py": "def total(xs):\n    return sum(xs)\n"}
    code = "```python\ndef total(xs):\n    return round(sum(xs), 2)\n```\n"
    assert apply_edits(files, form.format(heading, code)).files == files
