"""`undo`, `redo` and `operations` on the command line: what they print, and what they refuse."""

from __future__ import annotations

from pathlib import Path

from patchpoint.operations.log import OperationLog
from tests.cli.calls import Run, answer, edit

REDUCED, LOWER = 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.04")'


def test_undo_says_what_it_takes_back_and_redo_what_it_brings_back(project: Path, run: Run) -> None:
    tax = project / "till/tax.py"
    before = tax.read_bytes()
    assert run("apply", answer(project, edit("till/tax.py", REDUCED, LOWER))).status == 0
    after = tax.read_bytes()
    assert run("undo", "--check").out.splitlines()[-1] == "Would undo: edits of tax.py, just now"
    assert tax.read_bytes() == after
    assert run("undo").out.splitlines() == [
        "M  till/tax.py",
        "Undone: edits of tax.py, just now",
        "patchpoint redo brings it back.",
    ]
    assert tax.read_bytes() == before
    assert run("redo").out.splitlines()[1:] == [
        "Redone: edits of tax.py, just now",
        "patchpoint undo takes it back.",
    ]
    assert tax.read_bytes() == after


def test_the_operations_are_listed_newest_first_a_line_each(project: Path, run: Run) -> None:
    assert run("operations").out == "Nothing was done here yet.\n"
    run("apply", "--session", "chat-7", answer(project, edit("till/tax.py", REDUCED, LOWER)))
    applied = run("applications", "--json").json["applications"][0]["id"]
    run("undo", "--session", "chat")
    lines = run("operations").out.splitlines()
    assert [line.split()[3:] for line in lines] == [
        ["undo", applied, "tax.py"],
        ["apply", "undone", "tax.py", "chat-7"],
    ]
    listed = run("operations", "--session", "chat-7", "--json").json["operations"]
    assert [(one["id"], one["state"], one["session"]) for one in listed] == [(applied, "undone", "chat-7")]
    assert listed[0]["files"] == [{"uri": (project / "till/tax.py").as_uri(), "change": "M"}]


def test_what_a_session_did_is_passed_over_and_named(project: Path, run: Run) -> None:
    (project / "mine.txt").write_text("a\n")
    run("apply", answer(project, edit("mine.txt", "a", "b")))
    run("apply", "--session", "chat-7", answer(project, edit("till/tax.py", REDUCED, LOWER)))
    theirs = OperationLog.of(project).all()[0].id
    said = run("undo").out.splitlines()
    assert said[0] == f"stays: edits of tax.py, just now, by session chat-7 (patchpoint undo {theirs})"
    assert said[2] == "Undone: edits of mine.txt, just now"
    refused = run("undo", "--json")
    assert (refused.status, refused.json["error"]["code"]) == (1, "nothing-to-undo")
    assert f"'patchpoint undo {theirs}'" in refused.json["error"]["message"]
    done = run("undo", "--any-session", "--json").json
    assert (done["kind"], done["operation"]["id"], done["operation"]["state"]) == ("undo", theirs, "undone")
    assert run("undo", "--any-session", "--session", "chat-7").status == 2


def test_it_is_refused_where_a_file_has_changed_since(project: Path, run: Run) -> None:
    run("apply", answer(project, edit("till/tax.py", REDUCED, LOWER)))
    (project / "till/tax.py").write_text("mine\n")
    refused = run("undo", "--json")
    assert (refused.status, refused.json["error"]["code"]) == (1, "changed-since")
    assert refused.json["error"]["message"].startswith("Operation ")
    assert "edits of tax.py, just now) cannot be undone: 'till/tax.py'" in refused.json["error"]["message"]
    assert (project / "till/tax.py").read_text() == "mine\n"
