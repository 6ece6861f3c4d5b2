"""A bare word above a block, such as `Here:`, is no path: nothing is created by such a name."""

from __future__ import annotations

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit, Malformed, Operation
from patchpoint.formats import parse_edits
from patchpoint.outcome import Status

NEW = "<<<<<<< SEARCH\n=======\nx = 1\n>>>>>>> REPLACE\n"
WORDS = ["Here:", "Result", "**Solution**", "### Fix", "File: here", "Then:"]


@pytest.mark.parametrize("word", WORDS)
def test_a_new_file_is_not_created_by_the_name_of_a_word(word: str) -> None:
    (item,) = parse_edits(f"{word}\n{NEW}")
    assert isinstance(item, Malformed)
    assert "no file is named" in item.message
    assert parse_edits(f"{word}\n```\nx = 1\n```\n", "wholeFile") == []


@pytest.mark.parametrize("path", ["src/here", "./here", "here.py", "Makefile", "Dockerfile", ".gitignore"])
def test_a_new_file_is_created_by_what_is_plainly_a_path(path: str) -> None:
    (item,) = parse_edits(f"{path}\n{NEW}")
    assert isinstance(item, Edit)
    assert (item.operation, item.path) == (Operation.CREATE, path)


def test_a_word_names_a_file_that_exists() -> None:
    block = "run\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
    files = {"run": "old\n", "other.py": "old\n"}
    assert apply_edits(files, block).files["run"] == "new\n"
    (missing,) = apply_edits(files, block.replace("run\n", "walk:\n")).outcomes
    assert missing.status is Status.NOT_FOUND


def test_a_word_that_leads_to_a_block_names_no_file() -> None:
    block = "Here:\n<<<<<<< SEARCH\nold\n=======\nnew\n>>>>>>> REPLACE\n"
    (unnamed,) = apply_edits({"Here": "old\n", "other.py": "old\n"}, block).outcomes
    assert "no file is named" in unnamed.message


@pytest.mark.parametrize(
    "label", ["### `Cart.total`", "**Cart.total**", "`Cart.total`:", "* `Shop.prototype.total`"]
)
def test_the_member_that_code_defines_is_no_path(label: str) -> None:
    code = "class Cart:\n    def total(self):\n        return 2\n"
    answer = f"Changed:\n\n{label}\n\n```python\n{code}```\n"
    report = apply_edits({"src/cart.py": code.replace("2", "1")}, answer)
    assert report.files == {"src/cart.py": code}


def test_a_file_is_named_above_the_members_of_it() -> None:
    code = "class Cart:\n    def total(self):\n        return 2\n"
    answer = f"## src/cart.py\n\n### `Cart.total`\n\n```python\n{code}```\n"
    files = {name: code.replace("2", "1") for name in ("src/cart.py", "src/other.py")}
    assert apply_edits(files, answer).files == {**files, "src/cart.py": code}


def test_a_file_with_an_unusual_ending_is_created() -> None:
    report = apply_edits({}, "### lights.frag\n\n```\nvoid main() {}\n```\n")
    assert report.files == {"lights.frag": "void main() {}\n"}


def paths_of(answer: str) -> list[str]:
    return [item.path for item in parse_edits(answer)]


def test_a_heading_in_a_fence_is_none_of_the_answer() -> None:
    first = "### guide.md\n\n```markdown\n## Install\n\nRun pip or pipx.\n```\n\n"
    assert paths_of(first + "```markdown\n## Usage\n\nCall it twice.\n```\n") == ["guide.md", "guide.md"]


@pytest.mark.parametrize("between", ["and in the program itself:\n\n", "and\n\n", ""])
def test_a_comment_in_a_fence_names_no_file_for_the_next_one(between: str) -> None:
    config, base = "def limit():\n    return 1\n", "def main():\n    return 1\n"
    code = config.replace("1", "2") + "\n# src/base.py\n"
    shown = f"Update `limit` in `src/config.py`:\n\n```python\n{code}```\n\n"
    answer = f"{shown}{between}```python\n{base.replace('1', '2')}```\n"
    report = apply_edits({"src/config.py": config, "src/base.py": base}, answer)
    assert report.files["src/base.py"] == base


CART = "def total(xs):\n    return sum(xs)\n\n\ndef one():\n    return 1\n"


@pytest.mark.parametrize(
    "label",
    [
        "Modified file: {}", "Changed: {}", "Edited {}", "Source: {}", "Module {}", "### Datei: {}",
        "Fichier : {}", "**Archivo: {}**", "Arquivo: {}", "文件: {}", "文件：{}", "文件:{}",
        "### ファイル: {}", "Файл: {}",
    ],
)  # fmt: skip
def test_a_label_in_any_language_is_no_part_of_a_path(label: str) -> None:
    new = CART.replace("sum(xs)", "sum(xs, 1)")
    files = {"src/cart.py": CART}
    above = label.format("src/cart.py")
    assert apply_edits(files, f"{above}\n\n```python\n{new}```\n").files == {"src/cart.py": new}
    # a file that is not there is made by no label that is not known
    made = apply_edits(files, f"{label.format('src/new.py')}\n\n```python\nx = 1\n```\n").files
    assert set(made) <= {"src/cart.py", "src/new.py"}


@pytest.mark.parametrize("comment", ["BAD: src/cart.py", "Run with: python src/cart.py", "Old src/cart.py"])
def test_a_comment_with_words_before_a_path_makes_no_file_of_such_a_name(comment: str) -> None:
    report = apply_edits({}, f"Something like this:\n\n```python\n# {comment}\n{CART}```\n")
    assert report.files == {}
