"""The server's settings in the manifest of the VS Code extension; `make docs` writes them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patchpoint.schema.settings import SECTION, SETTINGS

EXTENSION = Path(__file__).parents[1] / "editors" / "vscode"
MANIFEST = EXTENSION / "package.json"

GENERATED = "Patchpoint"
"""The title of the section with the server's settings; the other sections are the extension's own."""


def read_manifest() -> dict[str, Any]:
    """Return the manifest as it is on disk."""
    manifest: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return manifest


def server_settings() -> dict[str, Any]:
    """Return the server's settings by their full names, as JSON schemas in the order of the table."""
    return {
        f"{SECTION}.{row.name}": {**row.schema(), "order": number}
        for number, row in enumerate(SETTINGS, start=1)
    }


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """Return `manifest` with the server's current settings in place of those that it has."""
    own = [section for section in manifest["contributes"]["configuration"] if section["title"] != GENERATED]
    generated = {"title": GENERATED, "order": 1, "properties": server_settings()}
    contributes = {**manifest["contributes"], "configuration": [generated, *own]}
    return {**manifest, "contributes": contributes}


if __name__ == "__main__":
    manifest = json.dumps(with_settings(read_manifest()), indent=2, ensure_ascii=False)
    MANIFEST.write_text(manifest + "\n", encoding="utf-8")
