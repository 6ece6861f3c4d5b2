"""The options of checkpoints are those of the settings, whether or not git's configuration sets any."""

from __future__ import annotations

import subprocess
from pathlib import Path

from patchpoint.checkpoints.options import StoreOptions
from patchpoint.schema.git_settings import store_options_of
from patchpoint.schema.settings import Settings


def test_the_defaults_are_those_of_the_settings() -> None:
    assert StoreOptions() == Settings().store_options


def test_what_git_is_configured_to_keep_is_kept(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "--quiet"], cwd=tmp_path, check=True)
    assert store_options_of(tmp_path) == (StoreOptions(), [])
    for name, value in (("maxFileSizeMiB", "3"), ("keep", "many")):
        subprocess.run(["git", "config", f"patchpoint.checkpoints.{name}", value], cwd=tmp_path, check=True)
    options, problems = store_options_of(tmp_path)
    assert options.snapshot.max_file_size == 3 << 20
    assert len(problems) == 1
    assert "`patchpoint.checkpoints.keep`" in problems[0]
