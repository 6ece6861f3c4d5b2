from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.agents.installed import environment

SERVER = Path(__file__).parents[2] / "server"


@pytest.fixture
def variables(tmp_path: Path) -> dict[str, str]:
    """An environment with a home folder of its own, in which `patchpoint` is a program."""
    (tmp_path / "home").mkdir()
    programs = tmp_path / "programs"
    programs.mkdir()
    program = programs / "patchpoint"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{SERVER}" exec "{sys.executable}" -m patchpoint "$@"\n')
    program.chmod(0o755)
    (programs / "node").symlink_to(shutil.which("node") or os.devnull)
    return environment(tmp_path / "home", programs) | {"PATCHPOINT_HOOK_LIMIT": "60"}
