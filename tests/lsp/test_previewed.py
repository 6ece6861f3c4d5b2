"""A file that moves on while its preview is open: what would be applied then is shown again first."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Editor, block, opened, shown_at

pytestmark = pytest.mark.asyncio(loop_scope="module")


def last_shown(editor: Editor) -> str:
    """The URI of the text that was shown last."""
    if editor.declared.get("window", {}).get("showDocument", {}).get("support"):
        return editor.shown_documents[-1].uri
    said = [one.message for one in editor.messages if one.message.startswith("The text is at ")]
    return shown_at(said[-1])


async def test_a_lens_shows_the_preview_again_where_the_file_has_moved_on(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py")
    text = block(folder / "app.py", "    return 2\n", "    return 3\n", editor)
    chat = editor.open(f"untitled:{folder.name}-preview.md", text, "markdown")
    apply, preview = await editor.lenses(chat)
    await editor.press(preview)
    first = last_shown(editor)
    editor.type(buffer, 0, 0, "import os\n\n")
    with pytest.raises(JsonRpcException, match="changed since the preview") as caught:
        await editor.press(apply)
    assert caught.value.data == {"code": "preview-outdated"}
    assert buffer.text == "import os\n\n" + APP
    assert last_shown(editor) != first
    assert "+    return 3\n" in await editor.content(last_shown(editor))
    await editor.press(apply)
    assert buffer.text == "import os\n\n" + APP.replace("return 2", "return 3")
    editor.close(chat)


async def test_what_was_shown_and_has_not_changed_is_applied_at_once(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    request = {"text": block(folder / "app.py", "    return 2\n", "    return 3\n", editor)}
    await editor.command("previewEdits", request)
    answer = await editor.command("applyEdits", request)
    assert answer["edits"][0]["status"] == "applied"
    editor.undo(buffer)
    editor.type(buffer, 0, 0, "import os\n\n")
    again = await editor.command("applyEdits", request)
    assert again["edits"][0]["status"] == "applied"


async def test_a_client_that_shows_the_difference_itself_has_to_show_it_again(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py")
    request = {
        "text": block(folder / "app.py", "    return 2\n", "    return 3\n", editor),
        "previewed": True,
    }
    await editor.command("applyEdits", request | {"dryRun": True})
    editor.type(buffer, 0, 0, "import os\n\n")
    shown, said = len(editor.shown_documents), len(editor.messages)
    with pytest.raises(JsonRpcException, match="changed since the preview"):
        await editor.command("applyEdits", request)
    assert (len(editor.shown_documents), len(editor.messages)) == (shown, said)
    await editor.command("applyEdits", request | {"dryRun": True})
    assert (await editor.command("applyEdits", request))["edits"][0]["status"] == "applied"
