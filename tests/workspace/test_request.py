"""A request meets real folders: paths are resolved, buffers are read before the disk, nothing is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.edit import Edit, Format, Operation
from patchpoint.formats import read_answer
from patchpoint.outcome import Atomic, Status
from patchpoint.patching.plan import Plan, Refused
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.request import Workspace, plan_request, read_request


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "song.txt").write_text("one\ntwo\n")
    return tmp_path


def planned(edits: list[Edit], workspace: Workspace, atomic: Atomic = Atomic.ALL) -> Plan:
    return plan_request(read_request(edits, workspace), atomic=atomic)


def change(path: str, search: str = "two\n", replace: str = "2\n") -> Edit:
    return Edit(path=path, search=search, replace=replace)


def test_an_edit_is_located_in_the_buffer_and_not_in_the_stale_file(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), buffers={folder / "src" / "song.txt": "one\ntwo, unsaved\n"})
    [found] = planned([change("src/song.txt", "two, unsaved", "2")], workspace).changes
    assert found.after == "one\n2\n"


def test_a_buffer_that_was_never_saved_can_be_edited(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), buffers={folder / "new.txt": "two\n"})
    assert planned([change("new.txt")], workspace).changes[0].after == "2\n"


def test_a_document_that_is_not_a_file_is_edited_by_its_uri_and_never_moved(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), documents={"untitled:Untitled-1": "two\n"})
    move = Edit(path="untitled:Untitled-1", operation=Operation.RENAME, new_path="x.txt")
    plan = planned([change("untitled:Untitled-1"), move], workspace, Atomic.EDIT)
    assert [o.status for o in plan.outcomes] == [Status.MATCHED, Status.REJECTED]
    assert plan.changes[0].path == "untitled:Untitled-1"


def test_a_path_that_escapes_is_rejected_with_its_message_and_holds_the_rest(folder: Path) -> None:
    plan = planned([change("../other.txt"), change("src/song.txt")], Workspace(roots=(folder,)))
    assert [o.status for o in plan.outcomes] == [Status.REJECTED, Status.HELD]
    assert "../other.txt" in plan.outcomes[0].message


def test_an_absolute_path_is_accepted_from_a_tool_call_and_from_no_other_format(folder: Path) -> None:
    absolute = str(folder / "src" / "song.txt")
    call = Edit(path=absolute, search="two\n", replace="2\n", format=Format.TOOL_CALL)
    block = Edit(path=absolute, search="two\n", replace="2\n", format=Format.SEARCH_REPLACE)
    assert planned([call], Workspace(roots=(folder,))).changes
    assert isinstance(read_request([block], Workspace(roots=(folder,))).items[0], Refused)


def test_a_shortened_path_is_resolved_when_one_file_fits_and_the_outcome_says_so(folder: Path) -> None:
    plan = planned([change("song.txt")], Workspace(roots=(folder,)))
    assert plan.changes[0].path == "src/song.txt"
    assert any("src/song.txt" in note for note in plan.outcomes[0].notes)


def test_a_file_that_is_not_there_is_not_found_rather_than_rejected(folder: Path) -> None:
    [outcome] = planned([change("src/nothing_like_it.py")], Workspace(roots=(folder,))).outcomes
    assert outcome.status is Status.NOT_FOUND


def test_a_binary_file_is_refused_by_name(folder: Path) -> None:
    (folder / "picture.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    [outcome] = planned([change("picture.png")], Workspace(roots=(folder,))).outcomes
    assert outcome.status is Status.REJECTED
    assert "picture.png" in outcome.message


def test_an_edit_that_the_encoding_of_its_file_cannot_hold_is_refused(folder: Path) -> None:
    (folder / "latin.txt").write_bytes("caf\xe9\ntwo\n".encode("latin-1"))
    plan = planned(
        [change("latin.txt", replace="\u4e8c\n"), change("src/song.txt")], Workspace(roots=(folder,))
    )
    assert [o.status for o in plan.outcomes] == [Status.REJECTED, Status.HELD]


def test_a_file_that_the_request_creates_is_edited_and_moved_by_its_other_edits(folder: Path) -> None:
    edits = [
        Edit(path="lib/new.txt", operation=Operation.CREATE, content="two\n"),
        change("lib/new.txt"),
        Edit(path="src/song.txt", operation=Operation.RENAME, new_path="src/lied.txt"),
        change("src/lied.txt"),
    ]
    plan = planned(edits, Workspace(roots=(folder,)))
    assert [(c.operation, c.path, c.new_path, c.after) for c in plan.changes] == [
        (FileOperation.CREATE, "lib/new.txt", None, "2\n"),
        (FileOperation.RENAME, "src/song.txt", "src/lied.txt", "one\n2\n"),
    ]


def test_two_spellings_of_one_file_are_one_file(folder: Path) -> None:
    (folder / "link.txt").symlink_to("src/song.txt")
    plan = planned([change("src/song.txt"), change("link.txt", "one\n", "1\n")], Workspace(roots=(folder,)))
    assert [c.after for c in plan.changes] == ["1\n2\n"]


def test_files_of_several_folders_are_distinguished_by_the_name_of_the_folder(tmp_path: Path) -> None:
    for name in ("front", "back"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "song.txt").write_text("two\n")
    workspace = Workspace(roots=(tmp_path / "front", tmp_path / "back"))
    plan = planned([change("back/song.txt")], workspace)
    assert [c.path for c in plan.changes] == ["back/song.txt"]


def test_a_comment_with_a_name_that_no_system_holds_does_not_keep_a_new_file_from_being_made(
    tmp_path: Path,
) -> None:
    answer = f"Create a new file `x.py`:\n\n```python\n# {'a' * 300}/x.py\nprint(1)\n```\n"
    request = read_request(read_answer(answer).items, Workspace(roots=(tmp_path,)))
    assert [change.path for change in plan_request(request).changes] == ["x.py"]
