"""What holds for the tests of the mirror."""

from __future__ import annotations

import pytest


@pytest.fixture(autouse=True)
def time_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    """Leave nothing to the next time, however busy the machine is; tests of the limit set it themselves."""
    monkeypatch.setattr("patchpoint.checkpoints.mirror.update._LEAST_S", 60.0)
