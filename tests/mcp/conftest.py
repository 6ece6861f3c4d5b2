from __future__ import annotations

from pathlib import Path

import pytest

from tests.demo.project import make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's project, whose state is kept apart."""
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    return make_project(tmp_path / "project")


@pytest.fixture(params=["handshake", "stateless"])
def era(request: pytest.FixtureRequest) -> str:
    """Each era of the protocol."""
    name: str = request.param
    return name
