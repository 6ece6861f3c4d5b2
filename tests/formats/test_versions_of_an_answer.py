"""Code that an answer takes back, and what it gives in place of that without a path of its own."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

LOAD = "export function load(x) {\n  return x;\n}\n"
FILES = {"src/a.js": f"{LOAD}\nexport function save() {{\n  return 2;\n}}\n", "src/b.js": LOAD}
FIRST = LOAD.replace("return x", "return x + 3")
BETTER = LOAD.replace("return x", "return x ? x + 3 : 0")


def answer(between: str, code: str = BETTER) -> str:
    return f"In `src/a.js`:\n\n```js\n{FIRST}```\n\n{between}\n\n```js\n{code}```\n"


@pytest.mark.parametrize(
    "between",
    [
        "Wait – that adds to nothing. Please ignore the snippet above. The correct version is:",
        "Wait, that loses the zero. Corrected for that case:",
        "Hmm, that breaks for 0. Better:",
        "Please ignore the snippet above. Use this instead:",
        "Warte, das bricht bei 0. Richtig ist:",
    ],
)
def test_what_is_taken_back_is_not_made_and_its_correction_needs_a_path(between: str) -> None:
    assert apply_edits(FILES, answer(between)).files == FILES
    after = apply_edits(FILES, answer(between), accept="all").files
    assert after in (FILES, {**FILES, "src/a.js": FILES["src/a.js"].replace(LOAD, BETTER)})


@pytest.mark.parametrize(
    "between", ["Please ignore the snippet above. You call it so:", "Forget that. Usage:"]
)
def test_what_only_uses_it_is_no_correction(between: str) -> None:
    report = apply_edits(FILES, answer(between, "load(3);\n"), accept="all")
    assert report.files == FILES
