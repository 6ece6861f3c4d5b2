"""A real Neovim with the plugin as it is shipped."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from patchpoint.formats.instructions import model_instructions
from tests.demo.project import contents

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
