"""A person chooses among the candidates that were shown: an edit goes to no other place for that choice."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Buffer, Editor, Habits, block, opened
from tests.lsp.sessions import session

pytestmark = pytest.mark.asyncio

SAME = "    value = 1\n"
ONE_MORE = f"def zeroth():\n{SAME}\n\n"


@contextmanager
def refusal() -> Iterator[None]:
    """What is done within is refused, because the candidates are not those that were shown."""
    with pytest.raises(JsonRpcException) as caught:
        yield
    assert caught.value.code == -32803
    assert caught.value.data == {"code": "candidate-moved"}


async def ambiguous(editor: Editor) -> tuple[Buffer, str]:
    """An open file with an edit that could go to two places, and the edit's id."""
    buffer = opened(editor, editor.folder / "app.py")
    text = block(editor.folder / "app.py", SAME, SAME.replace("1", "5"), editor)
    (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
    assert len(edit["candidates"]) == 2
    return buffer, edit["id"]


async def test_a_choice_is_refused_when_another_place_has_the_number_now(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, _ = await ambiguous(editor)
        actions = await editor.actions(buffer, APP.index(SAME), only=["quickfix"])
        editor.type(buffer, 0, 0, ONE_MORE)
        with refusal():
            await editor.choose(actions[1])
        assert buffer.text == ONE_MORE + APP


async def test_a_choice_without_its_range_is_held_against_what_was_shown_last(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, name = await ambiguous(editor)
        editor.type(buffer, 0, 0, ONE_MORE)
        with refusal():
            await editor.command("resolveEdit", {"edit": name, "candidate": 2})
        assert buffer.text == ONE_MORE + APP
        (edit,) = (await editor.command("listPendingEdits"))["edits"]
        assert len(edit["candidates"]) == 3
        place = edit["candidates"][1]["range"]
        answer = await editor.command("resolveEdit", {"edit": name, "candidate": 2, "range": place})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == ONE_MORE + APP.replace("1", "5", 1)


async def test_a_choice_in_a_chat_document_is_one_of_a_place_too(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = block(editor.folder / "app.py", SAME, SAME.replace("1", "5"), editor)
        chat = editor.open("untitled:chat", answer, language="markdown")
        actions = await editor.actions(chat, answer.index("SEARCH"), only=["quickfix"])
        second = next(action for action in actions if "candidate 2" in action.title)
        editor.type(buffer, 0, 0, ONE_MORE)
        await editor.lenses(chat)
        with refusal():
            await editor.choose(second)
        actions = await editor.actions(chat, answer.index("SEARCH"), only=["quickfix"])
        await editor.choose(next(action for action in actions if "candidate 2" in action.title))
        assert buffer.text == ONE_MORE + APP.replace("1", "5", 1)


async def test_an_edit_that_would_break_its_file_waits_until_a_person_insists(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "scale.go", "package scale\n\nvar a  = f(1)\n")
        text = block(editor.folder / "scale.go", "var a = f(1)\n", "var a = f(2\n", editor)
        (edit,) = (await editor.command("applyEdits", {"text": text}))["edits"]
        assert edit["status"] == "notFound"
        assert "line 3" in edit["message"]
        assert len(edit["candidates"]) == 1
        answer = await editor.command("resolveEdit", {"edit": edit["id"], "candidate": 1})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == "package scale\n\nvar a  = f(2\n"


async def test_a_function_shown_alone_goes_below_the_one_that_is_chosen(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        new = "def third():\n    value = 3\n"
        (edit,) = (await editor.command("applyEdits", {"text": f"`app.py`:\n\n```python\n{new}```\n"}))[
            "edits"
        ]
        assert edit["status"] == "ambiguous"
        assert [each["where"] for each in edit["candidates"]] == ["below first", "below second"]
        actions = await editor.actions(buffer, APP.index("def first"), only=["quickfix"])
        first = next(action for action in actions if "below first" in action.title)
        assert buffer.text == APP
        await editor.choose(first)
        at = APP.index("def second")
        assert buffer.text == APP[:at] + new + "\n\n" + APP[at:]


async def test_the_candidate_at_the_cursor_is_offered_first_under_its_own_number(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, _ = await ambiguous(editor)
        actions = await editor.actions(buffer, APP.rindex(SAME), only=["quickfix"])
        assert [action.title for action in actions][:2] == [
            "Apply the edit at candidate 2 (line 7, in second)",
            "Apply the edit at candidate 1 (line 2, in first)",
        ]
        await editor.choose(actions[0])
        at = APP.rindex(SAME)
        assert buffer.text == APP[:at] + APP[at:].replace("1", "5", 1)


async def test_a_pending_edit_has_the_number_that_it_has_in_its_answer(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        opened(editor, editor.folder / "app.py")
        path = editor.folder / "app.py"
        fits = block(path, "    return 2\n", "    return 3\n", editor)
        asked = block(path, SAME, SAME.replace("1", "5"), editor)
        answer = await editor.command("applyEdits", {"text": f"{fits}\n{asked}", "atomic": "edit"})
        refused = [each["index"] for each in answer["edits"] if each["status"] == "ambiguous"]
        (edit,) = (await editor.command("listPendingEdits"))["edits"]
        assert refused == [1]
        assert edit["index"] == 1


async def test_what_a_choice_would_change_is_shown_first(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer, name = await ambiguous(editor)
        for number, where in ((1, "in first"), (2, "in second")):
            dry = await editor.command("resolveEdit", {"edit": name, "candidate": number, "dryRun": True})
            ((hunk,),) = (file["hunks"] for file in dry["files"])
            changed = [line for line in hunk["diff"].splitlines() if line[0] in "+-"]
            assert changed == ["-    value = 1", "+    value = 5"]
            assert hunk["where"] == where
        assert dry["application"] is None
        assert buffer.text == APP
        (edit,) = (await editor.command("listPendingEdits"))["edits"]
        assert edit["id"] == name
