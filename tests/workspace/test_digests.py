"""What a caller expects of files is compared with what there is, and what a change makes of them is named."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.patching.plan import Plan
from patchpoint.workspace.digests import digests_of, without_stale
from patchpoint.workspace.request import ResolvedRequest, Workspace, plan_request, read_request
from patchpoint.workspace.write import write_changes


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "one.txt").write_text("1\n")
    (folder / "two.txt").write_text("2\n")
    return folder


EDITS = (
    Edit(path="one.txt", search="1\n", replace="one\n"),
    Edit(path="two.txt", search="2\n", replace="two\n"),
)


def digest(data: bytes | str) -> str:
    return hashlib.sha256(data.encode() if isinstance(data, str) else data).hexdigest()


def planned(
    expected: dict[str, str], workspace: Workspace, edits: tuple[Edit, ...] = EDITS, base: Path | None = None
) -> tuple[ResolvedRequest, Plan]:
    request = without_stale(read_request(edits, workspace, base=base), expected, workspace, base)
    return request, plan_request(request, atomic=Atomic.EDIT)


def statuses(expected: dict[str, str], workspace: Workspace, base: Path | None = None) -> list[Status]:
    return [outcome.status for outcome in planned(expected, workspace, base=base)[1].outcomes]


MATCHED, CONFLICT = Status.MATCHED, Status.CONFLICT


def test_what_the_caller_read_is_edited(folder: Path) -> None:
    workspace = Workspace(roots=(folder,))
    for spelt in ("one.txt", "./one.txt", str(folder / "one.txt"), (folder / "one.txt").as_uri()):
        assert statuses({spelt: digest("1\n")}, workspace) == [MATCHED, MATCHED]
        assert statuses({spelt: digest("1\n").upper()}, workspace) == [MATCHED, MATCHED]


def test_the_edits_of_a_file_that_has_changed_are_refused_and_named(folder: Path) -> None:
    _, plan = planned({"one.txt": digest("other\n")}, Workspace(roots=(folder,)))
    assert [one.status for one in plan.outcomes] == [CONFLICT, MATCHED]
    assert plan.outcomes[0].reason is Reason.STALE
    assert "one.txt has changed since it was read" in plan.outcomes[0].feedback


def test_a_path_is_resolved_first_from_the_base(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub" / "one.txt").write_text("1\n")
    workspace = Workspace(roots=(folder,))
    assert statuses({"one.txt": digest("x")}, workspace, base=folder / "sub") == [CONFLICT, MATCHED]
    (folder / "one.txt").write_text("x")
    assert statuses({"one.txt": digest("1\n")}, workspace, base=folder / "sub") == [MATCHED, MATCHED]


def test_a_file_that_no_edit_is_of_was_read_to_write_all_of_them(folder: Path) -> None:
    (folder / "read.bin").write_bytes(b"\0\1")
    workspace = Workspace(roots=(folder,))
    assert statuses({"read.bin": digest(b"\0\1")}, workspace) == [MATCHED, MATCHED]
    assert statuses({"read.bin": digest(b"\0\2")}, workspace) == [CONFLICT, CONFLICT]


@pytest.mark.parametrize("path", ["gone.txt", "../outside.txt", ".git/config", "", "/etc/passwd", "sub"])
def test_what_cannot_be_compared_is_refused(folder: Path, path: str) -> None:
    (folder / "sub").mkdir()
    (folder.parent / "outside.txt").write_text("secret\n")
    workspace = Workspace(roots=(folder,))
    assert statuses({path: digest("secret\n")}, workspace) == [CONFLICT, CONFLICT]


def test_the_file_to_be_created_was_not_to_be_read(folder: Path) -> None:
    create = Edit(path="new.txt", operation=Operation.CREATE, content="new\n")
    _, plan = planned({"new.txt": digest("new\n")}, Workspace(roots=(folder,)), (create, *EDITS))
    assert [one.status for one in plan.outcomes] == [CONFLICT, MATCHED, MATCHED]


def test_a_buffer_with_unsaved_changes_is_what_counts(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), buffers={folder / "one.txt": "1\nunsaved\n"})
    assert statuses({"one.txt": digest("1\n")}, workspace) == [CONFLICT, MATCHED]
    assert statuses({"one.txt": digest("1\nunsaved\n")}, workspace) == [MATCHED, MATCHED]


def test_a_document_that_is_no_file_is_compared_as_utf_8(folder: Path) -> None:
    workspace = Workspace(roots=(folder,), documents={"untitled:1": "é\n"})
    edit = (Edit(path="untitled:1", search="é\n", replace="e\n"),)
    for expected, status in ((digest("é\n"), MATCHED), (digest("e\n"), CONFLICT)):
        assert planned({"untitled:1": expected}, workspace, edit)[1].outcomes[0].status is status


def test_a_link_is_the_file_that_it_points_to(folder: Path) -> None:
    (folder / "link.txt").symlink_to("one.txt")
    assert statuses({"link.txt": digest("x")}, Workspace(roots=(folder,))) == [CONFLICT, MATCHED]


@pytest.mark.parametrize(
    "data", [b"\xef\xbb\xbf1\r\n", "\ufeff1\n".encode("utf-16-le"), b"1\n\xe9\n", b"1\n"]
)
def test_the_digests_of_a_change_are_those_of_the_bytes_on_disk(folder: Path, data: bytes) -> None:
    (folder / "one.txt").write_bytes(data)
    edits = (
        Edit(path="one.txt", search="1", replace="uno"),
        Edit(path="new.txt", operation=Operation.CREATE, content="ñ\n"),
        Edit(path="two.txt", operation=Operation.RENAME, new_path="three.txt"),
    )
    request, plan = planned({"one.txt": digest(data)}, Workspace(roots=(folder,)), edits)
    named = {change.path: digests_of(change, request) for change in plan.changes}
    write_changes(request, plan.changes)
    assert named["one.txt"] == (digest(data), digest((folder / "one.txt").read_bytes()))
    assert named["new.txt"] == (None, digest((folder / "new.txt").read_bytes()))
    assert named["two.txt"] == (digest("2\n"), digest("2\n"))
    delete = (Edit(path="new.txt", operation=Operation.DELETE),)
    request, plan = planned({}, Workspace(roots=(folder,)), delete)
    assert digests_of(plan.changes[0], request) == (digest("ñ\n"), None)
    write_changes(request, plan.changes)
    again = replace(
        read_request(edits[1:2], Workspace(roots=(folder,))), originals={str(folder / "new.txt"): b"\xe9"}
    )
    assert digests_of(plan_request(again).changes[0], again) == (None, digest(b"\xe9"))


@given(st.dictionaries(st.text(max_size=20), st.binary(max_size=3), max_size=4))
def test_whatever_is_expected_of_whatever_path_nothing_raises(expected: dict[str, bytes]) -> None:
    workspace = Workspace(roots=(Path(__file__).parent,))
    request = read_request(EDITS, workspace)
    without_stale(request, {path: digest(data) for path, data in expected.items()}, workspace)
