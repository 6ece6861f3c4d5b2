"""Two agents, at work at the same time in one folder, and each one's work taken back alone."""

from __future__ import annotations

import json
import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.agents.installed import REAL_AGENTS
from tests.agents.model import CLOSING, Action, model
from tests.agents.running import GOES_ON, call
from tests.demo.project import contents, make_project

PAIRS = [("claude", "codex"), ("gemini", "opencode"), ("copilot", "claude")]
AFTER_A_WORD = ("codex", "opencode")
TURNS = int(os.environ.get("PATCHPOINT_TURNS", "20"))


def line(agent: str, turn: int, *, is_done: bool) -> str:
    return f"{agent} {turn} is {'done' if is_done else 'open'}\n"


def shared(agents: tuple[str, str]) -> str:
    """A file in which each agent has a line for each of its turns."""
    return "".join(
        f"---\n{line(agent, n, is_done=False)}---\n" for n in range(1, TURNS + 1) for agent in agents
    )


def script(agent: str, turn: int) -> list[Action]:
    """Set the agent's own line of the shared file, run a command, and make a file of its own."""
    old, new = line(agent, turn, is_done=False), line(agent, turn, is_done=True)
    return [
        ("read", "shared.txt"),
        ("edit", "shared.txt", old, new),
        ("shell", "true"),
        ("write", f"{agent}-{turn}.txt", f"by {agent}\n"),
    ]


def without(files: dict[str, bytes], agent: str) -> dict[str, bytes]:
    """What there is if `agent` never had been there: its lines are open, and its files are gone."""
    text = files["shared.txt"]
    for turn in range(1, TURNS + 1):
        done, still_open = line(agent, turn, is_done=True), line(agent, turn, is_done=False)
        text = text.replace(done.encode(), still_open.encode())
    own = {name: content for name, content in files.items() if not name.startswith(f"{agent}-")}
    return {**own, "shared.txt": text}


@pytest.mark.parametrize("agents", PAIRS, ids="-".join)
def test_two_real_agents_at_once_are_each_taken_back_alone(
    tmp_path: Path, variables: dict[str, str], agents: tuple[str, str]
) -> None:
    project, programs = (
        make_project(tmp_path / "project"),
        {name: REAL_AGENTS[name].path() for name in agents},
    )
    (project / "shared.txt").write_text(shared(agents))
    with model(project, script=script) as address:
        for name in agents:
            REAL_AGENTS[name].configure(tmp_path / "home", project, address)
            call(["patchpoint", "setup", name, "--yes"], project, variables)

        def work(name: str) -> None:
            agent, at = REAL_AGENTS[name], 1 if name in AFTER_A_WORD else 0
            running = {**variables, **agent.variables(address)}
            for turn in range(1, TURNS + 1):
                words = agent.arguments(f"Turn {turn} of {name}")
                goes_on = GOES_ON[name] if turn > 1 else []
                if goes_on and "--trust-folder" in words:  # Copilot takes that for a new session alone
                    words.remove("--trust-folder")
                shown = call([programs[name], *words[:at], *goes_on, *words[at:]], project, running)
                assert CLOSING in shown

        with ThreadPoolExecutor() as pool:
            for done in [pool.submit(work, name) for name in agents]:
                done.result()

    files = contents(project)
    listed = json.loads(call(["patchpoint", "list", "--all", "--json"], project, variables))["checkpoints"]
    began = [one["agent"] for one in listed if one["kind"] == "run"]
    assert {name: began.count(name) for name in agents} == dict.fromkeys(agents, TURNS)
    for name in agents:
        made = [each for each in files if each.startswith(f"{name}-")]
        assert len(made) == TURNS, name
        assert without(files, name) != files
        (session,) = {one["session"] for one in listed if one["agent"] == name}
        call(["patchpoint", "revert", "--session", session], project, variables)
        assert contents(project) == without(files, name)
        call(["patchpoint", "undo"], project, variables)
        assert contents(project) == files
