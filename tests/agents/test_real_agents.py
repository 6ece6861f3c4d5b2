"""The agents themselves, started with what `patchpoint setup` wrote: they call the hook, and are rolled back.

Their model is on this machine (`tests/agents/model.py`): neither an account nor the network is needed.
"""

from __future__ import annotations

import json
import os
import re
from pathlib import Path
from typing import Any

import pytest

from patchpoint.hooks.setup.claude import ASKING_SINCE, installed_version
from tests.agents.installed import REAL_AGENTS
from tests.agents.model import CLOSING, COMMAND, NEW, OLD, PATCH, model
from tests.agents.running import GOES_ON, call
from tests.demo.project import contents, make_project

PROMPT = "Set the reduced rate to 7 percent"
ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "mcp.md"
PLUGINS = ROOT / "docs" / "agents.md"


def install_plugin(program: str, project: Path, variables: dict[str, str]) -> None:
    """Install the plugin of an agent by the lines of the page."""
    name = Path(program).name
    lines = re.findall(rf"^    {name} (plugin .*)$", PLUGINS.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(lines) == 2
    for line in lines:
        call([program, *line.replace("/path/to/patchpoint", str(ROOT)).split()], project, variables)


def checkpoints(project: Path, variables: dict[str, str]) -> list[dict[str, Any]]:
    listed = json.loads(call(["patchpoint", "list", "--json"], project, variables))
    found: list[dict[str, Any]] = listed["checkpoints"]
    return found[::-1]


@pytest.mark.parametrize(
    ("name", "where"),
    [
        *((name, where) for name in REAL_AGENTS for where in ("user", "project")),
        ("claude", "plugin"),
        ("codex", "plugin"),
    ],
)
def test_a_real_agent_calls_the_hook_and_its_turn_is_rolled_back(
    tmp_path: Path, variables: dict[str, str], name: str, where: str
) -> None:
    agent = REAL_AGENTS[name]
    program = agent.path()
    project = make_project(tmp_path / "project")
    with model(project) as address:
        agent.configure(tmp_path / "home", project, address)
        if where == "plugin":
            install_plugin(program, project, {**variables, **agent.variables(address)})
        else:
            place = ["--project"] if where == "project" else []
            call(["patchpoint", "setup", name, "--yes", *place], project, variables)
        before = contents(project)
        before.pop(".qwen/settings.json", None)  # Qwen Code adds a version to it as it starts
        running = {**variables, **agent.variables(address)}
        assert CLOSING in call([program, *agent.arguments(PROMPT)], project, running)
    changed = (project / "till" / "tax.py").read_text(encoding="utf-8")
    assert NEW in changed
    assert not (project / "README.md").exists()

    prompted, step, done, end = checkpoints(project, variables)
    first = "step" if name == "droid" else "run"  # without a screen, it announces no prompt
    assert [one["kind"] for one in (prompted, step, done, end)] == [first, "step", "afterStep", "afterRun"]
    assert prompted["label"].strip('"') == PROMPT or first == "step"
    assert step["label"].endswith(f": {COMMAND}")
    session, turn = prompted["session"], prompted["message"]
    assert session
    assert turn or first == "step"
    assert {step["session"], end["session"]} == {session}
    if name not in ("gemini", "copilot", "qwen"):  # they name no turn: that of the prompt is its time
        assert step["message"] == end["message"] == turn

    number = changed.splitlines().index(NEW) + 1
    said = json.loads(call(["patchpoint", "log", f"till/tax.py:{number}", "--json"], project, variables))
    assert [(one["by"], one["session"], one["isOpen"]) for one in said["lines"]] == [
        ("session", session, False)
    ]
    (project / "till" / "mine.py").write_text("MINE = True\n", encoding="utf-8")
    call(["patchpoint", "revert", "--session", session], project, variables)
    assert (project / "till" / "mine.py").exists()
    (project / "till" / "mine.py").unlink()
    now = contents(project)
    assert {path: now.get(path) for path in before} == before
    call(["patchpoint", "undo"], project, variables)

    call(["patchpoint", "restore", step["id"]], project, variables)
    assert (project / "README.md").exists()
    assert (project / "till" / "tax.py").read_text(encoding="utf-8") == changed
    to = ["--session", session, "--message", turn] if turn else [prompted["id"]]
    call(["patchpoint", "restore", *to], project, variables)
    now = contents(project)
    assert {path: now.get(path) for path in before} == before


def test_the_steps_of_a_real_claude_that_reaches_no_server_are_named(
    tmp_path: Path, variables: dict[str, str]
) -> None:
    agent, project = REAL_AGENTS["claude"], make_project(tmp_path / "project")
    program = agent.path()
    if (installed_version(program) or ()) < ASKING_SINCE:
        pytest.skip("This Claude Code has no hooks that ask a server.")
    (Path(variables["PATH"].partition(os.pathsep)[0]) / "claude").symlink_to(program)
    with model(project) as address:
        agent.configure(tmp_path / "home", project, address)
        running = {**variables, **agent.variables(address)}
        add = [program, "mcp", "add", "--scope", "user", "patchpoint", "--"]
        call([*add, "patchpoint", "mcp"], project, running)
        call(["patchpoint", "setup", "claude", "--yes"], project, running)
        call([program, "mcp", "remove", "patchpoint"], project, running)
        call([*add, "false"], project, running)
        assert CLOSING in call([program, *agent.arguments(PROMPT)], project, running)
    assert [one["kind"] for one in checkpoints(project, variables)] == ["run", "afterRun"]
    missed = json.loads(call(["patchpoint", "list", "--json"], project, variables))["missed"]
    assert len(missed) == 2
    assert {one["reason"].partition(";")[0] for one in missed} == {"Claude Code did not call its hook"}


@pytest.mark.parametrize("name", ["claude", "codex", "gemini", "qwen", "pi"])
def test_the_model_of_a_real_agent_hears_once_what_was_restored(
    tmp_path: Path, variables: dict[str, str], name: str
) -> None:
    agent, project, heard = REAL_AGENTS[name], make_project(tmp_path / "project"), list[str]()
    program, restored = agent.path(), "were restored to an earlier state with Patchpoint"
    with model(project, heard=heard) as address:
        agent.configure(tmp_path / "home", project, address)
        call(["patchpoint", "setup", name, "--yes"], project, variables)
        running = {**variables, **agent.variables(address)}
        call([program, *agent.arguments(PROMPT)], project, running)
        assert not any(restored in each for each in heard)
        call(["patchpoint", "restore", checkpoints(project, variables)[0]["id"]], project, variables)
        words = agent.arguments("Go on")
        at = 1 if name == "codex" else 0
        heard.clear()
        call([program, *words[:at], *GOES_ON[name], *words[at:]], project, running)
    (said,) = {each[each.index(restored) :][:200] for each in heard if restored in each}
    assert "Restored: README.md, till/tax.py." in said


RESUMES = {"claude": ["--resume"], "codex": ["resume"]}
"""What an agent is started with to go on with a session; for Codex, after `exec`."""


@pytest.mark.parametrize("name", RESUMES)
def test_a_real_agent_goes_on_from_the_prompt_that_its_conversation_was_put_back_to(
    tmp_path: Path, variables: dict[str, str], name: str
) -> None:
    agent, project, heard = REAL_AGENTS[name], make_project(tmp_path / "project"), list[str]()
    program, at = agent.path(), 1 if name == "codex" else 0
    with model(project, heard=heard) as address:
        agent.configure(tmp_path / "home", project, address)
        call(["patchpoint", "setup", name, "--yes"], project, variables)
        running = {**variables, **agent.variables(address)}
        call([program, *agent.arguments("Begin with it")], project, running)
        for prompt in ("Then the second", "Then the third"):
            words = agent.arguments(prompt)
            call([program, *words[:at], *GOES_ON[name], *words[at:]], project, running)
        (old,) = (tmp_path / "home").rglob(f"*{checkpoints(project, variables)[0]['session']}.jsonl")
        content = old.read_bytes()
        for prompt in ("third", "second"):
            done = call(
                ["patchpoint", "restore", f":/{prompt}", "--conversation", "--json"], project, variables
            )
            session = json.loads(done)["conversation"]["session"]
            heard.clear()
            words = agent.arguments(f"Instead of the {prompt}")
            words = [*words[:at], *RESUMES[name], session, *words[at:]]
            assert CLOSING in call([program, *words], project, running)
            (asked,) = [each for each in heard if f"Instead of the {prompt}" in each]
            assert "Begin with it" in asked
            assert f"Then the {prompt}" not in asked
            assert "Then the third" not in asked
            assert ("Then the second" in asked) is (prompt == "third")
    assert old.read_bytes() == content


@pytest.mark.parametrize(
    ("lines", "options", "is_changed", "said"),
    [
        (OLD.replace('"', "'") + "  ", [], False, "Failed to find expected lines"),
        (OLD.replace('"', "'") + "  ", ["--repair"], True, "patch: completed"),
        ("ALL = Fraction(1, 3)", ["--repair"], False, "no part of it is similar enough"),
    ],
)
def test_codex_applies_a_patch_that_drifted_once_the_hook_has_repaired_it(
    tmp_path: Path, variables: dict[str, str], lines: str, options: list[str], is_changed: bool, said: str
) -> None:
    agent = REAL_AGENTS["codex"]
    program = agent.path()
    project = make_project(tmp_path / "project")
    with model(project, PATCH.replace(OLD, lines)) as address:
        agent.configure(tmp_path / "home", project, address)
        call(["patchpoint", "setup", "codex", "--yes", *options], project, variables)
        words = ["sh", "-c", '"$0" "$@" 2>&1', program, *agent.arguments(PROMPT)]
        shown = call(words, project, {**variables, **agent.variables(address)})
    assert said in shown
    assert (NEW in (project / "till" / "tax.py").read_text(encoding="utf-8")) is is_changed


@pytest.mark.parametrize(
    ("name", "title", "listing", "connected"),
    [
        ("claude", "Claude Code", ["mcp", "list"], "Connected"),
        ("codex", "Codex", ["mcp", "list"], "enabled"),  # it connects in a session
        ("gemini", "Gemini CLI", ["mcp", "list"], "patchpoint mcp (stdio)"),  # it waits 5 s, no more
        ("opencode", "opencode", ["mcp", "list"], "connected"),
    ],
)
def test_the_line_of_the_page_connects_a_real_agent_to_the_tools(
    tmp_path: Path, variables: dict[str, str], name: str, title: str, listing: list[str], connected: str
) -> None:
    agent = REAL_AGENTS[name]
    program = agent.path()
    project = make_project(tmp_path / "project")
    agent.configure(tmp_path / "home", project, "http://127.0.0.1:9")
    running = {**variables, **agent.variables("http://127.0.0.1:9")}
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    (row,) = [line for line in lines if line.startswith(f"| {title} |")]
    named = row.split("`")[1::2]
    if named[0].endswith(".json"):
        (project / named[0]).write_text(named[1], encoding="utf-8")
    else:
        call([program, *named[0].split()[1:]], project, running)
    shown = call(["sh", "-c", '"$0" "$@" 2>&1', program, *listing], project, running)
    assert any("patchpoint" in line and connected in line for line in shown.splitlines()), shown
