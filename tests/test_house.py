"""The measures of the layout and the words, each within its limit; `make house` prints them."""

from __future__ import annotations

import pytest

from tools.house import MEASURES, measured


@pytest.mark.parametrize("name", MEASURES, ids=lambda name: name.replace(" ", "-"))
def test_a_measure_of_the_house_holds(name: str) -> None:
    measure = measured(name)
    assert measure.holds, "\n".join(measure.places)
