"""What the tests of the store begin with."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.checkpoints.git_judge import WorkingTree


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    """A small repository, with the user's state folder out of the way."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return WorkingTree.create(tmp_path / "repo")
