"""The plugins of agents in editors/agents, from what `patchpoint setup` writes; `make docs` writes them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from patchpoint.hooks.setup.change import added
from patchpoint.hooks.setup.places import PLACES, AgentPlace
from patchpoint.version import __version__

FOLDER = Path(__file__).parent.parent / "editors" / "agents"
"""A marketplace of both agents, so that one folder can be named to either."""

_DESCRIPTION = (
    "A checkpoint before each prompt, command and edit, and tools that apply edits where they belong"
)
_ENTRY = {"name": "patchpoint", "description": _DESCRIPTION}


@dataclass(frozen=True)
class AgentPlugin:
    """The plugin of one agent: where its manifest is, and that of the marketplace."""

    name: str
    manifest: str
    marketplace: str


PLUGINS = (
    AgentPlugin("claude", ".claude-plugin/plugin.json", ".claude-plugin/marketplace.json"),
    AgentPlugin("codex", ".codex-plugin/plugin.json", ".agents/plugins/marketplace.json"),
)


def plugin_files() -> Iterator[tuple[Path, str]]:
    """Yield each file, relative to the folder, and its text."""
    for plugin in PLUGINS:
        place = next(one for one in PLACES if one.name == plugin.name)
        folder = Path(plugin.name)
        yield Path(plugin.marketplace), _text(_marketplace(plugin))
        yield folder / plugin.manifest, _text(_manifest(plugin))
        yield folder / "hooks" / "hooks.json", _hooks(place)
        yield (
            folder / ".mcp.json",
            _text({"mcpServers": {"patchpoint": {"command": "patchpoint", "args": ["mcp"]}}}),
        )


def _manifest(plugin: AgentPlugin) -> dict[str, Any]:
    common = {**_ENTRY, "version": __version__, "author": {"name": "The Patchpoint authors"}}
    common |= {"license": "MIT", "keywords": ["checkpoint", "undo", "patch", "diff"]}
    if plugin.name == "claude":  # it finds the other files by their names, and refuses to be shown them
        return common
    shown = {"displayName": "Patchpoint", "shortDescription": _DESCRIPTION, "category": "Coding"}
    return {**common, "hooks": "./hooks/hooks.json", "mcpServers": "./.mcp.json", "interface": shown}


def _marketplace(plugin: AgentPlugin) -> dict[str, Any]:
    if plugin.name == "claude":
        entry: dict[str, Any] = {**_ENTRY, "source": f"./{plugin.name}"}
        owner = {"name": "The Patchpoint authors"}
        return {"name": "patchpoint", "owner": owner, "description": _DESCRIPTION, "plugins": [entry]}
    entry = {"name": "patchpoint", "source": {"source": "local", "path": f"./{plugin.name}"}}
    entry |= {"policy": {"installation": "AVAILABLE", "authentication": "ON_USE"}, "category": "Coding"}
    return {"name": "patchpoint", "interface": {"displayName": "Patchpoint"}, "plugins": [entry]}


def _hooks(place: AgentPlace) -> str:
    """Return the hooks that `patchpoint setup --project` writes."""
    change = added(place, Path(), None, None, ["patchpoint"], f"patchpoint hook {place.name}")
    return change.after or ""


def _text(data: dict[str, Any]) -> str:
    return json.dumps(data, indent=2) + "\n"


if __name__ == "__main__":
    for path, text in plugin_files():
        (FOLDER / path).parent.mkdir(parents=True, exist_ok=True)
        (FOLDER / path).write_text(text, encoding="utf-8")
