"""Chats in an editor: lenses over what the model says, actions for what it takes back, previews with it."""

from __future__ import annotations

from pathlib import Path

import pytest
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import Buffer, Editor, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")


def block(editor: Editor, path: Path, value: int) -> str:
    name = path.relative_to(editor.folder).as_posix()
    return f"{name}\n<<<<<<< SEARCH\n    return 2\n=======\n    return {value}\n>>>>>>> REPLACE\n"


def chat(editor: Editor, folder: Path, text: str) -> Buffer:
    return editor.open(f"untitled:{folder.name}-chat.md", text, "markdown")


async def test_lenses_are_over_the_blocks_of_the_model_only(editor: Editor, folder: Path) -> None:
    path = folder / "app.py"
    opened(editor, path)
    theirs, first, second = (block(editor, path, value) for value in (20, 21, 22))
    text = f"## User\n\n{theirs}\n## Assistant\n\n{first}\n## User\n\nNo.\n\n## Assistant\n\n{second}"
    asked = chat(editor, folder, text)
    lines = {lens.range.start.line for lens in await editor.lenses(asked)}
    starts = [number for number, line in enumerate(text.splitlines()) if "SEARCH" in line]
    assert starts[0] not in lines
    assert {starts[1], starts[2]} <= lines
    editor.close(asked)


async def test_all_edits_of_a_document_are_those_of_the_last_answer(editor: Editor, folder: Path) -> None:
    path = folder / "app.py"
    buffer = opened(editor, path)
    first, second = (block(editor, path, value) for value in (21, 22))
    asked = chat(
        editor, folder, f"## User\n\nA?\n\n## Assistant\n\n{first}\n## User\n\nB?\n\n## Assistant\n\n{second}"
    )
    result = await editor.command("applyEdits", {"document": {"uri": asked.uri}})
    assert (result["turn"], result["turns"]) == (2, 2)
    assert "    return 22\n" in buffer.text
    editor.close(asked)


async def test_a_block_that_is_taken_back_is_applied_only_where_a_person_insists(
    editor: Editor, folder: Path
) -> None:
    path = folder / "app.py"
    buffer = opened(editor, path)
    before = buffer.text
    asked = chat(editor, folder, f"{block(editor, path, 22)}\nWait, ignore that.\n")
    result = await editor.command("applyEdits", {"document": {"uri": asked.uri}})
    assert [(one["status"], one["code"]) for one in result["edits"]] == [("rejected", "retracted")]
    assert buffer.text == before
    titles = {lens.command.title for lens in await editor.lenses(asked) if lens.command}
    assert "Withdrawn by the answer" in titles
    found = await editor.actions(asked, asked.text.index("return 2"))
    [insist] = [one for one in found if one.title == "Apply this edit anyway"]
    await editor.choose(insist)
    assert "    return 22\n" in buffer.text
    editor.close(asked)


async def test_one_of_several_ways_is_chosen_by_its_name(editor: Editor, folder: Path) -> None:
    path = folder / "app.py"
    buffer = opened(editor, path)
    one, other = block(editor, path, 22), block(editor, path, 1).replace("return 2\n", "value = 1\n", 1)
    asked = chat(editor, folder, f"### Option A\n\n{one}\n### Option B\n\n{other}")
    result = await editor.command("applyEdits", {"document": {"uri": asked.uri}})
    assert {one["code"] for one in result["edits"]} == {"alternative"}
    found = await editor.actions(asked, asked.text.index("return 22"))
    [choose] = [one for one in found if one.title == "Choose Option A"]
    await editor.choose(choose)
    assert "    return 22\n" in buffer.text
    assert "value = 1\n" in buffer.text
    editor.close(asked)


async def test_a_turn_that_is_not_there_is_refused_by_name(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    text = block(editor, folder / "app.py", 22)
    with pytest.raises(JsonRpcException, match="there is no turn 2; the answers with edits are 1") as refused:
        await editor.command("applyEdits", {"text": text, "turn": "2"})
    assert refused.value.data == {"code": "no-such-turn"}
