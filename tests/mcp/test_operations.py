"""What an agent applied over MCP is undone by a person, and the other way round, each from the same log."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.headless.undo import ANYBODY, UndoRequest, operations_of
from patchpoint.headless.undo import undo as undone_by_a_person
from patchpoint.mcp.call import Call, Reply, ToolError
from patchpoint.mcp.tools.table import tools_allowed
from patchpoint.progress import Silent
from tests.operations.working import applied, files_in, replaced

STANDARD, CHANGED = 'STANDARD = Decimal("0.20")', 'STANDARD = Decimal("0.21")'
CHANGE = {"path": "till/tax.py", "search": STANDARD, "replace": CHANGED}


def run(project: Path, tool: str, *, may_restore: bool = False, **arguments: Any) -> Reply:
    found = tools_allowed(read_only=False, allow_restore=True)[tool]
    call = Call(roots=(project,), may_restore=may_restore)
    return found.run(call, found.decoded(arguments))


def test_an_agent_undoes_and_redoes_what_it_applied(project: Path) -> None:
    before = files_in(project)
    run(project, "apply_edits", edits=[CHANGE])
    after = files_in(project)
    foreseen = run(project, "undo", dryRun=True)
    assert foreseen.text.splitlines()[1:] == ["M till/tax.py"]
    assert foreseen.text.startswith("Would undo: edits of tax.py, just now (operation ")
    assert files_in(project) == after
    assert run(project, "undo").text.startswith("Undone: edits of tax.py")
    assert files_in(project) == before
    assert run(project, "undo", redo=True).text.startswith("Redone: edits of tax.py")
    assert files_in(project) == after
    lines = run(project, "list_operations").text.splitlines()
    assert [line.split()[3] for line in lines] == ["redo", "undo", "apply"]
    assert lines[-1].endswith("just now: apply M till/tax.py (session mcp)")


def test_a_person_undoes_what_an_agent_applied(project: Path) -> None:
    before = files_in(project)
    run(project, "apply_edits", edits=[CHANGE], session="chat")
    asked = UndoRequest(session=ANYBODY)
    assert undone_by_a_person(project, asked, Silent()).operation.cause.session == "chat"
    assert files_in(project) == before
    _, known = operations_of(project)
    assert "(undone)" in run(project, "list_operations", session="chat").text
    with pytest.raises(ToolError, match=r"a person did [0-9a-f]+ \(undo\)") as refused:
        run(project, "undo", redo=True, session="chat")
    assert refused.value.code == "not-allowed"
    assert files_in(project) == before, "what a person took back is not brought back by the agent"
    assert operations_of(project)[1] == known


def test_an_agent_never_takes_back_what_others_did_unless_the_person_allows_it(project: Path) -> None:
    run(project, "apply_edits", edits=[CHANGE])
    (project / "theirs.txt").write_text("theirs\n")
    applied(project, [replaced("README.md", "# ", "## ")])
    applied(project, [replaced("theirs.txt", "theirs", "other")], session="other")
    theirs = [each.id for each in operations_of(project)[1]][:2]
    after = files_in(project)
    for one in theirs:
        with pytest.raises(ToolError, match=rf"Operation {one} .* is left to the user") as refused:
            run(project, "undo", operation=one)
        assert refused.value.code == "not-allowed"
    assert files_in(project) == after
    done = run(project, "undo")
    assert (project / "till/tax.py").read_text().count(CHANGED) == 0
    assert [line.split(":")[0] for line in done.text.splitlines()] == [
        "Undone",
        "M till/tax.py",
        "stays",
        "stays",
    ]
    assert run(project, "undo", may_restore=True, operation=theirs[0]).text.startswith("Undone")
    assert (project / "theirs.txt").read_text() == "theirs\n"


def test_a_restore_is_undone_only_where_restoring_is_allowed(project: Path) -> None:
    taken = CheckpointStore.open(project).take()
    (project / "till/tax.py").write_text("mine\n")
    before = files_in(project)
    run(project, "restore_checkpoint", checkpoint=taken.id)
    with pytest.raises(ToolError, match="--allow-restore"):
        run(project, "undo")
    assert run(project, "undo", may_restore=True).text.startswith("Undone: the restore of")
    assert files_in(project) == before


def test_nothing_outside_of_the_folders_is_undone(project: Path) -> None:
    applied(project, [replaced("README.md", "# ", "## ")], session="chat")
    after = files_in(project)
    for allowed in (False, True):
        with pytest.raises(ToolError, match=r"README\.md is not below the folders"):
            run(project / "till", "undo", session="chat", may_restore=allowed)
    assert files_in(project) == after


def test_what_has_changed_since_stays(project: Path) -> None:
    run(project, "apply_edits", edits=[CHANGE])
    (project / "till/tax.py").write_text("mine\n")
    with pytest.raises(ToolError, match="has been changed since") as refused:
        run(project, "undo")
    assert refused.value.code == "changed-since"
    assert (project / "till/tax.py").read_text() == "mine\n"


def test_a_server_that_only_reads_lists_operations_and_writes_nothing(project: Path) -> None:
    run(project, "apply_edits", edits=[CHANGE])
    allowed = tools_allowed(read_only=True, allow_restore=True)
    assert "undo" not in allowed
    found = allowed["list_operations"]
    reply = found.run(Call(roots=(project,), recovers=False), found.decoded({}))
    assert "apply M till/tax.py" in reply.text
