"""The server's settings and tools in the manifest of the VS Code extension; `make docs` writes them.

The manifest names each text that a person reads by its key, such as `%setting.trace%`. The English texts
are in package.nls.json, those of other languages in files of that kind. The English descriptions of the
server's settings and the titles of its tools are written here, too, from their tables. What a model reads of
a tool has no key: it is the same in each language.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patchpoint.mcp.tools.table import DRY_RUN, TOOLS, Needs, Tool
from patchpoint.schema.settings import SECTION, table_of_settings

EXTENSION = Path(__file__).parents[1] / "editors" / "vscode"
MANIFEST = EXTENSION / "package.json"
ENGLISH = EXTENSION / "package.nls.json"

GENERATED = "Patchpoint"
"""The title of the section with the server's settings; the other sections are the extension's own."""


def read_manifest() -> dict[str, Any]:
    """Return the manifest as it is on disk."""
    manifest: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return manifest


def server_settings() -> dict[str, Any]:
    """Return the server's settings by their full names, as JSON schemas in the order of the table."""
    return {
        f"{SECTION}.{row.name}": {**row.schema(), "description": f"%{_key(row.name)}%", "order": number}
        for number, row in enumerate(table_of_settings(), start=1)
    }


def server_descriptions() -> dict[str, str]:
    """Return the English descriptions of the server's settings and the titles of its tools by their keys."""
    settings = {_key(row.name): row.description for row in table_of_settings()}
    titles = {_tool_key(tool.name): tool.title for tool in _offered()}
    return {**settings, **titles, _tool_key("list_pending_edits"): "List pending edits"}


def language_model_tools() -> list[dict[str, Any]]:
    """Return the tools for language models: those of `patchpoint mcp` that restore nothing, and one more."""
    own = _tool("list_pending_edits", _PENDING, {"type": "object", "properties": {}})
    return [
        *(_tool(tool.name, _description(tool), _schema(tool)) for tool in _offered()),
        own,
    ]


def _schema(tool: Tool) -> dict[str, Any]:
    """Return the parameters of a tool as the extension takes them: it has a tool of its own for a preview."""
    schema = tool.input_schema()
    if tool.name != "apply_edits":
        return schema
    kept = {key: value for key, value in schema["properties"].items() if key != "dryRun"}
    return {**schema, "properties": kept}


def _description(tool: Tool) -> str:
    return tool.description.replace(DRY_RUN, "")


_LEFT_OUT = ("edit_symbol", "undo", "list_operations")
"""The first edits files where they are on disk. What a model does in the editor is the user's own, as the log
of operations has it: so is its undo."""

_PENDING = (
    "List the edits that could not be applied and are pending in the editor, each with what the file has "
    "instead of the quoted text, and what to send in its place."
)


def _tool(name: str, description: str, schema: dict[str, Any]) -> dict[str, Any]:
    return {
        "name": f"{SECTION}_{name}",
        "toolReferenceName": f"{SECTION}_{name}",
        "displayName": f"%{_tool_key(name)}%",
        "modelDescription": description,
        "canBeReferencedInPrompt": True,
        "icon": "$(history)" if "checkpoint" in name else "$(edit)",
        "inputSchema": schema,
    }


def with_generated(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return `manifest` with the server's current settings and tools in place of those that it has."""
    own = [section for section in manifest["contributes"]["configuration"] if section["title"] != GENERATED]
    generated = {"title": GENERATED, "order": 1, "properties": server_settings()}
    contributes = {
        **manifest["contributes"],
        "configuration": [generated, *own],
        "languageModelTools": language_model_tools(),
    }
    return {**manifest, "contributes": contributes}


def read_texts(path: Path) -> dict[str, str]:
    """Return the texts of one language by their keys."""
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def _key(name: str) -> str:
    return f"setting.{name}"


def _tool_key(name: str) -> str:
    return f"tool.{name}"


def _offered() -> list[Tool]:
    return [tool for tool in TOOLS if tool.needs is not Needs.RESTORING and tool.name not in _LEFT_OUT]


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write(MANIFEST, with_generated(read_manifest()))
    _write(ENGLISH, read_texts(ENGLISH) | server_descriptions())
