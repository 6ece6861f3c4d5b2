"""What to send back to the model about an answer of which not all was applied."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.editor import APP, Editor, block, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")

FORM = "in this form."
MISSING = "nothing like it at all\n"


def answer(editor: Editor, folder: Path, *edits: tuple[str, str]) -> str:
    blocks = [block(folder / "app.py", search, replace, editor) for search, replace in edits]
    return f"Two changes.\n\n{''.join(blocks)}"


async def test_it_is_about_the_whole_answer_and_has_a_form(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    text = answer(editor, folder, ("    return 2\n", "    return 3\n"), (MISSING, "x\n"))
    done = await editor.command("applyEdits", {"text": text, "atomic": "edit"})
    assert done["feedback"].startswith("Applied, and not to be sent again: ")
    assert FORM in done["feedback"]
    assert "--" not in done["feedback"].partition(FORM)[0]
    assert (await editor.command("listPendingEdits"))["feedback"] == done["feedback"]
    await editor.command("discardEdit", {"all": True})


async def test_there_is_none_where_all_is_applied_or_edits_are_given(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    text = answer(editor, folder, ("    return 2\n", "    return 3\n"))
    assert (await editor.command("applyEdits", {"text": text}))["feedback"] == ""
    edit = {"path": "app.py", "operation": "replace", "search": MISSING, "replace": "x\n"}
    asked = {"edits": [edit], "baseUri": folder.as_uri()}
    assert (await editor.command("applyEdits", asked))["feedback"] == ""
    listed = await editor.command("listPendingEdits")
    assert listed["feedback"].startswith("Your edit was not applied.")
    await editor.command("discardEdit", {"all": True})
    assert (await editor.command("listPendingEdits"))["feedback"] == ""


async def test_what_a_person_has_settled_is_not_asked_for_again(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    text = answer(editor, folder, ("    value = 1\n", "    value = 5\n"), (MISSING, "x\n"))
    done = await editor.command("applyEdits", {"text": text, "atomic": "edit"})
    ambiguous, _ = done["edits"]
    assert "Edit 1 of " in done["feedback"]
    await editor.command("resolveEdit", {"edit": ambiguous["id"], "candidate": 1})
    assert buffer.text == APP.replace("    value = 1\n", "    value = 5\n", 1)
    said = (await editor.command("listPendingEdits"))["feedback"]
    assert "Edit 1 of " not in said
    assert "The edit of " in said
    assert FORM in said
    await editor.command("discardEdit", {"all": True})


async def test_an_answer_without_an_edit_is_asked_for_again(editor: Editor, folder: Path) -> None:
    done = await editor.command("applyEdits", {"text": "Rename `total` in `app.py` as you like.\n"})
    assert done["edits"] == []
    assert done["feedback"].startswith("There is no edit in your answer")
    assert FORM in done["feedback"]


async def test_a_proposal_is_for_a_person_to_accept(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    text = f"In `{(folder / 'app.py').name}`, change `return 2` to `return 4`, as the others do.\n"
    done = await editor.command("applyEdits", {"text": text, "baseUri": folder.as_uri()})
    assert [one["status"] for one in done["edits"]] == ["proposed"]
    assert "Then send nothing: a person makes them." in done["feedback"]
    await editor.command("discardEdit", {"all": True})
