"""A project that was copied or moved: every command concerns the tree at hand."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from tests.cli.calls import Run
from tests.demo.project import contents

FILE = "till/tax.py"


def test_in_a_copied_project_every_command_concerns_the_copy(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = (project / FILE).read_text()
    id_ = run("checkpoint", "before", "--json").json["id"]
    (project / FILE).write_text("STANDARD = 1\n")
    copy = shutil.copytree(project, tmp_path / "copy", symlinks=True)
    (project / FILE).write_text("my own\n")
    before = contents(project)
    monkeypatch.chdir(copy)
    (listed,) = run("list", "--json").json["checkpoints"]
    assert (listed["id"], listed["root"]) == (id_, str(copy))
    shown = run("show", id_)
    assert str(copy) in shown.out
    assert str(project) not in shown.out
    assert "+STANDARD = 1" in run("diff", id_).out
    assert run("restore", id_).status == 0
    assert (copy / FILE).read_text() == old
    assert run("undo").status == 0
    assert (copy / FILE).read_text() == "STANDARD = 1\n"
    assert contents(project) == before


def test_a_moved_project_is_restored_where_it_is(
    run: Run, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old = (project / FILE).read_text()
    id_ = run("checkpoint", "before", "--json").json["id"]
    (project / FILE).write_text("STANDARD = 1\n")
    moved = project.rename(tmp_path / "moved")
    monkeypatch.chdir(moved)
    assert str(moved) in run("show", "last").out
    done = run("restore", id_, "--json").json
    assert done["written"] == [(moved / FILE).as_uri()]
    assert (moved / FILE).read_text() == old
