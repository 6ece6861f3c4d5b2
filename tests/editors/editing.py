"""An editor at work, from its start to its end."""

from __future__ import annotations

import json
import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.demo.project import ANSWER
from tests.editors.installed import ENVIRONMENT, PROGRAMS, ROOT


@dataclass(frozen=True)
class Editing:
    """An editor at work in the project, with a home folder of its own."""

    project: Path
    home: Path
    programs: Path
    """Where they look first for a `patchpoint`."""

    @property
    def environment(self) -> dict[str, str]:
        """What its programs are run with."""
        return ENVIRONMENT | {
            "HOME": str(self.home),
            "XDG_STATE_HOME": str(self.home / "state"),
            "PATH": os.pathsep.join([str(self.programs), PROGRAMS]),
        }

    def call(self, *words: str) -> None:
        """Run a program in the project."""
        subprocess.run(words, cwd=self.project, env=self.environment, check=True, capture_output=True)

    def run(self, command: list[str], plugin: str, **variables: str) -> dict[str, Any]:
        """Run the editor to its end, with more variables in its environment; answers what its script saw.

        With `PATH=PROGRAMS`, it starts the server as it is installed.
        """
        seen = self.home / "seen.json"
        result = subprocess.run(
            command,
            cwd=self.project,
            env=self.environment
            | {"SEEN": str(seen), "ANSWER": str(ANSWER), "PLUGIN": str(ROOT / "editors" / plugin)}
            | variables,
            timeout=120,
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
        )
        assert result.returncode == 0, result.stdout + result.stderr
        answer: dict[str, Any] = json.loads(seen.read_text(encoding="utf-8"))
        return answer
