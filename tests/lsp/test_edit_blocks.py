"""Edit blocks in the documents they are written in: diagnostics, lenses and actions, in every client."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import APP, Buffer, Editor, block, opened, shown_at

pytestmark = pytest.mark.asyncio(loop_scope="module")


def chat(editor: Editor, folder: Path, *blocks: str) -> Buffer:
    text = (
        "# Question\n\nPlease change it.\n\n# Answer\n\nHere it is:\n\n"
        + "\nand\n\n".join(blocks)
        + "\nDone.\n"
    )
    return editor.open(f"untitled:{folder.name}-chat.md", text, "markdown")


def titles(lenses: list[types.CodeLens]) -> list[str]:
    return [lens.command.title for lens in lenses if lens.command is not None]


async def test_a_block_that_fits_has_a_lens_that_applies_it(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "    return 2\n", "    return 3\n", editor))
    lenses = await editor.lenses(asked)
    assert titles(lenses) == ["Apply", "Preview"]
    line = asked.text.splitlines()[lenses[0].range.start.line]
    assert line.endswith("app.py") or "SEARCH" in line
    await editor.press(lenses[0])
    assert buffer.text == APP.replace("return 2", "return 3")
    assert "Applied" in titles(await editor.lenses(asked))
    assert not editor.diagnostics.get(asked.uri)


async def test_a_block_is_found_as_the_document_changes(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    asked = chat(editor, folder)
    assert await editor.lenses(asked) == []
    wrong = block(folder / "app.py", "    value = 1\n", "    value = 2\n", editor)
    editor.type(asked, len(asked.text), len(asked.text), wrong)
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    (diagnostic,) = editor.diagnostics[asked.uri]
    assert diagnostic.code == "ambiguous-edit"
    assert "app.py:2" in diagnostic.message
    assert "app.py:7" in diagnostic.message
    editor.type(asked, len(asked.text) - len(wrong), len(asked.text), "")
    await editor.until(lambda: not editor.diagnostics[asked.uri])


async def test_each_outcome_is_shown_on_its_block(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    path = folder / "app.py"
    asked = chat(
        editor,
        folder,
        block(path, "    value = 1\n", "    value = 2\n", editor),
        block(path, "nothing like this occurs there at all\n", "x\n", editor),
        "../outside.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>> REPLACE\n",
        block(path, "\treturn 2\n", "\treturn 3\n", editor),
        f"{path.relative_to(editor.folder)}\n<<<<<<< SEARCH\nnever ends\n",
    )
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    codes = {diagnostic.code for diagnostic in editor.diagnostics[asked.uri]}
    assert codes == {"ambiguous-edit", "edit-not-found", "edit-rejected", "fuzzy-edit", "malformed-edit"}
    shown = titles(await editor.lenses(asked))
    assert "Ambiguous: 2 places" in shown
    assert "Not found" in shown
    assert "Refused" in shown
    assert "Cannot be read" in shown
    assert any(title.startswith("Apply (found by") for title in shown)


async def test_a_block_can_be_put_at_a_candidate_from_the_chat(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "    value = 1\n", "    value = 5\n", editor))
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    actions = await editor.actions(asked, asked.text.index("SEARCH"), only=["quickfix"])
    second = next(action for action in actions if "candidate 2" in action.title)
    assert second.diagnostics
    await editor.choose(second)
    assert buffer.text.count("value = 5") == 1
    assert buffer.text.index("value = 5") > buffer.text.index("second")
    # One place is left that the block would fit, and nobody chose it.
    after = buffer.text
    answered = await editor.command("applyEdits", {"document": {"uri": asked.uri}})
    assert [edit["status"] for edit in answered["edits"]] == ["alreadyApplied"]
    assert buffer.text == after
    offered = await editor.actions(asked, asked.text.index("SEARCH"))
    assert all(action.disabled for action in offered if action.title == "Apply this edit")


async def test_blocks_can_be_put_at_candidates_one_right_after_the_other(
    editor: Editor, folder: Path
) -> None:
    paths = [folder / "app.py", folder / "other.py"]
    buffers = [opened(editor, path) for path in paths]
    doubled = [block(path, "    value = 1\n", "    value = 2\n", editor) for path in paths]
    asked = chat(editor, folder, *doubled)
    await editor.until(lambda: len(editor.diagnostics.get(asked.uri, [])) == 2)
    chosen = []
    for place in (asked.text.index("SEARCH"), asked.text.rindex("SEARCH")):
        offered = await editor.actions(asked, place)
        chosen.append(next(one for one in offered if "at candidate 2" in one.title))
    for action in chosen:
        await editor.choose(action)
    first, second = APP.split("def second")
    wanted = f"{first}def second{second.replace('value = 1', 'value = 2')}"
    assert [buffer.text for buffer in buffers] == [wanted, wanted]


async def test_the_blocks_that_match_can_be_applied_alone(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    path = folder / "app.py"
    asked = chat(
        editor,
        folder,
        block(path, "    return 2\n", "    return 3\n", editor),
        block(path, "nothing like this occurs there at all\n", "x\n", editor),
    )
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    actions = await editor.actions(asked, asked.text.index("SEARCH"), only=["refactor.rewrite"])
    assert [action.title for action in actions] == [
        "Apply this edit",
        "Preview this edit",
        "Apply all edits in this document",
        "Apply the edits that match",
        "Preview all edits in this document",
    ]
    await editor.choose(actions[2])
    assert buffer.text == APP
    await editor.choose(actions[3])
    assert buffer.text == APP.replace("return 2", "return 3")
    await editor.command("discardEdit", {"all": True})


async def test_an_action_is_resolved_lazily_only_where_the_editor_then_runs_what_was_resolved(
    editor: Editor, folder: Path
) -> None:
    opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "    return 2\n", "    return 3\n", editor))
    actions = await editor.actions(asked, asked.text.index("SEARCH"))
    assert actions
    declared = editor.declared["textDocument"]["codeAction"]
    lazy = "resolveSupport" in declared and not editor.habits.runs_the_unresolved
    for action in actions:
        if action.disabled is None:
            assert (action.command is None) == lazy
            assert (action.data is not None) == lazy
    await editor.choose(next(action for action in actions if action.title == "Apply this edit"))
    assert "return 3" in editor.buffers[(folder / "app.py").as_uri()].text


async def test_applying_comes_before_discarding_where_a_block_does_not_match_exactly(
    editor: Editor, folder: Path
) -> None:
    opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "\treturn 2\n", "\treturn 3\n", editor))
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    (shown,) = editor.diagnostics[asked.uri]
    assert shown.code == "fuzzy-edit"
    fixes = await editor.actions(asked, asked.text.index("SEARCH"), only=["quickfix"])
    assert [action.title for action in fixes] == ["Apply this edit", "Discard this edit"]


async def test_a_preview_is_shown(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "    return 2\n", "    return 3\n", editor))
    shown = len(editor.shown_documents)
    said = len(editor.messages)
    await editor.press((await editor.lenses(asked))[1])
    if editor.declared.get("window", {}).get("showDocument", {}).get("support"):
        uri = editor.shown_documents[shown].uri
    else:
        uri = shown_at(editor.messages[said].message)
    assert "+    return 3\n" in await editor.content(uri)
    if "textDocumentContent" in editor.declared["workspace"]:
        assert uri.startswith("patchpoint:")
        assert "patchpoint" in str([one.register_options for one in editor.registered])


async def test_a_block_follows_its_target(editor: Editor, folder: Path) -> None:
    buffer = opened(editor, folder / "app.py")
    asked = chat(editor, folder, block(folder / "app.py", "    return 2\n", "    return 3\n", editor))
    assert titles(await editor.lenses(asked)) == ["Apply", "Preview"]
    editor.replace(buffer, "nothing of it is left\n")
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    assert [diagnostic.code for diagnostic in editor.diagnostics[asked.uri]] == ["edit-not-found"]
    editor.undo(buffer)
    await editor.until(lambda: not editor.diagnostics[asked.uri])
    editor.close(asked)


async def test_a_chat_is_set_back_to_the_message_whose_edits_were_applied(
    editor: Editor, folder: Path
) -> None:
    path = folder / "closed.py"
    path.write_text("x = 1\n")
    asked = chat(editor, folder, block(path, "x = 1\n", "x = 2\n", editor))
    before = asked.text
    await editor.press((await editor.lenses(asked))[0])
    assert path.read_text() == "x = 2\n"
    editor.type(asked, len(asked.text), len(asked.text), "\n# Question\n\nAnd then?\n\n# Answer\n\nThat.\n")
    path.write_text("x = 3\n")
    (restore,) = [lens for lens in await editor.lenses(asked) if "Restore to here" in titles([lens])]
    assert asked.text.splitlines()[restore.range.start.line] == "# Answer"
    assert restore.command is not None
    assert restore.command.arguments is not None
    foreseen = await editor.command(
        "restoreCheckpoint", {**(restore.command.arguments[0] or {}), "dryRun": True}
    )
    assert foreseen["transcript"]["messagesRemoved"] == 2
    assert "And then?" in asked.text
    restored = await editor.press(restore)
    assert path.read_text() == "x = 1\n"
    assert restored["transcript"]["messagesRemoved"] == 2
    assert restored["sessionReset"] is True
    assert asked.text.rstrip() == before.rstrip()


async def test_blocks_in_code_are_left_alone_unless_they_are_plain(editor: Editor, folder: Path) -> None:
    diff = "--- a/app.py\n+++ b/app.py\n@@ -1 +1 @@\n-gone\n+come\n"
    code = opened(editor, folder / "code.py", f'text = """\n{diff}"""\n')
    assert await editor.lenses(code) == []
