"""A command loads what it needs and no more: where no bytecode is kept, each start compiles all of it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import answer, edit

READING_ANSWERS = {"patchpoint.formats", "patchpoint.locate", "patchpoint.patching", "rapidfuzz"}
PROTOCOLS = {"lsprotocol", "pygls", "mcp", "patchpoint.lsp", "patchpoint.mcp"}
CLIENTS = {"urllib.request", "http.client", "ssl", "socket", "email.message", "asyncio"}


def loaded(project: Path, *words: str | Path) -> set[str]:
    """The names of the modules that one call of the command line loads, and of the packages they are in."""
    state = {"PATCHPOINT_STATE_HOME": str(project.parent / "state")}
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "patchpoint", *map(str, words)],
        cwd=project,
        env=os.environ | state,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return {line.rpartition("|")[2].strip() for line in done.stderr.splitlines() if "|" in line}


def test_the_version_needs_no_command(project: Path) -> None:
    names = loaded(project, "--version")
    assert not names & {"argparse", "dulwich", "patchpoint.schema", "patchpoint.checkpoints"}
    assert not names & (READING_ANSWERS | PROTOCOLS)


@pytest.mark.parametrize("words", [["list"], ["checkpoint", "--json"], ["show", "last"], ["diff"]])
def test_a_command_of_checkpoints_reads_no_answers(project: Path, words: list[str]) -> None:
    subprocess.run(
        [sys.executable, "-m", "patchpoint", "checkpoint"],
        cwd=project,
        env=os.environ | {"PATCHPOINT_STATE_HOME": str(project.parent / "state")},
        check=True,
        stdout=subprocess.DEVNULL,
    )
    names = loaded(project, *words)
    assert not names & (READING_ANSWERS | PROTOCOLS | CLIENTS)
    assert not names & {"cattrs", "importlib.metadata", "patchpoint.schema.requests", "tree_sitter"}


def test_applying_needs_no_client_of_a_network(project: Path) -> None:
    text = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
    names = loaded(project, "apply", "--check", answer(project, text))
    assert not names & (PROTOCOLS | CLIENTS)
    assert not names & {"cattrs", "importlib.metadata", "json_repair"}
