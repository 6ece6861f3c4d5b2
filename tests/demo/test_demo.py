"""The demo that a newcomer sees, run as a newcomer runs it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent


def run_demo(*server: str) -> str:
    """Run the demo, which must succeed, and return what it prints."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.demo", *server],
        cwd=ROOT,
        env=os.environ | {"PYTHONIOENCODING": "utf-8", "NO_COLOR": "1"},
        capture_output=True,
        encoding="utf-8",
        timeout=120,
        stdin=subprocess.DEVNULL,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_demo_shows_every_outcome_and_brings_every_byte_back() -> None:
    printed = run_demo()
    for line in (
        "till/basket.py:19",
        "indentation",
        "ambiguous",
        "not found",
        "[ambiguous-edit]",
        "[edit-not-found]",
        "+            raise ValueError(",
        "↳ till/tax.py:10",
        "↳ till/tax.py:16",
        "✓ nothing was written, because not every edit has its place",
        "✓ every byte of 7 files is as it was",
        "✓ every byte of 8 files is back again",
    ):
        assert line in printed


def test_the_server_starts_no_program_while_it_works(tmp_path: Path) -> None:
    strace = shutil.which("strace")
    if strace is None:
        reason = "There is no strace here to watch the server's process with."
        if os.environ.get("PATCHPOINT_REQUIRE_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)
    log = tmp_path / "execve.log"
    run_demo(strace, "-f", "-e", "trace=execve,execveat", "-o", str(log), sys.executable, "-m", "patchpoint")
    started = [line for line in log.read_text(encoding="utf-8").splitlines() if "execve" in line]
    assert len(started) == 1, started
