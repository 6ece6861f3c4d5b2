"""Applied and pending edits outlast the server, and applied ones can be reverted."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import pytest

from patchpoint.edit import Edit, Operation, Split
from patchpoint.filesystem.user_state import OVERRIDE
from patchpoint.patching.pending import PendingEdit
from patchpoint.patching.plan import Plan
from patchpoint.workspace.history.applications import Application, Origin, application_of, of_session
from patchpoint.workspace.history.ledger import KEPT_APPLICATIONS, Ledger
from patchpoint.workspace.history.recorded import within
from patchpoint.workspace.request import ResolvedRequest, Workspace, plan_request, read_request
from patchpoint.workspace.write import write_changes


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(OVERRIDE, str(tmp_path / "state"))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work"


def applied(
    edits: Sequence[Edit], folder: Path, originals: Mapping[str, bytes] | None = None
) -> tuple[ResolvedRequest, Plan]:
    request = read_request(edits, Workspace(roots=(folder,)), originals=originals)
    plan = plan_request(request)
    assert plan.changes, plan.outcomes
    write_changes(request, plan.changes)
    return request, plan


def everything(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        p.relative_to(folder).as_posix(): (p.read_bytes(), p.stat().st_mode)
        for p in folder.rglob("*")
        if p.is_file()
    }


def test_every_change_of_a_request_is_reverted_byte_for_byte(folder: Path) -> None:
    (folder / "crlf.txt").write_bytes(b"\xef\xbb\xbfone\r\ntwo\r\n")
    (folder / "latin.txt").write_bytes("caf\xe9 au lait, gar\xe7on\n".encode("latin-1"))
    (folder / "moved.txt").write_text("one\ntwo\n")
    (folder / "run.sh").write_text("echo\n")
    before = everything(folder)
    edits = [
        Edit(path="crlf.txt", search="two\n", replace="2\n3\n"),
        Edit(path="latin.txt", operation=Operation.DELETE),
        Edit(path="moved.txt", search="two\n", replace="2\n"),
        Edit(path="moved.txt", operation=Operation.RENAME, new_path="there/moved.txt"),
        Edit(path="run.sh", operation=Operation.CHMOD, mode=0o755),
        Edit(path="new.txt", operation=Operation.CREATE, content="new\n"),
    ]
    request, plan = applied(edits, folder)
    assert everything(folder) != before
    application = application_of(request, plan.changes)
    Ledger(folder).keep_application(application)

    [kept] = Ledger(folder).applications()
    assert kept == application
    applied(kept.back, folder, kept.originals())
    assert everything(folder) == before


def test_a_file_that_was_created_is_not_deleted_with_what_has_been_added_to_it_since(folder: Path) -> None:
    request, plan = applied([Edit(path="new.txt", operation=Operation.CREATE, content="new\n")], folder)
    application = application_of(request, plan.changes)
    (folder / "new.txt").write_text("new\nand mine\n")
    back = plan_request(read_request(application.back, Workspace(roots=(folder,))))
    assert back.changes == ()


def test_pending_edits_are_read_as_they_were_written(folder: Path) -> None:
    edit = Edit(
        path="f", search="a\nb", replace="c", scope=("class A",), splits=(Split("a", "b"), Split("c", "d"))
    )
    pending = PendingEdit(id="p1", file=str(folder / "f"), edit=edit, source="untitled:1", attempts=3)
    Ledger(folder).keep_pending({"p1": pending})
    assert Ledger(folder).pending() == {"p1": pending}


def test_only_the_newest_applications_are_kept(folder: Path) -> None:
    ledger = Ledger(folder)
    for n in range(KEPT_APPLICATIONS + 3):
        ledger.keep_application(
            Application(id=str(n), created_at="", files=(), back=(Edit(path="f"),), deleted={})
        )
    assert [a.id for a in ledger.applications()] == [str(n) for n in range(KEPT_APPLICATIONS + 2, 2, -1)]


def test_a_damaged_ledger_is_set_aside_and_not_lost(folder: Path, tmp_path: Path) -> None:
    pending = PendingEdit(id="p1", file=str(folder / "f"), edit=Edit(path="f"))
    Ledger(folder).keep_pending({"p1": pending})
    [file] = (tmp_path / "state").rglob("pending.json")
    file.write_text('{"version": 1, "content": [{"id": 5}]}')
    assert Ledger(folder).pending() == {}
    assert list(file.parent.glob("pending.json.damaged*"))


@pytest.mark.parametrize(
    ("field", "kept"),
    [
        ({"back": [5]}, 0),
        ({"back": None}, 0),
        ({"back": [{"path": "/folder/f", "operation": "sing"}]}, 0),
        ({"back": [{"path": "/folder/f", "search": 5}]}, 1),  # what can be made a text is one
        ({"deleted": {"f": None}}, 1),
    ],
)
def test_a_damaged_record_costs_no_other(
    folder: Path, tmp_path: Path, field: dict[str, object], kept: int
) -> None:
    ledger = Ledger(folder)
    for one in ("first", "second"):
        ledger.keep_application(remembered(one, 1))
    [file] = (tmp_path / "state").rglob("applications.json")
    document = json.loads(file.read_text("utf-8"))
    document["content"].insert(1, document["content"][0] | {"id": "damaged"} | field)
    file.write_text(json.dumps(document), "utf-8")
    assert ledger.chosen() == set()
    ledger.keep_application(remembered("third", 1))
    names = ["third", "second", *["damaged"] * kept, "first"]
    assert [one.id for one in ledger.applications()] == names
    assert [one.id for one in ledger.applications()] == names
    assert len(list(file.parent.glob("applications.json.damaged*"))) == 1 - kept


def test_what_is_no_list_is_set_aside_and_the_next_application_is_kept(folder: Path, tmp_path: Path) -> None:
    ledger = Ledger(folder)
    ledger.keep_application(remembered("first", 1))
    [file] = (tmp_path / "state").rglob("applications.json")
    file.write_text('{"version": 1, "content": "none"}')
    ledger.keep_application(remembered("second", 1))
    assert [one.id for one in ledger.applications()] == ["second"]
    assert list(file.parent.glob("applications.json.damaged*"))


def remembered(
    name: str, size: int, session: str = "", message: str = "", reverted_at: str = "", reverts: str = ""
) -> Application:
    return Application(
        id=name,
        created_at="",
        files=(name,),
        back=(Edit(path=f"/folder/{name}", search="x" * size, replace=""),),
        deleted={},
        origin=Origin(session=session, message=message),
        reverted_at=reverted_at,
        reverts=reverts,
    )


def test_as_many_of_the_newest_applications_are_kept_as_their_texts_allow() -> None:
    known = [asdict(remembered(str(number), 10)) for number in range(5)]
    large = asdict(remembered("large", 100))
    assert within(known, 3, 1000) == known[:3]
    assert within(known, 5, 25) == known[:2]
    assert within([large, *known], 5, 25) == [large]


def test_what_a_chat_applied_is_found_by_its_message_but_for_what_is_reverted() -> None:
    known = [
        remembered("second", 1, "chat", message="2"),
        remembered("undone", 1, "chat", message="2", reverted_at="now"),
        remembered("revert", 1, "chat", message="2", reverts="undone"),
        remembered("elsewhere", 1, "other", message="2"),
        remembered("first", 1, "chat", message="1"),
    ]
    assert [one.id for one in of_session(known, "chat")] == ["second", "first"]
    assert [one.id for one in of_session(known, "chat", "1")] == ["first"]
