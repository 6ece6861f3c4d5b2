"""What an answer twice as long costs: about twice the time, of whatever kind it is."""

from __future__ import annotations

import pytest

from tests.growth import answers, diffs, searches, shown_code
from tests.growth.kinds import MOST, Kind

KINDS = (*shown_code.KINDS, *searches.KINDS, *diffs.KINDS, *answers.KINDS)


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)
def test_an_answer_twice_as_long_takes_about_twice_as_long(kind: Kind) -> None:
    growth = kind.growth()
    assert max(growth) <= MOST, f"{kind.name}: {growth[0]:.1f}, then {growth[1]:.1f} times as long"
