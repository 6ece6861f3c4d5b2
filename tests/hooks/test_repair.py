"""`patchpoint hook codex --repair`: a patch that drifted is rewritten, one without a place refused."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from patchpoint import CheckpointStore, apply_edits
from tests.demo.project import make_project
from tests.loaded_server import patchpoint

FILE = "def total(items):\n    return sum(items)\n\n\ndef count(items):\n    return len(items)\n"
Repair = Callable[..., Any]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")
    project = make_project(tmp_path / "project")
    (project / "sums.py").write_text(FILE, encoding="utf-8")
    return project


@pytest.fixture
def repair(project: Path) -> Repair:
    """Call the hook as Codex does before a tool; return what it decides, or nothing."""

    def call(patch: object, *words: str, folder: Path = project, **more: object) -> Any:
        sent = {
            "hook_event_name": "PreToolUse", "session_id": "s", "turn_id": "t", "cwd": str(folder),
            "tool_name": "apply_patch", "tool_input": {"command": patch}, **more,
        }  # fmt: skip
        done = subprocess.run(
            patchpoint("hook", *(words or ("codex", "--repair"))),
            cwd=folder, input=json.dumps(sent), capture_output=True, text=True, timeout=120,
        )  # fmt: skip
        assert done.returncode == 0
        assert done.stderr == ""
        return json.loads(done.stdout)["hookSpecificOutput"] if done.stdout else None

    return call


def envelope(*body: str, path: str = "sums.py") -> str:
    return "\n".join(["*** Begin Patch", f"*** Update File: {path}", *body, "*** End Patch", ""])


EXACT = envelope("@@", " def count(items):", "-    return len(items)", "+    return len(list(items))")
DRIFTED = envelope("@@", " def count( items ):", "-\treturn len( items )", "+\treturn len(list(items))")
NOWHERE = envelope("@@", "-    return max(items)", "+    return min(items)")


def test_a_patch_that_drifted_becomes_one_that_matches(project: Path, repair: Repair) -> None:
    decided = repair(DRIFTED)
    assert (decided["hookEventName"], decided["permissionDecision"]) == ("PreToolUse", "allow")
    report = apply_edits({"sums.py": FILE}, decided["updatedInput"]["command"])
    assert report.ok
    assert [one.rung and one.rung.value for one in report.outcomes] == ["exact"]
    assert report.files["sums.py"] == FILE.replace("len(items)", "len(list(items))")
    assert (project / "sums.py").read_text(encoding="utf-8") == FILE


@pytest.mark.parametrize("before", ["", "cd . && "])
@pytest.mark.parametrize("word", ["'EOF'", '"PATCH"', "EOF"])
def test_a_patch_in_a_here_document_is_repaired_in_its_place(repair: Repair, before: str, word: str) -> None:
    command = f"{before}apply_patch <<{word}\n{DRIFTED}{word.strip(chr(34) + chr(39))}\n"
    decided = repair(command, tool_name="Bash", tool_input={"command": command})
    assert decided["permissionDecision"] == "allow"
    changed = decided["updatedInput"]["command"]
    first, *patch, last = changed.splitlines()
    assert (first, last) == (command.splitlines()[0], command.splitlines()[-1])
    report = apply_edits({"sums.py": FILE}, "\n".join(patch) + "\n")
    assert [one.rung and one.rung.value for one in report.outcomes] == ["exact"]


@pytest.mark.parametrize(
    "command",
    [
        "echo hi",
        f"apply_patch <<'EOF' && make\n{DRIFTED}EOF\n",
        f"apply_patch <<'EOF'\n{DRIFTED}EOF\nmake\n",
        f"apply_patch <<EOF\n{DRIFTED.replace('len', '$len')}EOF\n",
        f"cat <<'EOF'\n{DRIFTED}EOF\n",
    ],
)
def test_any_other_command_stays_as_it_is(repair: Repair, command: str) -> None:
    assert repair(command, tool_name="Bash", tool_input={"command": command}) is None


def test_a_reason_ends_without_a_full_stop_which_codex_writes_itself(repair: Repair) -> None:
    assert not repair(NOWHERE)["permissionDecisionReason"].endswith((".", "\n"))


def test_what_else_the_tool_is_given_stays(repair: Repair) -> None:
    decided = repair(DRIFTED, tool_input={"command": DRIFTED, "workdir": "."})
    assert decided["updatedInput"]["workdir"] == "."


def test_a_patch_without_a_place_is_refused_with_feedback(repair: Repair) -> None:
    decided = repair(NOWHERE)
    assert decided["permissionDecision"] == "deny"
    assert "not applied" in decided["permissionDecisionReason"]
    assert "updatedInput" not in decided


def test_a_patch_that_has_been_applied_is_refused_with_that(project: Path, repair: Repair) -> None:
    patch = envelope("@@", " def total(items):", "+    check_prices(items)", "     return sum(items)")
    assert repair(patch) is None
    applied = FILE.replace("    return sum", "    check_prices(items)\n    return sum")
    (project / "sums.py").write_text(applied, encoding="utf-8")
    decided = repair(patch)
    assert decided["permissionDecision"] == "deny"
    assert "already" in decided["permissionDecisionReason"]


def test_a_patch_with_several_places_is_refused_rather_than_put_at_the_first(
    project: Path, repair: Repair
) -> None:
    (project / "sums.py").write_text(FILE + FILE, encoding="utf-8")
    assert repair(EXACT)["permissionDecision"] == "deny"


def test_paths_are_relative_to_where_the_agent_works(project: Path, repair: Repair) -> None:
    (project / "below").mkdir()
    (project / "below/sums.py").write_text(FILE, encoding="utf-8")
    decided = repair(DRIFTED, folder=project / "below")
    assert "*** Update File: sums.py\n" in decided["updatedInput"]["command"]


@pytest.mark.parametrize(
    "patch",
    [
        EXACT,
        "no patch at all",
        "*** Begin Patch\n*** Update File: sums.py\n@@\n-    return len(",
        envelope("@@", "-root:x", "+root:y", path="../../../../../etc/passwd"),
        envelope("@@", "-[core]", "+[alias]", path=".git/config"),
        "*** Begin Patch\n*** Add File: new.py\n+x = 1\n*** End Patch\n",
        ["*** Begin Patch"],
        None,
    ],
)
def test_what_the_agent_can_judge_itself_is_left_to_it(repair: Repair, patch: object) -> None:
    assert repair(patch) is None


def test_nothing_is_decided_about_other_tools_or_unasked(repair: Repair) -> None:
    assert repair(DRIFTED, tool_name="Bash") is None
    assert repair(DRIFTED, hook_event_name="PostToolUse") is None
    assert repair(DRIFTED, "codex") is None


def test_the_checkpoint_is_taken_as_well(project: Path, repair: Repair) -> None:
    repair(DRIFTED)
    (taken,) = CheckpointStore.open(project).list()
    assert (taken.session, taken.message, taken.label) == ("s", "t", "Before apply_patch: sums.py")


def test_only_an_agent_that_lets_a_hook_do_so_can_be_set_up_for_it(
    project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def setup(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            patchpoint("setup", *words, "--project", "--yes"),
            cwd=project, env={**os.environ, "HOME": str(tmp_path)}, capture_output=True, text=True,
        )  # fmt: skip

    refused = setup("claude", "--repair")
    assert refused.returncode == 2
    assert "Claude Code" in refused.stderr
    assert setup("codex").returncode == 0
    place = project / ".codex/hooks.json"
    assert "--repair" not in place.read_text(encoding="utf-8")
    assert setup("codex", "--repair").returncode == 0
    commands = place.read_text(encoding="utf-8").count('"patchpoint hook codex --repair"')
    assert commands == place.read_text(encoding="utf-8").count('"command": "patchpoint') == 4
    assert setup("codex", "--remove").returncode == 0
    assert not place.exists()
