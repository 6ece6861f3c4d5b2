"""A real Neovim with the plugin as it is shipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from patchpoint.formats.instructions import model_instructions
from tests.demo.project import contents
from tests.editors.reviewed import CHANGED, LINES

Neovim = Callable[[str], dict[str, Any]]


def test_neovim_applies_an_answer_chooses_a_candidate_and_restores(neovim: Neovim, project: Path) -> None:
    before = contents(project)
    seen = neovim("apply_and_restore.lua")

    statuses = [edit["status"] for edit in seen["answer"]["edits"]]
    assert statuses == ["applied", "applied", "applied", "applied", "ambiguous", "notFound"]
    assert "        if count < 1:\n            raise ValueError(" in seen["basket_after_apply"]
    assert "candidate 2: tax.py:16" in seen["ambiguous"]
    assert "is not in till/basket.py" in seen["not_found"]

    chosen = seen["tax_after_choice"]
    assert chosen.count("rounding=ROUND_HALF_UP") == 1
    assert chosen.index("def reduced") < chosen.index("rounding=ROUND_HALF_UP")
    assert seen["tax_on_disk"] == chosen + "\n"
    # What the model misquoted and did not mean to change is still there, byte for byte.
    assert "\t# the customer's copy\n" in seen["receipt_on_disk"]
    assert 'Thank you — "see you on Saturday"' in seen["receipt_on_disk"]
    assert "{date.today():%d %B %Y}" in seen["receipt_on_disk"]

    assert seen["tax_after_restore"] + "\n" == before["till/tax.py"].decode()
    assert seen["basket_after_restore"] + "\n" == before["till/basket.py"].decode()
    assert contents(project) == before


def test_the_plugin_applies_from_a_register_and_goes_back_and_forth(neovim: Neovim, project: Path) -> None:
    before = (project / "till/tax.py").read_text(encoding="utf-8")
    seen = neovim("plugin.lua")

    assert {"apply", "checkpoint", "restore", "undo"} <= set(seen["completion"])
    assert "+from decimal import ROUND_HALF_UP, Decimal" in seen["preview"]
    assert seen["candidates"] == [10, 16]
    assert "import ROUND_HALF_UP, Decimal" in seen["tax_on_disk"]
    assert seen["tax_restored"] == before
    assert seen["tax_after_undo"] == seen["tax_on_disk"]
    assert seen["instructions"] == model_instructions()
    assert "ERROR" not in seen["health"], seen["health"]
    assert [choice["prompt"] for choice in seen["selected"]][:1] == ["Restore"]


def test_twelve_changes_are_reviewed_in_the_quickfix_list(neovim: Neovim, reviewed: Path) -> None:
    seen = neovim("review.lua")

    assert seen["title"] == "Patchpoint review: 12 open, 0 kept, 0 taken back"
    assert seen["first"][:3] == [
        ["three.txt", 1, "change -1 +1"],
        ["three.txt", 10, "change -1 +1"],
        ["four.txt", 3, "change -1 +1"],
    ]
    assert ["made.txt", 1, "the file, as a whole (created)"] in seen["first"]
    assert seen["three"] == LINES
    assert seen["one"] + "\n" == "typed\n" + CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "one.txt").read_text() == CHANGED["one.txt"].replace("line 13\n", "line 12\nline 13\n")
    assert (reviewed / "two.txt").read_text() == CHANGED["two.txt"].removesuffix("end\n")
    assert not (reviewed / "made.txt").exists()
    assert seen["summary"].startswith("Your changes were reviewed: kept 7, taken back 5.\n")
    assert "- deep/three.txt, line 1, because the numbers are tested:" in seen["summary"]
    assert seen["events"] > 10
    assert any("there is no change of a review at the cursor" in message for message in seen["notified"])
