"""A preview of which a person keeps some and drops others: what is kept is applied, the rest is not lost."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import CLIENT_HABITS, Buffer, Editor, Habits, block, declared_by, opened, shown_at
from tests.lsp.sessions import session
from tests.uncertain_edit import ACCEPTED, FORGETFUL, ORDER

pytestmark = pytest.mark.asyncio(loop_scope="module")

LINES = "".join(f"value_{number} = {number}\n" for number in range(40))


def two_hunks(editor: Editor, folder: Path) -> str:
    """An answer of one edit with two hunks, and of another edit."""
    search = "".join(f"value_{number} = {number}\n" for number in range(3, 9))
    replace = search.replace("= 3\n", "= 33\n").replace("= 8\n", "= 88\n")
    return block(folder / "app.py", search, replace, editor) + block(
        folder / "app.py", "value_30 = 30\n", "value_30 = 'thirty'\n", editor
    )


async def test_a_dry_run_lists_its_hunks_and_a_dropped_one_stays_pending(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    request: dict[str, Any] = {"text": two_hunks(editor, folder)}
    dry = await editor.command("applyEdits", request | {"dryRun": True})
    hunks = dry["files"][0]["hunks"]
    assert [hunk["range"]["start"]["line"] for hunk in hunks] == [3, 8, 30]
    first, second = (edit["id"] for edit in dry["edits"])
    assert [hunk["edits"] for hunk in hunks] == [[first], [first], [second]]
    answer = await editor.command("applyEdits", request | {"drop": [hunks[1]["id"], second]})
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "held"]
    assert buffer.text == LINES.replace("= 3\n", "= 33\n")
    assert [one["id"] for one in answer["dropped"]] == [second, hunks[1]["id"]]
    assert "value_8 = 88" in answer["summary"]
    assert "1 of 2 edits applied" in answer["summary"]
    waiting = {one["id"]: one for one in (await editor.command("listPendingEdits"))["edits"]}
    assert set(waiting) == {one["pending"] for one in answer["dropped"]}
    assert {one["status"] for one in waiting.values()} == {"matched"}
    for name in waiting:
        await editor.command("resolveEdit", {"edit": name, "candidate": 1})
    assert buffer.text == LINES.replace("= 3\n", "= 33\n").replace("= 8\n", "= 88\n").replace(
        "= 30\n", "= 'thirty'\n"
    )
    assert (await editor.command("listPendingEdits"))["edits"] == []


async def test_what_is_discarded_is_neither_applied_nor_pending(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    request: dict[str, Any] = {"text": two_hunks(editor, folder)}
    dry = await editor.command("applyEdits", request | {"dryRun": True})
    hunks = [hunk["id"] for hunk in dry["files"][0]["hunks"]]
    answer = await editor.command("applyEdits", request | {"discard": [hunks[0], hunks[2]]})
    assert buffer.text == LINES.replace("= 8\n", "= 88\n")
    assert [one["pending"] for one in answer["dropped"]] == [None, None]
    assert (await editor.command("listPendingEdits"))["edits"] == []


@pytest.mark.parametrize("way", ["drop", "discard"])
async def test_a_file_that_was_dropped_is_not_made(editor: Editor, folder: Path, way: str) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    edits = [
        {"path": buffer.uri, "search": "value_8 = 8\n", "replace": "value_8 = 88\n"},
        {"path": (folder / "made.py").as_uri(), "search": "", "replace": "made = 1\n"},
    ]
    dry = await editor.command("applyEdits", {"edits": edits, "dryRun": True})
    (made,) = (file for file in dry["files"] if file["operation"] == "create")
    answer = await editor.command("applyEdits", {"edits": edits, way: [made["hunks"][0]["id"]]})
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "held"]
    assert buffer.text == LINES.replace("= 8\n", "= 88\n")
    assert not (folder / "made.py").exists()
    pending = {edit["id"] for edit in (await editor.command("listPendingEdits"))["edits"]}
    name = answer["edits"][1]["id"]
    assert (name in pending) is (way == "drop")
    assert [one["pending"] for one in answer["dropped"]] == [name if way == "drop" else None]
    await editor.command("discardEdit", {"all": True})


async def test_nothing_is_applied_where_what_was_dropped_is_not_there(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    request: dict[str, Any] = {"text": two_hunks(editor, folder)}
    with pytest.raises(JsonRpcException, match="preview the edits again") as caught:
        await editor.command("applyEdits", request | {"drop": ["0123456789ab"]})
    assert caught.value.data == {"code": "not-in-preview"}
    assert buffer.text == LINES


async def test_an_edit_without_a_place_does_not_hold_back_what_is_kept_of_a_preview(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    text = two_hunks(editor, folder) + block(folder / "app.py", "nowhere()\n", "somewhere()\n", editor)
    shown = await editor.command("previewEdits", {"text": text})
    assert [edit["status"] for edit in shown["edits"]] == ["matched", "matched", "notFound"]
    preview = {"review": shown["preview"]}
    state = await editor.command("reviewChanges", preview)
    assert (state["kept"], state["takenBack"], state["open"]) == (3, 0, 0)
    assert [edit["decision"] for edit in state["edits"]] == ["keep", "keep", "open"]
    (file,) = state["files"]
    assert (file["uri"], file["operation"], file["whole"]) == (buffer.uri, "update", False)
    assert "-value_3 = 3\n+value_3 = 33\n" in file["diff"]
    assert [hunk["edits"] for hunk in file["hunks"]] == [[edit["id"]] for edit in state["edits"][:1]] * 2 + [
        [state["edits"][1]["id"]]
    ]
    hunk = file["hunks"][0]["id"]
    file = await editor.command("reviewHunk", preview | {"hunk": hunk, "decision": "takeBack"})
    assert [hunk["decision"] for hunk in file["hunks"]] == ["takeBack", "keep", "keep"]
    assert "+value_8 = 88\n" in file["diff"]
    assert "+value_3 = 33\n" not in file["diff"]
    tally = await editor.command("finishReview", preview | {"dryRun": True})
    assert (tally["kept"], tally["takenBack"], tally["open"], tally["result"]) == (2, 1, 0, None)
    answer = (await editor.command("finishReview", preview))["result"]
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "applied", "notFound"]
    assert buffer.text == LINES.replace("= 8\n", "= 88\n").replace("= 30\n", "= 'thirty'\n")
    assert len(buffer.undo) == 1
    waits, unwanted = answer["summary"].split("Rejected, so it is not in the files; do not write it again")
    assert "but not rejected; waiting for a person:\n" in waits
    assert "app.py: The search text is not in" in waits
    assert "somewhere()" not in unwanted
    assert "value_3 = 33" in unwanted
    (pending,) = (await editor.command("listPendingEdits"))["edits"]
    assert pending["status"] == "notFound"
    with pytest.raises(JsonRpcException, match="has expired"):
        await editor.command("finishReview", preview)
    await editor.command("discardEdit", {"all": True})


async def test_a_preview_refuses_what_it_does_not_have(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    shown = await editor.command("previewEdits", {"text": two_hunks(editor, folder)})
    preview = {"review": shown["preview"], "decision": "open"}
    for names in ({"hunk": "0123456789ab"}, {"edit": "none"}, {"uri": "file:///none.py"}):
        with pytest.raises(JsonRpcException, match="use one that it lists"):
            await editor.command("reviewHunk", preview | names)
    file = await editor.command("reviewHunk", preview | {"uri": buffer.uri})
    assert [hunk["decision"] for hunk in file["hunks"]] == ["open"] * 3
    with pytest.raises(JsonRpcException, match="Preview 0123456789ab has expired"):
        await editor.command("reviewHunk", preview | {"uri": buffer.uri, "review": "0123456789ab"})


async def test_decisions_outlast_a_file_that_moves_on(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    shown = await editor.command("previewEdits", {"text": two_hunks(editor, folder)})
    preview = {"review": shown["preview"]}
    second = shown["edits"][1]["id"]
    await editor.command("reviewHunk", preview | {"edit": second, "decision": "open"})
    editor.type(buffer, 0, 0, "import os\n\n")
    with pytest.raises(JsonRpcException, match="changed since the preview") as caught:
        await editor.command("finishReview", preview)
    assert caught.value.data == {"code": "preview-outdated"}
    state = await editor.command("reviewChanges", preview)
    assert (state["kept"], state["open"]) == (2, 1)
    await editor.command("finishReview", preview)
    assert buffer.text == "import os\n\n" + LINES.replace("= 3\n", "= 33\n").replace("= 8\n", "= 88\n")
    await editor.command("discardEdit", {"all": True})


@pytest.mark.parametrize(("client", "habits"), CLIENT_HABITS.items(), ids=CLIENT_HABITS)
async def test_each_hunk_of_the_preview_has_lenses_and_actions_in_each_editor(
    tmp_path: Path, client: str, habits: Habits
) -> None:
    async with session(tmp_path, habits, declared_by(client)) as editor:
        buffer = opened(editor, editor.folder / "app.py", LINES)
        text = two_hunks(editor, editor.folder) + block(
            editor.folder / "app.py", "nowhere()\n", "somewhere()\n", editor
        )
        await editor.command("previewEdits", {"text": text})
        document = await shown(editor)
        assert "notFound" in document.text.splitlines()[0]
        if "codeLens" in editor.declared["textDocument"]:
            titles = [lens.command.title for lens in await editor.lenses(document) if lens.command]
            assert sorted(titles) == ["Apply what is kept (3 of 3)", *["Discard"] * 4, *["Drop"] * 3]
        at = document.text.index("-value_3 = 3")
        await choose(editor, document, at, "Drop this change")
        assert "Keep this change" in await offered(editor, document, at)
        await choose(editor, document, document.text.index("-value_30"), "Discard this change")
        await choose(editor, document, at, "Apply what is kept (1 of 3)")
        await editor.until(lambda: buffer.text != LINES)
        assert buffer.text == LINES.replace("= 8\n", "= 88\n")
        waiting = (await editor.command("listPendingEdits"))["edits"]
        assert sorted(one["status"] for one in waiting) == ["matched", "notFound"]
        assert await offered(editor, document, at) == []


async def shown(editor: Editor) -> Buffer:
    """The document of the text that was shown last, opened as an editor opens it."""
    if editor.declared.get("window", {}).get("showDocument", {}).get("support"):
        uri = editor.shown_documents[-1].uri
    else:
        said = [one.message for one in editor.messages if one.message.startswith("The text is at ")]
        uri = shown_at(said[-1])
    return editor.open(uri, await editor.content(uri), "diff")


async def all_actions(editor: Editor, document: Buffer, at: int) -> list[types.CodeAction | types.Command]:
    params = types.CodeActionParams(
        text_document=types.TextDocumentIdentifier(uri=document.uri),
        range=editor.range(document.text, at, at),
        context=types.CodeActionContext(diagnostics=[]),
    )
    return list(await editor.text_document_code_action_async(params) or [])


async def offered(editor: Editor, document: Buffer, at: int) -> list[str]:
    """The titles of the actions about the preview."""
    titles = [one.title for one in await all_actions(editor, document, at)]
    return [one for one in titles if one.startswith(("Keep", "Drop", "Discard", "Apply what"))]


async def choose(editor: Editor, document: Buffer, at: int, title: str) -> None:
    """Choose an action, which is a bare command for some clients."""
    (found,) = [one for one in await all_actions(editor, document, at) if one.title == title]
    if isinstance(found, types.CodeAction):
        await editor.choose(found)
    else:
        params = types.ExecuteCommandParams(command=found.command, arguments=found.arguments)
        await editor.workspace_execute_command_async(params)


async def test_a_client_that_shows_a_preview_itself_decides_about_it_too(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py", LINES)
    request: dict[str, Any] = {"text": two_hunks(editor, folder), "previewed": True, "atomic": "edit"}
    shown, said = len(editor.shown_documents), len(editor.messages)
    dry = await editor.command("applyEdits", request | {"dryRun": True})
    hunks = [hunk["id"] for hunk in dry["files"][0]["hunks"]]
    preview = {"review": dry["preview"]}
    await editor.command("reviewHunk", preview | {"hunk": hunks[1], "decision": "open"})
    editor.type(buffer, 0, 0, "import os\n")
    with pytest.raises(JsonRpcException, match="changed since the preview") as caught:
        await editor.command("finishReview", preview)
    assert caught.value.data == {"code": "preview-outdated"}
    again = await editor.command("reviewChanges", preview)
    assert [hunk["decision"] for hunk in again["files"][0]["hunks"]] == ["keep", "open", "keep"]
    answer = await editor.command("finishReview", preview)
    assert answer["result"]["applied"] is True
    wanted = LINES.replace("= 3\n", "= 33\n").replace("= 30\n", "= 'thirty'\n")
    assert buffer.text == "import os\n" + wanted
    assert (len(editor.shown_documents), len(editor.messages)) == (shown, said)


TWICE = "".join(f"def {name}():\n    return 1\n" for name in ("first", "second"))


@pytest.mark.parametrize("atomic", ["edit", "all"])
async def test_an_edit_with_two_places_is_kept_at_one_of_them_in_the_preview(
    tmp_path: Path, atomic: str
) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", TWICE + LINES)
        path = editor.folder / "app.py"
        text = block(path, "    return 1\n", "    return 2\n", editor) + block(
            path, "value_8 = 8\n", "value_8 = 88\n", editor
        )
        asked = {"text": text, "atomic": atomic, "dryRun": True, "previewed": True}
        preview = (await editor.command("applyEdits", asked))["preview"]
        shown = await editor.command("reviewChanges", {"review": preview})
        assert [len(file["hunks"]) for file in shown["files"]] == [1]
        edit = shown["edits"][0]
        assert [one["range"]["start"]["line"] for one in edit["candidates"]] == [1, 3]
        keep = {"review": preview, "edit": edit["id"], "decision": "keep"}
        with pytest.raises(JsonRpcException, match="has no candidate 3"):
            await editor.command("reviewHunk", {**keep, "candidate": 3})
        file = await editor.command("reviewHunk", {**keep, "candidate": 2})
        assert [one["range"]["start"]["line"] for one in file["hunks"]] == [3, 12]
        assert [one["decision"] for one in file["hunks"]] == ["keep", "keep"]
        await editor.command("finishReview", {"review": preview})
        expected = (TWICE + LINES).replace("value_8 = 8\n", "value_8 = 88\n")
        assert buffer.text == expected.replace("second():\n    return 1", "second():\n    return 2")
        assert (await editor.command("listPendingEdits"))["edits"] == []


async def test_a_place_that_was_chosen_before_the_file_changed_is_to_be_chosen_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", TWICE)
        text = block(editor.folder / "app.py", "    return 1\n", "    return 2\n", editor)
        answer = await editor.command("applyEdits", {"text": text, "dryRun": True, "previewed": True})
        keep = {"review": answer["preview"], "edit": answer["edits"][0]["id"], "decision": "keep"}
        await editor.command("reviewHunk", {**keep, "candidate": 1})
        editor.type(buffer, 0, 0, "import os\n")
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("finishReview", {"review": answer["preview"]})
        assert caught.value.data == {"code": "preview-outdated"}
        assert buffer.text == "import os\n" + TWICE
        shown = await editor.command("reviewChanges", {"review": answer["preview"]})
        assert (shown["files"], shown["edits"][0]["status"]) == ([], "ambiguous")
        await editor.command("reviewHunk", {**keep, "candidate": 1})
        await editor.command("finishReview", {"review": answer["preview"]})
        assert buffer.text == "import os\n" + TWICE.replace("return 1", "return 2", 1)


async def test_any_editor_offers_the_places_of_an_edit_in_the_text_of_its_preview(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", TWICE)
        text = block(editor.folder / "app.py", "    return 1\n", "    return 2\n", editor)
        answer = await editor.command("previewEdits", {"text": text})
        preview = editor.open(
            editor.shown_documents[-1].uri, await editor.content(editor.shown_documents[-1].uri)
        )
        actions = {one.title: one for one in await editor.actions(preview, 0)}
        await editor.choose(actions["Keep at line 4, in second"])
        assert "-    return 1" in await editor.content(editor.shown_documents[-1].uri)
        await editor.command("finishReview", {"review": answer["preview"]})
        assert buffer.text == TWICE.replace("second():\n    return 1", "second():\n    return 2")


async def test_a_proposed_edit_is_kept_as_it_is_proposed_in_the_preview(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "order.py"
        buffer = opened(editor, path, ORDER)
        text = block(path, FORGETFUL, f"{FORGETFUL}    remarks: str\n", editor)
        answer = await editor.command("applyEdits", {"text": text, "dryRun": True, "previewed": True})
        shown = await editor.command("reviewChanges", {"review": answer["preview"]})
        (edit,) = shown["edits"]
        assert "+    remarks: str\n" in edit["proposal"]["diff"]
        keep = {"review": answer["preview"], "edit": edit["id"], "decision": "keep"}
        await editor.command("reviewHunk", keep)
        await editor.command("finishReview", {"review": answer["preview"]})
        assert buffer.text == ACCEPTED


async def test_a_proposal_that_was_kept_and_then_dropped_holds_nothing_back(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path, other = editor.folder / "order.py", editor.folder / "app.py"
        order, buffer = opened(editor, path, ORDER), opened(editor, other, LINES)
        text = block(path, FORGETFUL, f"{FORGETFUL}    remarks: str\n", editor)
        text += block(other, "value_8 = 8\n", "value_8 = 88\n", editor)
        answer = await editor.command("applyEdits", {"text": text, "dryRun": True, "previewed": True})
        edit = answer["edits"][0]["id"]
        decide = {"review": answer["preview"], "edit": edit}
        await editor.command("reviewHunk", {**decide, "decision": "keep"})
        await editor.command("reviewHunk", {**decide, "decision": "open"})
        done = await editor.command("finishReview", {"review": answer["preview"]})
        assert (order.text, buffer.text) == (ORDER, LINES.replace("value_8 = 8\n", "value_8 = 88\n"))
        assert [one["id"] for one in (await editor.command("listPendingEdits"))["edits"]] == [edit]
        assert [one["pending"] for one in done["result"]["dropped"]] == [edit]
