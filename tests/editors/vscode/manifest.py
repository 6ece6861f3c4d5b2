"""The settings in the VS Code extension's manifest, as the server's table has them; run it to write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from patchpoint.lsp.settings import SECTION, SETTINGS

EXTENSION = Path(__file__).parents[3] / "editors" / "vscode"
MANIFEST = EXTENSION / "package.json"

GENERATED = "Patchpoint"
"""The title of the section with the server's settings; the other sections are the extension's own."""


def read_manifest() -> dict[str, Any]:
    """The manifest as it is."""
    manifest: dict[str, Any] = json.loads(MANIFEST.read_text(encoding="utf-8"))
    return manifest


def server_settings() -> dict[str, Any]:
    """Each setting of the server by its full name, as the manifest wants it."""
    return {
        f"{SECTION}.{row.name}": {**row.schema(), "order": number}
        for number, row in enumerate(SETTINGS, start=1)
    }


def with_settings(manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest with the server's settings as they are now, and all else as it was."""
    own = [section for section in manifest["contributes"]["configuration"] if section["title"] != GENERATED]
    generated = {"title": GENERATED, "order": 1, "properties": server_settings()}
    contributes = {**manifest["contributes"], "configuration": [generated, *own]}
    return {**manifest, "contributes": contributes}


if __name__ == "__main__":
    manifest = json.dumps(with_settings(read_manifest()), indent=2, ensure_ascii=False)
    MANIFEST.write_text(manifest + "\n", encoding="utf-8")
