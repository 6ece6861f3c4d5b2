"""How an agent is run, and goes on with what it ran before."""

from __future__ import annotations

import subprocess
from pathlib import Path

GOES_ON = {
    "claude": ["--continue"],
    "codex": ["resume", "--last"],
    "gemini": ["--resume", "latest"],
    "qwen": ["--continue"],
    "pi": ["--continue"],
    "copilot": ["--continue"],
    "opencode": ["--continue"],
}
"""What an agent is started with to go on with its last conversation; for Codex and opencode, after
`exec` and `run`."""


def call(words: list[str], project: Path, variables: dict[str, str]) -> str:
    done = subprocess.run(
        words,
        cwd=project,
        env=variables,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=180,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
