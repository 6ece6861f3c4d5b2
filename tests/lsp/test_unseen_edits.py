"""Editors that show what they made of an edit only after the response to the command, as Emacs does."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patchpoint.lsp.applying.missed_changes import apart_from_others, surviving_splices
from patchpoint.text.splice import Splice, apply_splices
from tests.lsp.editor import APP, Buffer, Editor, Habits, block, declared_by, opened
from tests.lsp.sessions import CHANGED, return_3, session

EGLOT = declared_by("eglot-emacs30")
IDLE = Habits(shows_changes_when_idle=True)
LIES = Habits(lies=True)
NOTE = "The editor reports that it made the edit; the buffer has not been seen yet."


def warnings(editor: Editor) -> list[str]:
    return [message.message for message in editor.messages]


async def pending(editor: Editor) -> list[tuple[str, str]]:
    edits = (await editor.command("listPendingEdits"))["edits"]
    editor.idle()
    return [(Path(edit["uri"]).name, edit["status"]) for edit in edits]


def with_closed(editor: Editor) -> str:
    """An answer that also turns closed.py from 1 to 2."""
    (editor.folder / "closed.py").write_text("x = 1\n")
    return return_3(editor) + block(editor.folder / "closed.py", "x = 1\n", "x = 2\n", editor)


@pytest.mark.asyncio
async def test_an_edit_that_the_editor_cannot_show_yet_counts_as_made_and_says_so(tmp_path: Path) -> None:
    async with session(tmp_path, IDLE, EGLOT) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": with_closed(editor)})
        assert answer["applied"] is True
        assert [edit["status"] for edit in answer["edits"]] == ["applied", "applied"]
        assert [NOTE in edit["message"] for edit in answer["edits"]] == [True, False]
        assert [edit["code"] for edit in answer["edits"]] == ["unseen", None]
        assert (buffer.text, (editor.folder / "closed.py").read_text()) == (CHANGED, "x = 2\n")
        editor.idle()
        assert await pending(editor) == []
        reverted = await editor.command("revertEdits", {"application": answer["application"]})
        editor.idle()
        assert {edit["status"] for edit in reverted["edits"]} == {"reverted"}
        assert (buffer.text, (editor.folder / "closed.py").read_text()) == (APP, "x = 1\n")
        assert warnings(editor) == []


@pytest.mark.asyncio
async def test_what_the_user_typed_before_the_editor_was_idle_is_no_reason_to_doubt(tmp_path: Path) -> None:
    async with session(tmp_path, IDLE, EGLOT) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        await editor.command("applyEdits", {"text": return_3(editor)})
        editor.type(buffer, 0, 0, "# typed meanwhile\n")
        editor.idle()
        assert await pending(editor) == []
        text = block(editor.folder / "app.py", "    return 3\n", "    return 4\n", editor)
        await editor.command("applyEdits", {"text": text})
        assert buffer.text == "# typed meanwhile\n" + CHANGED.replace("return 3", "return 4")
        assert warnings(editor) == []


def type_elsewhere(editor: Editor, buffer: Buffer) -> None:
    editor.type(buffer, 0, 0, "# typed later\n")


def save(editor: Editor, buffer: Buffer) -> None:
    editor.save(buffer)


def close(editor: Editor, buffer: Buffer) -> None:
    editor.close(buffer)


@pytest.mark.asyncio
@pytest.mark.parametrize("sign", [type_elsewhere, save, close])
async def test_an_edit_that_the_editor_only_reported_is_pending_again_at_the_first_change(
    tmp_path: Path, sign: Any
) -> None:
    async with session(tmp_path, LIES, EGLOT) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": with_closed(editor)})
        assert [NOTE in edit["message"] for edit in answer["edits"]] == [True, False]
        assert [edit["code"] for edit in answer["edits"]] == ["unseen", None]
        assert await pending(editor) == []
        sign(editor, buffer)
        await editor.until(lambda: warnings(editor))
        assert "reported that it changed app.py" in warnings(editor)[0]
        await editor.until(lambda: any(name.endswith("PendingEdits") for name, _ in editor.notified))
        assert await pending(editor) == [("app.py", "matched")]


@pytest.mark.asyncio
async def test_an_edit_dropped_as_stale_and_reported_as_made_is_noticed(tmp_path: Path) -> None:
    habits = Habits(drops_stale_edits_silently=True)
    async with session(tmp_path, habits) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        await editor.command("listPendingEdits")
        buffer.version += 5
        await editor.command("applyEdits", {"text": return_3(editor)})
        editor.type(buffer, 0, 0, "# what made it stale\n")
        await editor.until(lambda: warnings(editor))
        assert await pending(editor) == [("app.py", "matched")]
        assert buffer.text == "# what made it stale\n" + APP


@pytest.mark.asyncio
async def test_nothing_more_is_changed_in_a_buffer_that_has_not_been_seen(tmp_path: Path) -> None:
    async with session(tmp_path, IDLE, EGLOT) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path)
        second = "def second():\n    value = 1\n    return 2\n"
        forth = block(path, second, second.replace("2", "3"), editor)
        back = block(path, second.replace("2", "3"), second, editor)
        await editor.command("applyEdits", {"text": forth})
        for text in (back, block(path, "def first():\n", "def one():\n", editor), forth):
            answer = await editor.command("applyEdits", {"text": text})
            assert answer["edits"][0]["status"] == "conflict"
            assert "has not reported" in answer["edits"][0]["message"]
        assert (buffer.text, len(editor.edits)) == (CHANGED, 1)
        editor.idle()
        # The edit that was made is overtaken now; the others can be applied where they belong.
        await editor.until(lambda: editor.notified and len(plain_edits(editor)) == 2)
        for name, _ in await named(editor):
            await editor.command("resolveEdit", {"edit": name, "candidate": 1})
            editor.idle()
        assert buffer.text == APP.replace("def first", "def one")


def plain_edits(editor: Editor) -> list[Any]:
    return list(editor.notified[-1][1].edits)


async def named(editor: Editor) -> list[tuple[str, str]]:
    edits = (await editor.command("listPendingEdits"))["edits"]
    editor.idle()
    return [(edit["id"], edit["status"]) for edit in edits]


@pytest.mark.asyncio
async def test_a_restore_writes_nothing_into_a_buffer_that_has_not_been_seen(tmp_path: Path) -> None:
    async with session(tmp_path, IDLE, EGLOT) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        editor.type(buffer, 0, 0, "# not saved\n")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        changed = buffer.text
        await editor.command("restoreCheckpoint", {"checkpoint": answer["checkpoint"]["id"]})
        assert buffer.text == changed


@pytest.mark.asyncio
async def test_an_unconfirmed_edit_is_undone_once_shown_when_a_file_of_its_request_fails(
    tmp_path: Path,
) -> None:
    habits = Habits(shows_changes_when_idle=True, asks_about_edits=True)
    async with session(tmp_path, habits, EGLOT) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = with_closed(editor)
        applying = asyncio.ensure_future(editor.command("applyEdits", {"text": text}))
        await editor.until(lambda: editor.asking)
        (editor.folder / "closed.py").write_text("changed by another program\n")
        editor.decide(True)
        answer = await applying
        assert answer["applied"] is False
        assert [edit["status"] for edit in answer["edits"]] == ["held", "conflict"]
        assert buffer.text == CHANGED
        editor.idle()
        await editor.until(lambda: editor.asking)
        editor.decide(True)
        await editor.until(lambda: buffer.text == APP)


TEXT = "one\ntwo\nthree\nfour\nfive\nsix\n"


@settings(max_examples=100, deadline=None)
@given(
    chosen=st.lists(st.booleans(), min_size=3, max_size=3),
    typed=st.sampled_from(["", "# typed\n", "two words\nmore\n"]),
    at_end=st.booleans(),
)
def test_splices_that_were_made_are_identified_though_lines_were_typed(
    chosen: list[bool], typed: str, at_end: bool
) -> None:
    splices = (Splice(4, 7, "TWO TWO"), Splice(14, 14, "new line\n"), Splice(19, 24, ""))
    assert apply_splices(TEXT, splices) == "one\nTWO TWO\nthree\nnew line\nfour\nsix\n"
    made = apply_splices(TEXT, [splice for splice, wanted in zip(splices, chosen, strict=True) if wanted])
    now = made + typed if at_end else typed + made
    assert surviving_splices(TEXT, now, splices) == tuple(chosen)
    alive = [splice for splice, wanted in zip(splices, chosen, strict=True) if wanted]
    without, forth = apart_from_others(TEXT, now, alive)
    assert without == (TEXT + typed if at_end else typed + TEXT)
    assert apply_splices(without, forth) == now
