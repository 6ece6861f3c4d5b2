"""What the client is asked to request again, or is sent, only when there is something new."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from tests.lsp.editor import APP, Editor, Habits, block, opened
from tests.lsp.sessions import VSCODE, return_3, session, without

pytestmark = pytest.mark.asyncio


async def test_lenses_are_requested_again_only_when_they_say_something_else(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", APP)
        notes = opened(editor, editor.folder / "notes.md", "no edit in here\n")
        for document in (buffer, notes):
            assert await editor.lenses(document) == []
        assert editor.lens_refreshes == 0
        answer = opened(editor, editor.folder / "answer.md", return_3(editor))
        assert [lens.command.title for lens in await editor.lenses(answer) if lens.command] == [
            "Apply",
            "Preview",
        ]
        assert editor.lens_refreshes == 1
        for text in ("Thank", " you"):
            editor.type(answer, len(answer.text), len(answer.text), text)
            await editor.lenses(answer)
        assert editor.lens_refreshes == 1
        editor.type(buffer, 0, len(buffer.text), APP.replace("return 2", "return two"))
        await editor.until(lambda: editor.lens_refreshes == 2)


def pulling() -> dict[str, Any]:
    """The capabilities of a client that requests diagnostics and is not sent any."""
    capabilities = without("textDocument", "publishDiagnostics")
    capabilities["textDocument"]["diagnostic"] = {"dynamicRegistration": False}
    return capabilities


async def test_diagnostics_are_returned_to_a_client_that_requests_them_of_an_unnamed_buffer_too(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits(), pulling()) as editor:
        opened(editor, editor.folder / "app.py", APP.replace("return 2", "return two"))
        text = return_3(editor)
        item = types.TextDocumentItem("untitled:Untitled-1", "markdown", 1, text)
        editor.text_document_did_open(types.DidOpenTextDocumentParams(item))
        identifier = types.TextDocumentIdentifier(item.uri)
        report = await editor.text_document_diagnostic_async(types.DocumentDiagnosticParams(identifier))
        assert isinstance(report, types.RelatedFullDocumentDiagnosticReport)
        assert [one.code for one in report.items] == ["proposed-edit"]
        assert editor.diagnostics == {}


async def test_those_of_all_files_are_returned_once_and_then_only_what_has_changed(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), pulling()) as editor:
        closed = editor.folder / "app.py"
        closed.write_text(APP.replace("return 2", "return two"))
        await editor.command("applyEdits", {"text": return_3(editor)})
        (first,) = await reports(editor)
        assert isinstance(first, types.WorkspaceFullDocumentDiagnosticReport)
        assert first.uri == closed.as_uri()
        assert [one.code for one in first.items] == ["proposed-edit"]
        known = types.PreviousResultId(first.uri, first.result_id or "")
        (again,) = await reports(editor, known)
        assert isinstance(again, types.WorkspaceUnchangedDocumentDiagnosticReport)
        await editor.command("discardEdit", {"all": True})
        (gone,) = await reports(editor, known)
        assert isinstance(gone, types.WorkspaceFullDocumentDiagnosticReport)
        assert list(gone.items) == []
        assert await reports(editor) == []


async def reports(editor: Editor, *known: types.PreviousResultId) -> list[Any]:
    """The reports on the whole workspace, for a client that has had some."""
    params = types.WorkspaceDiagnosticParams(previous_result_ids=list(known))
    return list((await editor.workspace_diagnostic_async(params)).items)


async def test_a_client_that_takes_both_kinds_of_diagnostics_is_sent_them_alone(tmp_path: Path) -> None:
    assert "diagnostic" in VSCODE["textDocument"]
    async with session(tmp_path, Habits()) as editor:
        opened(editor, editor.folder / "app.py", APP.replace("return 2", "return two"))
        answer = opened(editor, editor.folder / "answer.md", return_3(editor))
        await editor.until(lambda: answer.uri in editor.diagnostics)
        assert await reports(editor) == []


async def test_the_client_follows_what_the_server_does_when_it_sets_a_trace(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / "large.bin").write_bytes(b"\0" * (51 * 1024 * 1024))
        await editor.command("takeCheckpoint")
        assert editor.traced == []
        editor.set_trace(types.SetTraceParams(types.TraceValue.Verbose))
        await editor.command("takeCheckpoint")
        assert any("left out 1 files" in line for line in editor.traced)
        editor.set_trace(types.SetTraceParams(types.TraceValue.Off))
        seen = list(editor.traced)
        await editor.command("takeCheckpoint")
        assert editor.traced == seen


async def test_a_file_that_is_opened_gets_its_diagnostics_again(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        path = editor.folder / "app.py"
        path.write_text(APP)
        text = block(path, "    value = 1\n", "    value = 2\n", editor)
        await editor.command("applyEdits", {"text": text})
        await editor.until(lambda: editor.diagnostics.get(path.as_uri()))
        # A client may have nowhere to keep what it is sent of a file that is not open.
        editor.diagnostics.clear()
        editor.open(path)
        await editor.until(lambda: editor.diagnostics.get(path.as_uri()))
        assert [one.code for one in editor.diagnostics[path.as_uri()]] == ["ambiguous-edit"]
