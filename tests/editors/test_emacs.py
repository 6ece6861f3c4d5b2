"""A real Emacs with eglot or with lsp-mode, set up as docs/editors/emacs.md says."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchpoint.formats.instructions import model_instructions
from tests.demo.project import contents
from tests.editors.reviewed import CHANGED, LINES

Emacs = Callable[..., dict[str, Any]]


def test_emacs_applies_an_answer_chooses_a_candidate_and_restores(emacs: Emacs, project: Path) -> None:
    before = contents(project)
    seen = emacs("apply-and-restore.el")

    statuses = [edit["status"] for edit in seen["answer"]["edits"]]
    assert statuses == ["applied", "applied", "applied", "applied", "ambiguous", "notFound"]
    chosen = seen["taxAfterChoice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["taxOnDisk"] == chosen
    assert seen["taxAfterRestore"] == before["till/tax.py"].decode()
    assert contents(project) == before


def test_an_emacs_that_shows_its_changes_late_is_believed(emacs: Emacs, project: Path) -> None:
    before = contents(project)["till/basket.py"].decode()
    seen = emacs("without-the-plugin.el")

    edits = seen["answer"]["edits"]
    assert [edit["status"] for edit in edits] == [*["applied"] * 4, "ambiguous", "notFound"]
    assert any("has not been seen yet" in edit["message"] for edit in edits)
    assert "if count < 1:" in seen["basket"]
    # Further changes of a buffer that the server has not seen have to wait.
    assert "conflict" in {edit["status"] for edit in seen["tooSoon"]["edits"]}
    pending = {edit["status"] for edit in seen["pending"]["edits"]}
    assert {"ambiguous", "notFound"} <= pending
    assert {edit["status"] for edit in seen["reverted"]["edits"]} == {"reverted"}
    assert seen["basketAfterRevert"] == before


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_a_server_that_was_killed_and_started_again_knows_the_same(
    emacs: Emacs, project: Path, client: str
) -> None:
    before = contents(project)
    seen = emacs("another-server.el", client)

    assert {edit["status"] for edit in seen["before"]["pending"]["edits"]} == {"ambiguous", "notFound"}
    (ambiguous,) = (edit for edit in seen["after"]["pending"]["edits"] if edit["status"] == "ambiguous")
    assert [candidate["range"]["start"]["line"] for candidate in ambiguous["candidates"]] == [9, 15]
    labels = [checkpoint["label"] for checkpoint in seen["before"]["checkpoints"]["checkpoints"]]
    assert labels == ["before the next answer", "Before 4 edits: basket.py, receipt.py, +1"]
    assert seen["after"] == seen["before"]
    assert seen["taxOnDisk"].count("rounding=ROUND_HALF_UP") == 1
    assert contents(project) == before


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_the_commands_go_the_whole_way_with_either_client(emacs: Emacs, project: Path, client: str) -> None:
    before = contents(project)
    seen = emacs("by-command.el", client)

    assert seen["applied"].startswith("Patchpoint: 4 of 6 edits applied\n")
    assert "is not in till/basket.py" in seen["applied"]
    assert "candidate 2: tax.py:16" in seen["ambiguous"]
    assert any(title.startswith("Apply the edit at candidate 1") for title in seen["actions"])
    chosen = seen["taxAfterChoice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["taxOnDisk"] == chosen
    assert re.search(r"checkpoint \w+ of \d+ files", seen["taken"])
    assert re.search(r"restored, \d+ files written, 0 deleted", seen["restored"])
    assert seen["taxAfterRestore"].count("rounding=ROUND_HALF_UP") == 0
    assert seen["taxAfterUndo"] == chosen
    assert seen["takenBack"] == "Patchpoint: 1 of 1 edits taken back"
    assert seen["instructions"] == model_instructions()
    assert (project / "till" / "tax.py").read_text() == chosen
    assert contents(project).keys() == before.keys()


@pytest.mark.parametrize("client", ["with-eglot", "with-lsp-mode"])
def test_twelve_changes_are_reviewed_in_a_list(emacs: Emacs, reviewed: Path, client: str) -> None:
    seen = emacs("review.el", client)

    assert seen["rows"][0] == "three.txt 1 -1 +1 open"
    assert "made.txt  file created open" in seen["rows"]
    assert (reviewed / "deep/three.txt").read_text() == LINES
    assert (reviewed / "one.txt").read_text() == CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "two.txt").read_text() == CHANGED["two.txt"].removesuffix("end\n")
    assert not (reviewed / "made.txt").exists()
    assert "kept 7, taken back 5, not decided 0" in seen["said"]
    assert seen["summary"].startswith("Your changes were reviewed: kept 7, taken back 5.\n")
    assert "- made.txt, the file as a whole, because nobody needs it." in seen["summary"]
