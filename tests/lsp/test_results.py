"""Messages about the results of commands, for clients that drop them; and where there is none."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, Buffer, Editor, Habits, block, declared_by, opened
from tests.lsp.sessions import session, without
from tests.lsp.wire import started

pytestmark = pytest.mark.asyncio

HELIX = declared_by("helix-25.01.1")
SHOWS = {"showsResults": True}


def messages(editor: Editor) -> list[tuple[types.MessageType, str]]:
    return [(message.type, message.message) for message in editor.messages]


def answer_of(editor: Editor) -> Buffer:
    """A chat with an edit that is applied, one with two candidates and one that is not found."""
    opened(editor, editor.folder / "app.py")
    text = block(editor.folder / "app.py", "    return 2\n", "    return 3\n", editor)
    text += block(editor.folder / "app.py", "    value = 1\n", "    value = 5\n", editor)
    text += block(editor.folder / "app.py", "nothing like it at all\n", "x\n", editor)
    return editor.open("untitled:chat", text, "markdown")


async def apply_matching(editor: Editor) -> None:
    chat = answer_of(editor)
    actions = await editor.actions(chat, 0, len(chat.text))
    await editor.choose(next(one for one in actions if one.title == "Apply the edits that match"))


async def test_edits_that_an_action_did_not_apply_are_named_in_one_line(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        await apply_matching(editor)
        ((kind, line),) = messages(editor)
        assert kind == types.MessageType.Warning
        assert line.startswith("1 of 3 edits applied; app.py: ambiguous (lines 2, 7); app.py: not found")
        assert "\n" not in line


async def test_of_a_preview_only_what_was_applied_is_counted(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        chat = answer_of(editor)
        more = block(editor.folder / "app.py", "def second():\n", "def other():\n", editor)
        editor.type(chat, len(chat.text), len(chat.text), more)
        shown = await editor.command("previewEdits", {"document": {"uri": chat.uri}})
        dropped = {"review": shown["preview"], "edit": shown["edits"][3]["id"], "decision": "open"}
        await editor.command("reviewHunk", dropped)
        editor.messages.clear()
        done = await editor.command("finishReview", {"review": shown["preview"]})
        assert [edit["status"] for edit in done["result"]["edits"]] == [
            "applied",
            "ambiguous",
            "notFound",
            "held",
        ]
        ((_, line),) = messages(editor)
        assert line.startswith("1 of 4 edits applied; app.py: ambiguous (lines 2, 7); app.py: not found")


async def test_applied_edits_are_not_mentioned(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        opened(editor, editor.folder / "app.py")
        text = block(editor.folder / "app.py", "    return 2\n", "    return 3\n", editor)
        chat = editor.open("untitled:chat", text, "markdown")
        await editor.command("applyEdits", {"document": {"uri": chat.uri}, "dryRun": True})
        await editor.command("previewEdits", {"document": {"uri": chat.uri}})
        assert [line.split(" at ")[0] for _, line in messages(editor)] == ["The text is"]
        editor.messages.clear()
        await editor.command("applyEdits", {"document": {"uri": chat.uri}})
        assert messages(editor) == []


@pytest.mark.parametrize(
    ("search", "reason"),
    [
        ("gone", "app.py: not found"),
        ("    value = 1\n", "app.py: ambiguous (lines 2, 7)"),
    ],
)
async def test_one_edit_that_was_not_applied_is_named_with_its_reason(
    tmp_path: Path, search: str, reason: str
) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        opened(editor, editor.folder / "app.py", APP)
        edits = [{"path": "app.py", "search": search, "replace": "x\n"}]
        edits.append({"path": "app.py", "search": "    return 2\n", "replace": "    return 3\n"})
        edits.append({"path": "../out.py", "search": "x\n", "replace": "y\n"})
        await editor.command("applyEdits", {"edits": edits})
        ((_, line),) = messages(editor)
        assert line.startswith(f"0 of 3 edits applied; {reason}")
        assert "out.py" in line
        await editor.command("applyEdits", {"text": "no edit in here"})
        assert messages(editor)[1:] == [(types.MessageType.Warning, "No edit was found.")]


async def test_checkpoints_and_restores_are_reported(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        (take, *_) = await editor.actions(buffer, 0, only=["source.patchpoint"])
        taken = await editor.choose(take)
        (editor.folder / "later.py").write_text("made later\n")
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"], "dryRun": True})
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        assert messages(editor) == [
            (types.MessageType.Info, "Checkpoint taken: 1 file."),
            (
                types.MessageType.Info,
                "Restored: 0 files written, 1 deleted. "
                "To undo it, use the source action “Undo the last restore”.",
            ),
        ]
        found = await editor.actions(buffer, 0, only=["source.patchpoint.restore"])
        (undo,) = (action for action in found if action.title == "Undo the last restore")
        await editor.choose(undo)
        assert (editor.folder / "later.py").read_text() == "made later\n"


async def test_what_a_restore_leaves_as_it_is_is_reported_with_the_reason(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        for name in ("a.log", "b.log"):
            (editor.folder / name).write_text("older than the checkpoint\n")
        (editor.folder / ".gitignore").write_text("*.log\n")
        taken = await editor.command("takeCheckpoint")
        (editor.folder / ".gitignore").unlink()
        await editor.command("restoreCheckpoint", {"checkpoint": taken["id"]})
        severity, line = messages(editor)[-1]
        assert severity is types.MessageType.Warning
        assert "a.log was left as it is: it is ignored" in line
        assert "1 other file too." in line


async def test_messages_name_files_by_their_paths(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        missing = editor.folder / "a folder" / "answer.md"
        with pytest.raises(JsonRpcException) as refused:
            await editor.command("applyEdits", {"document": {"uri": missing.as_uri()}})
        assert refused.value.message.startswith(f"{missing} is not open")


async def test_a_checkpoint_with_a_new_name_is_not_said_to_be_taken(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX) as editor:
        taken = await editor.command("takeCheckpoint")
        await editor.command("renameCheckpoint", {"checkpoint": taken["id"], "label": "the good one"})
        assert "“the good one”" in messages(editor)[-1][1]
        assert "taken" not in messages(editor)[-1][1]


async def test_a_client_that_shows_the_results_of_commands_gets_no_message(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), HELIX, initializationOptions=SHOWS) as editor:
        await apply_matching(editor)
        await editor.command("takeCheckpoint")
        assert messages(editor) == []
        assert not any("showsResults" in line.message for line in editor.log_messages)


async def test_a_plugin_that_shows_what_it_asked_for_itself_is_sent_no_message_about_that() -> None:
    process, wire = await started()
    try:
        await wire.begin()
        params = {"command": "patchpoint.applyEdits", "arguments": [{"text": "no edit in here"}]}
        for more, shown in ((SHOWS, 0), ({}, 1)):
            wire.send(
                {"jsonrpc": "2.0", "id": "it", "method": "workspace/executeCommand", "params": params | more}
            )
            seen = []
            while (message := await wire.receive()).get("id") != "it":
                seen.append(message["method"])
            assert seen.count("window/showMessage") == shown
    finally:
        process.kill()
        await process.wait()


@pytest.mark.parametrize(
    ("habits", "capabilities", "reason"),
    [
        (Habits(refuses_edits=True), HELIX, "the user said no"),
        (Habits(), without("workspace", "applyEdit"), "cannot apply edits"),
    ],
    ids=["refuses", "cannot"],
)
async def test_a_buffer_that_a_restore_could_not_update_is_named(
    tmp_path: Path, habits: Habits, capabilities: dict[str, Any], reason: str
) -> None:
    async with session(tmp_path, habits, capabilities, initializationOptions=SHOWS) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        checkpoint = await editor.command("takeCheckpoint")
        editor.type(buffer, 0, 0, "# not saved\n")
        await editor.command("restoreCheckpoint", {"checkpoint": checkpoint["id"]})
        ((kind, line),) = messages(editor)
        assert kind == types.MessageType.Warning
        assert "still shows the old text of app.py" in line
        assert reason in line
        assert buffer.text == "# not saved\n" + APP
