"""The first change of a review is known before all others are compared."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.git.git_judge import WorkingTree
from tests.lsp.editor import Editor, Habits
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

LARGE = "".join(f"line {number}\n" for number in range(120_000))
FIRST, ALL = "patchpoint/didFindFirstChange", "patchpoint/didChangeReview"


async def written(editor: Editor, before: dict[str, str], after: dict[str, str | bytes | None]) -> None:
    """Take a checkpoint of files, and write as an agent would."""
    tree = WorkingTree(editor.folder)
    tree.git("init", "-q", "-b", "main")
    tree.write(dict(before))
    await editor.command("takeCheckpoint", {"label": "before"})
    tree.write(after)


def noticed(editor: Editor) -> list[tuple[str, list[str]]]:
    """The notifications of reviews, with the names of their files."""
    found = []
    for method, params in editor.notified:
        if method in (FIRST, ALL):
            review = params.review if method == FIRST else params
            found.append((method, [file.uri.rpartition("/")[2] for file in review.files]))
    return found


async def test_the_first_change_comes_before_large_files_are_compared(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        before = {"a.txt": LARGE, "b.txt": "one\n", "c.txt": "one\n"}
        await written(editor, before, {"a.txt": "first\n" + LARGE, "b.txt": "two\n", "c.txt": "two\n"})
        review = await editor.command("reviewChanges")
        assert noticed(editor) == [(FIRST, ["b.txt"]), (ALL, ["a.txt", "b.txt", "c.txt"])]
        (first,) = (params for method, params in editor.notified if method == FIRST)
        assert first.original == "one\n"
        assert first.review.review == review["review"]
        (file,) = first.review.files
        assert [hunk.id for hunk in file.hunks] == [hunk["id"] for hunk in review["files"][1]["hunks"]]
        assert file.originalUri == review["files"][1]["originalUri"]


async def test_the_first_change_is_one_that_nobody_has_decided_about_the_worst_before_all(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        before = {"a.py": "x = 1\n", "b.py": "x = 1\n", "c.py": "x = 1\n", "d.txt": "one\n"}
        after: dict[str, str | bytes | None] = {
            "a.py": "x = 2\n",
            "b.py": "x = 2\n",
            "c.py": "x = (\n",
            "d.txt": None,
        }
        await written(editor, before, after)
        review = await editor.command("reviewChanges")
        for name in ("c.py", "a.py"):
            uri = (editor.folder / name).as_uri()
            asked = {"review": review["review"], "uri": uri, "decision": "keep"}
            await editor.command("reviewHunk", asked)
        await editor.command("reviewChanges")
        assert [names for method, names in noticed(editor) if method == FIRST] == [["c.py"], ["d.txt"]]


@pytest.mark.parametrize("after", [{"a.txt": "two\n"}, {}])
async def test_a_change_that_is_the_only_one_is_not_sent_twice(
    tmp_path: Path, after: dict[str, str | bytes | None]
) -> None:
    async with session(tmp_path, Habits()) as editor:
        await written(editor, {"a.txt": "one\n"}, after)
        await editor.command("reviewChanges")
        assert [method for method, _ in noticed(editor)] == [ALL]


async def test_what_is_decided_about_the_first_change_meanwhile_is_kept(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits()) as editor:
        await written(editor, {"a.txt": "one\n", "b.txt": LARGE}, {"a.txt": "two\n", "b.txt": "0\n" + LARGE})
        began = asyncio.ensure_future(editor.command("reviewChanges"))
        await editor.until(lambda: noticed(editor))
        (found,) = (params for method, params in editor.notified if method == FIRST)
        asked = {"review": found.review.review, "hunk": found.review.files[0].hunks[0].id, "decision": "keep"}
        file = await editor.command("reviewHunk", asked)
        assert [hunk["decision"] for hunk in file["hunks"]] == ["keep"]
        assert (await began)["open"] == 2
        assert noticed(editor) == [(FIRST, ["a.txt"]), (ALL, ["a.txt", "b.txt"]), (ALL, ["a.txt"])]
        assert (await editor.command("reviewChanges"))["kept"] == 1


async def test_a_review_that_is_cancelled_after_its_first_change_is_not_shown(tmp_path: Path) -> None:
    large = {f"b{number}.txt": LARGE for number in range(4)}
    async with session(tmp_path, Habits()) as editor:
        await written(
            editor,
            {"a.txt": "one\n", **large},
            {"a.txt": "two\n", **dict.fromkeys(large, "first\n" + LARGE)},
        )
        began = asyncio.ensure_future(editor.command("reviewChanges", token="mine"))
        await editor.until(lambda: noticed(editor))
        editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="mine"))
        with pytest.raises(JsonRpcException) as caught:
            await began
        assert caught.value.code == -32800
        assert [method for method, _ in noticed(editor)] == [FIRST]
        assert (await editor.command("nextChange", {}))["uri"] is None
        assert (await editor.command("reviewChanges"))["open"] == 5
