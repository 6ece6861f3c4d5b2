"""What the server shows, a preview or a comparison, is no model's answer: nothing in it can be applied."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Editor, block, opened, shown_at

pytestmark = pytest.mark.asyncio(loop_scope="module")

FAR = "    nothing = of_the_kind()\n    is_in = the_file()\n"


async def shown_by(editor: Editor, command: str, arguments: dict[str, object]) -> str:
    """The URI of the text that a command shows, opened as the editor opens what it is shown."""
    seen, said = len(editor.shown_documents), len(editor.messages)
    await editor.command(command, arguments)
    if len(editor.shown_documents) > seen:
        return editor.shown_documents[seen].uri
    return shown_at(editor.messages[said].message)


async def test_a_client_that_compares_by_itself_is_given_the_parts_and_shown_nothing(
    editor: Editor, folder: Path
) -> None:
    opened(editor, folder / "app.py")
    far = block(folder / "app.py", FAR, "    return 3\n", editor)
    (refused,) = (await editor.command("applyEdits", {"text": far}))["edits"]
    seen, said = len(editor.shown_documents), len(editor.messages)
    compared = await editor.command("compareEdit", {"edit": refused["id"], "show": False})
    assert compared["uri"] is None
    assert (compared["quoted"], compared["wanted"]) == (FAR, "    return 3\n")
    assert compared["outcome"]["status"] == "notFound"
    assert compared["outcome"]["id"] == refused["id"]
    assert (len(editor.shown_documents), len(editor.messages)) == (seen, said)
    await editor.command("discardEdit", {"all": True})


@pytest.mark.parametrize("command", ["previewEdits", "compareEdit"])
async def test_a_text_that_is_shown_offers_no_edits(editor: Editor, folder: Path, command: str) -> None:
    opened(editor, folder / "app.py")
    text = block(folder / "app.py", "    return 2\n", "    return 3\n", editor)
    arguments: dict[str, object] = {"text": text}
    if command == "compareEdit":
        far = block(folder / "app.py", FAR, "    return 3\n", editor)
        (refused,) = (await editor.command("applyEdits", {"text": far}))["edits"]
        arguments = {"edit": refused["id"]}
    uri = await shown_by(editor, command, arguments)
    content = await editor.content(uri)
    assert "return 3" in content
    shown = editor.open(uri, content, language="diff" if command == "previewEdits" else "markdown")
    lenses = [lens.command.command for lens in await editor.lenses(shown) if lens.command]
    titles = [action.title for action in await editor.actions(shown, content.index("return 3"))]
    assert not [title for title in titles if "edit" in title.lower()]
    # A preview can be decided about; nothing in it is taken for a model's answer.
    assert set(lenses) <= {"patchpoint.reviewHunk", "patchpoint.finishReview"}
    assert bool(lenses) is (command == "previewEdits")
    with pytest.raises(JsonRpcException, match="only previews edits") as caught:
        await editor.command("applyEdits", {"document": {"uri": uri}})
    assert caught.value.data == {"code": "not-an-answer"}
    assert (folder / "app.py").read_text() == APP
    await editor.command("discardEdit", {"all": True})
