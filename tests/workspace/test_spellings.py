"""On a disk that folds case, an edit is of the file that is there, whose name it leaves as it is."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Atomic, Outcome, Reason, Status
from patchpoint.workspace.request import Workspace, plan_request, read_request
from patchpoint.workspace.write import write_changes
from tests.checkpoints.folding import folding_disk


@pytest.fixture(params=["double", "exFAT"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with two files, on a disk that folds case."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with folding_disk(request.param, tmp_path, monkeypatch) as disk:
        (disk / "src").mkdir()
        (disk / "src" / "other.py").write_text("one\ntwo\n")
        (disk / "third.py").write_text("three\n")
        yield disk


def applied(edits: list[Edit], folder: Path, buffers: dict[Path, str] | None = None) -> tuple[Outcome, ...]:
    """Plan `edits` and write what can be; return the outcomes."""
    request = read_request(edits, Workspace(roots=(folder,), buffers=buffers or {}))
    plan = plan_request(request, atomic=Atomic.EDIT)
    if plan.changes:
        write_changes(request, plan.changes)
    return plan.outcomes


def names(folder: Path) -> dict[str, str]:
    """The files by the names that the disk lists, with their text."""
    files = [Path(above) / name for above, _, files in os.walk(folder) for name in files]
    return {file.relative_to(folder).as_posix(): file.read_text(encoding="utf-8") for file in files}


def change(path: str, search: str = "two\n", replace: str = "2\n") -> Edit:
    return Edit(path=path, search=search, replace=replace)


@pytest.mark.parametrize("written", ["src/OTHER.py", "SRC/other.py", "Src/Other.PY", "src/other.py"])
def test_an_edit_leaves_the_name_of_the_file_as_it_is(folder: Path, written: str) -> None:
    (outcome,) = applied([change(written)], folder)
    assert (outcome.status, outcome.path) == (Status.MATCHED, "src/other.py")
    assert names(folder) == {"src/other.py": "one\n2\n", "third.py": "three\n"}


def test_two_spellings_in_one_request_are_one_file(folder: Path) -> None:
    edits = [change("src/OTHER.py"), change("src/other.py", "one\n", "1\n")]
    assert [outcome.status for outcome in applied(edits, folder)] == [Status.MATCHED] * 2
    assert names(folder)["src/other.py"] == "1\n2\n"


def test_a_new_file_in_a_folder_of_another_spelling_is_created_in_that_folder(folder: Path) -> None:
    new = Edit(path="SRC/New.py", operation=Operation.CREATE, content="new\n")
    (outcome,) = applied([new], folder)
    assert outcome.path == "src/New.py"
    assert names(folder)["src/New.py"] == "new\n"


def test_a_file_that_is_there_by_another_spelling_is_not_created(folder: Path) -> None:
    new = Edit(path="Third.py", operation=Operation.CREATE, content="new\n")
    (outcome,) = applied([new], folder)
    assert (outcome.reason, outcome.path) == (Reason.FILE_EXISTS, "third.py")
    assert names(folder)["third.py"] == "three\n"


def test_a_move_to_another_spelling_gives_the_file_that_name(folder: Path) -> None:
    move = Edit(path="src/other.py", operation=Operation.RENAME, new_path="src/Other.py")
    (outcome,) = applied([move], folder)
    assert outcome.status is Status.MATCHED
    assert names(folder) == {"src/Other.py": "one\ntwo\n", "third.py": "three\n"}


def test_a_move_to_the_name_of_another_file_is_refused_with_the_right_words(folder: Path) -> None:
    move = Edit(path="src/other.py", operation=Operation.RENAME, new_path="THIRD.py")
    (outcome,) = applied([move], folder)
    assert outcome.reason is Reason.FILE_EXISTS
    assert "cannot be moved" in outcome.message
    assert "third.py" in outcome.message
    assert names(folder) == {"src/other.py": "one\ntwo\n", "third.py": "three\n"}


def test_a_deletion_names_the_file_that_is_there(folder: Path) -> None:
    (outcome,) = applied([Edit(path="THIRD.py", operation=Operation.DELETE)], folder)
    assert (outcome.status, outcome.path) == (Status.MATCHED, "third.py")
    assert names(folder) == {"src/other.py": "one\ntwo\n"}


def test_unsaved_text_is_found_whichever_spelling_the_editor_has(folder: Path) -> None:
    opened = folder / "src" / "Other.py"
    request = read_request(
        [change("src/OTHER.py", "unsaved\n", "2\n")],
        Workspace(roots=(folder,), buffers={opened: "unsaved\n"}),
    )
    (planned,) = plan_request(request).changes
    assert (planned.path, planned.after) == ("src/other.py", "2\n")
    assert request.targets["src/other.py"].place == str(opened)


def test_where_case_counts_two_spellings_are_two_files(tmp_path: Path) -> None:
    for name in ("a.py", "A.py"):
        (tmp_path / name).write_text(f"two\n{name}\n")
    applied([change("A.py")], tmp_path)
    assert names(tmp_path) == {"a.py": "two\na.py\n", "A.py": "2\nA.py\n"}
