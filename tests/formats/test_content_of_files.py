"""What an answer shows as the content of another file, or as what a file was, is written to none unasked."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits

CART = "def total(xs):\n    return sum(xs)\n\n\ndef one():\n    return 1\n"
FILES = {"src/cart.py": CART, "src/other.py": "x = 1\n"}
NEW = CART.replace("sum(xs)", "0")
INNER = "src/cart.py\n```\n<<<<<<< SEARCH\n    return sum(xs)\n=======\n    return 0\n>>>>>>> REPLACE\n```\n"
BARE = INNER.replace("```\n", "")
DIFF = "```diff\n--- a/src/cart.py\n+++ b/src/cart.py\n@@ -2 +2 @@\n-    return sum(xs)\n+    return 0\n```\n"


@pytest.mark.parametrize(
    "answer",
    [
        f"Add this to `docs/edits.md`:\n\n````markdown\nAn edit looks like this:\n\n{INNER}````\n",
        f"`fixtures/bad.patch`:\n\n{DIFF}",
        f"The test of the parser:\n\n```python\nANSWER = '''\n{BARE}'''\n```\n",
        f"The test of the parser:\n\n```js\nconst answer = `\n{BARE}`;\n```\n",
    ],
)
def test_an_edit_that_is_content_of_a_file_is_not_made_unasked(answer: str) -> None:
    assert apply_edits(FILES, answer).files == FILES


@pytest.mark.parametrize(
    "answer",
    [
        INNER,
        f"````markdown\nI have changed it:\n\n{INNER}````\n",
        f"```python\n{BARE}```\n",
        f"`src/cart.py`:\n\n{DIFF}",
        f"I have changed the cart, see docs/edits.md for the form.\n\n{INNER}",
    ],
)
def test_an_edit_in_fences_of_its_own_or_around_the_answer_is_made(answer: str) -> None:
    assert apply_edits(FILES, answer).files == {**FILES, "src/cart.py": NEW}


@pytest.mark.parametrize(
    "answer",
    [
        "```python\n# src/cart.py (old)\n{}```\n",
        '```python title="src/cart.py (before)"\n{}```\n',
        "```python\n# src/cart.py (pseudo code)\n{}```\n",
        "This is what `src/cart.py` looked like before the refactoring:\n\n```python\n# src/cart.py\n{}```\n",
        "Der Fehler ist in `src/cart.py`:\n\n```python src/cart.py\n{}```\n",
        "O problema está em `src/cart.py`:\n\n```python src/cart.py\n{}```\n",
    ],
)
def test_words_next_to_a_path_on_a_fence_are_read(answer: str) -> None:
    assert apply_edits(FILES, answer.format(NEW)).files == FILES


@pytest.mark.parametrize(
    "answer",
    [
        "```python\n# src/cart.py (new)\n{}```\n",
        '```python title="src/cart.py (updated)"\n{}```\n',
        "Here is the new `src/cart.py`:\n\n```python\n# src/cart.py\n{}```\n",
        "It is rounded now.\n\n```python src/cart.py\n{}```\n",
        "Update `total` in `src/cart.py` to round the result:\n\n```python src/cart.py\n{}```\n",
    ],
)
def test_a_path_on_a_fence_next_to_words_that_are_known_is_enough(answer: str) -> None:
    after = apply_edits(FILES, answer.format(NEW)).files
    assert (after["src/cart.py"] or "").endswith(NEW)


@pytest.mark.parametrize("above", ["Here is the complete `config.py`:", "`config.py`", "### config.py"])
def test_no_third_file_of_a_name_is_made_that_several_have(above: str) -> None:
    files = {"a/config.py": "NAME = 1\n", "b/config.py": "NAME = 2\n"}
    report = apply_edits(files, f"{above}\n\n```python\nNAME = 3\n```\n")
    assert report.files == files
    assert "could mean a/config.py, b/config.py" in report.outcomes[0].message


def test_a_file_that_is_called_new_is_made_next_to_others_of_its_name() -> None:
    files = {"a/config.py": "NAME = 1\n", "b/config.py": "NAME = 2\n"}
    report = apply_edits(files, "Create a new file `config.py`:\n\n```python\nNAME = 3\n```\n")
    assert report.files == {**files, "config.py": "NAME = 3\n"}
