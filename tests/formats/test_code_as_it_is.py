"""Code that an answer cites, as the file has it now, is no edit, however the answer misquotes it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.outcome import Status

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
CITED = [
    *("What it is (`src/cart.py`):", "How the sum is made - `src/cart.py`"),
    *("Let me explain `src/cart.py` step by step.", "What does `total` in `src/cart.py` do? It adds:"),
    *("`total` in `src/cart.py` is equivalent to:", "Later you could change `src/cart.py` to this:"),
    *("One might be tempted to write in `src/cart.py`:", "In Django, `src/cart.py` does it so:"),
    *("If `total` in `src/cart.py` were lazy, it would be:", "The last commit of `src/cart.py` had:"),
    *(
        "Your current `total` in `src/cart.py`:",
        "The problem is in `src/cart.py`:",
        "Looking at `src/cart.py`:",
    ),
    *("You have this in `src/cart.py`:", "Right now `src/cart.py` has:", "In `src/cart.py` you wrote:"),
    *("The bug is here, in `src/cart.py`:", "At the moment, `total` in `src/cart.py` is:"),
    *("For reference, `total` in `src/cart.py`:", "This is the line that breaks, in `src/cart.py`:"),
    *(
        "No change needed in `src/cart.py`:",
        "`src/cart.py` (unchanged):",
        "The relevant part of `src/cart.py`:",
    ),
    *(
        "Here is what `src/cart.py` does today:",
        "As you can see in `src/cart.py`:",
        "In `src/cart.py` there is:",
    ),
    *(
        "`total` in `src/cart.py` looks like this:",
        "I found this in `src/cart.py`:",
        "`src/cart.py` contains:",
    ),
    *("Notice this in `src/cart.py`:", "The method in question (`src/cart.py`):"),
]
CHANGED = [
    *("Backend (`src/cart.py`):", "**The cart** - `src/cart.py`", "2. The model: `src/cart.py`"),
    *("In `src/cart.py`, around line 5:", "In the `Cart` class of `src/cart.py`, right below `add`:"),
    *("This fixes the problem in `src/cart.py`:", "Change the current `total` in `src/cart.py` to:"),
    *("Replace the existing `total` in `src/cart.py` with this:", "Then in your existing `src/cart.py`:"),
    *("In `src/cart.py`, modify `total` so the error goes away:", "To fix the issue, in `src/cart.py`:"),
    *(
        "Here is `total` in `src/cart.py` without the bug:",
        "The bug is gone with this `total` in `src/cart.py`:",
    ),
    *("In `src/cart.py`, let's handle the error properly:", "In your current `src/cart.py`, paste:"),
    *("Here is `total` of `src/cart.py` with error logging:", "In `src/cart.py`:", "`src/cart.py`:"),
    *("The issue is the quantity; `total` in `src/cart.py` should be:", "In `src/cart.py`, `total` becomes:"),
]


@pytest.mark.parametrize("sentence", CITED)
def test_code_that_the_file_is_said_to_have_is_not_written(sentence: str) -> None:
    report = apply_edits({PATH: CART}, _answer(sentence))
    assert report.files[PATH] == CART
    assert not report.changes
    assert report.unplaced or [outcome.status for outcome in report.outcomes] == [Status.PROPOSED]


@pytest.mark.parametrize("sentence", CHANGED)
def test_code_that_is_to_be_is_written_although_what_is_now_is_spoken_of(sentence: str) -> None:
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
    assert apply_edits(files, answer).files == files
    report = apply_edits(files, answer, atomic="edit")
    assert report.files["src/cart.py"] == CART.replace("price * item.quantity", "cost")
    assert report.files["src/basket.py"] == CART
    assert "two files are named" in report.unplaced[0].message


def _answer(sentence: str) -> str:
    return f"{sentence}\n\n```python\n{SHOWN}```\n"
