"""The model behind a client of MCP may do what a model may do anywhere, with the same care."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchpoint.checkpoints import CheckpointStore
from patchpoint.checkpoints.errors import UnfinishedRestoreError
from patchpoint.mcp.call import Call, Reply, ToolError
from patchpoint.mcp.folders import folders_of_client, working_directory
from patchpoint.mcp.questions import Answer, Asked, Silence
from patchpoint.mcp.tools.parameters import LARGEST_ANSWER
from patchpoint.mcp.tools.resources import content_of
from patchpoint.mcp.tools.results import CheckpointsDone, EditsDone, RestoreDone
from patchpoint.mcp.tools.table import TOOLS, Needs, tools_allowed
from patchpoint.schema.decode import InvalidArgumentError
from tests.checkpoints.interrupted_restore import interrupt
from tests.demo.project import contents

CHANGE = {"path": "till/tax.py", "search": 'STANDARD = Decimal("0.20")', "replace": "STANDARD = 1"}


def run(call: Call, tool: str, **arguments: Any) -> Reply:
    found = tools_allowed(read_only=False, allow_restore=True)[tool]
    return found.run(call, found.decoded(arguments))


def statuses(reply: Reply) -> list[str]:
    assert isinstance(reply.data, EditsDone)
    return [edit.status.value for edit in reply.data.edits]


@pytest.mark.parametrize("tool", ["preview_edits", "apply_edits"])
@pytest.mark.parametrize(
    "path", ["../outside.txt", "/etc/hosts", ".git/config", ".GIT/hooks/x", "out/x.txt", "till", "a\0b", ""]
)
def test_nothing_outside_of_the_folders_and_nothing_of_a_repository_is_edited(
    project: Path, tool: str, path: str
) -> None:
    outside = project.parent / "outside.txt"
    outside.write_text("secret\n")
    (project / "out").symlink_to(project.parent)
    before = contents(project)
    for more in ({"operation": "write", "content": "x"}, {"search": "secret\n", "replace": "x\n"}):
        reply = run(Call(roots=(project,)), tool, edits=[{"path": path, **more}])
        assert reply.is_error
        assert not {"applied", "matched", "alreadyApplied"} & set(statuses(reply))
    assert (contents(project), outside.read_text()) == (before, "secret\n")


def test_no_parameter_lowers_a_safeguard() -> None:
    for tool in TOOLS:
        keys = set(tool.input_schema()["properties"])
        assert not keys & {
            "allowExecutingFiles",
            "minSimilarity",
            "minMargin",
            "checkpoint_",
            "force",
            "target",
        }
        assert tool.input_schema()["additionalProperties"] is False


def test_what_is_restored_and_compared_stays_below_the_folder_that_was_opened(project: Path) -> None:
    call = Call(roots=(project / "till",))
    taken = CheckpointStore.open(project).take(label="all")
    (project / "README.md").write_text("changed\n")
    (project / "till" / "tax.py").write_text("changed\n")
    for path in ("../README.md", str(project / "README.md"), ".."):
        for tool, arguments in (
            ("restore_checkpoint", {"paths": [path]}),
            ("diff_checkpoint", {"path": path}),
        ):
            with pytest.raises(ToolError, match="is not below"):
                run(call, tool, checkpoint=taken.id, **arguments)
    with pytest.raises(ToolError, match="is not below"):
        content_of(call, f"patchpoint:/checkpoint/{taken.id}/README.md")
    assert "README.md" not in run(call, "diff_checkpoint", checkpoint=taken.id).text
    run(call, "restore_checkpoint", checkpoint=taken.id)
    assert (project / "README.md").read_text() == "changed\n"
    assert (project / "till" / "tax.py").read_text() != "changed\n"


def test_without_a_checkpoint_nothing_is_written(project: Path) -> None:
    subprocess.run(["git", "config", "core.repositoryFormatVersion", "9"], cwd=project, check=True)
    before = contents(project)
    with pytest.raises(ToolError, match=r"Nothing was written\."):
        run(Call(roots=(project,)), "apply_edits", edits=[CHANGE])
    assert contents(project) == before


def test_a_restore_that_is_replayed_is_not_the_same_as_one(project: Path) -> None:
    """That is why no client may take it for idempotent."""
    call = Call(roots=(project,))
    taken: Any = run(call, "take_checkpoint", label="before").data
    id_ = taken.checkpoints[0].id
    file = project / "till" / "tax.py"
    before = file.read_text()
    file.write_text("the agent's\n")
    run(call, "restore_checkpoint", checkpoint=id_)
    file.write_text("done in between\n")
    run(call, "restore_checkpoint", checkpoint=id_)
    assert file.read_text() == before
    run(Call(roots=(project,), may_restore=True), "undo")
    assert file.read_text() == "done in between\n"
    assert not any(tool.idempotent for tool in TOOLS if tool.needs is not Needs.NOTHING)


def test_a_folder_that_is_only_read_is_left_as_it_is_even_after_a_restore_was_cut_short(
    project: Path,
) -> None:
    store = CheckpointStore.open(project)
    taken = store.take(label="before")
    (project / "till" / "tax.py").write_text("changed\n")
    interrupt(lambda: store.restore(taken.id))
    before = contents(project)
    reading = Call(roots=(project,), recovers=False)
    run(reading, "list_checkpoints")
    run(reading, "diff_checkpoint", checkpoint=taken.id)
    assert contents(project) == before
    with pytest.raises(ToolError) as refused:
        run(reading, "restore_checkpoint", checkpoint=taken.id)
    assert refused.value.code == UnfinishedRestoreError.code
    run(Call(roots=(project,)), "list_checkpoints")
    assert contents(project) != before


def git_config(folder: Path, name: str, value: str) -> None:
    subprocess.run(["git", "config", f"patchpoint.{name}", value], cwd=folder, check=True)


def test_a_repository_that_asks_for_more_care_gets_it(project: Path) -> None:
    git_config(project, "apply.confirm", "always")
    with pytest.raises(Asked) as asked:
        run(Call(roots=(project,), can_ask=True), "apply_edits", edits=[CHANGE])
    question = asked.value.question
    assert "+STANDARD = 1" in question.message
    before = contents(project)
    said: Answer
    for said, words in (
        ({"answer": "Do not apply"}, "the user reviewed the edits and declined"),
        (Silence.DECLINED, "the user reviewed the edits and declined"),
        (Silence.NOT_ASKED, "closed the question"),
        ({"answer": "Apply?"}, "closed the question"),
        ({}, "closed the question"),
    ):
        call = Call(roots=(project,), can_ask=True, answers={question.key: said})
        with pytest.raises(ToolError, match=words):
            run(call, "apply_edits", edits=[CHANGE])
        assert contents(project) == before
    call = Call(roots=(project,), can_ask=True, answers={question.key: {"answer": "Apply"}})
    assert statuses(run(call, "apply_edits", edits=[CHANGE])) == ["applied"]


def test_an_answer_holds_for_nothing_but_what_was_asked(project: Path) -> None:
    git_config(project, "apply.confirm", "always")

    def key(**change: str) -> str:
        with pytest.raises(Asked) as asked:
            run(Call(roots=(project,), can_ask=True), "apply_edits", edits=[{**CHANGE, **change}])
        return asked.value.question.key

    first = key()
    assert key() == first
    assert key(replace="STANDARD = 2") != first
    (project / "till" / "tax.py").write_text((project / "till" / "tax.py").read_text() + "\n")
    assert key() != first


@pytest.mark.parametrize("folder", [Path.home(), Path("/"), Path.home().parent])
def test_a_working_directory_that_is_no_project_is_not_taken_for_one(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    with pytest.raises(ToolError, match="is not a project"):
        working_directory()


def test_a_client_names_folders_of_this_machine(project: Path) -> None:
    assert folders_of_client([project.as_uri(), project.as_uri(), "https://example.org/x"]) == (project,)
    for uris in ([], ["https://example.org/x"], [(project / "none").as_uri()], ["file:///c%3A/"], [""]):
        with pytest.raises(ToolError, match="no folder of this machine open"):
            folders_of_client(uris)


@pytest.mark.parametrize(
    ("ask", "code"),
    [
        (lambda call: run(call, "revert_edits", application="x"), "no-application"),
        (lambda call: run(call, "diff_checkpoint", checkpoint="x"), "checkpoint-not-found"),
        (lambda call: run(call, "undo"), "nothing-to-undo"),
        (lambda call: run(call, "take_checkpoint", root="/elsewhere"), "no-folder"),
        (lambda call: run(call, "apply_edits", text="no edit at all"), "no-edit"),
    ],
)
def test_what_cannot_be_done_is_said_with_a_code(
    project: Path, ask: Callable[[Call], Reply], code: str
) -> None:
    with pytest.raises(ToolError) as error:
        ask(Call(roots=(project,)))
    assert error.value.code == code


def test_a_copied_project_is_restored_and_not_the_original(project: Path) -> None:
    taken = CheckpointStore.open(project).take(label="before")
    (project / "till/tax.py").write_text("STANDARD = 1\n")
    copy = shutil.copytree(project, project.with_name("copy"), symlinks=True)
    before = contents(project)
    call = Call(roots=(copy,))
    listed = run(call, "list_checkpoints").data
    assert isinstance(listed, CheckpointsDone)
    assert [each.id for each in listed.checkpoints] == [taken.id]
    restored = run(call, "restore_checkpoint", checkpoint=taken.id)
    assert isinstance(restored.data, RestoreDone)
    assert restored.data.written == ("till/tax.py",)
    assert "STANDARD = Decimal" in (copy / "till/tax.py").read_text()
    assert contents(project) == before


def test_edits_of_more_text_than_a_call_may_have_are_refused(project: Path) -> None:
    half = "x" * (LARGEST_ANSWER // 2)
    edit = {"path": "a.txt", "search": half, "replace": half + "y"}
    with pytest.raises(InvalidArgumentError, match="send at most 8,388,608 in one call"):
        run(Call(roots=(project,)), "apply_edits", edits=[edit])
    with pytest.raises(InvalidArgumentError, match="send at most"):
        run(Call(roots=(project,)), "preview_edits", text="x" * (LARGEST_ANSWER + 1))
