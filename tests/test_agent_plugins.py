"""The plugins in editors/agents have what `patchpoint setup` writes, and are where a marketplace says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from patchpoint.cli import main
from patchpoint.cli.parsing.command_parser import CommandParser
from patchpoint.cli.parsing.server_options import add_mcp_options
from tools.agent_plugins import FOLDER, PLUGINS, AgentPlugin, plugin_files

AGENTS = pytest.mark.parametrize("plugin", PLUGINS, ids=lambda plugin: plugin.name)


def read(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_plugins_are_those_of_the_code() -> None:
    files = dict(plugin_files())
    there = {path.relative_to(FOLDER) for path in FOLDER.rglob("*") if path.is_file()}
    assert there == set(files)
    for path, text in files.items():
        assert (FOLDER / path).read_text(encoding="utf-8") == text, "run `make docs`"


@AGENTS
def test_a_plugin_has_the_hooks_that_setup_writes(
    plugin: AgentPlugin, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    (tmp_path / "project").mkdir()
    assert main(["setup", plugin.name, "--project", "--yes", "--root", str(tmp_path / "project")]) == 0
    (written,) = (tmp_path / "project").rglob("*.json")
    assert read(written)["hooks"] == read(FOLDER / plugin.name / "hooks" / "hooks.json")["hooks"]


@AGENTS
def test_a_plugin_starts_the_server_of_the_tools(plugin: AgentPlugin) -> None:
    (server,) = read(FOLDER / plugin.name / ".mcp.json")["mcpServers"].values()
    command, *options = server["args"]
    assert (server["command"], command) == ("patchpoint", "mcp")
    parser = CommandParser()
    add_mcp_options(parser)
    assert not parser.parse_args(options).allow_restore


@AGENTS
def test_the_marketplace_names_the_folder_of_the_plugin(plugin: AgentPlugin) -> None:
    (entry,) = read(FOLDER / plugin.marketplace)["plugins"]
    source = entry["source"] if isinstance(entry["source"], str) else entry["source"]["path"]
    manifest = read(FOLDER / source / plugin.manifest)
    assert manifest["name"] == entry["name"] == "patchpoint"
    for named in (manifest.get("hooks"), manifest.get("mcpServers")):
        assert named is None or (FOLDER / source / named).is_file()
