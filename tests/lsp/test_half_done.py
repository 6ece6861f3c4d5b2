"""A request of which a part cannot be done: what is said of the rest of it is true."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.workspace.unfinished import undo_log_directory
from tests.lsp import editor as editor_module
from tests.lsp.editor import APP, Editor, Habits, block, opened
from tests.lsp.sessions import CHANGED, return_3, session

pytestmark = pytest.mark.asyncio

NOTHING = "Nothing was written."


@pytest.fixture(autouse=True)
def state_of_the_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The test finds the server's state where the session keeps it."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))


def with_closed(editor: Editor, *, writable: bool = True) -> str:
    """An answer that edits the open app.py, and closed.py, which only the server can write."""
    path = editor.folder / "closed.py"
    path.write_text("x = 1\n")
    path.chmod(0o644 if writable else 0o444)
    return return_3(editor) + block(path, "x = 1\n", "x = 2\n", editor)


def statuses(answer: dict[str, Any]) -> list[str]:
    return [edit["status"] for edit in answer["edits"]]


async def test_what_the_editor_did_is_undone_when_a_file_cannot_be_written(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": with_closed(editor, writable=False)})
        assert statuses(answer) == ["held", "conflict"]
        assert answer["edits"][1]["message"].endswith(f"is read-only; make it writable first. {NOTHING}")
        assert buffer.text == APP


async def test_where_edits_are_single_the_message_names_what_the_editor_did(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = with_closed(editor, writable=False)
        answer = await editor.command("applyEdits", {"text": text, "atomic": "edit"})
        assert statuses(answer) == ["applied", "conflict"]
        message = answer["edits"][1]["message"]
        assert NOTHING not in message
        assert message.endswith("The editor's changes stay: app.py.")
        assert buffer.text == CHANGED


async def test_an_edit_that_the_editor_does_not_undo_is_still_said_to_be_applied(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(asks_about_edits=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = with_closed(editor, writable=False)
        applying = asyncio.ensure_future(editor.command("applyEdits", {"text": text}))
        await editor.until(lambda: editor.asking)
        editor.habits = Habits(refuses_edits=True)
        editor.decide(True)
        answer = await applying
        assert statuses(answer) == ["applied", "conflict"]
        assert (
            "Still applied although another edit failed: the editor did not undo it"
            in (answer["edits"][0]["message"])
        )
        assert NOTHING not in answer["edits"][1]["message"]
        assert buffer.text == CHANGED
        editor.habits = Habits()
        await editor.command("revertEdits", {"application": answer["application"]})
        assert buffer.text == APP


@pytest.mark.parametrize("atomic", ["all", "edit"])
async def test_a_request_cancelled_half_way_says_what_became_of_it(tmp_path: Path, atomic: str) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = with_closed(editor)
        with exclusive_lock(undo_log_directory(editor.folder) / "lock"):
            applying = asyncio.ensure_future(
                editor.command(
                    "applyEdits", {"text": text, "atomic": atomic, "checkpoint": False}, token="mine"
                )
            )
            await editor.until(lambda: buffer.text == CHANGED)
            editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="mine"))
            answer = await applying
        assert (editor.folder / "closed.py").read_text() == "x = 1\n"
        message = answer["edits"][1]["message"]
        if atomic == "all":
            assert statuses(answer) == ["held", "conflict"]
            assert message == f"The request was cancelled. {NOTHING}"
            assert buffer.text == APP
        else:
            assert statuses(answer) == ["applied", "conflict"]
            assert message == "The request was cancelled. The editor's changes stay: app.py."
            assert buffer.text == CHANGED


FAILING = """
import sys
from patchpoint.filesystem.write import OpenPlace

def fail(*_):
    raise OSError(5, "Input/output error")

OpenPlace.rename_over = fail
from patchpoint.lsp.server import serve
sys.exit(serve())
"""
"""A server on a disk on which nothing can be renamed: b.py is not written, and a.py not undone."""


async def test_a_file_that_cannot_be_undone_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editor_module, "SERVER", [sys.executable, "-c", FAILING])
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / "b.py").write_text("b = 1\n")
        edits = [
            {"path": "a.py", "operation": "create", "content": "a = 1\n"},
            {"path": "b.py", "search": "b = 1\n", "replace": "b = 2\n"},
        ]
        answer = await editor.command("applyEdits", {"edits": edits})
        assert statuses(answer) == ["conflict", "conflict"]
        for edit in answer["edits"]:
            assert NOTHING not in edit["message"]
            assert f"{(editor.folder / 'a.py').resolve()} could not be put back" in edit["message"]
        assert (editor.folder / "a.py").read_text() == "a = 1\n"
        assert (editor.folder / "b.py").read_text() == "b = 1\n"
