"""The whole way of a drifted answer through the real server, and that it starts no program meanwhile."""

from __future__ import annotations

import asyncio
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.demo.project import ANSWER, contents, make_project
from tests.lsp.editor import PATIENCE, UNREAD, Editor, attach, declared_by

pytestmark = pytest.mark.asyncio

SERVER = (sys.executable, "-m", "patchpoint")
FILES = ("till/basket.py", "till/tax.py", "till/receipt.py")


async def walk(project: Path, *server: str) -> None:
    """Apply the answer as a person at an editor would, roll everything back, and undo that."""
    editor = Editor(declared_by("vscode-1.139.1-client-11.0.0"))
    await editor.start_io(*server, env=dict(os.environ), limit=UNREAD)
    try:
        await attach(editor, project)
        await apply_and_go_back(editor, project)
        await editor.shutdown_session()
        process = editor._server
        assert process is not None
        await asyncio.wait_for(process.wait(), PATIENCE)
    finally:
        process = editor._server
        if process is not None and process.returncode is None and editor.error is None:
            process.kill()
        await editor.stop()  # type: ignore[no-untyped-call]


async def apply_and_go_back(editor: Editor, project: Path) -> None:
    buffers = {name: editor.open(project / name) for name in FILES}
    before = contents(project)
    answer = ANSWER.read_text(encoding="utf-8")

    def read_again() -> None:
        for name, buffer in buffers.items():
            editor.replace(buffer, (project / name).read_bytes().decode())
            buffer.dirty = False

    dry = await editor.command("applyEdits", {"text": answer, "dryRun": True})
    assert statuses(dry) == ["held", "held", "held", "held", "ambiguous", "notFound"]
    assert contents(project) == before

    applied = await editor.command("applyEdits", {"text": answer, "atomic": "edit"})
    assert statuses(applied) == ["applied"] * 4 + ["ambiguous", "notFound"]
    assert [edit["rung"] for edit in applied["edits"][:4]] == ["indentation", "tokens", "exact", "exact"]
    uris = [(project / name).as_uri() for name in ("till/tax.py", "till/basket.py")]
    await editor.until(lambda: all(editor.diagnostics.get(uri) for uri in uris))
    assert [editor.diagnostics[uri][0].code for uri in uris] == ["ambiguous-edit", "edit-not-found"]
    places = [
        one.location.range.start.line for one in editor.diagnostics[uris[0]][0].related_information or []
    ]
    assert places == [9, 15]

    chosen = await editor.command("resolveEdit", {"edit": applied["edits"][4]["id"], "candidate": 1})
    assert statuses(chosen) == ["applied"]
    await editor.until(lambda: not editor.diagnostics[uris[0]])
    for buffer in buffers.values():
        editor.save(buffer)
    (project / "till" / "notes.txt").write_text("made by a run that nobody watched\n", encoding="utf-8")
    after = contents(project)

    await editor.command("restoreCheckpoint", {"checkpoint": applied["checkpoint"]["id"]})
    read_again()
    assert contents(project) == before
    await editor.command("undoRestore")
    read_again()
    assert contents(project) == after


def statuses(result: dict[str, Any]) -> list[str]:
    return [edit["status"] for edit in result["edits"]]


async def test_the_server_starts_no_program_on_the_whole_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    strace, log = shutil.which("strace"), tmp_path / "execve.log"
    if strace is None:
        reason = "There is no strace here to watch the server's process with."
        if os.environ.get("PATCHPOINT_REQUIRE_EDITORS"):
            pytest.fail(reason)
        pytest.skip(reason)
    watched = (strace, "-f", "-e", "trace=execve,execveat", "-o", str(log))
    await walk(make_project(tmp_path / "till"), *watched, *SERVER)
    started = [line for line in log.read_text(encoding="utf-8").splitlines() if "execve" in line]
    assert len(started) == 1, started


async def test_an_answer_is_applied_and_every_byte_comes_back(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATCHPOINT_STATE_HOME", str(tmp_path / "state"))
    await walk(make_project(tmp_path / "till"), *SERVER)
