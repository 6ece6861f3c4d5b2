"""A repository's configuration may ask for more care with files, and never for less than the user's does."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from patchpoint.outcome import Rung
from patchpoint.schema.decode import JSON
from patchpoint.schema.git_settings import settings_of
from patchpoint.schema.settings import Confirm, Settings


@pytest.fixture
def repository(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A new repository; the user's configuration is a file next to it, and there is none of the system."""
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    monkeypatch.setenv("GIT_CONFIG_NOSYSTEM", "1")
    subprocess.run(["git", "init", "-q", tmp_path / "repository"], check=True)
    return tmp_path / "repository"


def git_config(repository: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", repository, "config", *arguments], check=True)


@pytest.mark.parametrize(
    ("name", "careless", "careful", "expected"),
    [
        ("match.minSimilarity", "0", "0.9", Settings(min_similarity=0.9)),
        ("match.minMargin", "0", "0.3", Settings(min_margin=0.3)),
        ("apply.confirm", "never", "always", Settings(confirm=Confirm.ALWAYS)),
        ("match.rungs", "exact", "exact", Settings(rungs=(Rung.EXACT,))),
    ],
)
def test_a_repository_can_ask_for_more_care_and_not_for_less(
    repository: Path, name: str, careless: str, careful: str, expected: Settings
) -> None:
    git_config(repository, f"patchpoint.{name}", careful)
    assert settings_of(repository) == (expected, [])
    if careless != careful:
        git_config(repository, f"patchpoint.{name}", careless)
        settings, (sentence,) = settings_of(repository)
        assert settings == Settings()
        assert f"`patchpoint.{name}` of this repository is less careful than yours" in sentence
        assert f"git config --global patchpoint.{name}" in sentence


def test_the_user_can_ask_for_less_care_and_the_repository_for_what_lies_between(repository: Path) -> None:
    git_config(repository, "--global", "patchpoint.match.minSimilarity", "0.5")
    git_config(repository, "--global", "patchpoint.checkpoints.beforeApply", "false")
    assert settings_of(repository) == (Settings(min_similarity=0.5, checkpoint_before_apply=False), [])
    git_config(repository, "patchpoint.match.minSimilarity", "0.6")
    git_config(repository, "patchpoint.checkpoints.beforeApply", "true")
    assert settings_of(repository) == (Settings(min_similarity=0.6), [])
    git_config(repository, "patchpoint.match.minSimilarity", "0.4")
    assert settings_of(repository)[0].min_similarity == 0.5


def test_no_checkpoint_before_edits_cannot_be_asked_for_by_a_repository(repository: Path) -> None:
    git_config(repository, "patchpoint.checkpoints.beforeApply", "false")
    settings, wrong = settings_of(repository)
    assert settings.checkpoint_before_apply
    assert len(wrong) == 1


def test_rungs_that_the_user_left_out_cannot_be_added_by_a_repository(repository: Path) -> None:
    git_config(repository, "--global", "patchpoint.match.rungs", "exact")
    git_config(repository, "--add", "patchpoint.match.rungs", "similarity")
    settings, wrong = settings_of(repository)
    assert settings.rungs == (Rung.EXACT,)
    assert len(wrong) == 1


def test_an_editors_setting_overrides_both(repository: Path) -> None:
    git_config(repository, "patchpoint.match.minSimilarity", "0.9")
    settings, wrong = settings_of(repository, {"match": {"minSimilarity": 0.4}})
    assert (settings.min_similarity, wrong) == (0.4, [])


@given(similarity=st.floats(), margin=st.floats(), size=st.floats())
def test_no_number_of_an_editor_is_too_odd_for_the_options_of_a_store(
    similarity: float, margin: float, size: float
) -> None:
    match: JSON = {"minSimilarity": similarity, "minMargin": margin}
    settings, _ = settings_of(Path(), {"match": match, "checkpoints": {"maxFileSizeMiB": size}})
    assert 0 <= settings.min_similarity <= 1
    assert 0 <= settings.store_options.snapshot.max_file_size <= 2**40
