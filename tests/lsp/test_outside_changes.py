"""Changes by other programs: checkpoints that are taken in a terminal, and files that edits are for."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types

from patchpoint.checkpoints import CheckpointStore
from tests.lsp.editor import APP, Editor, Habits, block, declared_by, path_of, plain, running
from tests.lsp.sessions import VSCODE, session

pytestmark = pytest.mark.asyncio

HELIX = declared_by("helix-25.01.1")
"""A client that watches no folder by its URI."""


def announced(editor: Editor) -> list[str]:
    """Return the ids of the checkpoints that the client was notified of."""
    return [params.id for method, params in editor.notified if method == "patchpoint/didTakeCheckpoint"]


def watched(editor: Editor) -> list[dict[str, Any]]:
    """Return what the client was asked to watch: folders, and names in them."""
    return [
        watcher["globPattern"]
        for one in editor.registered
        if one.method == types.WORKSPACE_DID_CHANGE_WATCHED_FILES
        for watcher in plain(one.register_options)["watchers"]
    ]


@pytest.mark.parametrize("capabilities", [VSCODE, HELIX], ids=["watching", "not watching"])
@pytest.mark.parametrize("repository", [True, False], ids=["repository", "plain folder"])
async def test_checkpoints_from_outside_are_announced_once_each(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capabilities: dict[str, Any], repository: bool
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    folder = tmp_path / "workspace"
    folder.mkdir()
    if repository:
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    async with session(tmp_path, Habits(), capabilities) as editor:
        own = await editor.command("takeCheckpoint", {"label": "own"})
        one = CheckpointStore.open(folder).take(label="from a terminal")
        await editor.until(lambda: one.id in announced(editor))
        two = CheckpointStore.open(folder).take(label="and another")
        await editor.until(lambda: two.id in announced(editor))
        assert announced(editor) == [own["id"], one.id, two.id]


async def test_a_client_that_watches_folders_watches_the_refs_and_the_files_that_edits_are_for(
    tmp_path: Path,
) -> None:
    folder = tmp_path / "workspace"
    folder.mkdir()
    subprocess.run(["git", "init", "-q"], cwd=folder, check=True)
    async with session(tmp_path, Habits()) as editor:
        await editor.until(lambda: watched(editor))
        places = {(path_of(one["baseUri"]), one["pattern"]) for one in watched(editor)}
        refs = folder.resolve() / ".git/refs/patchpoint/checkpoints"
        assert places == {(refs, "*"), (folder.resolve() / ".git", "packed-refs")}
        (folder / "app.py").write_text(APP)
        text = block(folder / "app.py", "    value = 1\n", "    value = 2\n", editor)
        await editor.command("applyEdits", {"text": text})
        await editor.until(lambda: "app.py" in [one["pattern"] for one in watched(editor)])
        await editor.command("discardEdit", {"all": True})
        await editor.until(lambda: "app.py" not in [one["pattern"] for one in watched(editor)])


async def test_the_server_polls_when_the_client_reports_a_change(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / "app.py").write_text(APP)
        text = block(editor.folder / "app.py", "    value = 1\n", "    value = 2\n", editor)
        await editor.command("applyEdits", {"text": text})
        uri = (editor.folder / "app.py").as_uri()
        await editor.until(lambda: editor.diagnostics.get(uri))
        (editor.folder / "app.py").write_text("\n\n" + APP)
        changed = types.FileEvent(uri=uri, type=types.FileChangeType.Changed)
        editor.workspace_did_change_watched_files(types.DidChangeWatchedFilesParams(changes=[changed]))
        await editor.until(lambda: editor.diagnostics[uri][0].range.start.line == 3)


async def test_edits_for_closed_files_are_evaluated_again_when_those_change(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        path = editor.folder / "app.py"
        path.write_text(APP)
        text = block(path, "    return 2\n", "    return 3\n", editor)
        text += block(path, "    value = 1\n", "    value = 2\n", editor)
        chat = editor.open("untitled:chat", text, "markdown")
        await editor.until(lambda: editor.diagnostics.get(chat.uri))
        assert [one.code for one in editor.diagnostics[chat.uri]] == ["ambiguous-edit"]
        path.write_text("nothing of it is left\n")
        await editor.until(lambda: len(editor.diagnostics[chat.uri]) == 2)
        assert {one.code for one in editor.diagnostics[chat.uri]} == {"edit-not-found"}
        path.write_text(APP)
        await editor.until(lambda: len(editor.diagnostics[chat.uri]) == 1)


async def test_what_another_server_undid_and_this_one_does_again_gives_a_buffer_no_older_text(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        path, other = editor.folder / "a.txt", Editor(VSCODE, Habits())
        path.write_text("saved\n")
        async with running(other, editor.folder, state=tmp_path / "state"):
            buffer = editor.open(path.as_uri(), "saved\n", "plaintext")
            taken = await editor.command("takeCheckpoint")
            (editor.folder / "b.txt").write_text("made later\n")
            editor.replace(buffer, "typed\n")
            await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
            assert buffer.text == "saved\n"
            await other.command("undoRestore")
            await editor.command("redoRestore")
            assert not (editor.folder / "b.txt").exists()
            assert buffer.text == "saved\n"


async def test_a_directory_with_many_files_of_a_review_is_watched_as_one(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        many = [editor.folder / "many" / f"{number}.py" for number in range(30)]
        many[0].parent.mkdir()
        for path in many:
            path.write_text("before = 1\n")
        taken = await editor.command("takeCheckpoint", {"label": "before"})
        for path in many:
            path.write_text("after = 1\n")
        await editor.command("reviewChanges", {"since": taken["id"]})
        folder = many[0].parent.resolve()
        await editor.until(lambda: folder in [path_of(one["baseUri"]) for one in watched(editor)])
        assert [one["pattern"] for one in watched(editor) if path_of(one["baseUri"]) == folder] == ["*"]
