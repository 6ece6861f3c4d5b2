"""The server's settings in the manifest of the VS Code extension; `make docs` writes them.

The manifest names each text that a person reads by its key, such as `%setting.trace%`. The English texts
are in package.nls.json, those of other languages in files of that kind. The English descriptions of the
server's settings are written here, too, from the table of settings.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patchpoint.schema.settings import SECTION, SETTINGS

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
        for number, row in enumerate(SETTINGS, start=1)
    }


def server_descriptions() -> dict[str, str]:
    """Return the English descriptions of the server's settings by their keys."""
    return {_key(row.name): row.description for row in SETTINGS}


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return `manifest` with the server's current settings in place of those that it has."""
    own = [section for section in manifest["contributes"]["configuration"] if section["title"] != GENERATED]
    generated = {"title": GENERATED, "order": 1, "properties": server_settings()}
    contributes = {**manifest["contributes"], "configuration": [generated, *own]}
    return {**manifest, "contributes": contributes}


def read_texts(path: Path) -> dict[str, str]:
    """Return the texts of one language by their keys."""
    texts: dict[str, str] = json.loads(path.read_text(encoding="utf-8"))
    return texts


def _key(name: str) -> str:
    return f"setting.{name}"


def _write(path: Path, content: dict[str, Any]) -> None:
    path.write_text(json.dumps(content, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")


if __name__ == "__main__":
    _write(MANIFEST, with_settings(read_manifest()))
    _write(ENGLISH, read_texts(ENGLISH) | server_descriptions())
