"""Real editors, and a real project for them to work in."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.demo.project import ANSWER, make_project

BIN = Path(sys.executable).parent
ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm",
    "PATH": f"{BIN}{os.pathsep}{os.defpath}",
}


def editor(name: str, how: str) -> str:
    """The editor `name`, or no test: skipped with the reason, unless tests of editors are required."""
    found = shutil.which(name, path=ENVIRONMENT["PATH"])
    if found is None:
        reason = f"There is no {name} here; {how}."
        if os.environ.get("PATCHPOINT_REQUIRE_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)
    return found


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The small project of the demo, committed in a repository of its own."""
    return make_project(tmp_path / "project")


@pytest.fixture
def neovim(tmp_path: Path, project: Path) -> Callable[[str], dict[str, Any]]:
    """Run a script in a Neovim that has our plugin and nothing else; answers what the script saw."""
    executable = editor("nvim", "`make setup` installs it where there is a wheel for this platform")
    home = tmp_path / "home"
    home.mkdir()
    here = Path(__file__).parent / "neovim"
    plugin = Path(__file__).parent.parent.parent / "editors" / "neovim"

    def run(script: str) -> dict[str, Any]:
        seen = tmp_path / "seen.json"
        prepare = [
            f"set runtimepath^={plugin}",
            f"lua package.path = '{here}/?.lua;' .. package.path",
            "lua vim.lsp.enable('patchpoint')",
            "runtime plugin/patchpoint.lua",
        ]
        command = [
            executable,
            "--clean",
            "--headless",
            *(word for line in prepare for word in ("--cmd", line)),
        ]
        result = subprocess.run(
            [*command, "-c", f"luafile {here / script}"],
            cwd=project,
            env=ENVIRONMENT
            | {
                "HOME": str(home),
                "XDG_STATE_HOME": str(home),
                "SEEN": str(seen),
                "ANSWER": str(ANSWER),
            },
            timeout=120,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        answer: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
        return answer

    return run
