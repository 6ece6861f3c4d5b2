"""An edit that was not found, put where a person points: previewed, and put there whole."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Editor, Habits, block, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio(loop_scope="module")

LOST = "def nowhere(a):\n    return a * 17 + other(a)\n"
WANTED = "def here(a):\n    return a\n"


async def lost(editor: Editor, folder: Path, *, path: str = "app.py") -> str:
    """The id of an edit that was not found."""
    text = block(folder / path, LOST, WANTED, editor)
    (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
    assert edit["status"] == "notFound"
    return str(edit["id"])


async def test_at_a_selection_the_lines_become_the_replacement_of_the_preview(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        await lost(editor, editor.folder)
        start = APP.index("def second")
        actions = await editor.actions(buffer, start + 2, len(APP) - 3)
        (put,) = [one for one in actions if one.title.startswith("Put the edit ")]
        assert put.title == "Put the edit “def nowhere(a):” in place of lines 6 to 8…"
        answer = await editor.choose(put)
        assert (answer["applied"], editor.questions, buffer.text) == (False, [], APP)
        difference = await editor.content(editor.shown_documents[-1].uri)
        assert "-def second():\n" in difference
        assert "+def here(a):\n" in difference
        answer = (await editor.command("finishReview", {"review": answer["preview"]}))["result"]
        assert answer["edits"][0]["status"] == "applied"
        assert answer["checkpoint"] is not None
        assert buffer.text == APP[:start] + WANTED
        assert len(buffer.undo) == 1
        assert (await editor.command("listPendingEdits"))["edits"] == []


async def test_at_a_cursor_it_goes_above_the_line(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP.replace("\n", "\r\n"))
        name = await lost(editor, editor.folder)
        place = {"line": 5, "character": 3}
        answer = await editor.command("placeEdit", {"edit": name, "range": {"start": place, "end": place}})
        await editor.command("finishReview", {"review": answer["preview"]})
        start = APP.index("def second")
        assert buffer.text == (APP[:start] + WANTED + APP[start:]).replace("\n", "\r\n")
        editor.undo(buffer)
        assert buffer.text == APP.replace("\n", "\r\n")


async def test_what_has_a_place_is_not_put_elsewhere(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    other = "    value = 1\n"
    text = block(folder / "app.py", other, "    value = 2\n", editor)
    (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
    assert edit["status"] == "ambiguous"
    place = {"line": 0, "character": 0}
    arguments = {"edit": edit["id"], "range": {"start": place, "end": place}}
    with pytest.raises(JsonRpcException, match="already has a place") as caught:
        await editor.command("placeEdit", arguments)
    assert caught.value.data == {"code": "not-lost"}
    titles = [one.title for one in await editor.actions(buffer, 0)]
    assert not [title for title in titles if title.startswith("Put the edit")]
    await editor.command("discardEdit", {"all": True})


async def test_a_text_that_changes_while_the_user_looks_is_not_overwritten(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        name = await lost(editor, editor.folder)
        place = {"line": 5, "character": 0}
        answer = await editor.command("placeEdit", {"edit": name, "range": {"start": place, "end": place}})
        editor.type(buffer, 0, 0, "import os\n")
        with pytest.raises(JsonRpcException, match="has just changed") as caught:
            await editor.command("finishReview", {"review": answer["preview"]})
        assert caught.value.data == {"code": "preview-outdated"}
        assert buffer.text == "import os\n" + APP
        await editor.command("finishReview", {"review": answer["preview"]})
        start = APP.index("def second")
        assert buffer.text == "import os\n" + APP[:start] + WANTED + APP[start:]
