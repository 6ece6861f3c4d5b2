"""Code in a chat that names no file: a hint on its fence, and an action for each file that may be meant."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from tests.lsp.editor import APP, Buffer, Editor, opened

pytestmark = pytest.mark.asyncio(loop_scope="module")

FIXED = "Here is the fixed function:\n\n```python\n{}```\n"


def own(folder: Path) -> tuple[str, str, str]:
    """Return a file with a definition that no other folder has, that one changed, and the file then."""
    text = APP.replace("second", f"second_{folder.name}")
    head, name, _ = text.partition(f"def second_{folder.name}")
    new = f"{name}():\n    value = 1\n    return 22\n"
    return text, new, head + new


def chat(editor: Editor, folder: Path, answer: str) -> Buffer:
    text = f"# Question\n\nWhy?\n\n# Answer\n\n{answer}\nDone.\n"
    return editor.open(f"untitled:{folder.name}-unplaced.md", text, "markdown")


async def test_it_has_a_hint_and_is_applied_to_the_file_that_has_its_definition(
    editor: Editor, folder: Path
) -> None:
    old, new, after = own(folder)
    buffer = opened(editor, folder / "app.py", old)
    asked = chat(editor, folder, FIXED.format(new))
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    (hint,) = editor.diagnostics[asked.uri]
    assert (hint.code, hint.severity) == ("unplaced-code", types.DiagnosticSeverity.Hint)
    assert f"this shows second_{folder.name}: no path names its file" in hint.message
    assert asked.text.splitlines()[hint.range.start.line] == "```python"
    titles = [one.title for one in await editor.actions(asked, asked.text.index("```"))]
    [title] = [title for title in titles if title.startswith("Apply to ")]
    assert title.endswith("app.py")
    [apply] = [one for one in await editor.actions(asked, asked.text.index("22")) if one.title == title]
    await editor.choose(apply)
    assert buffer.text == after
    editor.close(asked)


async def test_several_files_that_may_be_meant_are_offered_each(editor: Editor, folder: Path) -> None:
    old, new, _ = own(folder)
    (folder / "old.py").write_text(old)
    opened(editor, folder / "app.py", old)
    asked = chat(editor, folder, FIXED.format(new))
    found = await editor.actions(asked, asked.text.index("```"))
    names = [one.title.rpartition("/")[2] for one in found if one.title.startswith("Apply to ")]
    assert [name.removeprefix("Apply to ") for name in names] == ["app.py", "old.py"]
    result = await editor.command("applyEdits", {"document": {"uri": asked.uri}})
    assert result["edits"] == []
    assert "it could be for " in result["unplaced"][0]["message"]
    editor.close(asked)
    (folder / "old.py").unlink()


async def test_a_request_applies_it_where_one_file_alone_can_be_meant(editor: Editor, folder: Path) -> None:
    old, new, after = own(folder)
    buffer = opened(editor, folder / "app.py", old)
    text = f"Here is the fixed function:\n\n```python\n{new}```\n\nRun:\n\n```bash\nmake\n```\n"
    result = await editor.command("applyEdits", {"text": text})
    assert [edit["status"] for edit in result["edits"]] == ["applied"]
    assert [one["line"] for one in result["unplaced"]] == [11]
    assert buffer.text == after


async def test_code_after_code_that_names_its_file_is_applied_with_it(editor: Editor, folder: Path) -> None:
    old, new, after = own(folder)
    buffer = opened(editor, folder / "app.py", old)
    first = "def first():\n    value = 10\n    return value\n"
    name = (folder / "app.py").relative_to(editor.folder).as_posix()
    text = f"Change `first` in `{name}`:\n\n```python\n{first}```\n\nand\n\n```python\n{new}```\n\nDone.\n"
    result = await editor.command("applyEdits", {"text": text})
    assert [edit["status"] for edit in result["edits"]] == ["applied", "applied"]
    assert result["unplaced"] == []
    assert buffer.text == after.replace("value = 1\n", "value = 10\n", 1)


async def test_a_helper_without_a_file_holds_back_the_code_that_calls_it(
    editor: Editor, folder: Path
) -> None:
    buffer = opened(editor, folder / "app.py")
    before = buffer.text
    name = (folder / "app.py").relative_to(editor.folder).as_posix()
    helper = "First a helper:\n\n```python\ndef ten():\n    return 10\n```\n"
    first = "def first():\n    value = ten()\n    return value\n"
    text = f"{helper}\nThen `first` in `{name}`:\n\n```python\n{first}```\n\nDone.\n"
    result = await editor.command("applyEdits", {"text": text})
    assert [(one["status"], one["code"]) for one in result["edits"]] == [("conflict", "incomplete-answer")]
    assert "It uses `ten`" in result["edits"][0]["message"]
    assert buffer.text == before
    result = await editor.command("applyEdits", {"text": text, "atomic": "edit"})
    assert [one["status"] for one in result["edits"]] == ["applied"]
    assert "It uses `ten`" in result["edits"][0]["message"]


async def test_an_example_has_no_hint_and_no_action(editor: Editor, folder: Path) -> None:
    opened(editor, folder / "app.py")
    wrong = "<<<<<<< SEARCH\nnowhere\n=======\n>>>>>>> REPLACE\n"
    asked = chat(editor, folder, f"Call it like this, for example:\n\n```python\nfirst()\n```\n\n{wrong}")
    await editor.until(lambda: editor.diagnostics.get(asked.uri))
    assert "unplaced-code" not in [one.code for one in editor.diagnostics[asked.uri]]
    titles = [one.title for one in await editor.actions(asked, asked.text.index("```"))]
    assert not [title for title in titles if title.startswith("Apply to ")]
    editor.close(asked)
