"""Of a copied or moved project the checkpoints are of the tree that is open, and no other is touched."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from patchpoint.checkpoints import CheckpointStore
from tests.git.git_judge import WorkingTree
from tests.lsp.editor import Editor, running
from tests.lsp.sessions import VSCODE

pytestmark = pytest.mark.asyncio

OLD = "one\ntwo\nthree\n"
NEW = "one\n2\nthree\n"
MINE = "my own\n"


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> WorkingTree:
    """A repository with a checkpoint of `OLD`, and `NEW` since."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    tree = WorkingTree.create(tmp_path / "next")
    CheckpointStore.open(tree.root).take(label="before")
    tree.write({"a.txt": NEW})
    return tree


async def test_what_is_listed_of_a_copied_project_restores_the_copy(
    tree: WorkingTree, tmp_path: Path
) -> None:
    copy = shutil.copytree(tree.root, tmp_path / "front", symlinks=True)
    tree.write({"a.txt": MINE})
    editor = Editor(VSCODE)
    async with running(editor, copy, state=tmp_path / "state"):
        (listed,) = (await editor.command("listCheckpoints", {"root": copy.as_uri()}))["checkpoints"]
        assert listed["root"] == str(copy)
        named = {"checkpoint": listed["id"], "root": listed["root"]}
        files = (await editor.command("diffCheckpoint", named))["files"]
        assert [file["uri"] for file in files] == [(copy / "a.txt").as_uri()]
        done = await editor.command("restoreCheckpoint", named)
        assert done["written"] == [(copy / "a.txt").as_uri()]
        assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (OLD, MINE)
        await editor.command("undoRestore", {"root": listed["root"]})
        assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (NEW, MINE)


async def test_what_is_listed_of_a_moved_project_is_restored(tree: WorkingTree, tmp_path: Path) -> None:
    moved = tree.root.rename(tmp_path / "moved")
    editor = Editor(VSCODE)
    async with running(editor, moved, state=tmp_path / "state"):
        (listed,) = (await editor.command("listCheckpoints", {"root": moved.as_uri()}))["checkpoints"]
        named = {"checkpoint": listed["id"], "root": listed["root"]}
        assert (await editor.command("renameCheckpoint", named | {"label": "again"}))["root"] == str(moved)
        await editor.command("restoreCheckpoint", named)
        assert (moved / "a.txt").read_text() == OLD


async def test_original_and_copy_in_one_workspace_are_both_listed(tree: WorkingTree, tmp_path: Path) -> None:
    copy = shutil.copytree(tree.root, tmp_path / "front", symlinks=True)
    editor = Editor(VSCODE)
    async with running(editor, tree.root, copy, state=tmp_path / "state"):
        listed = (await editor.command("listCheckpoints"))["checkpoints"]
        assert {each["root"] for each in listed} == {str(tree.root), str(copy)}
        await editor.command("restoreCheckpoint", {"checkpoint": listed[0]["id"], "root": str(copy)})
        assert ((copy / "a.txt").read_text(), (tree.root / "a.txt").read_text()) == (OLD, NEW)


@pytest.mark.parametrize(
    ("command", "more"),
    [
        ("restoreCheckpoint", {"dryRun": False}),
        ("renameCheckpoint", {"label": "x"}),
        ("deleteCheckpoint", {}),
        ("undoRestore", None),
        ("redoRestore", None),
        ("pruneCheckpoints", None),
    ],
)
async def test_a_root_outside_of_the_workspace_is_refused_by_name(
    tree: WorkingTree, tmp_path: Path, command: str, more: dict[str, object] | None
) -> None:
    store = CheckpointStore.open(tree.root)
    (checkpoint,) = store.list()
    store.restore(checkpoint.id)
    store.undo()
    workspace = WorkingTree.create(tmp_path / "workspace").root
    (workspace / "link").symlink_to(tree.root)
    arguments = {} if more is None else {"checkpoint": checkpoint.id, **more}
    editor = Editor(VSCODE)
    async with running(editor, workspace, state=tmp_path / "state"):
        for root in (tree.root, tree.root / "src", workspace / "link"):
            with pytest.raises(JsonRpcException, match="is not in a repository of the workspace") as refused:
                await editor.command(command, {"root": str(root), **arguments})
            assert str(root) in str(refused.value)
            assert refused.value.data == {"code": "outside-root"}
    assert store.list() == (checkpoint,)
    assert (tree.root / "a.txt").read_text() == NEW


async def test_of_a_folder_below_the_repositorys_root_and_of_a_repository_inside_restores_are_done(
    tree: WorkingTree, tmp_path: Path
) -> None:
    inside = WorkingTree.create(tree.root / "src" / "inside")
    CheckpointStore.open(inside.root).take()
    inside.write({"a.txt": NEW})
    editor = Editor(VSCODE)
    async with running(editor, tree.root / "src", state=tmp_path / "state"):
        for root in (tree.root, inside.root):
            (listed,) = (await editor.command("listCheckpoints", {"root": str(root)}))["checkpoints"]
            assert listed["root"] == str(root)
            await editor.command("restoreCheckpoint", {"checkpoint": listed["id"], "root": listed["root"]})
            assert (root / "a.txt").read_text() == OLD


async def test_a_neighbouring_repository_is_not_of_the_workspace(tree: WorkingTree, tmp_path: Path) -> None:
    neighbour = WorkingTree.create(tree.root / "neighbour")
    taken = CheckpointStore.open(neighbour.root).take()
    editor = Editor(VSCODE)
    async with running(editor, tree.root / "src", state=tmp_path / "state"):
        with pytest.raises(JsonRpcException, match="is not in a repository of the workspace"):
            await editor.command("restoreCheckpoint", {"checkpoint": taken.id, "root": str(neighbour.root)})


async def test_a_workspace_that_is_opened_through_a_link_has_its_repository(
    tree: WorkingTree, tmp_path: Path
) -> None:
    link = tmp_path / "link"
    link.symlink_to(tree.root)
    editor = Editor(VSCODE)
    async with running(editor, link, state=tmp_path / "state"):
        (listed,) = (await editor.command("listCheckpoints", {"root": link.as_uri()}))["checkpoints"]
        await editor.command("restoreCheckpoint", {"checkpoint": listed["id"], "root": listed["root"]})
        assert (tree.root / "a.txt").read_text() == OLD
