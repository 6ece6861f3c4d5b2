"""Clients that lack a feature, or depart from the protocol: each has its fallback."""

from __future__ import annotations

import asyncio
import copy
import subprocess
from pathlib import Path

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException

from tests.lsp.editor import APP, CLIENT_HABITS, Editor, Habits, block, declared_by, opened, path_of, running
from tests.lsp.sessions import CHANGED, RETURN_3, VSCODE, return_3, session, without

pytestmark = pytest.mark.asyncio


async def test_changes_that_come_after_the_answer_are_waited_for(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(replies_before_changes=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == CHANGED


@pytest.mark.parametrize(
    "habits",
    [
        Habits(refuses_edits=True),
        Habits(answers_edits_with_error=True),
        Habits(answers_edits_with_null=True),
    ],
    ids=["refuses", "error", "null"],
)
async def test_an_edit_that_the_editor_does_not_make_is_not_said_to_be_made(
    tmp_path: Path, habits: Habits
) -> None:
    async with session(tmp_path, habits) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        (editor.folder / "closed.py").write_text("x = 1\n")
        text = return_3(editor)
        text += block(editor.folder / "closed.py", "x = 1\n", "x = 2\n", editor)
        answer = await editor.command("applyEdits", {"text": text})
        assert answer["applied"] is False
        assert [edit["status"] for edit in answer["edits"]] == ["conflict", "held"]
        assert "did not change app.py" in answer["edits"][0]["message"]
        assert buffer.text == APP
        assert (editor.folder / "closed.py").read_text() == "x = 1\n"
        pending = (await editor.command("listPendingEdits"))["edits"]
        assert [edit["status"] for edit in pending] == ["matched", "matched"]


async def test_what_the_user_types_while_being_asked_is_not_lost(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(asks_about_edits=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = return_3(editor)
        applying = asyncio.ensure_future(editor.command("applyEdits", {"text": text}))
        await editor.until(lambda: editor.asking)
        editor.type(buffer, 0, 0, "# typed meanwhile\n")
        assert (await editor.command("listPendingEdits"))["edits"] == []
        editor.decide(True)
        answer = await applying
        assert answer["edits"][0]["status"] == "conflict"
        assert buffer.text == "# typed meanwhile\n" + APP


async def test_the_editor_may_ask_its_user_for_as_long_as_it_takes(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(asks_about_edits=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = return_3(editor)
        applying = asyncio.ensure_future(editor.command("applyEdits", {"text": text}))
        await editor.until(lambda: editor.asking)
        # Everything else goes on meanwhile.
        assert (await editor.command("takeCheckpoint"))["kind"] == "manual"
        editor.decide(True)
        assert (await applying)["edits"][0]["status"] == "applied"
        assert buffer.text == CHANGED


async def test_an_editor_that_never_answers_holds_nothing_up_and_can_be_given_up_on(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(never_answers_edits=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = return_3(editor)
        applying = asyncio.ensure_future(editor.command("applyEdits", {"text": text}, token="mine"))
        await editor.until(lambda: editor.edits)
        assert (await editor.command("takeCheckpoint"))["kind"] == "manual"
        editor.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token="mine"))
        with pytest.raises(JsonRpcException) as caught:
            await applying
        assert caught.value.code == -32800
        assert buffer.text == APP


async def test_a_buffer_that_becomes_something_else_is_reported(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(formats_on_edit=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert "was also changed by something else" in answer["edits"][0]["message"]
        assert buffer.text == CHANGED + "# formatted\n"
        await editor.command("revertEdits", {"application": answer["application"]})
        assert buffer.text == APP + "# formatted\n" * 2


@pytest.mark.parametrize("atomic", ["all", "edit"])
async def test_a_buffer_that_became_something_else_is_named_and_the_rest_can_be_taken_back(
    tmp_path: Path, atomic: str
) -> None:
    async with session(tmp_path, Habits(mangles="loud")) as editor:
        path = editor.folder / "app.py"
        buffer = opened(editor, path)
        text = return_3(editor) + block(path, "def first():\n", "def loud():\n", editor)
        (editor.folder / "closed.py").write_text("x = 1\n")
        text += block(editor.folder / "closed.py", "x = 1\n", "x = 2\n", editor)
        answer = await editor.command("applyEdits", {"text": text, "atomic": atomic})
        statuses = [edit["status"] for edit in answer["edits"]]
        assert statuses == ["applied", "conflict", "held" if atomic == "all" else "applied"]
        message = answer["edits"][1]["message"]
        assert message.startswith("app.py was changed by something else while the edit was being made; ")
        assert "undo what you do not want" in message
        assert "check its text" in answer["edits"][0]["message"]
        assert buffer.text == CHANGED.replace("first", "LOUD")
        back = await editor.command("revertEdits", {"application": answer["application"]})
        assert {edit["status"] for edit in back["edits"]} == {"reverted"}
        assert buffer.text == APP.replace("first", "LOUD")


async def test_what_comes_before_the_answer_belongs_to_the_edit_however_slowly_it_comes(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits(formats_after_edit=True)) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert "was also changed by something else" in answer["edits"][0]["message"]
        assert buffer.text == CHANGED + "# formatted\n"
        await editor.command("revertEdits", {"application": answer["application"]})
        assert buffer.text == APP + "# formatted\n" * 2


async def test_what_comes_after_a_complete_edit_is_a_change_of_its_own_however_fast_it_comes(
    tmp_path: Path,
) -> None:
    habits = Habits(replies_before_changes=True, formats_after_edit=True)
    async with session(tmp_path, habits) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == CHANGED + "# formatted\n"
        again = await editor.command("revertEdits", {"application": answer["application"]})
        assert again["edits"][0]["status"] in ("reverted", "conflict")


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
async def test_an_insertion_at_the_end_goes_into_a_buffer_that_keeps_lines_only_and_out_again(
    tmp_path: Path, ending: str
) -> None:
    async with session(tmp_path, CLIENT_HABITS["nvim-0.11.4"], declared_by("nvim-0.11.4")) as editor:
        before, more = APP.replace("\n", ending), f"{ending}{ending}last = 1{ending}"
        buffer = opened(editor, editor.folder / "app.py", before)
        edit = {"path": "app.py", "search": "    return 2\n", "replace": "    return 2\n\n\nlast = 1\n"}
        answer = await editor.command("applyEdits", {"edits": [edit]})
        assert [edit["status"] for edit in answer["edits"]] == ["applied"]
        assert buffer.text == before + more
        back = await editor.command("revertEdits", {"application": answer["application"]})
        assert [edit["status"] for edit in back["edits"]] == ["reverted"]
        assert buffer.text == before


GATHER = """\
def gather(names, folder):
    found = []
    for name in names:
        path = os.path.join(folder, name)
        if os.path.exists(path):
            found.append(path)
    return sorted(found)
"""


@pytest.mark.parametrize("confirm", ["similarity", "never", "always"])
async def test_doubtful_edits_ask_where_the_client_can_show_it(tmp_path: Path, confirm: str) -> None:
    misquoted = GATHER.replace("folder, name)", "folder, nam)")
    options = {"apply": {"confirm": confirm}}
    capabilities = without("workspace", "configuration")
    async with session(tmp_path, Habits(), capabilities, initializationOptions=options) as editor:
        path = editor.folder / "app.py"
        opened(editor, path, GATHER + "\n\nlast = 1\n")
        doubtful = block(path, misquoted, misquoted.replace("sorted(found)", "sorted(set(found))"), editor)
        answer = await editor.command(
            "applyEdits", {"text": doubtful + block(path, "last = 1\n", "last = 2\n", editor)}
        )
        assert [edit["rung"] for edit in answer["edits"]] == ["similarity", "exact"]
        (change,) = editor.edits[-1].edit.document_changes or []
        assert isinstance(change, types.TextDocumentEdit)
        asking = [isinstance(edit, types.AnnotatedTextEdit) for edit in change.edits]
        assert (
            asking == {"similarity": [True, False], "never": [False, False], "always": [True, True]}[confirm]
        )
        annotations = editor.edits[-1].edit.change_annotations or {}
        assert bool(annotations) is (confirm != "never")
        assert all(annotation.needs_confirmation for annotation in annotations.values())


async def test_the_edit_of_a_client_without_versions_is_a_plain_one(tmp_path: Path) -> None:
    capabilities = copy.deepcopy(VSCODE)
    capabilities["workspace"]["workspaceEdit"] = {}
    async with session(tmp_path, Habits(), capabilities) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == CHANGED
        assert editor.edits[-1].edit.document_changes is None


async def test_saved_files_of_a_client_that_takes_no_edits_are_changed_on_disk(
    tmp_path: Path,
) -> None:
    async with session(tmp_path, Habits(), without("workspace", "applyEdit")) as editor:
        saved = opened(editor, editor.folder / "saved.py")
        dirty = opened(editor, editor.folder / "dirty.py")
        editor.type(dirty, 0, 0, "# unsaved\n")
        for name, status in (("saved.py", "applied"), ("dirty.py", "conflict")):
            text = block(editor.folder / name, *RETURN_3, editor)
            answer = await editor.command("applyEdits", {"text": text})
            assert answer["edits"][0]["status"] == status
        assert path_of(saved.uri).read_text() == CHANGED
        assert path_of(dirty.uri).read_text() == APP
        assert editor.edits == []


async def test_disk_is_the_target_when_it_is_asked_for_and_nothing_unsaved_is_lost(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = return_3(editor)
        editor.type(buffer, 0, 0, "# unsaved\n")
        answer = await editor.command("applyEdits", {"text": text, "target": "disk"})
        assert answer["edits"][0]["status"] == "conflict"
        assert "unsaved changes" in answer["edits"][0]["message"]
        editor.save(buffer)
        answer = await editor.command("applyEdits", {"text": text, "target": "disk"})
        assert answer["edits"][0]["status"] == "applied"
        assert path_of(buffer.uri).read_text() == "# unsaved\n" + CHANGED


async def test_a_client_without_action_literals_gets_commands(tmp_path: Path) -> None:
    async with session(tmp_path, Habits(), without("textDocument", "codeAction")) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        params = types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=buffer.uri),
            range=editor.range(buffer.text, 0, 0),
            context=types.CodeActionContext(diagnostics=[]),
        )
        found = await editor.text_document_code_action_async(params)
        assert found
        assert all(isinstance(action, types.Command) for action in found)


async def test_progress_is_shown_with_the_clients_token_and_always_ended(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        await editor.command("takeCheckpoint", token="mine")
        kinds = editor.progress_kinds("mine")
        assert (kinds[0], kinds[-1]) == ("begin", "end")
        with pytest.raises(JsonRpcException):
            await editor.command("restoreCheckpoint", {"checkpoint": "none"}, token="again")
        assert editor.progress_kinds("again") == ["begin", "end"]


async def test_work_is_stopped_by_its_progress_bar(tmp_path: Path) -> None:
    async with session(tmp_path, Habits()) as editor:
        for number in range(3000):
            (editor.folder / f"{number}.txt").write_text(f"{number}\n")
        editor.cancel_on_progress = True
        with pytest.raises(JsonRpcException) as caught:
            await editor.command("takeCheckpoint", token="mine")
        assert caught.value.code == -32800
        assert (await editor.command("listCheckpoints"))["checkpoints"] == []


async def test_settings_are_pulled_and_followed(tmp_path: Path) -> None:
    capabilities = VSCODE
    editor = Editor(capabilities)
    editor.folder = tmp_path
    editor.set_configuration({"diagnostics": {"enable": False}}, section="patchpoint")
    async with running(editor, tmp_path, state=tmp_path / ".state"):
        buffer = opened(editor, tmp_path / "app.py")
        text = block(tmp_path / "app.py", "    value = 1\n", "    value = 2\n", editor)
        await editor.command("applyEdits", {"text": text})
        assert not editor.diagnostics.get(buffer.uri)
        editor.set_configuration(
            {"diagnostics": {"enable": True}, "match": {"rungs": 5}}, section="patchpoint"
        )
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=None))
        await editor.until(lambda: editor.diagnostics.get(buffer.uri))
        await editor.until(lambda: any("match.rungs" in line.message for line in editor.log_messages))
        assert "workspace/didChangeConfiguration" in [one.method for one in editor.registered]


async def test_settings_may_come_with_initialize_and_be_sent_later(tmp_path: Path) -> None:
    capabilities = without("workspace", "configuration")
    options = {"checkpoints": {"beforeApply": False}}
    async with session(tmp_path, Habits(), capabilities, initializationOptions=options) as editor:
        (editor.folder / "x.py").write_text("x = 1\n")
        text = block(editor.folder / "x.py", "x = 1\n", "x = 2\n", editor)
        assert (await editor.command("applyEdits", {"text": text}))["checkpoint"] is None
        settings = {"patchpoint": {"checkpoints": {"beforeApply": True}}}
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
        text = block(editor.folder / "x.py", "x = 2\n", "x = 3\n", editor)
        assert (await editor.command("applyEdits", {"text": text}))["checkpoint"] is not None


async def test_gits_configuration_holds_below_the_editors_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    workspace = tmp_path / "workspace"
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(tmp_path / "gitconfig"))
    subprocess.run(["git", "init", "-q", workspace], check=True)
    for *whose, name, value in (
        ("keep", "3"),
        ("--global", "beforeApply", "false"),
        ("maxFileSizeMiB", "-1"),
    ):
        command = ["git", "-C", str(workspace), "config", *whose, f"patchpoint.checkpoints.{name}", value]
        subprocess.run(command, check=True)
    capabilities = without("workspace", "configuration")
    async with session(tmp_path, Habits(), capabilities) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        assert (await editor.command("applyEdits", {"text": return_3(editor)}))["checkpoint"] is None
        assert buffer.text == CHANGED
        for _ in range(5):
            await editor.command("takeCheckpoint")
        assert len((await editor.command("listCheckpoints"))["checkpoints"]) == 3
        wrong = (
            "In git's configuration: `patchpoint.checkpoints.maxFileSizeMiB` must be between 0 and 1048576"
        )
        await editor.until(lambda: any(wrong in line.message for line in editor.log_messages))
        settings = {"patchpoint": {"checkpoints": {"keep": 4}}}
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings=settings))
        for _ in range(3):
            await editor.command("takeCheckpoint")
        assert len((await editor.command("listCheckpoints"))["checkpoints"]) == 4


@pytest.mark.parametrize("command", ["listPendingEdits", "revertEdits"])
async def test_edits_right_after_a_change_of_settings_follow_gits_configuration(
    tmp_path: Path, command: str
) -> None:
    workspace = tmp_path / "workspace"
    subprocess.run(["git", "init", "-q", workspace], check=True)
    subprocess.run(["git", "-C", workspace, "config", "patchpoint.match.rungs", "exact"], check=True)
    async with session(tmp_path, Habits(), without("workspace", "configuration")) as editor:
        path = editor.folder / "count.py"
        path.write_text("one = 1\ntwo = 2\n", "utf-8")
        applied = await editor.command("applyEdits", {"text": block(path, "one = 1\n", "one = 3\n", editor)})
        inexact = await editor.command("applyEdits", {"text": block(path, "two =  2\n", "two = 4\n", editor)})
        assert [edit["status"] for edit in inexact["edits"]] == ["notFound"]
        path.write_text("one =  3\ntwo = 2\n", "utf-8")
        arguments = {
            "revertEdits": {"application": applied["application"]},
            "listPendingEdits": {},
        }
        editor.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings={}))
        answer = await editor.command(command, arguments[command])
        assert [edit["status"] for edit in answer["edits"]] == ["notFound"]
        assert path.read_text("utf-8") == "one =  3\ntwo = 2\n"


@pytest.mark.parametrize("killed", [False, True], ids=["ended", "killed"])
async def test_a_server_started_again_shows_the_same(tmp_path: Path, killed: bool) -> None:
    async with session(tmp_path, Habits()) as editor:
        buffer = opened(editor, editor.folder / "app.py")
        text = block(editor.folder / "app.py", "    value = 1\n", "    value = 2\n", editor)
        await editor.command("applyEdits", {"text": text})
        await editor.until(lambda: editor.diagnostics.get(buffer.uri))
        applied = await editor.command("applyEdits", {"text": return_3(editor), "atomic": "edit"})
        before = await editor.command("listPendingEdits")
        checkpoints = await editor.command("listCheckpoints")
        diagnostics = editor.diagnostics[buffer.uri]
        editor.save(buffer)
        if killed:
            editor.error = RuntimeError("killed on purpose")
            assert editor._server is not None
            editor._server.kill()
    async with session(tmp_path, Habits()) as editor:
        buffer = editor.open(editor.folder / "app.py")
        await editor.until(lambda: editor.diagnostics.get(buffer.uri))
        assert editor.diagnostics[buffer.uri] == diagnostics
        assert await editor.command("listPendingEdits") == before
        assert await editor.command("listCheckpoints") == checkpoints
        await editor.command("revertEdits", {"application": applied["application"]})
        assert buffer.text == APP


async def test_several_folders_and_their_coming_and_going(tmp_path: Path) -> None:
    one, two, three = (tmp_path / name for name in ("one", "two", "three"))
    for folder in (one, two, three):
        folder.mkdir()
        (folder / f"{folder.name}.py").write_text("x = 1\n")
    editor = Editor(VSCODE)
    async with running(editor, one, two, state=tmp_path / "state"):
        edits = [
            {"path": "two.py", "search": "x = 1\n", "replace": "x = 2\n"},
            {"uri": (three / "three.py").as_uri(), "search": "x = 1\n", "replace": "x = 2\n"},
        ]
        answer = await editor.command("applyEdits", {"edits": edits, "atomic": "edit"})
        assert [edit["status"] for edit in answer["edits"]] == ["applied", "rejected"]
        event = types.WorkspaceFoldersChangeEvent(
            added=[types.WorkspaceFolder(uri=three.as_uri(), name="three")],
            removed=[types.WorkspaceFolder(uri=two.as_uri(), name="two")],
        )
        editor.workspace_did_change_workspace_folders(types.DidChangeWorkspaceFoldersParams(event=event))
        answer = await editor.command("applyEdits", {"edits": edits, "atomic": "edit"})
        assert [edit["status"] for edit in answer["edits"]][1] == "applied"
        assert (two / "two.py").read_text() == "x = 2\n"
        assert (three / "three.py").read_text() == "x = 2\n"


async def test_a_client_with_only_a_root_and_one_with_no_folder_at_all(tmp_path: Path) -> None:
    capabilities = declared_by("lsp-mode-9.0.0")
    (tmp_path / "app.py").write_text(APP)
    editor = Editor(capabilities)
    editor.folder = tmp_path
    async with running(editor, state=tmp_path / ".state", rootUri=tmp_path.as_uri(), workspaceFolders=None):
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
    editor = Editor(capabilities)
    editor.folder = tmp_path
    (tmp_path / "app.py").write_text(APP)
    async with running(editor, state=tmp_path / ".state", workspaceFolders=None):
        buffer = editor.open(tmp_path / "app.py")
        answer = await editor.command("applyEdits", {"text": return_3(editor)})
        assert answer["edits"][0]["status"] == "applied"
        assert buffer.text == CHANGED
        with pytest.raises(JsonRpcException, match="no folder open"):
            await editor.command("takeCheckpoint")
