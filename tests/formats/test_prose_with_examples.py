"""Prose with fences that are no edits: whatever it says, no file is written."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint import apply_edits
from patchpoint.formats import read_answer
from tests.sampling import tries

FILES = {
    "src/cart.py": (
        "import json\n\n\nclass Cart:\n    def __init__(self, items):\n        self.items = items\n\n"
        "    def total(self):\n        return sum(item.price for item in self.items)\n\n\n"
        "def load(path):\n    with open(path) as file:\n        return Cart(json.load(file))\n"
    ),
    "src/main.ts": 'import { total } from "./cart";\n\nexport function main(): void {\n  total([]);\n}\n',
    "README.md": "# Shop\n\nA shop.\n",
    "config.yaml": "port: 80\nhost: localhost\n",
}
SENTENCES = [
    *(
        "A cart holds what is to be bought.",
        "The function `load` is in `src/cart.py`.",
        "Nothing else changes.",
    ),
    *(
        "## Background",
        "### Usage",
        "**Note**",
        "- one",
        "- two",
        "1. Open the page.",
        "> A quotation.",
        "---",
    ),
    *("The test fails because `config.yaml` has no port.", "See src/main.ts for more.", "Why does it fail?"),
    *(
        "I would not change `README.md`.",
        "You asked about src/cart.py:66.",
        "`Cart`",
        "**Cart**",
        "a - b",
        "",
    ),
]
INTRODUCTIONS = [
    *("For example:", "Example:", "Usage:", "You can call it like this:", "It is used like this:"),
    *(
        "Run it like this:",
        "An example of how to use `src/cart.py`:",
        "The output was:",
        "Currently it prints:",
    ),
    *("For instance, in `src/cart.py` you could also write:", "Before:", "Previously:", "The old code was:"),
    *("Don't do this:", "Not like this:", "Call it from `src/main.ts`, for example:", "## Example"),
    *("Here is an example of a call:", "Example usage in `docs/demo.py`:", "Find", "Original code:"),
]
SAMPLES = [
    *(
        "cart = load('cart.json')\nprint(cart.total())\n",
        "def demo():\n    return load('x')\n",
        "load('x')\n",
    ),
    *("class Other:\n    def total(self):\n        return 0\n", "import { main } from './main';\nmain();\n"),
    *("$ python -m cart\n42\n", "port: 8080\n", '{"total": 42}\n', "- a\n- b\n", "# ...\nx = 1\n", "...\n"),
    *("def load(path):\n    return None\n", "export function main(): void {\n  run();\n}\n", "\n", "x\n"),
]
LANGUAGES = ["", "python", "ts", "yaml", "json", "text", "bash", "console", "go", "output"]


@st.composite
def _examples(draw: st.DrawFn) -> str:
    parts: list[str] = []
    for _ in range(draw(st.integers(1, 5))):
        parts += draw(st.lists(st.sampled_from(SENTENCES), max_size=3))
        fence = f"```{draw(st.sampled_from(LANGUAGES))}\n{draw(st.sampled_from(SAMPLES))}```"
        parts += [draw(st.sampled_from(INTRODUCTIONS)), fence]
    parts += draw(st.lists(st.sampled_from(SENTENCES), max_size=2))
    return draw(st.sampled_from(["\n\n", "\n"])).join(parts) + "\n"


@pytest.mark.slow
@given(_examples())
@settings(max_examples=tries(300), deadline=None)
def test_fences_that_are_called_examples_write_nothing(answer: str) -> None:
    report = apply_edits(FILES, answer)
    assert report.files == FILES
    assert not report.changes


@given(st.lists(st.one_of(st.sampled_from(SENTENCES), st.text(max_size=60)), max_size=12))
@settings(max_examples=tries(200), deadline=None)
def test_prose_without_fences_writes_nothing(lines: list[str]) -> None:
    answer = "\n".join(line for line in lines if "`" * 3 not in line and "~~~" not in line)
    report = apply_edits(FILES, answer)
    assert report.files == FILES


@pytest.mark.slow
@given(_examples())
@settings(deadline=None)
def test_every_fence_of_examples_has_a_word(answer: str) -> None:
    read = read_answer(answer)
    opening = [line for line in answer.splitlines() if line.startswith("```")]
    assert len(read.items) + len(read.unplaced) >= len(opening) // 2
    assert all(one.message.startswith(f"Line {one.line}: ") for one in read.unplaced)
