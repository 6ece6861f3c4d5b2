"""Claude Code is set up to ask the server that it starts, where it does, and else to call the program."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from patchpoint.cli import main
from patchpoint.hooks.setup.claude import installed_version

STEPS = {"PreToolUse", "PostToolUse", "PostToolUseFailure"}


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "home"
    (folder / ".claude").mkdir(parents=True)
    monkeypatch.delenv("CLAUDE_CONFIG_DIR", raising=False)
    monkeypatch.setenv("HOME", str(folder))
    monkeypatch.setenv("USERPROFILE", str(folder))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path / "work")
    return folder


def install(folder: Path, version: str, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Install a Claude Code of this version as npm does, first on the `PATH`."""
    package = folder / "node_modules" / "@anthropic-ai" / "claude-code"
    (package / "bin").mkdir(parents=True)
    (package / "package.json").write_text(
        json.dumps({"name": "@anthropic-ai/claude-code", "version": version})
    )
    program = package / "bin" / "claude.exe"
    program.write_text("#!/bin/sh\nexit 1\n")
    program.chmod(0o755)
    (folder / "bin").mkdir()
    (folder / "bin" / "claude").symlink_to(program)
    monkeypatch.setenv("PATH", str(folder / "bin"))
    return folder / "bin" / "claude"


def start_server(home: Path) -> None:
    """Have Claude Code start the server in every project."""
    servers = {"patchpoint": {"type": "stdio", "command": "patchpoint", "args": ["mcp"]}}
    (home / ".claude.json").write_text(json.dumps({"numStartups": 3, "mcpServers": servers}))


def kinds(home: Path) -> dict[str, str]:
    """How each event is announced."""
    data: Any = json.loads((home / ".claude" / "settings.json").read_text(encoding="utf-8"))
    return {event: groups[-1]["hooks"][0]["type"] for event, groups in data["hooks"].items()}


def test_steps_ask_the_server_and_the_rest_stays_with_the_program(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "2.1.331", monkeypatch)
    start_server(home)
    assert main(["setup", "claude", "--yes"]) == 0
    found = kinds(home)
    assert {event for event, kind in found.items() if kind == "mcp_tool"} == STEPS | {"PostToolBatch"}
    assert found["UserPromptSubmit"] == found["Stop"] == found["SessionEnd"] == "command"


@pytest.mark.parametrize(("version", "has_server"), [("2.1.329", True), ("2.1.331", False)])
def test_an_older_version_and_one_without_the_server_call_the_program(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, version: str, has_server: bool
) -> None:
    install(tmp_path, version, monkeypatch)
    if has_server:
        start_server(home)
    assert main(["setup", "claude", "--yes"]) == 0
    assert set(kinds(home).values()) == {"command"}


def test_a_project_calls_the_program_as_not_everybody_starts_the_server(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(tmp_path, "2.1.331", monkeypatch)
    start_server(home)
    assert main(["setup", "claude", "--yes", "--project"]) == 0
    assert "mcp_tool" not in (tmp_path / "work" / ".claude" / "settings.json").read_text(encoding="utf-8")


def test_once_the_server_is_started_a_second_set_up_asks_it(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    install(tmp_path, "2.1.331", monkeypatch)
    assert main(["setup", "claude", "--yes"]) == 0
    assert "claude mcp add --scope user patchpoint -- " in capsys.readouterr().out
    start_server(home)
    assert main(["setup", "claude", "--yes"]) == 0
    assert kinds(home)["PreToolUse"] == "mcp_tool"
    capsys.readouterr()
    assert main(["setup", "claude", "--yes"]) == 0
    assert "already set up" in capsys.readouterr().out
    (home / ".claude.json").unlink()
    assert main(["setup", "claude", "--yes"]) == 0
    assert set(kinds(home).values()) == {"command"}


@pytest.mark.parametrize(
    "own", ['{"model": "opus"}\n', '{"hooks": {"PostToolBatch": [], "Stop": [{"hooks": []}]}}\n']
)
def test_all_of_it_is_removed_from_a_file_that_changed_since(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, own: str
) -> None:
    settings = home / ".claude" / "settings.json"
    settings.write_text(own, encoding="utf-8")
    install(tmp_path, "2.1.331", monkeypatch)
    start_server(home)
    assert main(["setup", "claude", "--yes"]) == 0
    settings.write_text(settings.read_text(encoding="utf-8") + "\n", encoding="utf-8")
    assert main(["setup", "claude", "--remove", "--yes"]) == 0
    assert json.loads(settings.read_text(encoding="utf-8")) == json.loads(own)


def test_the_version_is_read_where_each_installer_puts_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert installed_version(str(install(tmp_path, "2.1.331", monkeypatch))) == (2, 1, 331)
    native = tmp_path / "versions" / "2.2.0"
    native.parent.mkdir()
    native.write_text("")
    (tmp_path / "claude").symlink_to(native)
    assert installed_version(str(tmp_path / "claude")) == (2, 2, 0)
    (tmp_path / "other").write_text("")
    assert installed_version(str(tmp_path / "other")) is None
    assert installed_version(None) is None
