"""What a person sees, in every client whose capabilities were captured."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Editor, block, opened, path_of

pytestmark = pytest.mark.asyncio(loop_scope="module")


async def test_an_edit_of_an_open_file_changes_its_buffer_and_not_the_disk(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py")
    answer = await editor.command(
        "applyEdits", {"text": block(folder / "app.py", "    return 2\n", "    return 3\n", editor)}
    )
    assert answer["applied"] is True
    assert [(edit["status"], edit["rung"]) for edit in answer["edits"]] == [("applied", "exact")]
    assert buffer.text == APP.replace("return 2", "return 3")
    assert buffer.dirty
    assert len(buffer.undo) == 1
    assert (folder / "app.py").read_text() == APP
    editor.undo(buffer)
    assert buffer.text == APP


async def test_the_text_matched_is_the_buffer_with_its_unsaved_changes(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    editor.type(buffer, 0, 0, "# 😋 unsaved\nimport os\n")
    answer = await editor.command(
        "applyEdits", {"text": block(folder / "app.py", "import os\n", "import sys\n", editor)}
    )
    assert answer["edits"][0]["status"] == "applied"
    assert buffer.text == "# 😋 unsaved\nimport sys\n" + APP


async def test_edits_after_wide_characters_are_applied_where_they_belong(
    editor: Editor, folder: Path
) -> None:
    text = 'a = "😋é"; b = 1\r\nc = "😋"; d = 2\r\n'
    buffer = opened(editor, folder / "wide.py", text)
    answer = await editor.command(
        "applyEdits",
        {"text": block(folder / "wide.py", 'c = "😋"; d = 2\n', 'c = "😋"; d = 3\n', editor)},
    )
    assert answer["edits"][0]["status"] == "applied"
    assert buffer.text == text.replace("d = 2", "d = 3")


async def test_a_file_that_is_not_open_is_changed_on_disk(editor: Editor, folder: Path) -> None:
    path = folder / "closed.py"
    path.write_bytes("# caf\xe9\r\nx = 1\r\n".encode("latin-1"))
    path.chmod(0o755)
    answer = await editor.command("applyEdits", {"text": block(path, "x = 1\n", "x = 2\n", editor)})
    assert answer["edits"][0]["status"] == "applied"
    assert path.read_bytes() == "# caf\xe9\r\nx = 2\r\n".encode("latin-1")
    assert path.stat().st_mode & 0o777 == 0o755
    assert not [edit for edit in editor.edits if path.as_uri() in str(edit)]


async def test_open_and_closed_files_change_in_one_request(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "open.py", "x = 1\n")
    (folder / "closed.py").write_text("y = 1\n")
    before = len(editor.edits)
    text = block(folder / "open.py", "x = 1\n", "x = 2\n", editor) + block(
        folder / "closed.py", "y = 1\n", "y = 2\n", editor
    )
    answer = await editor.command("applyEdits", {"text": text})
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "applied"]
    assert (buffer.text, (folder / "closed.py").read_text()) == ("x = 2\n", "y = 2\n")
    assert len(editor.edits) == before + 1


async def test_several_edits_of_one_file_are_one_step_of_undo(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    text = block(folder / "app.py", "def first():\n", "def one():\n", editor) + block(
        folder / "app.py", "    return 2\n", "    return 3\n", editor
    )
    answer = await editor.command("applyEdits", {"text": text})
    assert [edit["status"] for edit in answer["edits"]] == ["applied", "applied"]
    assert len(buffer.undo) == 1
    editor.undo(buffer)
    assert buffer.text == APP


async def test_one_edit_that_does_not_match_holds_the_others_back(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    text = block(folder / "app.py", "    return 2\n", "    return 3\n", editor) + block(
        folder / "app.py", "nothing like it occurs here\n", "x\n", editor
    )
    answer = await editor.command("applyEdits", {"text": text})
    assert answer["applied"] is False
    assert [edit["status"] for edit in answer["edits"]] == ["held", "notFound"]
    assert buffer.text == APP
    await editor.command("discardEdit", {"all": True})


async def test_an_ambiguous_edit_shows_its_candidates_and_is_applied_at_the_chosen_one(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py")
    answer = await editor.command(
        "applyEdits", {"text": block(folder / "app.py", "    value = 1\n", "    value = 5\n", editor)}
    )
    (edit,) = answer["edits"]
    assert edit["status"] == "ambiguous"
    assert [candidate["range"]["start"]["line"] for candidate in edit["candidates"]] == [1, 6]
    await editor.until(lambda: editor.diagnostics.get(buffer.uri))
    (diagnostic,) = editor.diagnostics[buffer.uri]
    assert (diagnostic.source, diagnostic.code) == ("patchpoint", "ambiguous-edit")
    assert "app.py:2" in diagnostic.message
    assert "app.py:7" in diagnostic.message
    declared = editor.declared["textDocument"]["publishDiagnostics"].get("relatedInformation")
    assert bool(diagnostic.related_information) is bool(declared)

    actions = await editor.actions(buffer, APP.index("    value"), only=["quickfix"])
    titles = [action.title for action in actions]
    assert titles[0].startswith("Apply the edit at candidate 1 (line 2, ")
    assert titles[1].startswith("Apply the edit at candidate 2 (line 7, ")
    assert titles[2] == "Discard this edit"
    await editor.choose(actions[1])
    assert buffer.text == APP[: APP.index("def second")] + APP[APP.index("def second") :].replace("1", "5")
    await editor.until(lambda: not editor.diagnostics[buffer.uri])


async def test_an_edit_that_is_nowhere_is_shown_with_the_nearest_place(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    request = {"text": block(folder / "app.py", "def third(a, b):\n    totally = 'else'\n", "x\n", editor)}
    answer = await editor.command("applyEdits", request)
    (edit,) = answer["edits"]
    assert edit["status"] == "notFound"
    assert edit["feedback"]
    (again,) = (await editor.command("applyEdits", request))["edits"]
    assert again["feedback"] not in ("", edit["feedback"])
    await editor.until(lambda: editor.diagnostics.get(buffer.uri))
    assert [diagnostic.code for diagnostic in editor.diagnostics[buffer.uri]] == ["edit-not-found"]
    answer = await editor.command("discardEdit", {"edit": edit["id"]})
    assert answer == {"discarded": [edit["id"]]}
    await editor.until(lambda: not editor.diagnostics[buffer.uri])


async def test_a_pending_edit_follows_its_file(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    await editor.command(
        "applyEdits", {"text": block(folder / "app.py", "    value = 1\n", "    value = 5\n", editor)}
    )
    await editor.until(lambda: editor.diagnostics.get(buffer.uri))
    editor.type(buffer, 0, 0, "\n\n")
    await editor.until(lambda: editor.diagnostics[buffer.uri][0].range.start.line == 3)
    start = buffer.text.index("    value")
    editor.type(buffer, start, start + len("    value = 1\n"), "")
    await editor.until(lambda: not editor.diagnostics[buffer.uri])
    (pending,) = (await editor.command("listPendingEdits", {"uri": buffer.uri}))["edits"]
    assert (pending["status"], pending["rung"]) == ("matched", "exact")
    await editor.command("resolveEdit", {"edit": pending["id"], "candidate": 1})
    assert "    value = 5\n" in buffer.text


async def test_a_checkpoint_is_taken_before_and_restores_every_byte(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "open.py", "x = 1\n")
    (folder / "closed.py").write_text("y = 1\n")
    text = block(folder / "open.py", "x = 1\n", "x = 2\n", editor) + block(
        folder / "closed.py", "y = 1\n", "y = 2\n", editor
    )
    answer = await editor.command("applyEdits", {"text": text})
    checkpoint = answer["checkpoint"]
    assert checkpoint["kind"] == "beforeApply"
    listed = (await editor.command("listCheckpoints"))["checkpoints"]
    assert listed[0] == checkpoint
    (folder / "made.py").write_text("made by the run\n")
    uris = [folder.as_uri()]

    shown = await editor.command("diffCheckpoint", {"checkpoint": checkpoint["id"], "uri": folder.as_uri()})
    assert {path_of(file["uri"]).name: file["operation"] for file in shown["files"]} == {
        "closed.py": "update",
        "made.py": "create",
    }
    named = {"checkpoint": "last", "against": checkpoint["id"][:10], "uri": folder.as_uri()}
    assert await editor.command("diffCheckpoint", {**named, "against": "worktree"}) == shown
    assert (await editor.command("diffCheckpoint", named))["files"] == []
    tried = await editor.command(
        "restoreCheckpoint", {"checkpoint": checkpoint["id"], "uris": uris, "dryRun": True}
    )
    assert (folder / "made.py").exists()
    assert [path_of(uri).name for uri in tried["deleted"]] == ["made.py"]

    restored = await editor.command("restoreCheckpoint", {"checkpoint": checkpoint["id"], "uris": uris})
    assert restored["safety"]
    assert not (folder / "made.py").exists()
    assert (folder / "closed.py").read_text() == "y = 1\n"
    await editor.until(lambda: buffer.text == "x = 1\n")

    for _ in range(2):
        await editor.command("undoRestore")
        assert (folder / "made.py").read_text() == "made by the run\n"
        assert (folder / "closed.py").read_text() == "y = 2\n"
        await editor.until(lambda: buffer.text == "x = 2\n")
        await editor.command("redoRestore")
        assert not (folder / "made.py").exists()
        await editor.until(lambda: buffer.text == "x = 1\n")
    await editor.command("undoRestore")


async def test_an_undone_restore_names_what_was_unsaved_even_where_it_was_what_the_restore_wrote(
    editor: Editor, folder: Path
) -> None:
    path = folder / "app.py"
    buffer = opened(editor, path)
    checkpoint = await editor.command("takeCheckpoint", {"label": "before the run"})
    path.write_text("the_agent = 1\n")
    given = {"checkpoint": checkpoint["id"], "uris": [folder.as_uri()]}
    restored = await editor.command("restoreCheckpoint", given)
    assert path.read_text() == buffer.text == APP
    assert restored["unsaved"] == []
    undone = await editor.command("undoRestore")
    assert path.read_text() == "the_agent = 1\n"
    assert [(path_of(one["uri"]), one["text"]) for one in undone["unsaved"]] == [(path, APP)]
    assert (await editor.command("redoRestore"))["unsaved"] == []


async def test_checkpoints_are_offered_as_actions(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    before = len((await editor.command("listCheckpoints"))["checkpoints"])
    (take, *_) = await editor.actions(buffer, 0, only=["source.patchpoint"])
    assert take.title == "Take a checkpoint"
    taken = await editor.choose(take)
    assert taken["kind"] == "manual"
    assert len((await editor.command("listCheckpoints"))["checkpoints"]) == before + 1
    (folder / "later.py").write_text("made later\n")
    actions = await editor.actions(buffer, 0, only=["source"])
    restore = next(action for action in actions if action.title.startswith("Restore the workspace"))
    await editor.choose(restore)
    assert not (folder / "later.py").exists()


async def test_a_hunk_and_a_file_are_restored_by_actions(editor: Editor, folder: Path) -> None:
    path = folder / "long.py"
    lines = [f"line_{number} = {number}\n" for number in range(40)]
    path.write_text("".join(lines))
    await editor.command("takeCheckpoint", {"label": "before the run"})
    changed = ["first = 0\n", *lines[1:30], "thirty = 30\n", *lines[31:]]
    buffer = opened(editor, path, "".join(changed))

    offered = await editor.actions(buffer, 0, only=["source.patchpoint.restore"])
    titles = [action.title for action in offered]
    assert titles[0] == "Restore this hunk (lines 1 to 4) to “before the run” (less than a minute ago)"
    assert titles[1] == "Restore long.py to “before the run” (less than a minute ago)"
    assert titles[2] == "Restore the workspace to “before the run” (less than a minute ago)"
    await editor.choose(offered[0])
    assert path.read_text() == "".join([*lines[:30], "thirty = 30\n", *lines[31:]])

    editor.replace(buffer, path.read_text())
    offered = await editor.actions(buffer, 0, only=["source.patchpoint.restore"])
    assert not any(action.title.startswith("Restore this hunk") for action in offered)
    whole = next(action for action in offered if action.title.startswith("Restore long.py"))
    await editor.choose(whole)
    assert path.read_text() == "".join(lines)

    editor.replace(buffer, path.read_text())
    offered = await editor.actions(buffer, 0, only=["source.patchpoint.restore"])
    assert [action.title for action in offered if "long.py" in action.title] == []


async def test_a_file_is_opened_as_it_was_at_a_checkpoint(editor: Editor, folder: Path) -> None:
    (folder / "a file.py").write_bytes("# caf\xe9\nx = 1\n".encode("latin-1"))
    (folder / "gone.py").write_text("gone\n")
    checkpoint = (await editor.command("takeCheckpoint"))["id"]
    (folder / "a file.py").write_text("x = 2\n")
    (folder / "gone.py").unlink()
    (folder / "new.py").write_text("new\n")
    answer = await editor.command("diffCheckpoint", {"checkpoint": checkpoint, "uri": folder.as_uri()})
    originals = {path_of(file["uri"]).name: file["originalUri"] for file in answer["files"]}
    assert originals["new.py"] is None
    assert await editor.content(originals["gone.py"]) == "gone\n"
    if originals["a file.py"].startswith("patchpoint:"):
        assert await editor.content(originals["a file.py"]) == "# caf\xe9\nx = 1\n"
        with pytest.raises(JsonRpcException) as caught:
            await editor.content(f"patchpoint:/checkpoint/{checkpoint}/nowhere.py")
        assert caught.value.data == {"code": "no-file"}
        with pytest.raises(JsonRpcException) as caught:
            await editor.content("patchpoint:/checkpoint/none/nowhere.py")
        assert caught.value.data == {"code": "checkpoint-not-found"}
    else:
        written = path_of(originals["a file.py"])
        assert written.read_bytes() == "# caf\xe9\nx = 1\n".encode("latin-1")


async def test_an_action_without_data_is_resolved_to_itself(editor: Editor, folder: Path) -> None:
    action = types.CodeAction(title="Not ours", command=types.Command(title="Not ours", command="theirs"))
    assert await editor.code_action_resolve_async(action) == action


async def test_a_dry_run_changes_nothing_and_shows_the_difference(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    text = block(folder / "app.py", "    return 2\n", "    return 3\n", editor)
    checkpoints = await editor.command("listCheckpoints")
    answer = await editor.command("applyEdits", {"text": text, "dryRun": True})
    assert (answer["applied"], answer["edits"][0]["status"]) == (False, "matched")
    (file,) = answer["files"]
    assert "-    return 2\n+    return 3\n" in file["diff"]
    assert buffer.text == APP
    assert await editor.command("listCheckpoints") == checkpoints


async def test_an_applied_edit_is_taken_back_though_its_file_moved_on(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    text = block(folder / "app.py", "    return 2\n", "    return 3\n", editor)
    text += (
        f"{(folder / 'new.py').relative_to(editor.folder)}\n<<<<<<< SEARCH\n=======\nnew\n>>>>>>> REPLACE\n"
    )
    answer = await editor.command("applyEdits", {"text": text})
    assert (folder / "new.py").read_text() == "new\n"
    editor.type(buffer, 0, 0, "# moved on\n")
    reverted = await editor.command("revertEdits", {"application": answer["application"]})
    assert {edit["status"] for edit in reverted["edits"]} == {"reverted"}
    assert buffer.text == "# moved on\n" + APP
    assert not (folder / "new.py").exists()
    with pytest.raises(JsonRpcException, match="Nothing to revert") as refused:
        await editor.command("revertEdits", {"application": answer["application"]})
    assert isinstance(refused.value.data, dict)
    assert refused.value.data["code"] == "already-reverted"
    again = await editor.command("revertEdits", {"application": reverted["application"]})
    assert {edit["status"] for edit in again["edits"]} == {"reverted"}
    assert (folder / "new.py").read_text() == "new\n"
    last = await editor.command("revertEdits", {"application": answer["application"]})
    assert {edit["status"] for edit in last["edits"]} == {"reverted"}
    assert buffer.text == "# moved on\n" + APP


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        ({}, "Give exactly one of `text`, `edits` and `document`"),
        ({"text": "x", "dry_run": True}, "Unknown key `dry_run`. Did you mean `dryRun`?"),
        ({"text": 3}, "`text` must be a string"),
    ],
)
async def test_wrong_arguments_are_named(
    editor: Editor, arguments: dict[str, object], complaint: str
) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await editor.command("applyEdits", arguments)
    assert caught.value.code == -32602
    assert complaint in caught.value.message


@pytest.mark.parametrize(
    ("command", "arguments", "code"),
    [
        ("resolveEdit", {"edit": "none", "candidate": 1}, "no-edit"),
        ("revertEdits", {"application": "none"}, "no-application"),
        ("restoreCheckpoint", {"checkpoint": "0" * 14}, "checkpoint-not-found"),
        ("restoreCheckpoint", {"session": "s", "message": "m"}, "anchor-not-found"),
        ("takeCheckpoint", {"root": "/nowhere/at/all"}, "no-folder"),
        ("applyEdits", {"document": {"uri": "file:///not/open"}}, "not-open"),
    ],
)
async def test_what_cannot_be_done_has_a_code_and_a_sentence(
    editor: Editor, command: str, arguments: dict[str, object], code: str
) -> None:
    with pytest.raises(JsonRpcException) as caught:
        await editor.command(command, arguments)
    assert caught.value.code == -32803
    assert isinstance(caught.value.data, dict)
    assert caught.value.data["code"] == code
    assert caught.value.message.endswith(".")


@pytest.mark.parametrize("text", ["", "Just prose, without any edit.", "<<<<<<< SEARCH\nx\n"])
async def test_text_without_a_readable_edit_changes_nothing(editor: Editor, text: str) -> None:
    answer = await editor.command("applyEdits", {"text": text})
    assert answer["applied"] is False
    assert {edit["status"] for edit in answer["edits"]} <= {"malformed"}


@pytest.mark.parametrize("path", ["../outside.py", "/etc/passwd", ".git/config", ""])
async def test_a_path_that_may_not_be_touched_is_refused(editor: Editor, path: str) -> None:
    answer = await editor.command(
        "applyEdits", {"edits": [{"path": path, "operation": "write", "content": "gotcha"}]}
    )
    assert [edit["status"] for edit in answer["edits"]] == ["rejected"]
    assert answer["edits"][0]["message"]
