"""Code that names no file goes to the one file of a workspace that has a place for it, or is asked about."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.edit import Unplaced
from patchpoint.formats import read_answer
from patchpoint.outcome import Status
from patchpoint.workspace.request import Workspace, plan_request, read_request
from patchpoint.workspace.unnamed import files_in_workspace, place_in_workspace

CART = "import json\n\n\ndef load(path):\n    with open(path) as file:\n        return json.load(file)\n"
FIXED = "def load(path):\n    with open(path, 'rb') as file:\n        return json.load(file)\n"
ANSWER = f"Here is the fixed function:\n\n```python\n{FIXED}```\n"
PAIR = "Replace\n\n```\n    return total\n```\n\nwith\n\n```\n    return total * 2\n```\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src/cart.py").write_text(CART)
    (tmp_path / "src/sum.go").write_text("package sum\n\nfunc load() {}\n")
    (tmp_path / "total.py").write_text("def f(total):\n    return total\n")
    return tmp_path


def unplaced(answer: str) -> tuple[Unplaced, ...]:
    read = read_answer(answer)
    assert not read.items
    return read.unplaced


def test_a_definition_that_one_file_has_is_for_that_file(folder: Path) -> None:
    workspace = Workspace(roots=(folder,))
    placing = place_in_workspace(unplaced(ANSWER), workspace)
    assert [edit.path for edit in placing.edits] == ["src/cart.py"]
    [change] = plan_request(read_request(placing.edits, workspace)).changes
    assert change.after is not None
    assert change.after.endswith(FIXED)


def test_a_text_to_be_replaced_that_one_file_has_is_for_that_file(folder: Path) -> None:
    placing = place_in_workspace(unplaced(PAIR), Workspace(roots=(folder,)))
    assert [edit.path for edit in placing.edits] == ["total.py"]


def test_where_two_files_have_it_both_are_named_and_nothing_is_placed(folder: Path) -> None:
    (folder / "old.py").write_text(CART)
    placing = place_in_workspace(unplaced(ANSWER), Workspace(roots=(folder,)))
    assert placing.edits == ()
    assert "it could be for old.py, src/cart.py; write the path of one" in placing.left[0].message
    assert files_in_workspace(unplaced(ANSWER)[0], Workspace(roots=(folder,))) == ["old.py", "src/cart.py"]


def test_a_part_of_a_word_names_no_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("patchpoint.workspace.unnamed._MOST_FILES", 3)
    for name in "efix":  # which the words above the code have, as letters
        (folder / f"{name}.md").write_text("# Notes\n")
    placing = place_in_workspace(unplaced(ANSWER), Workspace(roots=(folder,)))
    assert [edit.path for edit in placing.edits] == ["src/cart.py"]


def test_the_text_of_a_buffer_counts_and_not_that_of_its_stale_file(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), buffers={folder / "src/cart.py": "x = 1\n"})
    assert place_in_workspace(unplaced(ANSWER), workspace).edits == ()
    workspace = Workspace(roots=(folder,), buffers={folder / "src/cart.py": "", folder / "new.py": CART})
    assert [edit.path for edit in place_in_workspace(unplaced(ANSWER), workspace).edits] == ["new.py"]


def test_the_file_that_holds_the_answer_is_not_meant(folder: Path) -> None:
    source = folder / "answer.md"
    source.write_text(PAIR)
    assert place_in_workspace(unplaced(PAIR), Workspace(roots=(folder,))).edits == ()
    placing = place_in_workspace(unplaced(PAIR), Workspace(roots=(folder,)), source=source)
    assert [edit.path for edit in placing.edits] == ["total.py"]


def test_code_in_another_language_is_not_meant(folder: Path) -> None:
    (folder / "src/cart.py").unlink()
    [left] = place_in_workspace(unplaced(ANSWER), Workspace(roots=(folder,))).left
    assert left.message == "Line 3: this shows load: no path names its file; write it on the line above."


def test_of_several_folders_the_name_of_the_one_is_in_the_path(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    (tmp_path / "two/cart.py").write_text(CART)
    workspace = Workspace(roots=(tmp_path / "one", tmp_path / "two"))
    placing = place_in_workspace(unplaced(ANSWER), workspace)
    assert [edit.path for edit in placing.edits] == ["two/cart.py"]
    assert plan_request(read_request(placing.edits, workspace)).outcomes[0].status is Status.MATCHED


def test_an_example_is_for_no_file(folder: Path) -> None:
    answer = ANSWER.replace("Here is the fixed function:", "You can call it like this:")
    [left] = place_in_workspace(unplaced(answer), Workspace(roots=(folder,))).left
    assert left.edit is None
    assert "it is called an example" in left.message
