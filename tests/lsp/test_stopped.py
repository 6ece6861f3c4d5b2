"""A signal ends the server as the end of its client does: what it is writing is undone, or done."""

from __future__ import annotations

import asyncio
import os
import signal
from pathlib import Path

import pytest

from tests.lsp import wire
from tests.lsp.editor import PATIENCE
from tests.lsp.wire import started
from tests.workspace.struck import struck

pytestmark = [
    pytest.mark.asyncio,
    pytest.mark.skipif(os.name == "nt", reason="POSIX has these signals"),
]

NAMES = ("a.txt", "b.txt", "c.txt")


def folder_of_three(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    for name in NAMES:
        (folder / name).write_text("one\n")
    return folder


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
async def test_a_signal_while_files_are_written_leaves_all_or_nothing(
    number: signal.Signals, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = folder_of_three(tmp_path)
    monkeypatch.setattr(wire, "SERVER", struck(number, "serve"))
    monkeypatch.setattr(wire, "ENVIRONMENT", {**wire.ENVIRONMENT, "XDG_STATE_HOME": str(tmp_path / "state")})
    process, client = await started()
    await client.begin(workspaceFolders=[{"uri": folder.as_uri(), "name": "work"}])
    edits = [{"path": name, "search": "one", "replace": "two"} for name in NAMES]
    asked = {"command": "patchpoint.applyEdits", "arguments": [{"edits": edits, "checkpoint": False}]}
    client.send({"jsonrpc": "2.0", "id": 99, "method": "workspace/executeCommand", "params": asked})
    assert await asyncio.wait_for(process.wait(), PATIENCE) == 128 + number
    assert len({(folder / name).read_text() for name in NAMES}) == 1
    assert sorted(path.name for path in folder.iterdir()) == list(NAMES)
    assert not list((tmp_path / "state" / "patchpoint" / "unfinished").iterdir())
