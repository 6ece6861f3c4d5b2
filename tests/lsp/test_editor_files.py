"""Changes that must go through the editor: it makes them all, those of closed files too, or none is made."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import APP, Editor, Habits, block, declared_by, opened, path_of
from tests.lsp.sessions import CHANGED, VSCODE, session, without

OPERATIONS = ("create", "rename", "delete")


async def through_editor(editor: Editor, *edits: dict[str, Any], **more: Any) -> Any:
    return await editor.command("applyEdits", {"edits": list(edits), "target": "editor", **more})


def statuses(answer: Any) -> list[str]:
    return [edit["status"] for edit in answer["edits"]]


def named(path: Path) -> dict[str, str]:
    """Return the path by which an edit of the request names a file."""
    return {"uri": path.as_uri()}


def content(editor: Editor, path: Path) -> str | None:
    """Return the text of a file as a person sees it in this editor."""
    buffer = editor.buffers.get(path.as_uri())
    if buffer is not None:
        return buffer.text
    return path.read_bytes().decode() if path.exists() else None


def contents(editor: Editor, folder: Path) -> dict[str, str | None]:
    return {path.name: content(editor, path) for path in sorted(folder.iterdir())}


def can_operate(editor: Editor) -> bool:
    edit = editor.declared["workspace"]["workspaceEdit"]
    return set(OPERATIONS) <= set(edit.get("resourceOperations", ()))


def everything(folder: Path) -> list[dict[str, Any]]:
    """Return a change of an open file and one of each kind for closed files, which are created."""
    (folder / "closed.py").write_text(APP)
    (folder / "gone.py").write_text("gone\n")
    (folder / "old.py").write_text("x = 1\ny = 1\n")
    return [
        {**named(folder / "open.py"), "search": "    return 2\n", "replace": "    return 3\n"},
        {**named(folder / "closed.py"), "search": "    return 2\n", "replace": "    return 3\n"},
        {"path": str(folder / "new.py"), "operation": "create", "content": "new\n"},
        {"path": str(folder / "gone.py"), "operation": "delete"},
        {"path": str(folder / "old.py"), "operation": "rename", "newPath": str(folder / "moved.py")},
        {"path": str(folder / "old.py"), "search": "x = 1\n", "replace": "x = 2\n"},
    ]


BEFORE = {"closed.py": APP, "gone.py": "gone\n", "old.py": "x = 1\ny = 1\n", "open.py": APP}
AFTER = {"closed.py": CHANGED, "moved.py": "x = 2\ny = 1\n", "new.py": "new\n", "open.py": CHANGED}


@pytest.mark.asyncio(loop_scope="module")
async def test_everything_goes_through_the_editor_in_one_request_and_is_taken_back(
    editor: Editor, folder: Path
) -> None:
    opened(editor, folder / "open.py")
    edits = everything(folder)
    sent = len(editor.edits)
    answer = await through_editor(editor, *edits)
    if not can_operate(editor):
        assert set(statuses(answer)) == {"conflict", "held"}
        refused = [edit["message"] for edit in answer["edits"] if edit["status"] == "conflict"]
        assert all("does not say that it can" in why for why in refused)
        assert all("omit `target`" in why for why in refused)
        assert contents(editor, folder) == BEFORE
        assert len(editor.edits) == sent
        await editor.command("discardEdit", {"all": True})
        return
    assert statuses(answer) == ["applied"] * 6
    assert answer["checkpoint"]["kind"] == "beforeApply"
    assert len(editor.edits) == sent + 1
    assert contents(editor, folder) == AFTER
    for buffer in list(editor.buffers.values()):
        if path_of(buffer.uri).parent == folder:
            editor.save(buffer)
    reverted = await editor.command("revertEdits", {"application": answer["application"]})
    assert set(statuses(reverted)) == {"reverted"}
    assert contents(editor, folder) == BEFORE


@pytest.mark.asyncio(loop_scope="module")
async def test_a_closed_file_is_changed_by_every_editor(editor: Editor, folder: Path) -> None:
    path = folder / "closed.py"
    path.write_text(APP)
    edit = {**named(path), "search": "    return 2\n", "replace": "    return 3\n"}
    answer = await through_editor(editor, edit)
    assert statuses(answer) == ["applied"]
    assert content(editor, path) == CHANGED
    assert path.read_text() == APP
    (change,) = editor.edits[-1].edit.document_changes or []
    assert isinstance(change, types.TextDocumentEdit)
    assert change.text_document.version is None
    await editor.command("revertEdits", {"application": answer["application"]})
    assert content(editor, path) == APP


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize("text", ["one\ntwo\n", "no line end", ""])
async def test_a_file_that_the_editor_made_is_as_asked_for_and_taken_back_before_it_is_saved(
    editor: Editor, folder: Path, text: str
) -> None:
    if not can_operate(editor):
        pytest.skip("this editor makes no files")
    path = folder / "new.py"
    answer = await through_editor(editor, {"path": str(path), "operation": "create", "content": text})
    if text == "no line end" and editor.habits.shows_empty_files_as_a_line:
        assert statuses(answer) == ["conflict"]
        assert "with a different text" in answer["edits"][0]["message"]
        assert answer["applied"] is False
        await editor.command("discardEdit", {"all": True})
    else:
        assert statuses(answer) == ["applied"]
        assert content(editor, path) == text
        await editor.command("revertEdits", {"application": answer["application"]})
    assert not path.exists()


@pytest.mark.asyncio(loop_scope="module")
@pytest.mark.parametrize(
    ("data", "why"),
    [
        ("# caf\xe9\nx = 1\n".encode("latin-1"), "is in "),
        (b"x = 1\r\ny = 1\n", "mixed line endings"),
    ],
)
async def test_what_the_editor_might_not_keep_is_refused(
    editor: Editor, folder: Path, data: bytes, why: str
) -> None:
    path = folder / "kept.py"
    path.write_bytes(data)
    sent = len(editor.edits)
    answer = await through_editor(editor, {**named(path), "search": "x = 1\n", "replace": "x = 2\n"})
    assert statuses(answer) == ["conflict"]
    assert why in answer["edits"][0]["message"]
    assert "omit `target`" in answer["edits"][0]["message"]
    assert (path.read_bytes(), len(editor.edits)) == (data, sent)
    await editor.command("discardEdit", {"all": True})


@pytest.mark.asyncio
async def test_a_file_that_the_editor_writes_is_known_by_its_bytes(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(writes_closed_files=True)) as editor:
        opened(editor, editor.folder / "open.py")
        answer = await through_editor(editor, *everything(editor.folder))
        assert statuses(answer) == ["applied"] * 6
        assert contents(editor, editor.folder) == AFTER
        assert (editor.folder / "moved.py").read_text() == "x = 2\ny = 1\n"


@pytest.mark.asyncio
async def test_the_mode_of_a_file_is_no_editors_to_change(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / "run.sh").write_text("echo\n")
        diff = "diff --git a/run.sh b/run.sh\nold mode 100644\nnew mode 100755\n"
        answer = await editor.command("applyEdits", {"text": diff, "target": "editor"})
        assert statuses(answer) == ["conflict"]
        assert "the mode of run.sh" in answer["edits"][0]["message"]
        foreseen = await editor.command("applyEdits", {"text": diff, "dryRun": True})
        assert [file["diff"] for file in foreseen["files"]] == [diff]


@pytest.mark.asyncio
@pytest.mark.parametrize("operation", OPERATIONS)
async def test_an_operation_that_the_editor_does_not_declare_is_not_asked_for(
    tmp_path: Path, operation: str
) -> None:
    capabilities = without("workspace", "codeLens")
    edit = capabilities["workspace"]["workspaceEdit"]
    edit["resourceOperations"] = [kind for kind in OPERATIONS if kind != operation]
    async with session(tmp_path, Habits(), capabilities) as editor:
        opened(editor, editor.folder / "open.py")
        answer = await through_editor(editor, *everything(editor.folder))
        refused = [edit for edit in answer["edits"] if edit["status"] == "conflict"]
        assert {
            f"This editor does not say that it can {operation} files" in e["message"] for e in refused
        } == {True}
        assert contents(editor, editor.folder) == BEFORE
        assert editor.edits == []


@pytest.mark.asyncio
async def test_a_client_without_edits_is_asked_for_none(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), without("workspace", "applyEdit")) as editor:
        opened(editor, editor.folder / "open.py")
        answer = await through_editor(editor, *everything(editor.folder))
        assert set(statuses(answer)) == {"conflict"}
        assert all(edit["message"].startswith("This editor cannot apply edits") for edit in answer["edits"])
        assert contents(editor, editor.folder) == BEFORE


STOPS = [habits for kind in ("create", "rename") for habits in (Habits(fails_at=kind), Habits(skips=kind))]


@pytest.mark.asyncio
@pytest.mark.parametrize(
    "habits",
    [*STOPS, Habits(lies=True), Habits(refuses_edits=True), Habits(loses_text_of_new_files=True)],
    ids=lambda h: next(f"{key}-{value}" for key, value in vars(h).items() if value and key != "name"),
)
async def test_an_editor_that_stops_half_way_leaves_everything_as_it_was(
    tmp_path: Path, habits: Habits
) -> None:
    async with session(tmp_path, habits) as editor:
        opened(editor, editor.folder / "open.py")
        edits = everything(editor.folder)
        answer = await through_editor(editor, *edits)
        assert answer["applied"] is False
        assert "conflict" in statuses(answer)
        assert set(statuses(answer)) <= {"conflict", "held"}
        assert contents(editor, editor.folder) == BEFORE


@pytest.mark.asyncio
@pytest.mark.parametrize("habits", [Habits(fails_at="delete"), Habits(skips="delete")])
async def test_what_an_editor_cannot_take_back_is_said_to_stand_and_can_be_taken_back_later(
    tmp_path: Path, habits: Habits
) -> None:
    async with session(tmp_path, habits) as editor:
        opened(editor, editor.folder / "open.py")
        answer = await through_editor(editor, *everything(editor.folder))
        assert statuses(answer)[1:4] == ["held", "applied", "conflict"]
        assert "Still applied although another edit failed" in answer["edits"][2]["message"]
        assert contents(editor, editor.folder) == BEFORE | {"new.py": "new\n"}
        editor.save(editor.buffers[(editor.folder / "new.py").as_uri()])
        await editor.command("revertEdits", {"application": answer["application"]})
        assert contents(editor, editor.folder) == BEFORE


@pytest.mark.asyncio
async def test_what_an_editor_did_not_do_holds_nothing_else_back_where_edits_are_single(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits(skips="delete")) as editor:
        opened(editor, editor.folder / "open.py")
        answer = await through_editor(editor, *everything(editor.folder), atomic="edit")
        assert statuses(answer) == ["applied", "applied", "applied", "conflict", "applied", "applied"]
        assert "did not delete gone.py" in answer["edits"][3]["message"]
        assert contents(editor, editor.folder) == AFTER | {"gone.py": "gone\n"}


@pytest.mark.asyncio
async def test_unsaved_changes_do_not_go_with_the_file(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path)
        editor.type(buffer, 0, 0, "# not saved\n")
        answer = await through_editor(editor, {"path": "app.py", "operation": "delete"})
        assert statuses(answer) == ["conflict"]
        assert "unsaved changes" in answer["edits"][0]["message"]
        answer = await through_editor(
            editor, {"path": "app.py", "operation": "rename", "newPath": "moved.py"},
            {"path": "app.py", "search": "    return 2\n", "replace": "    return 3\n"},
        )  # fmt: skip
        assert statuses(answer) == ["applied", "applied"]
        assert content(editor, editor.folder / "moved.py") == "# not saved\n" + CHANGED
        assert not path.exists()


@pytest.mark.asyncio
async def test_a_hidden_change_that_the_editor_shows_when_it_is_idle_counts_until_then(
    tmp_path: Path,
) -> None:
    eglot = declared_by("eglot-emacs30")
    async with session(tmp_path, Habits(shows_changes_when_idle=True), eglot) as editor:
        buffer = opened(editor, editor.folder / "open.py")
        (editor.folder / "closed.py").write_text(APP)
        text = "".join(
            block(editor.folder / name, "    return 2\n", "    return 3\n", editor)
            for name in ("open.py", "closed.py")
        )
        answer = await editor.command("applyEdits", {"text": text, "target": "editor"})
        assert statuses(answer) == ["applied", "applied"]
        assert all("has not been seen yet" in edit["message"] for edit in answer["edits"])
        editor.idle()
        assert (await editor.command("listPendingEdits"))["edits"] == []
        assert (buffer.text, content(editor, editor.folder / "closed.py")) == (CHANGED, CHANGED)
        editor.idle()
        await editor.command("revertEdits", {"application": answer["application"]})
        editor.idle()
        assert (buffer.text, content(editor, editor.folder / "closed.py")) == (APP, APP)


@pytest.mark.asyncio
async def test_what_is_found_by_similarity_asks_in_a_closed_file_too(tmp_path: Path) -> None:
    lines = [f"    total = total + values[{number}] * weights\n" for number in range(6)]
    async with session(tmp_path, Habits(), VSCODE) as editor:
        (editor.folder / "app.py").write_text("".join(["def f():\n", *lines]))
        search = "".join(lines).replace("values[3]", "valuez[3]")
        text = block(editor.folder / "app.py", search, search.replace("[5]", "[7]"), editor)
        answer = await editor.command("applyEdits", {"text": text, "target": "editor"})
        assert [(edit["status"], edit["rung"]) for edit in answer["edits"]] == [("applied", "similarity")]
        assert editor.edits[-1].edit.change_annotations
