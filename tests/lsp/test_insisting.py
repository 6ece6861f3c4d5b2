"""Below the threshold nothing is one key away: a person looks at a preview first, and applies that."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, CLIENT_HABITS, Editor, Habits, block, declared_by, opened, shown_at
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio(loop_scope="module")

SEARCH = "def fourth(a, b):\n    value = 17\n    other = compute(a)\n    return other\n"
WANTED = "def fourth(a, b):\n    return a\n"
KEPT = "    other = 3  # nobody quotes this\n"
FORGETFUL = "def first():\n    value = 17\n    invented(of=value, by='a model')\n    return value\n"


async def not_found(editor: Editor, folder: Path) -> str:
    """The id of an edit that was not found, and has a candidate."""
    text = block(folder / "app.py", SEARCH, WANTED, editor)
    (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
    assert edit["status"] == "notFound"
    assert edit["candidates"]
    return str(edit["id"])


async def test_to_compare_comes_first_and_nothing_is_preferred(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    await not_found(editor, folder)
    chat = editor.open(
        f"untitled:{folder.name}-insist.md", block(folder / "app.py", SEARCH, WANTED, editor), "markdown"
    )
    for asked, at in ((buffer, 0), (chat, chat.text.index("fourth"))):
        await editor.until(lambda asked=asked: editor.diagnostics.get(asked.uri))  # type: ignore[misc]
        actions = [one for one in await editor.actions(asked, at) if not getattr(one, "disabled", None)]
        assert actions[0].title.startswith("Compare ")
        assert not [one for one in actions if getattr(one, "is_preferred", None)]
        assert not [one for one in actions if one.title.startswith("Apply the edit at")]
        assert actions[1].title.startswith("Preview the edit at candidate 1 (line ")
        whole = [one.title for one in actions if one.title.startswith("Preview replacing line")]
        assert whole
    await editor.choose(actions[0])
    assert buffer.text == APP
    assert editor.questions == []
    editor.close(chat)
    await editor.command("discardEdit", {"all": True})


@pytest.mark.parametrize(("client", "habits"), CLIENT_HABITS.items(), ids=CLIENT_HABITS)
async def test_a_candidate_is_replaced_whole_once_its_preview_is_applied(
    tmp_path: Path, client: str, habits: Habits
) -> None:
    async with session(tmp_path, habits, declared_by(client)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        name = await not_found(editor, editor.folder)
        (pending,) = (await editor.command("listPendingEdits"))["edits"]
        place = pending["candidates"][0]["range"]
        arguments = {"edit": name, "candidate": 1, "range": place, "whole": True}
        answer = await editor.command("resolveEdit", arguments)
        assert (answer["applied"], editor.questions, buffer.text) == (False, [], APP)
        difference = await editor.content(last_shown(editor))
        assert "+def fourth(a, b):\n" in difference
        result = (await editor.command("finishReview", {"review": answer["preview"]}))["result"]
        assert result["edits"][0]["status"] == "applied"
        lines = APP.splitlines(keepends=True)
        start, end = place["start"]["line"], place["end"]["line"]
        assert buffer.text == "".join(lines[:start]) + WANTED + "".join(lines[end:])
        assert (await editor.command("listPendingEdits"))["edits"] == []


@pytest.mark.parametrize("kept", ["", KEPT])
async def test_a_candidate_is_merged_into_or_left_as_it_is(tmp_path: Path, kept: str) -> None:
    async with session(tmp_path, Habits()) as editor:
        text = APP.replace("    return value\n", f"{kept}    return value\n", 1)
        buffer = opened(editor, editor.folder / "app.py", text)
        without = FORGETFUL.replace("    invented(of=value, by='a model')\n", "")
        new = without if kept else without.replace("    return", "    log(value)\n    return")
        (edit,) = (
            await editor.command(
                "applyEdits", {"text": block(editor.folder / "app.py", FORGETFUL, new, editor)}
            )
        )["edits"]
        assert edit["status"] == "proposed"
        arguments = {"edit": edit["id"], "candidate": 1}
        if kept:
            with pytest.raises(JsonRpcException, match="can only be replaced whole") as caught:
                await editor.command("resolveEdit", arguments)
            assert caught.value.data == {"code": "not-merged"}
            assert buffer.text == text
            return
        preview = (await editor.command("resolveEdit", {**arguments, "previewed": True}))["preview"]
        assert (buffer.text, editor.shown_documents) == (text, [])
        await editor.command("finishReview", {"review": preview})
        assert buffer.text == text.replace("    return value", "    log(value)\n    return value", 1)


def last_shown(editor: Editor) -> str:
    """The URI of the text that was shown last."""
    if editor.declared.get("window", {}).get("showDocument", {}).get("support"):
        return editor.shown_documents[-1].uri
    said = [one.message for one in editor.messages if one.message.startswith("The text is at ")]
    return shown_at(said[-1])
