"""Code actions that are offered in a menu alone: clients also ask in passing, and some do not say so."""

from __future__ import annotations

from pathlib import Path

import pytest
from lsprotocol import types

from patchpoint.lsp.session.menus import Menus
from tests.lsp.editor import APP, Editor, Habits, opened
from tests.lsp.sessions import return_3, session

TAKE = "Take a checkpoint"
ALL = "Apply all edits in this document"


def asked_at(line: int, trigger: types.CodeActionTriggerKind | None = None) -> types.CodeActionParams:
    here = types.Position(line, 0)
    return types.CodeActionParams(
        types.TextDocumentIdentifier("file:///app.py"),
        types.Range(here, here),
        types.CodeActionContext([], trigger_kind=trigger),
    )


def test_requests_that_follow_the_cursor_are_no_menu_although_they_do_not_say_so() -> None:
    now = 0.0
    menus = Menus(lambda: now)
    opened_menus = []
    for line in range(6):
        now += 0.5
        opened_menus.append(menus.is_opened(asked_at(line)))
    assert opened_menus == [True, True, False, False, False, False]
    now += 3
    assert menus.is_opened(asked_at(5)), "somebody opens the menu where the cursor is"
    assert not menus.is_opened(asked_at(6))
    now += 60
    assert menus.is_opened(asked_at(7))


def test_what_a_client_says_of_its_requests_is_believed() -> None:
    menus = Menus(lambda: 0.0)
    for line in range(6):
        assert menus.is_opened(asked_at(line, types.CodeActionTriggerKind.Invoked))
        assert not menus.is_opened(asked_at(line, types.CodeActionTriggerKind.Automatic))


@pytest.mark.asyncio
async def test_no_checkpoint_is_offered_at_every_movement_of_the_cursor(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        titles = [[one.title for one in await editor.actions(buffer, at)] for at in range(5)]
        assert [TAKE in found for found in titles] == [True, True, False, False, False]
        assert TAKE in [one.title for one in await editor.actions(buffer, 4)]


async def answer_in(editor: Editor) -> list[list[str]]:
    """Return the titles of the actions above the one block of a document, for a menu and in passing."""
    opened(editor, editor.folder / "app.py", APP)
    answer = opened(editor, editor.folder / "answer.md", "Do this:\n\n\n" + return_3(editor))
    kinds = (types.CodeActionTriggerKind.Invoked, types.CodeActionTriggerKind.Automatic)
    return [[one.title for one in await editor.actions(answer, 0, trigger=kind)] for kind in kinds]


@pytest.mark.asyncio
async def test_all_edits_of_a_document_are_offered_anywhere_in_it(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        in_menu, in_passing = await answer_in(editor)
        assert ALL in in_menu
        assert "Apply this edit" not in in_menu
        assert in_passing == []
