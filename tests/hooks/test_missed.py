"""A hook that took no checkpoint lets the agent go on; a person learns of it by `list` and `doctor`."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.hooks.events import Moment
from patchpoint.hooks.missed import missed_in, record_missed
from tests.demo.project import make_project
from tests.loaded_server import patchpoint

Run = Callable[..., str]


@pytest.fixture(autouse=True)
def _own_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    monkeypatch.setenv("PATCHPOINT_HOOK_LIMIT", "60")
    monkeypatch.setenv("PATCHPOINT_HOOK_STAY", "0")


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return make_project(tmp_path / "project")


@pytest.fixture
def run(project: Path) -> Run:
    """Run a command in the project, and return what it prints."""

    def call(*words: str, sent: object = None, **variables: str) -> str:
        done = subprocess.run(
            patchpoint(*words),
            cwd=project,
            env=os.environ | variables,
            input="" if sent is None else json.dumps(sent),
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert "Traceback" not in done.stderr
        return done.stdout

    return call


def prompt(project: Path, text: str, session: str = "s-1") -> dict[str, Any]:
    return {
        "hook_event_name": "UserPromptSubmit", "session_id": session, "prompt": text, "cwd": str(project),
    }  # fmt: skip


def step(project: Path, command: str) -> dict[str, Any]:
    return {
        "hook_event_name": "PreToolUse", "session_id": "s-1", "cwd": str(project), "tool_name": "Bash",
        "tool_input": {"command": command, "description": "d" * 50_000},
    }  # fmt: skip


@contextmanager
def locked(project: Path) -> Iterator[None]:
    """Have another program use the checkpoints, longer than a hook waits."""
    with exclusive_lock(project / ".git" / "patchpoint" / "lock"):
        yield


def test_list_log_and_doctor_say_which_prompts_have_no_checkpoint_and_why(project: Path, run: Run) -> None:
    run("hook", "claude", sent=prompt(project, "Round the tax half up"))
    with locked(project):
        run("hook", "claude", sent=prompt(project, "Round it down"))
        run("hook", "claude", sent=step(project, "git stash"))
        run("hook", "codex", sent=step(project, "rm README.md"))
    listed = run("list")
    claude, codex = (line for line in listed.splitlines() if "no checkpoint" in line)
    assert claude.startswith("1 prompt and 1 step of claude have no checkpoint, the last at ")
    assert "(Before Bash: git stash): Process " in claude
    assert "is using the checkpoints and holds" in claude
    assert codex.startswith("1 step of codex has no checkpoint, at ")
    assert claude in run("log").splitlines()
    assert claude[:-1] in run("doctor")
    missed = json.loads(run("list", "--json"))["missed"]
    assert [(one["agent"], one["label"]) for one in missed] == [
        ("claude", "Round it down"),
        ("claude", "Before Bash: git stash"),
        ("codex", "Before Bash: rm README.md"),
    ]
    assert all("holds" in one["reason"] for one in missed)


def used(call: str, tool: str, **given: str) -> dict[str, Any]:
    """A record of a session file of Claude Code: its model calls a tool."""
    part = {"type": "tool_use", "id": call, "name": tool, "input": given}
    return {"type": "assistant", "uuid": call, "message": {"role": "assistant", "content": [part]}}


def test_steps_whose_hooks_claude_never_called_are_named_at_the_end_of_the_turn(
    project: Path, run: Run, tmp_path: Path
) -> None:
    records = [
        used("toolu_0", "Bash", command="an earlier turn"),
        {"type": "user", "message": {"role": "user", "content": "Round the tax"}, "promptId": "p-1"},
        used("toolu_1", "Read", file_path="README.md"),
        used("toolu_2", "Bash", command="git stash"),
        {"type": "user", "message": {"content": [{"type": "tool_result", "tool_use_id": "toolu_2"}]}},
        {"type": "user", "isMeta": True, "message": {"content": "Caveat"}},
        used("toolu_3", "Edit", file_path="README.md", old_string="a", new_string="b"),
        {**used("toolu_4", "Bash", command="of a subagent"), "isSidechain": True},
        used("toolu_5", "Bash", command="rm -rf src"),
    ]
    session = tmp_path / "session.jsonl"
    session.write_text("cut off}\n" + "".join(json.dumps(each) + "\n" for each in records))
    stop = {
        "hook_event_name": "Stop", "session_id": "s-1", "cwd": str(project), "transcript_path": str(session),
    }  # fmt: skip
    run("hook", "claude", sent=prompt(project, "Round the tax"))
    run("hook", "claude", sent={**step(project, "git stash"), "tool_use_id": "toolu_2"})
    with locked(project):
        run("hook", "claude", sent={**step(project, "rm -rf src"), "tool_use_id": "toolu_5"})
    for _ in range(2):
        run("hook", "claude", sent=stop)
    gave_up, untold = missed_in(os.path.realpath(project), 0)
    assert (gave_up.event.call, untold.event.call) == ("toolu_5", "toolu_3")
    assert "(Before Edit: README.md): Claude Code did not call its hook" in run("list")
    session.unlink()
    run("hook", "claude", sent=stop)
    assert len(missed_in(os.path.realpath(project), 0)) == 2


def test_only_what_is_asked_for_is_said(project: Path, run: Run, tmp_path: Path) -> None:
    run("checkpoint")
    with locked(project):
        run("hook", "claude", sent=prompt(project, "Round it down", session="s-2"))
    assert "no checkpoint" in run("list", "--agent", "claude")
    assert "no checkpoint" not in run("list", "--agent", "codex")
    assert "no checkpoint" not in run("list", "--until", "2020-01-01")
    other = make_project(tmp_path / "other")
    assert missed_in(os.path.realpath(other), 0) == []
    assert "no checkpoint" not in run("doctor", "--root", str(other))


def test_a_hook_that_gave_up_is_said_to_have(project: Path, run: Run) -> None:
    with subprocess.Popen(
        patchpoint("hook", "claude"),
        cwd=project,
        env=os.environ | {"PATCHPOINT_HOOK_LIMIT": "0.5"},
        stdin=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    ) as process:
        assert process.wait(timeout=60) == 0
    (missed,) = missed_in(os.path.realpath(project), 0)
    assert (missed.agent, missed.event.moment) == ("claude", Moment.STEP)
    assert missed.says.startswith("gave up after 0.5 seconds")
    assert "(Before a step): gave up after 0.5 seconds" in run("list")


def test_what_says_nothing_of_a_change_is_not_missed(project: Path) -> None:
    record_missed("claude", str(project), {"hook_event_name": "SubagentStop"}, "gave up")
    assert missed_in(os.path.realpath(project), 0) == []


def test_the_record_stays_small_and_keeps_the_newest(project: Path, tmp_path: Path) -> None:
    for number in range(3000):
        record_missed("claude", str(project), prompt(project, f"prompt {number}"), "gave up")
    assert (tmp_path / "state/hooks/missed.jsonl").stat().st_size < 300_000
    found = missed_in(os.path.realpath(project), 0)
    assert [each.event.prompt for each in found[-2:]] == ["prompt 2998", "prompt 2999"]
    assert len(found) > 100


def test_what_is_no_record_is_passed_over(project: Path, run: Run, tmp_path: Path) -> None:
    record_missed(None, str(project), prompt(project, "Go"), "gave up")
    with (tmp_path / "state/hooks/missed.jsonl").open("ab") as file:
        file.write(b'[]\n{"root": 1}\n{\xff\n' + b"[" * 10_000 + b"\n")
    (missed,) = missed_in(os.path.realpath(project), 0)
    assert missed.agent == "an agent"
    assert "1 prompt of an agent has no checkpoint" in run("list")
