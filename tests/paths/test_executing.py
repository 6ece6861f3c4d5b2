"""The files that start programs: their edits need a confirmation, and no others do."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from patchpoint import apply_edits
from patchpoint.edit import Edit, Operation
from patchpoint.outcome import Atomic, Reason, Status
from patchpoint.paths.executing import FilesToConfirm, executed_by, obeyed_by, starts_programs
from patchpoint.paths.executing_files import EXECUTING_FILES, OBEYED_FILES, NamedFiles
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


def test_of_two_that_read_a_file_the_first_in_the_table_is_named() -> None:
    direnv, code = executed_by([".envrc"]), executed_by([".vscode", "tasks.json"])
    assert direnv != code
    assert executed_by([".vscode", ".envrc"]) == direnv


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
        "settings.json",
        "tasks.json",
        "config.toml",
        "docs/idea/notes.md",
        ".husky",
        "envrc",
        ".envrc.md",
        "my.mise.toml.md",
        ".github/dependabot.yml",
        "conftest.py",
        "CLAUDE.md",
        "docs/claude/notes.md",
        "profile",
        "mcp.json",
        "x.vscode/tasks.json",
        ".ripgreprc",
    ],
)
def test_a_projects_own_files_are_not_in_the_table(path: str) -> None:
    assert executed_by(path.split("/")) is None


@pytest.mark.parametrize(
    ("path", "tool"),
    [
        (".github/copilot/settings.json", "agent"),
        (".crushrc", "agent"),
        (".warp/.mcp.json", "agent"),
        (".kilo/plugin/one.ts", "agent of an editor"),
        ("kilo.jsonc", "agent of an editor"),
        ("pnpm-workspace.yaml", "package manager"),
        (".pnpmfile.mjs", "package manager"),
        ("prek.toml", "git"),
        (".woodpecker.yaml", "continuous integration"),
        (".aws/credentials", "client of the cloud"),
        (".env.leave", "autoenv"),
        (".rvmrc", "RVM"),
        (".project", "Eclipse"),
        ("rust-toolchain", "cargo"),
    ],
)
def test_what_the_tools_document_is_known_by_the_tool_that_reads_it(path: str, tool: str) -> None:
    assert tool in (executed_by(path.split("/")) or "")


@pytest.mark.parametrize("row", [*EXECUTING_FILES, *OBEYED_FILES], ids=lambda row: row.reader)
def test_each_row_of_the_table_names_the_documentation_that_says_so(row: NamedFiles) -> None:
    assert row.sources
    assert all(source.startswith("https://") for source in row.sources)
    assert all(pattern == pattern.casefold() for pattern in row.patterns)


@pytest.mark.parametrize("path", ["CLAUDE.md", "sub/AGENTS.md", ".github/copilot-instructions.md"])
def test_what_agents_obey_is_known(path: str) -> None:
    assert obeyed_by(path.split("/")) is not None
    assert obeyed_by(["docs", *path.split("/"), "x.txt"]) is None


def test_an_edit_of_what_agents_obey_is_made_and_marked(tmp_path: Path) -> None:
    (tmp_path / "CLAUDE.md").write_text("Use tabs.\n")
    edit = Edit(path="CLAUDE.md", search="Use tabs.\n", replace="Run this.\n")
    request = read_request([edit], Workspace(roots=(tmp_path,)))
    (outcome,) = plan_request(request).outcomes
    assert outcome.status is Status.MATCHED
    said = "CLAUDE.md is read by agents, as orders to follow: check what it tells them to do."
    assert outcome.notes == (said,)
    assert apply_edits({"CLAUDE.md": "Use tabs.\n"}, [edit]).outcomes[0].notes == (said,)


def test_the_users_patterns_and_what_a_configuration_names_are_confirmed_too(tmp_path: Path) -> None:
    named = ((tmp_path / "tools/hooks", "git (core.hooksPath)"),)
    confirm = FilesToConfirm(patterns=("Infra/", "*.tf"), named=named)
    assert (
        confirm.why(tmp_path / "infra/deep/main.py") == "matches “Infra/” in the setting `apply.confirmFiles`"
    )
    assert confirm.why(tmp_path / "a/main.TF") == "matches “*.tf” in the setting `apply.confirmFiles`"
    assert confirm.why(tmp_path / "tools/hooks/pre-commit") == starts_programs("git (core.hooksPath)")
    assert confirm.why(tmp_path / "tools/other") is None


SHEBANG = "#!/bin/sh\necho one\n"


@pytest.mark.parametrize("mention", ["scripts/check.sh", "./scripts/check.sh --all", "$PWD/scripts/check.sh"])
@pytest.mark.parametrize("file", [".vscode/tasks.json", ".claude/settings.json", ".pre-commit-config.yaml"])
def test_a_script_that_the_configuration_of_a_tool_names_is_confirmed(
    tmp_path: Path, file: str, mention: str
) -> None:
    (tmp_path / "scripts").mkdir()
    names = ("check.sh", "other.sh", "check.sh.txt")
    for name in names:
        (tmp_path / "scripts" / name).write_text(SHEBANG)
    (tmp_path / file).parent.mkdir(exist_ok=True)
    (tmp_path / file).write_text(f'{{"command": "{mention}"}}')
    edits = [Edit(path=f"scripts/{name}", search="echo one\n", replace="echo two\n") for name in names]
    request = read_request(edits, Workspace(roots=(tmp_path,)))
    assert request.executing == {"scripts/check.sh": starts_programs(f"{file}, which names it")}


def test_a_file_that_becomes_a_script_which_is_named_is_confirmed(tmp_path: Path) -> None:
    (tmp_path / ".vscode").mkdir()
    (tmp_path / ".vscode/tasks.json").write_text('{"command": "run/a.sh; run/b.py; run/c.py"}')
    (tmp_path / "run").mkdir()
    (tmp_path / "run/b.py").write_text("print()\n")
    (tmp_path / "run/c.py").write_text("print()\n")
    edits = [
        Edit(path="run/a.sh", operation=Operation.CREATE, content=SHEBANG),
        Edit(path="run/b.py", operation=Operation.CHMOD, mode=0o755),
        Edit(path="run/c.py", search="print()\n", replace="print(1)\n"),
    ]
    request = read_request(edits, Workspace(roots=(tmp_path,)))
    assert sorted(request.executing) == ["run/a.sh", "run/b.py"]


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
    assert "can start programs without being asked to (it is read by" in confirmed.outcomes[0].notes[0]
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
