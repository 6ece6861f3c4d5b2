"""`apply` of an edit that is proposed: shown with its difference, and written with `--accept` or a yes."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from patchpoint.checkpoints.store import CheckpointStore
from tests.cli.calls import Run, answer, edit
from tests.uncertain_edit import ACCEPTED, FORGETFUL, ORDER

UNCERTAIN = edit("order.py", FORGETFUL.rstrip(), f"{FORGETFUL}    remarks: str")


@pytest.fixture
def order(project: Path) -> Path:
    path = project / "order.py"
    path.write_text(ORDER)
    return path


def test_a_proposal_is_shown_and_the_way_on_named(project: Path, order: Path, run: Run) -> None:
    done = run("apply", answer(project, UNCERTAIN))
    assert done.status == 1
    assert "proposed" in done.out
    assert "+    remarks: str" in done.out
    assert "Apply as shown with --accept " in done.out
    assert order.read_text() == ORDER


def test_json_has_the_proposal(project: Path, order: Path, run: Run) -> None:
    done = run("apply", answer(project, UNCERTAIN), "--json")
    (one,) = done.json["edits"]
    assert done.status == 1
    assert one["status"] == "proposed"
    proposal = one["proposal"]
    assert set(proposal) == {"id", "diff", "why", "uri", "range"}
    assert proposal["uri"].endswith("/order.py")
    assert proposal["range"]["start"]["line"] == 0
    assert order.read_text() == ORDER


@pytest.mark.parametrize("by_id", [True, False])
def test_what_is_accepted_is_written_after_a_checkpoint_and_taken_back(
    project: Path, order: Path, run: Run, by_id: bool
) -> None:
    shown = run("apply", answer(project, UNCERTAIN), "--json").json["edits"][0]["proposal"]["id"]
    before = len(CheckpointStore.open(project).list())
    done = run("apply", answer(project, UNCERTAIN), "--accept", shown if by_id else "all")
    assert done.status == 0, done.out + done.err
    assert order.read_text() == ACCEPTED
    assert len(CheckpointStore.open(project).list()) == before + 1
    assert run("revert").status == 0
    assert order.read_text() == ORDER


def test_an_id_whose_file_has_changed_since_is_refused(project: Path, order: Path, run: Run) -> None:
    stale = run("apply", answer(project, UNCERTAIN), "--json").json["edits"][0]["proposal"]["id"]
    order.write_text(f"# Ours.\n{ORDER}")
    done = run("apply", answer(project, UNCERTAIN), "--accept", stale, "--json")
    assert done.status == 1
    assert done.json["edits"][0]["code"] == "stale-proposal"
    assert order.read_text() == f"# Ours.\n{ORDER}"
    now = done.json["edits"][0]["proposal"]["id"]
    assert run("apply", answer(project, UNCERTAIN), "--accept", now).status == 0


def test_what_is_no_id_is_wrong_usage(project: Path, order: Path, run: Run) -> None:
    done = run("apply", answer(project, UNCERTAIN), "--accept", "yes")
    assert done.status == 2
    assert "'yes' is not the id of a proposal" in done.err
    assert order.read_text() == ORDER


def test_after_other_edits_are_written_the_id_is_of_what_is_there_then(
    project: Path, order: Path, run: Run
) -> None:
    both = edit("order.py", "    express: bool", "    express: int") + UNCERTAIN
    done = run("apply", answer(project, both), "--atomic", "edit", "--json")
    assert [one["status"] for one in done.json["edits"]] == ["applied", "proposed"]
    name = done.json["edits"][1]["proposal"]["id"]
    assert run("apply", answer(project, both), "--accept", name).status == 0
    assert order.read_text() == ACCEPTED.replace("express: bool", "express: int")


def test_the_feedback_names_the_id(project: Path, order: Path, run: Run) -> None:
    name = run("apply", answer(project, UNCERTAIN), "--json").json["edits"][0]["proposal"]["id"]
    assert f"with `--accept {name}`" in run("apply", answer(project, UNCERTAIN), "--feedback").out
    assert order.read_text() == ORDER


@pytest.mark.parametrize("path", [".github/workflows/ci.yml", "githooks/options.yml"])
def test_the_way_to_accept_what_starts_programs_is_named_and_makes_it(
    project: Path, run: Run, path: str
) -> None:
    with (project / ".git" / "config").open("a") as config:
        config.write("[core]\n\thooksPath = githooks\n")
    file = project / path
    file.parent.mkdir(parents=True)
    file.write_text("on: push\nversion: 3\n")
    asked = answer(project, f"In `{path}`, set `version` to `4`, as the others do.\n")
    shown = run("apply", asked).out
    (way,) = re.findall(r"^Apply as shown with (.+)$", shown, re.MULTILINE)
    assert way.endswith(" --allow-executing-files")
    assert f"makes them with `{way}`" in run("apply", "--feedback", asked).out
    assert run("apply", *way.split(), asked).status == 0
    assert file.read_text() == "on: push\nversion: 4\n"
