"""Code that an answer cites, as the file has it now, is no edit, however the answer misquotes it."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

PATH = "src/cart.py"
CART = (
    "class Cart:\n    def __init__(self):\n        self.items = []\n\n"
    "    def total(self):\n        result = 0\n        for item in self.items:\n"
    "            result += item.price * item.quantity\n        return result\n"
)
SHOWN = "def total(self):\n    result = 0\n    for item in self.items:\n        result += item.price\n    return result\n"
CITED = [
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
    assert report.unplaced


@pytest.mark.parametrize("sentence", CHANGED)
def test_code_that_is_to_be_is_written_although_what_is_now_is_spoken_of(sentence: str) -> None:
    report = apply_edits({PATH: CART}, _answer(sentence))
    assert report.files[PATH] == CART.replace(" * item.quantity", "")


def _answer(sentence: str) -> str:
    return f"{sentence}\n\n```python\n{SHOWN}```\n"
