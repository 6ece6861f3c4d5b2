"""The files that start programs: their edits need a confirmation, and no others do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.paths.executing import EXECUTING_FILES, executed_by
from patchpoint.workspace.request import Workspace, plan_request, read_request

PATTERNS = [(row.reader, pattern) for row in EXECUTING_FILES for pattern in row.patterns]
REMEDY = "say so"


def example(pattern: str) -> str:
    """A path that the pattern is for."""
    return pattern.replace("*", "any") + ("deep/file" if pattern.endswith("/") else "")


@pytest.mark.parametrize(("reader", "pattern"), PATTERNS)
def test_each_file_of_the_table_is_known_at_any_depth_and_in_any_spelling(reader: str, pattern: str) -> None:
    path = example(pattern)
    for written in (path, f"pkg/{path}", path.upper(), f"a/b/{path.title()}", path.replace(".", "\u200d.")):
        assert executed_by(written.split("/")) == reader, written


@pytest.mark.parametrize(
    "path",
    [
        "src/app.py",
        "Makefile",
        "package.json",
        ".env",
        ".gitattributes",
        ".gitignore",
        ".gitmodules",
        ".editorconfig",
        ".vscode/launch.json",
        ".vscode/extensions.json",
        "settings.json",
        "tasks.json",
        "config.toml",
        "docs/idea/notes.md",
        ".husky",
        "envrc",
        ".envrc.md",
        "my.mise.toml.md",
        ".github/workflows/ci.yml",
        "profile",
        "mcp.json",
        "x.vscode/tasks.json",
    ],
)
def test_a_projects_own_files_are_not_in_the_table(path: str) -> None:
    assert executed_by(path.split("/")) is None


def create(path: str) -> Edit:
    return Edit(path=path, operation=Operation.CREATE, content="new\n")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / ".envrc").write_text("old\n")
    (tmp_path / "note.txt").write_text("old\n")
    return tmp_path


EDITS = {
    "change": Edit(path=".envrc", search="old\n", replace="new\n"),
    "write": Edit(path=".envrc", operation=Operation.WRITE, content="new\n"),
    "delete": Edit(path=".envrc", operation=Operation.DELETE),
    "mark": Edit(path=".envrc", operation=Operation.CHMOD, mode=0o755),
    "move away": Edit(path=".envrc", operation=Operation.RENAME, new_path="envrc.txt"),
    "move there": Edit(path="note.txt", operation=Operation.RENAME, new_path="sub/.envrc"),
    "create": create("sub/.vscode/tasks.json"),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_every_kind_of_edit_needs_the_confirmation(edit: Edit, root: Path) -> None:
    request = read_request([edit, create("other.txt")], Workspace(roots=(root,)))
    refused, other = plan_request(request, atomic=Atomic.EDIT, remedy=REMEDY).outcomes
    assert (refused.status, refused.reason) == (Status.REJECTED, Reason.EXECUTING)
    name = edit.new_path if edit.new_path and executed_by(edit.new_path.split("/")) else edit.path
    assert refused.message.startswith(f"{name} can start programs without being asked to (it is read by ")
    assert refused.message.endswith(f"; {REMEDY}.")
    assert other.status is Status.MATCHED
    confirmed = plan_request(request, atomic=Atomic.EDIT, remedy=None)
    assert [one.status for one in confirmed.outcomes] == [Status.MATCHED, Status.MATCHED]
    assert "can start programs: it is read by" in confirmed.outcomes[0].notes[0]
    assert confirmed.outcomes[1].notes == ()


def test_without_a_word_on_it_nothing_is_confirmed(root: Path) -> None:
    request = read_request([EDITS["change"]], Workspace(roots=(root,)))
    [outcome] = plan_request(request).outcomes
    assert outcome.reason is Reason.EXECUTING


def test_an_edit_that_would_not_be_applied_is_refused_for_what_is_wrong_with_it(root: Path) -> None:
    edit = Edit(path=".envrc", search="absent\n", replace="new\n")
    [outcome] = plan_request(read_request([edit], Workspace(roots=(root,))), remedy=REMEDY).outcomes
    assert outcome.reason is Reason.NOTHING_SIMILAR


def test_an_unconfirmed_edit_holds_the_rest_of_an_atomic_request_back(root: Path) -> None:
    request = read_request([EDITS["change"], create("other.txt")], Workspace(roots=(root,)))
    plan = plan_request(request, remedy=REMEDY)
    assert [one.status for one in plan.outcomes] == [Status.REJECTED, Status.HELD]
    assert plan.changes == ()


@pytest.mark.skipif(os.name == "nt", reason="a matter of POSIX file systems")
def test_a_link_to_such_a_file_is_one(root: Path) -> None:
    (root / "env.txt").symlink_to(".envrc")
    (root / "code").symlink_to(".vscode")
    (root / ".vscode").mkdir()
    edits = [Edit(path="env.txt", search="old\n", replace="new\n"), create("code/tasks.json")]
    plan = plan_request(read_request(edits, Workspace(roots=(root,))), remedy=REMEDY)
    assert [one.reason for one in plan.outcomes] == [Reason.EXECUTING] * 2


def test_a_workspace_folder_in_such_a_folder_makes_no_difference(tmp_path: Path) -> None:
    root = tmp_path / ".vscode"
    root.mkdir()
    plan = plan_request(read_request([create("tasks.json")], Workspace(roots=(root,))), remedy=REMEDY)
    assert plan.outcomes[0].reason is Reason.EXECUTING


def test_texts_in_memory_need_the_confirmation_as_well() -> None:
    files = {".envrc": "old\n", "a.py": "old\n"}
    refused = apply_edits(files, [EDITS["change"], create(".vscode/tasks.json")])
    assert [one.reason for one in refused.outcomes] == [Reason.EXECUTING] * 2
    assert "allow_executing_files" in refused.outcomes[0].message
    assert refused.files == files
    allowed = apply_edits(files, [EDITS["change"]], allow_executing_files=True)
    assert allowed.files[".envrc"] == "new\n"


def test_only_a_star_means_other_characters() -> None:
    assert not any(sign in pattern for _, pattern in PATTERNS for sign in "?[")
