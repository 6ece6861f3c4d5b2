"""A notebook that is open as such: its cells are known, and what is unsaved in them is not lost."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from patchpoint.checkpoints import CheckpointStore
from patchpoint.lsp.session.client_capabilities import ClientCapabilities, initialize_result
from tests.demo.project import make_project
from tests.lsp.editor import Editor, Habits
from tests.lsp.sessions import VSCODE, session, without

pytestmark = pytest.mark.asyncio


def notebook(*sources: str) -> str:
    """Return the text of a notebook with these cells of code, each with an output."""
    cells = [
        {
            "cell_type": "code",
            "execution_count": 1,
            "id": f"cell{number}",
            "metadata": {},
            "outputs": [{"name": "stdout", "output_type": "stream", "text": ["1\n"]}],
            "source": source.splitlines(keepends=True),
        }
        for number, source in enumerate(sources)
    ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


@dataclass
class OpenedNotebook:
    """A notebook in the editor, which tells the server what a person does with its cells."""

    editor: Editor
    file: Path
    cells: list[str] = field(default_factory=list)
    version: int = 1
    _made: int = 0

    def open(self) -> OpenedNotebook:
        items = [self._item(source) for source in self._sources()]
        self.cells = [item.uri for item in items]
        opened = types.NotebookDocument(
            uri=self.file.as_uri(),
            notebook_type="jupyter-notebook",
            version=1,
            cells=[types.NotebookCell(kind=types.NotebookCellKind.Code, document=uri) for uri in self.cells],
        )
        self.editor.notebook_document_did_open(types.DidOpenNotebookDocumentParams(opened, items))
        return self

    def type(self, number: int, source: str) -> None:
        """Replace the source of a cell; it is not saved then."""
        self._tell(
            types.NotebookDocumentCellChanges(
                text_content=[
                    types.NotebookDocumentCellContentChanges(
                        types.VersionedTextDocumentIdentifier(uri=self.cells[number], version=self.version),
                        [types.TextDocumentContentChangeWholeDocument(text=source)],
                    )
                ]
            )
        )

    def add(self, number: int, source: str) -> None:
        """Add a cell before cell `number`."""
        item = self._item(source)
        self.cells.insert(number, item.uri)
        cell = types.NotebookCell(kind=types.NotebookCellKind.Code, document=item.uri)
        array = types.NotebookCellArrayChange(start=number, delete_count=0, cells=[cell])
        structure = types.NotebookDocumentCellChangeStructure(array=array, did_open=[item])
        self._tell(types.NotebookDocumentCellChanges(structure=structure))

    def save(self, text: str) -> None:
        """Write `text`, which has the cells that are shown."""
        self.file.write_text(text)
        saved = types.NotebookDocumentIdentifier(uri=self.file.as_uri())
        self.editor.notebook_document_did_save(types.DidSaveNotebookDocumentParams(saved))

    def close(self) -> None:
        closed = types.NotebookDocumentIdentifier(uri=self.file.as_uri())
        cells = [types.TextDocumentIdentifier(uri=uri) for uri in self.cells]
        self.editor.notebook_document_did_close(types.DidCloseNotebookDocumentParams(closed, cells))

    def _sources(self) -> list[str]:
        return ["".join(cell["source"]) for cell in json.loads(self.file.read_text())["cells"]]

    def _item(self, source: str) -> types.TextDocumentItem:
        self._made += 1
        uri = f"vscode-notebook-cell:{self.file.as_uri().removeprefix('file://')}#W{self._made}"
        return types.TextDocumentItem(uri=uri, language_id="python", version=1, text=source)

    def _tell(self, cells: types.NotebookDocumentCellChanges) -> None:
        self.version += 1
        identifier = types.VersionedNotebookDocumentIdentifier(version=self.version, uri=self.file.as_uri())
        change = types.NotebookDocumentChangeEvent(cells=cells)
        self.editor.notebook_document_did_change(types.DidChangeNotebookDocumentParams(identifier, change))


def opened(editor: Editor, *sources: str) -> OpenedNotebook:
    file = editor.folder / "analysis.ipynb"
    file.write_text(notebook(*sources))
    return OpenedNotebook(editor, file).open()


async def apply(editor: Editor, search: str, replace: str, **options: Any) -> dict[str, Any]:
    edits = [{"path": "analysis.ipynb", "search": search, "replace": replace}]
    answer = await editor.command("applyEdits", {"edits": edits, **options})
    outcome: dict[str, Any] = answer["edits"][0]
    return outcome


async def test_an_edit_of_a_notebook_as_it_is_saved_changes_its_file(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n", "print(rate)")
        assert (await apply(editor, "rate = 5", "rate = 7"))["status"] == "applied"
        assert shown.file.read_text() == notebook("rate = 7\n", "print(rate)")


async def test_an_edit_of_a_notebook_with_unsaved_cells_is_refused_until_it_is_saved(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n", "print(rate)")
        before = shown.file.read_text()
        shown.type(1, "print(rate + 1)")
        refused = await apply(editor, "rate = 5", "rate = 7")
        assert refused["status"] == "conflict"
        assert "analysis.ipynb has unsaved changes; save it" in refused["message"]
        assert shown.file.read_text() == before
        shown.save(notebook("rate = 5\n", "print(rate + 1)"))
        assert (await apply(editor, "rate = 5", "rate = 7"))["status"] == "applied"
        assert shown.file.read_text() == notebook("rate = 7\n", "print(rate + 1)")


async def test_a_cell_that_was_added_is_unsaved_too_and_closing_forgets_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n")
        shown.add(0, "import os")
        assert (await apply(editor, "rate = 5", "rate = 7"))["status"] == "conflict"
        shown.close()
        assert (await apply(editor, "rate = 5", "rate = 7"))["status"] == "applied"


async def test_the_file_of_an_open_notebook_is_not_changed_by_way_of_the_editor(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n")
        before = shown.file.read_text()
        refused = await apply(editor, "rate = 5", "rate = 7", target="editor")
        assert "open as a notebook" in refused["message"]
        assert "omit `target`" in refused["message"]
        assert (editor.edits, shown.file.read_text()) == ([], before)


async def test_a_checkpoint_has_the_unsaved_cells_with_the_outputs_of_the_file(tmp_path: Path) -> None:
    make_project(tmp_path / "workspace")
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n", "print(rate)")
        before = shown.file.read_text()
        shown.type(0, "rate = 9\n")
        taken = await editor.command("takeCheckpoint", {"label": "mine"})
        store = CheckpointStore.open(editor.folder)
        restored = store.restore(taken["id"], dry_run=True)
        assert restored.buffers == {"analysis.ipynb": notebook("rate = 9\n", "print(rate)")}
        assert shown.file.read_text() == before


async def test_a_restore_says_what_an_unsaved_notebook_still_shows_and_loses_nothing_of_it(
    tmp_path: Path,
) -> None:
    make_project(tmp_path / "workspace")
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n")
        before = shown.file.read_text()
        taken = await editor.command("takeCheckpoint", {"label": "mine"})
        shown.file.write_text(notebook("rate = 6\n"))
        shown.type(0, "rate = 9\n")
        done = await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert shown.file.read_text() == before
        assert any("analysis.ipynb is open as an unsaved notebook" in one.message for one in editor.messages)
        safety = CheckpointStore.open(editor.folder).restore(done["safety"], dry_run=True)
        assert safety.buffers == {"analysis.ipynb": notebook("rate = 9\n")}


async def test_a_change_of_a_notebook_that_is_not_open_changes_nothing(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        shown = opened(editor, "rate = 5\n")
        shown.close()
        shown.type(0, "rate = 9\n")
        assert (await apply(editor, "rate = 5", "rate = 7"))["status"] == "applied"


async def test_cells_are_asked_for_where_the_client_can_tell_of_them() -> None:
    for declared, asked in ((VSCODE, True), (without("notebookDocument"), False)):
        client = ClientCapabilities.of({"capabilities": declared})
        answered: Any = initialize_result(client, [])
        assert ("notebookDocumentSync" in answered["capabilities"]) is asked
