"""Sessions of a test's own: with which habits and capabilities, and one small edit to make in them."""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from tests.lsp.editor import APP, Editor, Habits, block, declared_by, running

VSCODE = declared_by("vscode-1.139.1-client-11.0.0")


@asynccontextmanager
async def session(
    tmp_path: Path, habits: Habits, capabilities: dict[str, Any] = VSCODE, **more: Any
) -> AsyncIterator[Editor]:
    """An editor of these habits, with a folder of its own."""
    editor = Editor(capabilities, habits)
    editor.folder = tmp_path / "workspace"
    editor.folder.mkdir(exist_ok=True)
    async with running(editor, editor.folder, state=tmp_path / "state", **more):
        yield editor


def without(*path: str) -> dict[str, Any]:
    """The capabilities of an able client, but for one."""
    capabilities = copy.deepcopy(VSCODE)
    place = capabilities
    for key in path[:-1]:
        place = place[key]
    del place[path[-1]]
    return capabilities


RETURN_3 = ("    return 2\n", "    return 3\n")
CHANGED = APP.replace("return 2", "return 3")


def return_3(editor: Editor) -> str:
    """Return a model's answer that turns `APP` in app.py into `CHANGED`."""
    return block(editor.folder / "app.py", *RETURN_3, editor)
