"""The hooks of docs/agents.md, called as a terminal agent calls them."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.demo.project import contents, make_project

PAGE = (Path(__file__).parent.parent / "docs" / "agents.md").read_text(encoding="utf-8")
(STAND_IN,) = re.findall(r"```sh\n(.*?)```", PAGE, flags=re.DOTALL)
HOOK = re.findall(r"`(patchpoint hook \w+)`", PAGE)[0]
PATCH = """*** Begin Patch
*** Update File: till/tax.py
@@
-REDUCED = Decimal("0.05")
+REDUCED = Decimal("0.07")
*** End Patch
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """A shell in which `patchpoint` and the script of the page are installed."""
    scripts = tmp_path / "bin"
    scripts.mkdir()
    (scripts / "apply_patch").write_text(STAND_IN, encoding="utf-8")
    (scripts / "apply_patch").chmod(0o755)
    path = os.pathsep.join((str(scripts), str(Path(sys.executable).parent), os.environ["PATH"]))
    state = str(tmp_path / "state")
    return os.environ | {"PATH": path, "PATCHPOINT_STATE_HOME": state, "PATCHPOINT_HOOK_LIMIT": "60"}


def shell(command: str, project: Path, environment: dict[str, str], given: str = "") -> str:
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=project,
        env=environment,
        input=given,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_what_an_agent_did_in_a_turn_is_rolled_back(project: Path, environment: dict[str, str]) -> None:
    before = contents(project)
    sent = {"session_id": "s-1", "prompt_id": "p-1", "prompt": "make it faster"}
    assert shell(HOOK, project, environment, json.dumps(sent)) == ""
    shell("echo broken > till/tax.py; rm README.md; mkdir out; echo 1 > out/log", project, environment)
    listed = json.loads(shell("patchpoint list --json --session s-1", project, environment))["checkpoints"]
    assert [checkpoint["kind"] for checkpoint in listed] == ["run"]
    changed = shell(f"patchpoint diff --stat {listed[0]['id']}", project, environment)
    assert changed.split() == ["delete", "README.md", "create", "out/log", "update", "till/tax.py"]
    assert listed[0]["label"] == "make it faster"
    shell("patchpoint restore --session s-1 --message p-1", project, environment)
    assert contents(project) == before


def test_a_hook_is_never_in_the_agents_way(tmp_path: Path, environment: dict[str, str]) -> None:
    unwritable = environment | {"PATCHPOINT_STATE_HOME": "/dev/null/nowhere"}
    folder = tmp_path / "no repository"
    folder.mkdir()
    assert shell(HOOK, folder, unwritable, '{"session_id": "s-1"}') == ""


def test_the_stand_in_answers_as_the_agents_own_command_does(
    project: Path, environment: dict[str, str]
) -> None:
    printed = shell("apply_patch", project, environment, PATCH)
    assert printed == "Success. Updated the following files:\nM till/tax.py\n"
    assert 'REDUCED = Decimal("0.07")' in (project / "till/tax.py").read_text(encoding="utf-8")
