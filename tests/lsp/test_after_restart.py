"""What a server knows as soon as it answers, of what an earlier one left."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.editor import APP, Editor, Habits, block, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio


def ambiguous(editor: Editor) -> str:
    """An edit with two places."""
    return block(editor.folder / "app.py", "    value = 1\n", "    value = 5\n", editor)


async def test_the_first_question_is_answered_with_all_pending_edits(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        editor.save(opened(editor, editor.folder / "app.py"))
        await editor.command("applyEdits", {"text": ambiguous(editor), "atomic": "edit"})
    async with session(tmp_path, Habits()) as editor:
        (pending,) = (await editor.command("listPendingEdits"))["edits"]
        assert pending["status"] == "ambiguous"
        assert [params for method, params in editor.notified if method.endswith("didChangePendingEdits")]
    async with session(tmp_path, Habits()) as editor:
        answer = await editor.command("resolveEdit", {"edit": pending["id"], "candidate": 2})
        assert answer["applied"]
        assert (editor.folder / "app.py").read_text() == "value = 5".join(APP.rsplit("value = 1", 1))


async def test_the_first_answer_costs_no_edit_that_was_pending_before(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        editor.save(opened(editor, editor.folder / "app.py"))
        await editor.command("applyEdits", {"text": ambiguous(editor), "atomic": "edit"})
    async with session(tmp_path, Habits()) as editor:
        missing = block(editor.folder / "app.py", "nothing like it\n", "x\n", editor)
        await editor.command("applyEdits", {"text": missing, "atomic": "edit"})
    async with session(tmp_path, Habits()) as editor:
        statuses = {edit["status"] for edit in (await editor.command("listPendingEdits"))["edits"]}
        assert statuses == {"ambiguous", "notFound"}
