"""Files that a review has once the editor reads what was written into them, and those that it never has."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from tests.git.git_judge import WorkingTree
from tests.lsp.editor import Buffer, Editor, Habits
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

ONE, TWO = "one\ntwo\nthree\n", "one\nTWO\nthree\n"
LARGE = "".join(f"line {number}\n" for number in range(120_000))


async def opened(editor: Editor, before: dict[str, str], name: str) -> Buffer:
    """Take a checkpoint of files, and open one of them."""
    tree = WorkingTree(editor.folder)
    tree.git("init", "-q", "-b", "main")
    tree.write(dict(before))
    await editor.command("takeCheckpoint", {"label": "before"})
    return editor.open(editor.folder / name, language="plaintext")


def lines(editor: Editor, name: str) -> list[int]:
    """The first lines of the changes that a file is shown to have."""
    found = editor.diagnostics.get((editor.folder / name).as_uri(), [])
    return [one.range.start.line for one in found if one.code == "review-change"]


def names(review: dict[str, Any]) -> list[str]:
    """The names of the files of a review."""
    return [file["uri"].rpartition("/")[2] for file in review["files"]]


async def test_a_file_that_the_editor_reads_after_the_review_began_is_in_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "b.txt": ONE}, "a.txt")
        WorkingTree(editor.folder).write({"a.txt": TWO, "b.txt": TWO})
        assert names(await editor.command("reviewChanges")) == ["b.txt"]
        editor.replace(buffer, TWO)
        await editor.until(lambda: lines(editor, "a.txt") == [1])
        assert (await editor.command("finishReview", {"dryRun": True}))["open"] == 2


async def test_a_file_that_the_editor_reads_while_the_review_begins_is_in_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "b.txt": ONE, "c.txt": LARGE}, "a.txt")
        WorkingTree(editor.folder).write({"a.txt": TWO, "b.txt": TWO, "c.txt": "0\n" + LARGE})
        began = asyncio.ensure_future(editor.command("reviewChanges"))
        await editor.until(
            lambda: any(name == "patchpoint/didFindFirstChange" for name, _ in editor.notified)
        )
        editor.replace(buffer, TWO)
        assert names(await began) == ["b.txt", "c.txt"]
        await editor.until(lambda: lines(editor, "a.txt") == [1])


async def test_a_file_that_is_closed_with_what_was_not_saved_joins_as_it_is_on_the_disk(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "b.txt": ONE}, "a.txt")
        WorkingTree(editor.folder).write({"a.txt": TWO, "b.txt": TWO})
        await editor.command("reviewChanges")
        editor.close(buffer)
        await editor.until(lambda: lines(editor, "a.txt") == [1])


async def test_what_a_person_types_elsewhere_joins_once_it_is_saved(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "b.txt": ONE, "c.txt": ONE}, "a.txt")
        WorkingTree(editor.folder).write({"b.txt": TWO, "c.txt": TWO})
        await editor.command("reviewChanges")
        other = editor.open(editor.folder / "b.txt", language="plaintext")
        editor.type(buffer, 0, 0, "mine\n")
        # Changes are looked at in their order: what is typed later in another file is shown later.
        editor.type(other, 0, 0, "mine\n")
        await editor.until(lambda: lines(editor, "b.txt") == [0, 2])
        assert not lines(editor, "a.txt")
        editor.save(buffer)
        await editor.until(lambda: lines(editor, "a.txt") == [0])


async def test_what_is_not_reviewed_does_not_join(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "within/b.txt": ONE}, "a.txt")
        tree = WorkingTree(editor.folder)
        tree.write({"a.txt": TWO, "within/b.txt": TWO})
        uri = (editor.folder / "within").as_uri()
        assert names(await editor.command("reviewChanges", {"uris": [uri]})) == ["b.txt"]
        editor.replace(buffer, TWO)
        other = editor.open(editor.folder / "within/b.txt", language="plaintext")
        editor.type(other, 0, 0, "mine\n")
        await editor.until(lambda: lines(editor, "within/b.txt") == [0, 2])
        assert not lines(editor, "a.txt")


async def test_a_file_that_was_renamed_is_not_deleted_as_well(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = await opened(editor, {"a.txt": ONE, "b.txt": ONE + "four\n"}, "a.txt")
        WorkingTree(editor.folder).write({"a.txt": None, "named.txt": ONE, "b.txt": TWO})
        assert sorted(names(await editor.command("reviewChanges"))) == ["b.txt", "named.txt"]
        editor.close(buffer)
        other = editor.open(editor.folder / "b.txt", language="plaintext")
        editor.type(other, 0, 0, "mine\n")
        await editor.until(lambda: 0 in lines(editor, "b.txt"))
        assert (await editor.command("finishReview", {"dryRun": True}))["open"] == 4
