"""A command loads what it needs and no more: where no bytecode is kept, each start compiles all of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.calls import answer, edit
from tests.loading import Loaded, loaded_by

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
    assert not names & {"inspect", "traceback", "ctypes", "patchpoint.schema.settings"}


def test_applying_needs_no_client_of_a_network(project: Path) -> None:
    text = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
    names = loaded(project, "apply", "--check", answer(project, text))
    assert not names & (PROTOCOLS | CLIENTS)
    assert not names & {"cattrs", "importlib.metadata", "json_repair"}


@pytest.mark.parametrize("command", ["undo", "redo"])
def test_taking_back_edits_reads_no_answers(
    project: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(project.parent / "state"))
    text = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
    for before in (["apply", "--yes", str(answer(project, text))], ["undo"])[: 1 + (command == "redo")]:
        subprocess.run(
            [sys.executable, "-m", "patchpoint", *before], cwd=project, check=True, stdout=subprocess.DEVNULL
        )
    names = loaded(project, command)
    assert not names & (READING_ANSWERS | PROTOCOLS | CLIENTS)
    assert not names & {"cattrs", "patchpoint.locate.ladder", "patchpoint.patching.plan"}


MOST = {
    "--version": Loaded(modules=65, own=3, patterns=0),
    "--help": Loaded(modules=87, own=15, patterns=11),
    "list": Loaded(modules=204, own=90, patterns=27),
    "undo": Loaded(modules=231, own=117, patterns=34),
    "hook": Loaded(modules=220, own=104, patterns=24),  # with the mirror
    "apply": Loaded(modules=341, own=214, patterns=75),
}
"""What a command loads at most; each module takes about 0.3 ms, and a pattern as much or more."""


@pytest.mark.parametrize("command", MOST)
def test_a_command_loads_few_modules_and_compiles_few_patterns(
    project: Path, command: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(project.parent / "state"))
    tax = project / "till/tax.py"
    for before in (["checkpoint"], ["restore", "last"]):
        subprocess.run(
            [sys.executable, "-m", "patchpoint", *before], cwd=project, check=True, stdout=subprocess.DEVNULL
        )
        if command != "undo" or before[0] == "checkpoint":
            tax.write_text(tax.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    words: list[str | Path] = [command]
    event = b""
    if command == "hook":
        words.append("claude")
        fields = {"hook_event_name": "UserPromptSubmit", "session_id": "s", "prompt_id": "1", "prompt": "Go"}
        event = json.dumps({**fields, "cwd": str(project)}).encode()
    elif command == "apply":
        text = edit("till/tax.py", 'REDUCED = Decimal("0.05")', 'REDUCED = Decimal("0.07")')
        words.append(answer(project, text))
    loaded, most = loaded_by(project, *words, sent=event), MOST[command]
    assert loaded.own <= most.own
    assert loaded.patterns <= most.patterns
    assert loaded.modules <= most.modules
