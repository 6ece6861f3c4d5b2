"""A request says what it has read: edits of a file that is another one by now are refused."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Editor, Habits, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

EDITS = [{"path": "app.py", "search": "x = 1\n", "replace": "x = 2\n"}]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


async def apply(editor: Editor, **options: Any) -> dict[str, Any]:
    answer: dict[str, Any] = await editor.command("applyEdits", {"edits": EDITS, **options})
    return answer


async def test_the_digest_of_one_answer_is_what_the_next_request_expects(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        file = editor.folder / "app.py"
        file.write_text("x = 1\n")
        answer = await apply(editor, expected={"app.py": digest("x = 1\n")})
        [change] = answer["files"]
        assert (change["oldSha256"], change["newSha256"]) == (digest("x = 1\n"), digest("x = 2\n"))
        assert answer["edits"][0]["code"] is None
        back = [{"path": "app.py", "search": "x = 2\n", "replace": "x = 1\n"}]
        expected = {file.as_uri(): change["newSha256"]}
        answer = await apply(editor, edits=back, expected=expected)
        assert (answer["edits"][0]["status"], file.read_text()) == ("applied", "x = 1\n")


async def test_a_stale_file_is_a_conflict_named_by_its_code_and_nothing_is_written(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        file = editor.folder / "app.py"
        file.write_text("x = 1\ny = 1\n")
        for dry_run in (True, False):
            answer = await apply(editor, expected={"app.py": digest("x = 1\n")}, dryRun=dry_run)
            [edit] = answer["edits"]
            assert (edit["status"], edit["code"]) == ("conflict", "stale-file")
            assert "app.py has changed since it was read" in edit["feedback"]
            assert answer["applied"] is False
        assert file.read_text() == "x = 1\ny = 1\n"


async def test_unsaved_changes_make_a_file_stale(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py", "x = 1\n")
        editor.type(buffer, 0, 0, "# typed\n")
        answer = await apply(editor, expected={"app.py": digest("x = 1\n")})
        assert answer["edits"][0]["code"] == "stale-file"
        assert buffer.text == "# typed\nx = 1\n"
        answer = await apply(editor, expected={"app.py": digest("# typed\nx = 1\n")})
        assert answer["edits"][0]["status"] == "applied"


@pytest.mark.parametrize("expected", [{"app.py": "1234"}, {"app.py": None}, ["app.py"], {"app.py": "g" * 64}])
async def test_what_is_no_digest_is_named(tmp_path: Path, expected: Any) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / "app.py").write_text("x = 1\n")
        with pytest.raises(JsonRpcException, match="expected"):
            await apply(editor, expected=expected)
        assert (await apply(editor, expected=None))["applied"] is True
