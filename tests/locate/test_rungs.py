"""The table of the ladder has one row for each rung, in the order of the rungs, and every module has one."""

from __future__ import annotations

from pathlib import Path

from patchpoint.locate import rungs
from patchpoint.locate.rungs import table
from patchpoint.locate.rungs.table import RUNGS, STRICTNESS
from patchpoint.outcome import Rung

SHARED = {"__init__", "table"}
"""Modules that are no rung."""


def test_every_rung_has_one_row_in_its_place() -> None:
    assert [row.rung for row in RUNGS] == list(Rung)
    assert [*STRICTNESS] == list(Rung)


def test_every_module_of_a_rung_is_on_the_ladder() -> None:
    folder = Path(rungs.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - SHARED
    finders = [row.find for row in RUNGS if row.find is not None]
    assert {"exact", "similarity", *(module for module, _ in table.MODULES.values())} == modules
    assert len(set(finders)) == len(finders) == len(table.MODULES) + 1


def test_a_row_says_what_its_rung_tolerates_in_a_phrase() -> None:
    phrases = [row.tolerates for row in RUNGS]
    assert len(set(phrases)) == len(phrases)
    for phrase in phrases:
        assert phrase
        assert not phrase.endswith(".")
        assert "\n" not in phrase
