"""The measures of the layout and the words, each within its limit; `make house` prints them."""

from __future__ import annotations

import pytest

from tools.house import Measure, measures


@pytest.mark.parametrize("measure", measures(), ids=lambda measure: measure.name.replace(" ", "-"))
def test_a_measure_of_the_house_holds(measure: Measure) -> None:
    assert measure.holds, "\n".join(measure.places)
