"""Paths of another machine, as a model saw them: what they mean here."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from patchpoint.api import Report, apply_edits
from patchpoint.outcome import Status
from patchpoint.paths.elsewhere import meant_elsewhere
from patchpoint.workspace.request import Workspace, plan_request, read_request

FILES = {
    "src/app/models.py": "class Reading:\n    wind = 1\n",
    "src/app/views.py": "def show():\n    return 1\n",
    "README.md": "# Meteo\n",
}
ROOTS = (
    "/home/ann/meteo",
    "/repo",
    "/workspace",
    "/testbed",
    "/app",
    "/usr/src/app",
    "/var/www/html",
    "/Users/ann/My Projects/meteo",
    "/mnt/c/Users/ann/meteo",
    "C:\\Users\\ann\\meteo",
    "d:/code/meteo",
    "\\\\wsl$\\Ubuntu\\home\\ann\\meteo",
    "~/meteo",
    "$HOME/meteo",
    "file:///home/ann/meteo",
    "/home/ann/.cursor/worktrees/meteo/ab12",
)


def below(root: str, path: str) -> str:
    return f"{root}\\{path}".replace("/", "\\") if "\\" in root else f"{root}/{path}"


def call(name: str, **arguments: str) -> str:
    return json.dumps({"name": name, "input": arguments})


def edit_of(path: str, old: str = "wind = 1", new: str = "wind = 2") -> str:
    return call("Edit", file_path=path, old_string=old, new_string=new)


def changed(report: Report) -> set[str]:
    return {path for path, text in report.files.items() if text != FILES.get(path)}


def both(answer: str) -> tuple[set[str], set[str]]:
    """Return the files that an answer changes unasked, and with one yes."""
    return changed(apply_edits(FILES, answer)), changed(apply_edits(FILES, answer, accept="all"))


@pytest.mark.parametrize("root", ROOTS)
def test_text_that_is_found_is_replaced_in_the_file_that_a_path_of_another_machine_ends_as(root: str) -> None:
    assert both(edit_of(below(root, "src/app/models.py"))) == ({"src/app/models.py"}, {"src/app/models.py"})


@pytest.mark.parametrize("root", ROOTS)
def test_a_new_file_is_proposed_below_the_same_folder(root: str) -> None:
    new = call("Write", file_path=below(root, "src/app/alerts.py"), content="HIGH = 1\n")
    answer = edit_of(below(root, "src/app/models.py")) + "\n\n" + new
    assert both(answer) == (set(), {"src/app/models.py", "src/app/alerts.py"})


@pytest.mark.parametrize("root", ["/repo", "/home/ann/meteo", "~/meteo", "C:\\Users\\ann\\meteo"])
@pytest.mark.parametrize(
    "form",
    [
        "{}\n```python\n<<<<<<< SEARCH\n    wind = 1\n=======\n    wind = 2\n>>>>>>> REPLACE\n```\n",
        "*** Begin Patch\n*** Update File: {}\n@@\n-    wind = 1\n+    wind = 2\n*** End Patch\n",
        "```diff\n--- {0}\n+++ {0}\n@@ -1,2 +1,2 @@\n class Reading:\n-    wind = 1\n+    wind = 2\n```\n",
        "### `{}`\n\n```python\nclass Reading:\n    wind = 2\n```\n",
        "In `{}`, replace `Reading` with:\n\n```python\nclass Reading:\n    wind = 2\n```\n",
    ],
)
def test_it_is_so_in_every_form_of_an_edit(root: str, form: str) -> None:
    assert both(form.format(below(root, "src/app/models.py")))[1] == {"src/app/models.py"}


def test_a_file_that_has_only_its_name_in_common_is_proposed() -> None:
    assert both(edit_of("/repo/README.md", "# Meteo", "# Weather")) == (set(), {"README.md"})
    assert both(edit_of("/srv/models.py")) == (set(), {"src/app/models.py"})


@pytest.mark.parametrize(
    "path",
    [
        "/etc/meteo/src/app/models.py",
        "/usr/lib/python3/src/app/models.py",
        "/home/ann/meteo/node_modules/x/src/app/models.py",
        "/home/ann/.venv/lib/src/app/models.py",
        "~/.config/src/app/models.py",
        "https://example.com/src/app/models.py",
        "/repo/src/app/other.py",
    ],
)
def test_no_file_is_meant_by_a_path_of_the_system_or_of_what_a_project_uses(path: str) -> None:
    assert both(edit_of(path)) == (set(), set())


def test_of_two_files_that_fit_none_is_meant_and_both_are_named() -> None:
    files = {"README.md": "# Depot\n", "depot/README.md": "# Depot\n", "depot/cli.py": "x = 1\n"}
    answer = edit_of("/home/ann/depot/README.md", "# Depot", "# Store")
    [outcome] = apply_edits(files, answer, accept="all").outcomes
    assert outcome.status is Status.REJECTED
    assert "README.md, depot/README.md" in outcome.message


def test_another_path_of_the_answer_tells_which_of_two_files_is_meant() -> None:
    files = {"README.md": "# Depot\n", "depot/README.md": "# Depot\n", "depot/cli.py": "x = 1\n"}
    answer = edit_of("/home/ann/depot/README.md", "# Depot", "# Store")
    answer += "\n\n" + edit_of("/home/ann/depot/depot/cli.py", "x = 1", "x = 2")
    report = apply_edits(files, answer, accept="all")
    assert report.files == {**files, "README.md": "# Store\n", "depot/cli.py": "x = 2\n"}


def test_the_text_that_is_replaced_tells_which_of_two_files_is_meant() -> None:
    files = {"README.md": "# Depot\n", "depot/README.md": "# Inside\n"}
    answer = edit_of("/home/ann/depot/README.md", "# Inside", "# Store")
    assert apply_edits(files, answer).files == files
    assert apply_edits(files, answer, accept="all").files == {**files, "depot/README.md": "# Store\n"}


def test_a_new_file_below_the_repository_s_name_is_proposed_without_it() -> None:
    answer = edit_of("meteo/src/app/models.py") + "\n\n"
    answer += call("Write", file_path="meteo/src/app/alerts.py", content="HIGH = 1\n")
    assert both(answer) == (set(), {"src/app/models.py", "src/app/alerts.py"})


def test_a_new_folder_of_the_project_is_no_name_of_a_repository() -> None:
    answer = edit_of("src/app/models.py") + "\n\n"
    answer += call("Write", file_path="docs/src/app/models.py", content="HIGH = 1\n")
    assert both(answer)[0] == {"src/app/models.py", "docs/src/app/models.py"}


def test_a_whole_file_is_only_proposed() -> None:
    answer = call("Write", file_path="/repo/src/app/models.py", content="class Reading:\n    wind = 3\n")
    assert both(answer) == (set(), {"src/app/models.py"})


@pytest.mark.parametrize("path", ["/repo/src/a.py", "C:\\x\\src\\a.py", "~/x/src/a.py", "x/y/src/a.py"])
def test_the_longest_root_that_all_paths_share_is_taken_off(path: str) -> None:
    assert meant_elsewhere({path: True}, ["src/a.py", "src/b.py"])[path].files == ("src/a.py",)


def test_a_path_of_another_machine_means_a_file_of_the_folder(tmp_path: Path) -> None:
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)

    from patchpoint.formats import parse_edits

    def outcomes(answer: str) -> list[tuple[str, Status]]:
        request = read_request(parse_edits(answer), Workspace(roots=(tmp_path,)))
        return [(one.path, one.status) for one in plan_request(request).outcomes]

    assert outcomes(edit_of("/repo/src/app/models.py")) == [("src/app/models.py", Status.MATCHED)]
    assert outcomes(edit_of("C:\\repo\\README.md", "# Meteo", "# M")) == [("README.md", Status.PROPOSED)]
    assert outcomes(edit_of("/etc/src/app/models.py"))[0][1] is Status.REJECTED
    new = call("Write", file_path="/repo/src/new.py", content="x = 1\n")
    assert outcomes(edit_of("/repo/src/app/models.py") + "\n\n" + new)[1] == ("src/new.py", Status.PROPOSED)


def test_a_link_that_leads_out_of_the_folder_is_no_path_of_another_machine(tmp_path: Path) -> None:
    root, outside = tmp_path / "root", tmp_path / "outside"
    (outside / "src").mkdir(parents=True)
    (root / "src").mkdir(parents=True)
    for folder in (root, outside):
        (folder / "src" / "a.py").write_text("wind = 1\n")
    (root / "link").symlink_to(outside)

    from patchpoint.formats import parse_edits

    request = read_request(parse_edits(edit_of("link/src/a.py")), Workspace(roots=(root,)))
    assert [one.status for one in plan_request(request).outcomes] == [Status.REJECTED]


def test_a_file_below_the_root_of_a_machine_is_only_proposed() -> None:
    files = {"src/load.py": "def load():\n    return 1\n"}
    answer = call("Edit", file_path="/src/load.py", old_string="return 1", new_string="return 2")
    assert apply_edits(files, answer).files == files
    assert "return 2" in (apply_edits(files, answer, accept="all").files["src/load.py"] or "")
