"""Code that shows parts of a file is merged rightly, asked about, or refused: never written wrongly."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.weighing.cases import Judgement
from tests.weighing.sets import Wanted
from tests.weighing.shown_code import SHOWN, recorded_answers, shown_code, shown_weighing, shown_weighings

LEAST_RIGHT = {"members left out": 0, "constant above": 0, "field added": 4}
"""Of twenty, written unasked; of the other kinds most are. What is left out without a mark is asked about."""


@pytest.mark.parametrize("kind", SHOWN)
def test_it_is_written_rightly_or_a_yes_away(kind: str) -> None:
    made = list(shown_code(kind, 20, seed=1))
    weighings = list(map(shown_weighing, made))
    assert len(made) == 20
    assert len({Path(code.path).suffix for code in made}) >= 2
    assert [each.name for each in weighings if Judgement.WRONG in (each.now, each.with_yes)] == []
    right = [each for each in weighings if each.now is Judgement.RIGHT]
    assert len(right) >= LEAST_RIGHT.get(kind, 15)
    assert len([each for each in weighings if each.with_yes is Judgement.RIGHT]) >= 18


def test_the_same_seed_makes_the_same_code_and_another_seed_other_code() -> None:
    kind = random.choice(list(SHOWN))
    assert list(shown_code(kind, 5, 1)) == list(shown_code(kind, 5, 1))
    assert list(shown_code(kind, 5, 1)) != list(shown_code(kind, 5, 2))


def test_what_is_refused_has_the_reason_and_processes_change_nothing() -> None:
    wanted = Wanted(seed=3, count=3)
    weighings = shown_weighings(["shown"], wanted, 1)
    assert weighings == shown_weighings(["shown"], wanted, 2)
    assert any(each.reason is not None for each in weighings)
    assert all(each.reason is None for each in weighings if each.now is Judgement.RIGHT)


def test_without_recorded_answers_there_are_none(tmp_path: Path) -> None:
    assert list(recorded_answers(tmp_path)) == []
