"""A proposed edit: shown with its difference, made as shown, and refused once its file has changed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Buffer, Editor, Habits, block
from tests.lsp.sessions import session
from tests.uncertain_edit import ACCEPTED, FORGETFUL, ORDER

pytestmark = pytest.mark.asyncio


async def proposed(editor: Editor) -> tuple[Buffer, dict[str, Any]]:
    """An open file with a proposed edit, and the proposal."""
    path = editor.folder / "order.py"
    path.write_text(ORDER)
    buffer = editor.open(path.as_uri(), ORDER)
    text = block(path, FORGETFUL, f"{FORGETFUL}    remarks: str\n", editor)
    (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
    assert edit["status"] == "proposed"
    assert buffer.text == ORDER
    proposal: dict[str, Any] = edit["proposal"]
    return buffer, proposal


async def listed(editor: Editor) -> list[dict[str, Any]]:
    edits: list[dict[str, Any]] = (await editor.command("listPendingEdits"))["edits"]
    return edits


async def test_the_code_action_makes_the_edit_as_its_difference_shows_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, proposal = await proposed(editor)
        assert "+    remarks: str\n" in proposal["diff"]
        actions = await editor.actions(buffer, 0, only=["quickfix"])
        (as_shown,) = (action for action in actions if action.title == "Apply as shown")
        await editor.choose(as_shown)
        assert buffer.text == ACCEPTED
        assert not await listed(editor)


async def test_the_command_makes_the_pending_edit_after_a_restart_too(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, _ = await proposed(editor)
        editor.save(buffer)
        (pending,) = await listed(editor)
    async with session(tmp_path, Habits()) as editor:
        answer = await editor.command("acceptProposal", {"proposal": pending["proposal"]["id"]})
        assert answer["applied"]
        assert (editor.folder / "order.py").read_text() == ACCEPTED


async def test_a_file_that_a_sentence_deletes_goes_on_a_yes_and_comes_back(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        old = editor.folder / "old.py"
        old.write_text("A = 1\n")
        text = "Nothing uses it any more: delete `old.py`.\n"
        (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
        assert edit["status"] == "proposed"
        assert "+++ /dev/null" in edit["proposal"]["diff"]
        assert old.exists()
        answer = await editor.command("acceptProposal", {"proposal": edit["proposal"]["id"]})
        assert answer["applied"]
        assert not old.exists()
        await editor.command("undo", {})
        assert old.read_text() == "A = 1\n"


async def test_a_file_that_a_sentence_moves_or_creates_does_so_on_a_yes_and_comes_back(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        old, new, empty = (editor.folder / name for name in ("old.py", "lib/old.py", "lib/py.typed"))
        old.write_text("A = 1\n")
        for text in ("Move `old.py` to `lib/old.py`.\n", "Create an empty file `lib/py.typed`.\n"):
            (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
            assert edit["status"] == "proposed"
            assert (await editor.command("acceptProposal", {"proposal": edit["proposal"]["id"]}))["applied"]
        assert (old.exists(), new.read_text(), empty.read_text()) == (False, "A = 1\n", "")
        await editor.command("undo", {})
        await editor.command("undo", {})
        assert (old.read_text(), new.exists(), empty.exists()) == ("A = 1\n", False, False)


async def test_an_id_whose_file_has_changed_since_is_refused(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, _ = await proposed(editor)
        (pending,) = await listed(editor)
        editor.type(buffer, 0, 0, "# Ours.\n")
        with pytest.raises(JsonRpcException) as refused:
            await editor.command("acceptProposal", {"proposal": pending["proposal"]["id"]})
        assert refused.value.data == {"code": "stale-proposal"}
        assert buffer.text == f"# Ours.\n{ORDER}"
        (now,) = await listed(editor)
        await editor.command("acceptProposal", {"proposal": now["proposal"]["id"]})
        assert buffer.text == f"# Ours.\n{ACCEPTED}"
