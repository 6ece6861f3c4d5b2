"""An edit of a file that starts programs is made when the user has confirmed that very edit, and not else."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import CLIENT_HABITS, Editor, Habits, declared_by, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

CLIENTS = list(CLIENT_HABITS.items())
EDITS = [
    {"path": ".vscode/tasks.json", "operation": "create", "content": "{}\n"},
    {"path": ".envrc", "search": "old\n", "replace": "new\n"},
    {"path": "app.py", "search": "x = 1\n", "replace": "x = 2\n"},
]


async def apply(editor: Editor, **options: Any) -> dict[str, Any]:
    (editor.folder / ".envrc").write_text("old\n")
    (editor.folder / "app.py").write_text("x = 1\n")
    answer: dict[str, Any] = await editor.command("applyEdits", {"edits": EDITS, **options})
    return answer


def statuses(answer: dict[str, Any]) -> list[str]:
    return [edit["status"] for edit in answer["edits"]]


def contents(folder: Path) -> list[str]:
    tasks = folder / ".vscode/tasks.json"
    return [(folder / ".envrc").read_text(), (folder / "app.py").read_text(), str(tasks.exists())]


UNTOUCHED = ["old\n", "x = 1\n", "False"]


@pytest.mark.parametrize(("client", "habits"), CLIENTS, ids=lambda one: one if isinstance(one, str) else "")
async def test_every_client_that_can_ask_asks_once_and_the_others_say_what_to_do(
    tmp_path: Path, client: str, habits: Habits
) -> None:
    async with session(tmp_path, habits, declared_by(client)) as editor:
        editor.answer = "Apply"
        answer = await apply(editor)
        if habits.knows_no_questions:
            assert statuses(answer) == ["rejected", "rejected", "held"]
            assert "patchpoint apply --allow-executing-files" in answer["edits"][0]["message"]
            assert contents(editor.folder) == UNTOUCHED
            return
        assert statuses(answer) == ["applied"] * 3
        assert contents(editor.folder) == ["new\n", "x = 2\n", "True"]
        [question] = editor.questions
        assert ".envrc can start programs without being asked to (it is read by direnv," in question.message
        assert "(it is read by VS Code, when the folder is opened)" in question.message
        assert "app.py" not in question.message
        assert "can start programs" in answer["edits"][0]["message"]
        await editor.command("revertEdits", {"application": answer["application"]})
        assert contents(editor.folder) == UNTOUCHED
        assert len(editor.questions) == 1


@pytest.mark.parametrize("answer_given", ["Do not apply", None, "Sure"])
async def test_what_is_not_confirmed_is_not_applied(tmp_path: Path, answer_given: str | None) -> None:
    async with session(tmp_path, Habits()) as editor:
        editor.answer = answer_given
        answer = await apply(editor)
        assert statuses(answer) == ["rejected", "rejected", "held"]
        assert "did not confirm" in answer["edits"][0]["message"]
        assert answer["checkpoint"] is None
        assert contents(editor.folder) == UNTOUCHED
        answer = await apply(editor, atomic="edit")
        assert statuses(answer) == ["rejected", "rejected", "applied"]
        assert contents(editor.folder) == ["old\n", "x = 2\n", "False"]
        assert len(editor.questions) == 2


async def test_a_setting_that_wants_no_confirmations_does_not_mean_these(tmp_path: Path) -> None:
    options = {"apply": {"confirm": "never"}}
    capabilities = declared_by("nvim-0.11.4")
    capabilities["workspace"].pop("configuration", None)
    async with session(tmp_path, Habits(), capabilities, initializationOptions=options) as editor:
        assert statuses(await apply(editor))[0] == "rejected"
        assert len(editor.questions) == 1


async def test_a_client_that_asked_its_user_itself_is_not_asked(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(knows_no_questions=True)) as editor:
        assert statuses(await apply(editor, allowExecutingFiles=True)) == ["applied"] * 3
        assert editor.questions == []


async def test_nothing_is_asked_where_nothing_would_be_applied(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        (editor.folder / ".envrc").write_text("other\n")
        (editor.folder / "app.py").write_text("x = 1\n")
        answer = await editor.command("applyEdits", {"edits": EDITS})
        assert statuses(answer) == ["held", "notFound", "held"]
        await editor.command("applyEdits", {"edits": EDITS, "dryRun": True})
        assert editor.questions == []


async def test_an_open_buffer_of_such_a_file_is_asked_about_too(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / ".envrc", "old\n")
        answer = await editor.command("applyEdits", {"edits": [EDITS[1]]})
        assert statuses(answer) == ["rejected"]
        assert buffer.text == "old\n"
        editor.answer = "Apply"
        assert statuses(await editor.command("applyEdits", {"edits": [EDITS[1]]})) == ["applied"]
        assert buffer.text == "new\n"


async def test_a_question_that_nobody_answers_is_cancelled_with_the_request(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(never_answers_questions=True)) as editor:
        (editor.folder / ".envrc").write_text("old\n")
        applying = asyncio.ensure_future(editor.command("applyEdits", {"edits": [EDITS[1]]}, token="mine"))
        await editor.until(lambda: editor.questions)
        assert (await editor.command("takeCheckpoint"))["kind"] == "manual"
        editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="mine"))
        with pytest.raises(JsonRpcException) as caught:
            await applying
        assert caught.value.code == -32800
        assert (editor.folder / ".envrc").read_text() == "old\n"
