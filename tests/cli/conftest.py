from __future__ import annotations

from pathlib import Path

import pytest

from patchpoint.cli import main
from tests.cli.calls import Ran, Run
from tests.demo.project import make_project


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The demo's project, the current folder."""
    folder = make_project(tmp_path / "project")
    monkeypatch.chdir(folder)
    return folder


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """Call the command line in this process, as a shell would, with a state folder of the test's own."""
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))

    def call(*arguments: str | Path) -> Ran:
        capfd.readouterr()
        try:
            status = main([str(argument) for argument in arguments])
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capfd.readouterr()
        return Ran(status, captured.out, captured.err)

    return call
