"""An editor to test against: buffers with versions, unsaved changes and undo, and the habits of real clients.

It keeps its own arithmetic of positions, so that a mistake in the server's is not made twice.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Union

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.protocol import default_converter
from pytest_lsp import LanguageClient
from pytest_lsp.client import register_lsp_features
from pytest_lsp.protocol import LanguageClientProtocol

from patchpoint.text.positions import Unit
from tests.loaded_server import forked
from tests.lsp import neovim_buffer

CLIENTS = Path(__file__).parent.parent / "data" / "clients"
SERVER = [sys.executable, "-c", "import sys; from patchpoint.lsp.server import serve; sys.exit(serve())"]
PATIENCE = 20.0
"""Seconds after which a test gives up waiting for what should have come."""
UNREAD = 2**30
"""Bytes unread that asyncio keeps: at more it stops reading, and may wait for ever for what has ended."""
SILENCE = 240.0
"""Seconds after which a request has no answer any more, however busy the machine is."""


@dataclass(frozen=True, kw_only=True)
class Habits:
    """How a client behaves where the protocol leaves it a choice, or where it breaks the protocol."""

    replies_before_changes: bool = False
    """The response to an edit comes first, the changes of the buffers after it."""
    drops_stale_edits_silently: bool = False
    """An edit for an older version is not made, and reported as made."""
    refuses_edits: bool = False
    lies: bool = False
    """It reports every edit as made, and makes none."""
    answers_edits_with_error: bool = False
    answers_edits_with_null: bool = False
    asks_about_edits: bool = False
    """An edit waits until the test calls `decide`, as in a preview that the user must confirm."""
    never_answers_edits: bool = False
    formats_on_edit: bool = False
    """Something of the user's changes the buffer along with the edit: both come in one notification."""
    mangles: str = ""
    """A text that it writes in capitals where an edit brings it."""
    formats_after_edit: bool = False
    """As above, in a notification of its own, after the server has answered another request in between."""
    shows_changes_when_idle: bool = False
    """Changes of buffers are sent, and versions counted, when it is idle, which it is not in a command."""
    writes_closed_files: bool = False
    """A file that is not open is edited on disk, and not opened for it."""
    shows_empty_files_as_a_line: bool = False
    """It treats an empty file as one empty line with its ending."""
    keeps_lines_only: bool = False
    """Its buffers are lists of lines, with which it makes edits as Neovim before 0.12 does."""
    fails_at: str = ""
    """The kind of file operation at which it stops, with what came before it done."""
    skips: str = ""
    """The kind of file operation that it leaves out, and reports as done."""
    loses_text_of_new_files: bool = False
    knows_no_questions: bool = False
    """It answers `window/showMessageRequest` with an error."""
    never_answers_questions: bool = False
    refuses_progress: bool = False
    runs_the_unresolved: bool = False
    """It resolves a code action, and then executes the command of the unresolved one."""
    name: str = "tests"
    """The name in its `clientInfo`."""


PLAIN = Habits()

CLIENT_HABITS = {recording.stem: PLAIN for recording in sorted(CLIENTS.glob("*.json"))} | {
    "helix-25.01.1": Habits(runs_the_unresolved=True, knows_no_questions=True, name="helix"),
    "nvim-0.11.4": Habits(
        replies_before_changes=True,
        drops_stale_edits_silently=True,
        shows_empty_files_as_a_line=True,
        keeps_lines_only=True,
    ),
}
"""The habits of each recorded client."""


@dataclass
class Buffer:
    """One open document."""

    uri: str
    text: str
    version: int
    dirty: bool = False
    undo: list[str] = field(default_factory=list)
    """The texts before each step of undo."""


class _Requests(LanguageClientProtocol):
    """Gives up a request that is not answered, since a test that waits for ever says nothing."""

    async def send_request_async(self, method: str, params: Any = None, msg_id: Any = None) -> Any:
        answer = super().send_request_async(method, params, msg_id)  # type: ignore[no-untyped-call]
        try:
            return await asyncio.wait_for(answer, SILENCE)
        except asyncio.TimeoutError:
            pytest.fail(f"{method} has no answer after {SILENCE:.0f} s")


class Editor(LanguageClient):
    """A client that applies what it is sent, as a real one does."""

    def __init__(self, capabilities: dict[str, Any], habits: Habits = PLAIN) -> None:
        super().__init__(protocol_cls=_Requests, converter_factory=client_converter)
        self.declared = capabilities
        self.folder = Path()
        """The workspace, where a fixture shares one session."""
        self.habits = habits
        self.unit = "utf-16"
        self.buffers: dict[str, Buffer] = {}
        self.edits: list[types.ApplyWorkspaceEditParams] = []
        self.questions: list[types.ShowMessageRequestParams] = []
        self.answer: str | None = None
        """The title that its user chooses when asked; `None` closes the question."""
        self.notified: list[tuple[str, Any]] = []
        self.registered: list[types.Registration] = []
        self.created_progress: list[types.ProgressToken] = []
        self.cancel_on_progress = False
        self.lens_refreshes = 0
        self.traced: list[str] = []
        self._decision: asyncio.Future[bool] | None = None
        self._busy = False
        self._unsent: dict[str, list[types.TextDocumentContentChangeEvent]] = {}
        self._changed = asyncio.Event()
        self.released = asyncio.Event()
        """Set when the editor ends, so that requests without a response do not outlive it."""
        register_lsp_features(self)
        self._listen()

    def _listen(self) -> None:
        features = self.protocol.fm.features
        for method in (
            types.WINDOW_WORK_DONE_PROGRESS_CREATE,
            types.PROGRESS,
            types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS,
            types.WINDOW_LOG_MESSAGE,
            types.WINDOW_SHOW_MESSAGE,
        ):
            del features[method]

        @self.feature(types.WORKSPACE_APPLY_EDIT)
        async def apply_edit(params: types.ApplyWorkspaceEditParams) -> Any:
            return await self._answer_edit(params)

        @self.feature(types.WINDOW_SHOW_MESSAGE_REQUEST)
        async def ask(params: types.ShowMessageRequestParams) -> types.MessageActionItem | None:
            if self.habits.knows_no_questions:
                raise JsonRpcMethodNotFound
            self.questions.append(params)
            self._signal_change()
            if self.habits.never_answers_questions:
                await self.released.wait()
            return next((one for one in params.actions or [] if one.title == self.answer), None)

        @self.feature(types.CLIENT_REGISTER_CAPABILITY)
        def register(params: types.RegistrationParams) -> None:
            self.registered += params.registrations
            self._signal_change()

        @self.feature(types.CLIENT_UNREGISTER_CAPABILITY)
        def unregister(params: types.UnregistrationParams) -> None:
            gone = {one.id for one in params.unregisterations}
            assert gone <= {one.id for one in self.registered}, "only what is registered can go"
            self.registered = [one for one in self.registered if one.id not in gone]
            self._signal_change()

        @self.feature(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def publish(params: types.PublishDiagnosticsParams) -> None:
            self.diagnostics[params.uri] = params.diagnostics
            self._signal_change()

        @self.feature(types.WINDOW_WORK_DONE_PROGRESS_CREATE)
        def create(params: types.WorkDoneProgressCreateParams) -> None:
            if self.habits.refuses_progress:
                raise JsonRpcMethodNotFound("no progress here")
            assert params.token not in self.created_progress, "a token is made once"
            self.created_progress.append(params.token)

        @self.feature(types.PROGRESS)
        def progress(params: types.ProgressParams) -> None:
            self.progress_reports.setdefault(params.token, []).append(params)
            if self.cancel_on_progress:
                self.window_work_done_progress_cancel(types.WorkDoneProgressCancelParams(token=params.token))
            self._signal_change()

        @self.feature(types.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(_: None) -> None:
            self.lens_refreshes += 1
            self._signal_change()

        @self.feature(types.WINDOW_LOG_MESSAGE)
        def logged(params: types.LogMessageParams) -> None:
            self.log_messages.append(params)
            self._signal_change()

        @self.feature(types.WINDOW_SHOW_MESSAGE)
        def shown(params: types.ShowMessageParams) -> None:
            self.messages.append(params)
            self._signal_change()

        @self.feature(types.LOG_TRACE)
        def trace(params: types.LogTraceParams) -> None:
            self.traced.append(params.message)
            self._signal_change()

        for name in (
            "didApplyEdits",
            "didTakeCheckpoint",
            "didRestoreCheckpoint",
            "didChangePendingEdits",
            "didChangeReview",
            "didFindFirstChange",
        ):
            self._listen_to(f"patchpoint/{name}")

    def _listen_to(self, method: str) -> None:
        @self.feature(method)
        def notified(params: Any) -> None:
            self.notified.append((method, params))
            self._signal_change()

    def _signal_change(self) -> None:
        self._changed.set()

    async def until(self, condition: Callable[[], object]) -> None:
        """Wait for the server until `condition` holds."""

        async def wait() -> None:
            while not condition():
                self._changed.clear()
                await self._changed.wait()

        await asyncio.wait_for(wait(), PATIENCE)

    def open(self, path: Path | str, text: str | None = None, language: str = "python") -> Buffer:
        """Open a file, or, given a text, a document of any URI."""
        uri = path.as_uri() if isinstance(path, Path) else path
        if text is None:
            text = Path(path).read_bytes().decode()
            if not text and self.habits.shows_empty_files_as_a_line:
                text = "\n"
        buffer = Buffer(uri, text, 1)
        self.buffers[uri] = buffer
        item = types.TextDocumentItem(uri=uri, language_id=language, version=1, text=text)
        self.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
        return buffer

    def type(self, buffer: Buffer, start: int, end: int, text: str) -> None:
        """Replace the characters from `start` to `end`."""
        buffer.undo.append(buffer.text)
        span = self.range(buffer.text, start, end)
        buffer.text = buffer.text[:start] + text + buffer.text[end:]
        self._tell(buffer, [types.TextDocumentContentChangePartial(range=span, text=text)])

    def replace(self, buffer: Buffer, text: str) -> None:
        """Replace the whole text."""
        buffer.undo.append(buffer.text)
        buffer.text = text
        self._tell(buffer, [types.TextDocumentContentChangeWholeDocument(text=text)])

    def undo(self, buffer: Buffer) -> None:
        """Undo one step."""
        text = buffer.undo.pop()
        buffer.text = text
        self._tell(buffer, [types.TextDocumentContentChangeWholeDocument(text=text)])

    def save(self, buffer: Buffer) -> None:
        """Write the buffer to its file."""
        path_of(buffer.uri).write_bytes(buffer.text.encode())
        buffer.dirty = False
        identifier = types.TextDocumentIdentifier(uri=buffer.uri)
        self.text_document_did_save(types.DidSaveTextDocumentParams(text_document=identifier))

    def close(self, buffer: Buffer) -> None:
        """Close a document."""
        del self.buffers[buffer.uri]
        identifier = types.TextDocumentIdentifier(uri=buffer.uri)
        self.text_document_did_close(types.DidCloseTextDocumentParams(text_document=identifier))

    async def command(self, name: str, *arguments: Any, token: str | None = None) -> Any:
        """Execute a command of the server, and return its result as JSON."""
        params = types.ExecuteCommandParams(
            command=f"patchpoint.{name}", arguments=list(arguments) or None, work_done_token=token
        )
        self._busy = self.habits.shows_changes_when_idle
        return plain(await self.workspace_execute_command_async(params))

    async def actions(
        self,
        buffer: Buffer,
        start: int,
        end: int | None = None,
        only: Sequence[str] | None = None,
        trigger: types.CodeActionTriggerKind | None = None,
    ) -> list[types.CodeAction]:
        """Return the code actions at a range, requested with the diagnostics that are shown there."""
        span = self.range(buffer.text, start, start if end is None else end)
        shown = [d for d in self.diagnostics.get(buffer.uri, []) if touches(d.range, span)]
        params = types.CodeActionParams(
            text_document=types.TextDocumentIdentifier(uri=buffer.uri),
            range=span,
            context=types.CodeActionContext(
                diagnostics=shown, only=list(only) if only else None, trigger_kind=trigger
            ),
        )
        found = await self.text_document_code_action_async(params) or []
        return [action for action in found if isinstance(action, types.CodeAction)]

    async def choose(self, action: types.CodeAction) -> Any:
        """Choose a code action: resolve it where this client does so, apply its edit, execute its command."""
        assert action.disabled is None, action.disabled
        resolve = self.declared.get("textDocument", {}).get("codeAction", {}).get("resolveSupport")
        if resolve and action.edit is None and not self.habits.runs_the_unresolved:
            action = await self.code_action_resolve_async(action)
        if action.edit is not None:
            self.make(action.edit)
        if action.command is not None:
            params = types.ExecuteCommandParams(
                command=action.command.command, arguments=list(action.command.arguments or []) or None
            )
            return plain(await self.workspace_execute_command_async(params))
        return None

    async def lenses(self, buffer: Buffer) -> list[types.CodeLens]:
        """Return the lenses of a document, from top to bottom."""
        identifier = types.TextDocumentIdentifier(uri=buffer.uri)
        found = await self.text_document_code_lens_async(types.CodeLensParams(text_document=identifier))
        return sorted(found or [], key=lambda lens: lens.range.start.line)

    def progress_kinds(self, token: str) -> list[str]:
        """Return the kinds of progress reported for a token: `begin`, `report`, `end`."""
        return [plain(report.value)["kind"] for report in self.progress_reports[token]]

    async def press(self, lens: types.CodeLens) -> Any:
        """Execute the command of a lens."""
        assert lens.command is not None
        params = types.ExecuteCommandParams(
            command=lens.command.command, arguments=list(lens.command.arguments or []) or None
        )
        return plain(await self.workspace_execute_command_async(params))

    async def content(self, uri: str) -> str:
        """Return the text of a document that the server showed."""
        if uri.startswith("file:"):
            return path_of(uri).read_text(encoding="utf-8")
        params = types.TextDocumentContentParams(uri=uri)
        return (await self.workspace_text_document_content_async(params)).text

    def idle(self) -> None:
        """Send what was changed in the meantime, as an idle client does."""
        self._busy = False
        for uri, changes in self._unsent.items():
            self._tell(self.buffers[uri], changes)
        self._unsent = {}

    def decide(self, yes: bool) -> None:
        """Accept or refuse the edit that the editor asks its user about."""
        assert self._decision is not None
        self._decision.set_result(yes)

    @property
    def asking(self) -> bool:
        """Whether the editor waits for its user's decision about an edit."""
        return self._decision is not None and not self._decision.done()

    async def _answer_edit(self, params: types.ApplyWorkspaceEditParams) -> Any:
        self.edits.append(params)
        self._signal_change()
        habits = self.habits
        if habits.never_answers_edits:
            await self.released.wait()
        if habits.answers_edits_with_error:
            raise JsonRpcException("the editor has had enough", code=-32603)
        if habits.answers_edits_with_null:
            return None
        if habits.refuses_edits:
            return types.ApplyWorkspaceEditResult(applied=False, failure_reason="the user said no")
        if habits.lies:
            return types.ApplyWorkspaceEditResult(applied=True)
        if habits.asks_about_edits:
            self._decision = asyncio.get_running_loop().create_future()
            self._signal_change()
            if not await self._decision:
                return types.ApplyWorkspaceEditResult(applied=False)
        if self._stale(params.edit):
            applied = habits.drops_stale_edits_silently
            return types.ApplyWorkspaceEditResult(
                applied=applied, failure_reason=None if applied else "stale"
            )
        if habits.replies_before_changes:
            # The response is sent in the next turn of the loop, the changes in the one after that.
            loop = asyncio.get_running_loop()
            loop.call_soon(loop.call_soon, self._make_and_format, params.edit)
        else:
            try:
                self.make(params.edit)
            except OSError as error:
                return types.ApplyWorkspaceEditResult(applied=False, failure_reason=str(error))
            if habits.formats_after_edit:
                params_of_list = types.ExecuteCommandParams(command="patchpoint.listPendingEdits")
                await self.workspace_execute_command_async(params_of_list)
                self._format()
        return types.ApplyWorkspaceEditResult(applied=True)

    def _stale(self, edit: types.WorkspaceEdit) -> bool:
        for change in edit.document_changes or []:
            if isinstance(change, types.TextDocumentEdit) and change.text_document.version is not None:
                buffer = self.buffers.get(change.text_document.uri)
                if buffer is None or buffer.version != change.text_document.version:
                    return True
        return False

    def make(self, edit: types.WorkspaceEdit) -> None:
        """Make an edit, as one step of undo in every buffer that it changes."""
        declared = self.declared["workspace"].get("workspaceEdit", {})
        operations = declared.get("resourceOperations", [])
        if edit.document_changes is not None:
            assert declared.get("documentChanges") or operations, "this client does not take documentChanges"
        if edit.change_annotations:
            assert declared.get("changeAnnotationSupport") is not None, "this client knows no annotations"
        for uri, changes in (edit.changes or {}).items():
            self._edit_buffer(uri, changes)
        for change in edit.document_changes or []:
            if isinstance(change, types.TextDocumentEdit):
                self._edit_buffer(change.text_document.uri, change.edits)
            else:
                assert change.kind in operations, f"this client does not {change.kind} files"
                self._operate(change)
        self._signal_change()

    def _edit_buffer(self, uri: str, edits: Sequence[Any]) -> None:
        buffer = self.buffers.get(uri)
        if buffer is None:
            path = path_of(uri)
            if self.habits.loses_text_of_new_files and not path.stat().st_size:
                return
            if self.habits.writes_closed_files:
                path.write_bytes(self._edited(path.read_bytes().decode(), edits).encode())
                return
            buffer = self.open(path)
        if self.habits.keeps_lines_only:
            self.replace(buffer, neovim_buffer.edited(buffer.text, edits, Unit(self.unit)))
            return
        spans = [
            (self.offset(buffer.text, e.range.start), self.offset(buffer.text, e.range.end), e) for e in edits
        ]
        spans.sort(key=lambda item: item[:2])
        for (_, end, _), (start, _, _) in pairwise(spans):
            assert end <= start, "edits of one request must not overlap"
        buffer.undo.append(buffer.text)
        changes: list[types.TextDocumentContentChangeEvent] = []
        for start, end, edit in reversed(spans):
            span, new = self.range(buffer.text, start, end), edit.new_text
            if self.habits.mangles:
                new = new.replace(self.habits.mangles, self.habits.mangles.upper())
            buffer.text = buffer.text[:start] + new + buffer.text[end:]
            changes.append(types.TextDocumentContentChangePartial(range=span, text=new))
        if self.habits.formats_on_edit:
            span = self.range(buffer.text, len(buffer.text), len(buffer.text))
            buffer.text += "# formatted\n"
            changes.append(types.TextDocumentContentChangePartial(range=span, text="# formatted\n"))
        self._tell(buffer, changes)

    def _make_and_format(self, edit: types.WorkspaceEdit) -> None:
        self.make(edit)
        if self.habits.formats_after_edit:
            self._format()

    def _format(self) -> None:
        for buffer in self.buffers.values():
            self.type(buffer, len(buffer.text), len(buffer.text), "# formatted\n")

    def _edited(self, text: str, edits: Sequence[Any]) -> str:
        for edit in sorted(edits, key=lambda edit: self.offset(text, edit.range.start), reverse=True):
            start, end = self.offset(text, edit.range.start), self.offset(text, edit.range.end)
            text = text[:start] + edit.new_text + text[end:]
        return text

    def _operate(self, change: types.CreateFile | types.RenameFile | types.DeleteFile) -> None:
        """Create, rename or delete a file, and the open document of it."""
        if change.kind == self.habits.fails_at:
            raise PermissionError(f"this editor may not {change.kind}")
        if change.kind == self.habits.skips:
            return
        if isinstance(change, types.CreateFile):
            path_of(change.uri).open("x").close()
        elif isinstance(change, types.RenameFile):
            assert not path_of(change.new_uri).exists(), "nothing may be overwritten"
            path_of(change.old_uri).rename(path_of(change.new_uri))
            moved = self.buffers.get(change.old_uri)
            if moved is not None:
                self.close(moved)
                self.open(change.new_uri, moved.text).dirty = moved.dirty
        else:
            path_of(change.uri).unlink()
            if change.uri in self.buffers:
                self.close(self.buffers[change.uri])

    def _tell(self, buffer: Buffer, changes: list[types.TextDocumentContentChangeEvent]) -> None:
        buffer.dirty = True
        if self._busy:
            self._unsent.setdefault(buffer.uri, []).extend(changes)
            return
        buffer.version += 1
        identifier = types.VersionedTextDocumentIdentifier(uri=buffer.uri, version=buffer.version)
        params = types.DidChangeTextDocumentParams(text_document=identifier, content_changes=changes)
        self.text_document_did_change(params)

    def offset(self, text: str, position: types.Position) -> int:
        """Return the character offset of a position in this client's units."""
        lines = re.split("(\r\n|\n|\r)", text)
        start = len("".join(lines[: 2 * position.line]))
        content = lines[2 * position.line] if 2 * position.line < len(lines) else ""
        units = content.encode(self._codec)[: position.character * self._unit_bytes]
        return start + len(units.decode(self._codec))

    def range(self, text: str, start: int, end: int) -> types.Range:
        """Return the range in this client's units of the characters from `start` to `end`."""
        return types.Range(start=self._position(text, start), end=self._position(text, end))

    def _position(self, text: str, offset: int) -> types.Position:
        before = re.split("\r\n|\n|\r", text[:offset])
        return types.Position(
            line=len(before) - 1, character=len(before[-1].encode(self._codec)) // self._unit_bytes
        )

    @property
    def _codec(self) -> str:
        return {"utf-8": "utf-8", "utf-16": "utf-16-le", "utf-32": "utf-32-le"}[self.unit]

    @property
    def _unit_bytes(self) -> int:
        return {"utf-8": 1, "utf-16": 2, "utf-32": 4}[self.unit]


APP = """\
def first():
    value = 1
    return value


def second():
    value = 1
    return 2
"""


def block(path: Path, search: str, replace: str, editor: Editor) -> str:
    """An edit block as a model writes it."""
    name = path.relative_to(editor.folder).as_posix()
    return f"{name}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n"


def shown_at(message: str) -> str:
    """Return the URI of the file in which a text is, as a message says."""
    return Path(message.removeprefix("The text is at ").removesuffix(".")).as_uri()


def opened(editor: Editor, path: Path, text: str = APP) -> Buffer:
    path.write_bytes(text.encode())
    return editor.open(path)


@cache
def client_converter() -> Any:
    """Return pygls' converter, which by itself reads a code action with a command as a bare command.

    Each one works out again how every type is read, so that all editors share it.
    """
    converter = default_converter()  # type: ignore[no-untyped-call]

    def structure(value: Any, _: Any) -> types.Command | types.CodeAction:
        bare = isinstance(value.get("command"), str)
        action: types.Command | types.CodeAction = converter.structure(
            value, types.Command if bare else types.CodeAction
        )
        return action

    converter.register_structure_hook(Union[types.Command, types.CodeAction], structure)  # noqa: UP007
    return converter


def declared_by(client: str) -> dict[str, Any]:
    """Return the capabilities that a real client declares."""
    captured: dict[str, Any] = json.loads((CLIENTS / f"{client}.json").read_text(encoding="utf-8"))
    capabilities: dict[str, Any] = captured["capabilities"]
    return capabilities


def initialize_params(editor: Editor, *folders: Path, **more: Any) -> types.InitializeParams:
    """Return the parameters of `initialize` that this editor sends."""
    uris = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
    given = {
        "processId": None,
        "clientInfo": {"name": editor.habits.name},
        "rootUri": uris[0]["uri"] if uris else None,
        "capabilities": editor.declared,
    } | more
    if editor.declared.get("workspace", {}).get("workspaceFolders"):
        given.setdefault("workspaceFolders", uris or None)
    params: types.InitializeParams = client_converter().structure(given, types.InitializeParams)
    return params


@asynccontextmanager
async def running(
    editor: Editor, *folders: Path, state: Path | None = None, **more: Any
) -> AsyncIterator[types.InitializeResult]:
    """The editor with a server of its own, attached to `folders`."""
    await start(editor, state)
    try:
        yield await attach(editor, *folders, **more)
        editor.released.set()
        await asyncio.wait_for(editor.shutdown_session(), PATIENCE)
    finally:
        process = editor._server
        if process is not None and process.returncode is None and editor.error is None:
            process.kill()
        await editor.stop()  # type: ignore[no-untyped-call]


async def start(editor: Editor, state: Path | None = None) -> None:
    """Start a server for the editor, which keeps its state in the folder `state`."""
    import os

    environment = dict(os.environ, PYTHONPATH=str(Path(__file__).parents[2] / "server"))
    if state is not None:
        environment |= {"XDG_STATE_HOME": str(state), "LOCALAPPDATA": str(state)}
    await editor.start_io(*forked(SERVER, "patchpoint.lsp.registration"), env=environment, limit=UNREAD)


async def attach(editor: Editor, *folders: Path, **more: Any) -> types.InitializeResult:
    """Begin the session."""
    result = await editor.initialize_session(initialize_params(editor, *folders, **more))
    encoding = result.capabilities.position_encoding or types.PositionEncodingKind.Utf16
    editor.unit = types.PositionEncodingKind(encoding).value
    return result


def path_of(uri: str) -> Path:
    """Return the path of a `file:` URI."""
    from pygls.uris import to_fs_path

    path = to_fs_path(uri)
    assert path is not None
    return Path(path)


def plain(value: Any) -> Any:
    """Return what pygls made of JSON as JSON again."""
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def touches(one: types.Range, other: types.Range) -> bool:
    """Return whether two ranges overlap or touch."""
    return one.start <= other.end and other.start <= one.end
