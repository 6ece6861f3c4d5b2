"""Agents are set up and set back: their files keep what is not ours, and are as before when it is removed."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from patchpoint.cli import main
from patchpoint.hooks.events import Moment, read_event
from patchpoint.hooks.firings import AGENTS
from patchpoint.hooks.setup.places import PLACES, AgentPlace, place_of

SETTINGS = """\
{
    // mine, and to stay as it is
    "model": "opus",   "permissions": {"allow": ["Bash(git *)"]},
    "hooks": {
        "PreToolUse": [
            {"matcher": "Bash", "hooks": [{"type": "command", "command": "./guard.sh"}]}
        ], // the guard
        "Notification": []
    }
}
"""


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home directory in which every agent has been used, and nothing of it is set up."""
    for variable in ("CLAUDE_CONFIG_DIR", "CODEX_HOME", "COPILOT_HOME", "OPENCODE_CONFIG_DIR"):
        monkeypatch.delenv(variable, raising=False)
    folder = tmp_path / "home"
    for place in PLACES:
        (folder / place.folder).mkdir(parents=True)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(home: Path, capfd: pytest.CaptureFixture[str]) -> Run:
    def call(*words: str) -> tuple[int, str, str]:
        capfd.readouterr()
        try:
            status = main(list(words))
        except SystemExit as end:
            status = int(end.code or 0)
        captured = capfd.readouterr()
        return status, captured.out, captured.err

    return call


def files(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def folders(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_dir()}


def handlers(data: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Each of our handlers: its event, its matcher, and itself."""
    for event, entries in data["hooks"].items():
        for entry in entries:
            for handler in entry.get("hooks", [entry]):
                command = handler.get("command") or handler.get("bash")
                if "patchpoint" in command:
                    yield event, entry.get("matcher", ""), handler


JSON_PLACES = [place for place in PLACES if place.entries]


@pytest.mark.parametrize("place", PLACES, ids=lambda place: place.name)
def test_set_up_and_removed_there_is_what_was_there_before(home: Path, run: Run, place: AgentPlace) -> None:
    before, before_folders = files(home), folders(home)
    status, out, _ = run("setup", place.name, "--yes")
    assert status == 0
    assert place.path(None).is_file()
    assert f"{place.title} calls the hook" in out
    assert run("setup", place.name, "--yes")[1].startswith(f"{place.title} is already set up")
    assert run("setup", place.name, "--remove", "--yes")[0] == 0
    assert files(home) == before
    assert folders(home) == before_folders
    status, out, _ = run("setup", place.name, "--remove", "--yes")
    assert status == 0
    assert "is not set up" in out


@pytest.mark.parametrize("place", JSON_PLACES, ids=lambda place: place.name)
@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_file_that_is_there_keeps_comments_order_and_bytes(
    home: Path, run: Run, place: AgentPlace, newline: str
) -> None:
    path = place.path(None)
    path.parent.mkdir(exist_ok=True, parents=True)
    original = b"\xef\xbb\xbf" + SETTINGS.replace("\n", newline).encode()
    path.write_bytes(original)
    path.chmod(0o640)
    assert run("setup", place.name, "--yes")[0] == 0
    written = path.read_bytes()
    assert written.startswith(b"\xef\xbb\xbf{")
    assert written.count(newline.encode()) == written.count(b"\n")
    text = written.decode("utf-8-sig")
    position = -1
    for line in SETTINGS.splitlines()[1:7]:
        position = text.index(line.strip().rstrip(","), position + 1)
    assert path.stat().st_mode & 0o777 == 0o640
    assert run("setup", place.name, "--remove", "--yes")[0] == 0
    assert path.read_bytes() == original


@pytest.mark.parametrize("place", JSON_PLACES, ids=lambda place: place.name)
def test_what_the_user_changed_in_between_stays(home: Path, run: Run, place: AgentPlace) -> None:
    path = place.path(None)
    path.parent.mkdir(exist_ok=True, parents=True)
    path.write_text(SETTINGS, encoding="utf-8")
    run("setup", place.name, "--yes")
    path.write_text(path.read_text(encoding="utf-8").replace('"opus"', '"haiku"'), encoding="utf-8")
    run("setup", place.name, "--remove", "--yes")
    assert path.read_text(encoding="utf-8") == SETTINGS.replace('"opus"', '"haiku"')


@pytest.mark.parametrize("place", JSON_PLACES, ids=lambda place: place.name)
def test_the_hook_of_every_event_is_one_that_takes_a_checkpoint(
    home: Path, run: Run, place: AgentPlace
) -> None:
    run("setup", place.name, "--yes")
    data = json.loads(place.path(None).read_text(encoding="utf-8"))
    found = list(handlers(data))
    assert {event for event, _, _ in found} == set(place.entries)
    moments = set()
    for event, matcher, handler in found:
        command = handler.get("command") or handler["bash"]
        assert command.endswith(f"patchpoint hook {place.name}")
        assert Path(command.split()[0]).is_absolute()
        tool = {"tool_name": matcher.split("|")[0] or "Bash"} if "ool" in event else {}
        idle = {"notification_type": matcher} if event == "Notification" else {}
        moments.add(read_event({"hook_event_name": event, "command": "x", **tool, **idle}).moment)
    assert moments == {Moment.PROMPT, Moment.STEP, Moment.AFTER_STEP, Moment.END}


def test_a_change_is_shown_and_nothing_written_without_agreement(home: Path, run: Run) -> None:
    status, out, _ = run("setup", "claude", "--dry-run")
    assert status == 0
    assert '+    "UserPromptSubmit": [' in out
    status, out, err = run("setup", "claude")
    assert status == 1
    assert '+    "UserPromptSubmit": [' in out
    assert "--yes" in err
    assert files(home) == {}


def test_for_a_project_the_command_is_one_that_everybody_has(home: Path, run: Run, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    for place in PLACES:
        assert run("setup", place.name, "--project", "--yes", "--root", str(project))[0] == 0
    assert set(files(project)) == {place.project_file for place in PLACES}
    assert files(home) == {}
    for place in JSON_PLACES:
        data = json.loads((project / place.project_file).read_text(encoding="utf-8"))
        for _, _, handler in handlers(data):
            assert (handler.get("command") or handler["bash"]) == f"patchpoint hook {place.name}"
    assert run("setup", "--all", "--remove", "--project", "--yes", "--root", str(project))[0] == 0
    assert files(project) == {}
    assert folders(project) == set()


def test_all_agents_that_are_there_are_set_up_at_once(home: Path, run: Run) -> None:
    shutil.rmtree(home / ".gemini")
    status, out, _ = run("setup", "--all", "--yes", "--json")
    assert status == 0
    result = json.loads(out)
    assert result["changed"] is True
    assert [one["agent"] for one in result["agents"]] == [name for name in AGENTS if name != "gemini"]
    assert all(one["diff"] for one in result["agents"])
    assert run("setup", "--all", "--remove", "--yes")[0] == 0
    assert files(home) == {}


def test_another_version_of_the_program_replaces_the_one_that_was_set_up(
    home: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = place_of("claude").path(None)
    path.write_text(SETTINGS, encoding="utf-8")
    monkeypatch.setattr("patchpoint.cli.agents.setup.shutil.which", lambda _: "/old/place/patchpoint")
    run("setup", "claude", "--yes")
    assert "/old/place/patchpoint hook claude" in path.read_text(encoding="utf-8")
    monkeypatch.setattr("patchpoint.cli.agents.setup.shutil.which", lambda _: "/new place/patchpoint")
    run("setup", "claude", "--yes")
    text = path.read_text(encoding="utf-8")
    assert "/old/place" not in text
    assert text.count("'/new place/patchpoint' hook claude") == 8
    run("setup", "claude", "--remove", "--yes")
    assert path.read_text(encoding="utf-8") == SETTINGS


def test_hooks_of_others_in_one_group_with_ours_stay(home: Path, run: Run) -> None:
    path = place_of("claude").path(None)
    ours = {"type": "command", "command": "/usr/bin/patchpoint hook claude"}
    other = {"type": "command", "command": "./patchpoint-hook-of-mine"}
    data = {"hooks": {"Stop": [{"hooks": [ours]}, {"hooks": [ours, other]}, {"hooks": [other]}]}}
    path.write_text(json.dumps(data), encoding="utf-8")
    run("setup", "claude", "--remove", "--yes")
    kept = json.loads(path.read_text(encoding="utf-8"))
    assert {"hooks": [other]} in kept["hooks"]["Stop"]
    assert {"hooks": [ours]} not in kept["hooks"]["Stop"]
    assert "./patchpoint-hook-of-mine" in path.read_text(encoding="utf-8")


@pytest.mark.parametrize("text", ['{"hooks": []}', '{"hooks": ', "[1]", '{"hooks": {"Stop": 5}}'])
def test_a_file_that_cannot_be_read_is_left_as_it_is(home: Path, run: Run, text: str) -> None:
    path = place_of("claude").path(None)
    path.write_text(text, encoding="utf-8")
    status, _, err = run("setup", "claude", "--yes")
    assert status == 1
    assert str(path) in err
    assert path.read_text(encoding="utf-8") == text


@pytest.mark.parametrize(
    "text", ["", "\n", '{"hooks": null}', '{\n  "model": "opus",\n  "hooks": {"Stop": null}\n}\n']
)
def test_an_empty_file_and_hooks_that_are_null_are_ones_to_set_up(home: Path, run: Run, text: str) -> None:
    path = home / ".claude/settings.json"
    path.write_text(text, encoding="utf-8")
    assert run("setup", "claude", "--yes")[0] == 0
    hooks = json.loads(path.read_text(encoding="utf-8"))["hooks"]
    assert set(hooks) == set(place_of("claude").entries)
    assert all(group for group in hooks.values())
    assert run("setup", "claude", "--remove", "--yes")[0] == 0
    assert path.read_text(encoding="utf-8") == text


def test_the_doctor_names_settings_of_an_agent_that_are_no_json(home: Path, run: Run) -> None:
    path = home / ".claude/settings.json"
    path.write_text('{"hooks": [,]}', encoding="utf-8")
    status, out, _ = run("doctor")
    assert status == 3
    assert f"✗ claude       {path} cannot be read" in out


def test_a_file_of_somebody_else_is_not_taken_over(home: Path, run: Run) -> None:
    path = place_of("opencode").path(None)
    path.parent.mkdir(parents=True)
    path.write_text("export const Mine = async () => ({});\n", encoding="utf-8")
    status, _, err = run("setup", "opencode", "--yes")
    assert status == 1
    assert "not written by Patchpoint" in err
    run("setup", "opencode", "--remove", "--yes")
    assert "Mine" in path.read_text(encoding="utf-8")


@pytest.mark.skipif(os.name == "nt", reason="needs symbolic links")
def test_a_linked_file_stays_a_link_and_a_project_is_not_left(home: Path, run: Run, tmp_path: Path) -> None:
    dotfiles = tmp_path / "dotfiles.json"
    dotfiles.write_text(SETTINGS, encoding="utf-8")
    path = place_of("claude").path(None)
    path.symlink_to(dotfiles)
    assert run("setup", "claude", "--yes")[0] == 0
    assert path.is_symlink()
    assert "patchpoint hook claude" in dotfiles.read_text(encoding="utf-8")
    project = tmp_path / "project"
    (project / ".claude").mkdir(parents=True)
    (project / ".claude" / "settings.json").symlink_to(home / ".codex" / "hooks.json")
    status, _, err = run("setup", "claude", "--project", "--yes", "--root", str(project))
    assert status == 1
    assert "symbolic link" in err


def test_an_unknown_agent_and_none_that_is_there_are_named(home: Path, run: Run) -> None:
    assert run("setup", "clippy")[0] == 2
    assert run("setup", "claude", "--all", "--yes")[0] == 2
    shutil.rmtree(home)
    status, _, err = run("setup", "--all", "--yes")
    assert status == 1
    assert "No agent found" in err


def test_without_a_name_the_agents_are_listed(home: Path, run: Run) -> None:
    run("setup", "codex", "--yes")
    status, out, _ = run("setup")
    assert status == 0
    lines = {line.split()[0]: line for line in out.splitlines()}
    assert "has not called the hook yet" in lines["codex"]
    assert "not set up" in lines["claude"]


# what the doctor says


def test_the_doctor_says_who_is_set_up_and_whether_the_hook_fires(
    home: Path, run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not any(line.split()[1] in AGENTS for line in run("doctor")[1].splitlines())
    run("setup", "claude", "codex", "--yes")
    out = run("doctor")[1]
    assert "claude" in out
    assert out.count("has not called the hook yet") == 2
    sent = {"hook_event_name": "UserPromptSubmit", "prompt": "x", "cwd": str(tmp_path / "work")}
    subprocess.run(
        [sys.executable, "-m", "patchpoint", "hook", "claude"],
        input=json.dumps(sent).encode(),
        check=True, env=os.environ | {"PATCHPOINT_HOOK_LIMIT": "60"}, timeout=90,
    )  # fmt: skip
    out = run("doctor")[1]
    assert out.count("has not called the hook yet") == 1
    assert "last called just now in" in out
    path = place_of("codex").path(None)
    data = json.loads(path.read_text(encoding="utf-8"))
    for _, _, handler in handlers(data):
        handler["command"] = "/gone/patchpoint hook codex"
    path.write_text(json.dumps(data), encoding="utf-8")
    status, out, _ = run("doctor")
    assert "calls /gone/patchpoint, which does not exist; run `patchpoint setup codex` again" in out
    assert status == 3


# the plugin


NOTES = "const note = (text) => fs.appendFileSync('calls.jsonl', text + '\\n');"
FAKES = {
    "answers": f"{NOTES}\nnote('\"start\"');\n"
    "for await (const line of readline.createInterface({ input: process.stdin })) {\n"
    "  note(line);\n  process.stdout.write('{}\\n\\n');\n}\nnote('\"end\"');\n",
    "ends": f"{NOTES}\nnote('\"start\"');\nprocess.exit(3);\n",
}
"""Programs in place of ours: one that answers, and one that always ends without an answer."""


@pytest.mark.parametrize("kind", FAKES)
def test_the_plugin_calls_the_hook_and_decides_nothing(
    home: Path, run: Run, tmp_path: Path, kind: str
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("There is no Node.js here to run the plugin with.")
    run("setup", "opencode", "--yes")
    fake = tmp_path / "fake.mjs"
    imports = "import fs from 'node:fs';\nimport readline from 'node:readline';\n"
    fake.write_text(imports + FAKES[kind])
    plugin = tmp_path / "plugin.mjs"
    text = place_of("opencode").path(None).read_text(encoding="utf-8")
    start, end = text.index("const COMMAND = ["), text.index("];") + 2
    plugin.write_text(f"{text[:start]}const COMMAND = {json.dumps([node, str(fake)])};{text[end:]}")
    program = tmp_path / "program.mjs"
    program.write_text(
        "import { Patchpoint } from './plugin.mjs';\n"
        "const hooks = await Patchpoint({ directory: '/home/someone/till' });\n"
        "const parts = [{ type: 'text', text: 'Round it' }, { type: 'text', text: 'x', synthetic: true }];\n"
        "await hooks['chat.message']({ sessionID: 's' }, { message: { id: 'm' }, parts });\n"
        "const output = { args: { command: 'git clean' } };\n"
        "await hooks['tool.execute.before']({ sessionID: 's', callID: 'c', tool: 'bash' }, output);\n"
        "await hooks.event({ event: { type: 'session.idle', properties: { sessionID: 's' } } });\n"
        "await hooks.event({ event: { type: 'file.edited' } });\n"
        "await hooks['tool.execute.before']({ sessionID: 's', callID: 'd', tool: 'read' }, output);\n"
        "await hooks['chat.message'](undefined, undefined);\n"
        "console.log(JSON.stringify(output));\n"
    )
    done = subprocess.run([node, program], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.stderr == ""
    assert json.loads(done.stdout) == {"args": {"command": "git clean"}}
    calls = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    if kind == "ends":
        assert calls == ["start"] * 8  # twice for each event
        return
    turn, later = calls[1:4], [call for call in calls[4:] if call not in ("start", "end")]
    assert [calls[0], *calls[4:]].count("start") == 2  # one process for a turn
    assert [(one.moment, one.session, one.turn, one.label) for one in map(read_event, turn)] == [
        (Moment.PROMPT, "s", "m", "Round it"),
        (Moment.STEP, "s", "m", "Before bash: git clean"),
        (Moment.END, "s", "m", "After a turn"),
    ]
    assert len(later) == 1


def test_the_extension_of_pi_calls_the_hook_and_passes_on_what_the_model_is_to_know(
    home: Path, run: Run, tmp_path: Path
) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("There is no Node.js here to run the extension with.")
    run("setup", "pi", "--yes")
    said = json.dumps({"hookSpecificOutput": {"additionalContext": "Read a.txt again."}})
    fake = tmp_path / "fake.mjs"
    imports = "import fs from 'node:fs';\nimport readline from 'node:readline';\n"
    fake.write_text(imports + FAKES["answers"].replace("'{}", f"'{said}"))
    text = place_of("pi").path(None).read_text(encoding="utf-8")
    start, end = text.index("const COMMAND = ["), text.index("];") + 2
    (tmp_path / "plugin.mjs").write_text(
        f"{text[:start]}const COMMAND = {json.dumps([node, str(fake)])};{text[end:]}"
    )
    program = tmp_path / "program.mjs"
    program.write_text(
        "import patchpoint from './plugin.mjs';\n"
        "const on = {};\n"
        "patchpoint({ on: (name, handler) => { on[name] = handler; } });\n"
        "const ctx = { cwd: '/home/someone/till', sessionManager: { getSessionId: () => 's' } };\n"
        "const heard = await on.before_agent_start({ prompt: 'Round it' }, ctx);\n"
        "const tool = { toolName: 'edit', toolCallId: 'c', input: { path: 'a.txt',\n"
        "  edits: [{ oldText: 'a', newText: 'b' }] } };\n"
        "const allowed = [await on.tool_call(tool, ctx)];\n"
        "allowed.push(await on.tool_result({ ...tool, isError: true }, ctx));\n"
        "await on.tool_call({ toolName: 'read', toolCallId: 'd', input: { path: 'a.txt' } }, ctx);\n"
        "await on.agent_end({ messages: [] }, ctx);\n"
        "console.log(JSON.stringify([heard.message.content, allowed]));\n"
    )
    done = subprocess.run([node, program], capture_output=True, text=True, timeout=60, cwd=tmp_path)
    assert done.stderr == ""
    assert json.loads(done.stdout) == ["Read a.txt again.", [None, None]]
    sent = [json.loads(line) for line in (tmp_path / "calls.jsonl").read_text().splitlines()]
    prompt, before, after, stop = map(read_event, sent[1:5])
    assert [one.moment for one in (prompt, before, after, stop)] == [
        Moment.PROMPT, Moment.STEP, Moment.AFTER_STEP, Moment.END,
    ]  # fmt: skip
    assert {one.session for one in (prompt, before, after, stop)} == {"s"}
    assert prompt.turn
    assert {one.turn for one in (before, after, stop)} == {prompt.turn}
    assert before.is_stated
    assert after.has_failed


def test_what_another_agent_needs_is_printed_and_nothing_changed(run: Run) -> None:
    status, out, _ = run("setup", "--generic", "--project")
    assert status == 0
    hooks = json.loads(out)["hooks"]
    assert {"UserPromptSubmit", "PreToolUse", "PostToolUse", "Stop"} <= hooks.keys()
    assert all(group["hooks"][0]["command"] == "patchpoint hook" for (group,) in hooks.values())
    assert run("setup", "--generic", "claude")[0] == 2
