"""What the tests of the log of operations begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.git.git_judge import WorkingTree


@pytest.fixture(autouse=True)
def state_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A state directory of the test's own, in place of the user's."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return tmp_path / "state" / "patchpoint"


@pytest.fixture
def tree(tmp_path: Path) -> WorkingTree:
    """A small repository."""
    return WorkingTree.create(tmp_path / "repo")
