"""A session with one client: capabilities, settings, open documents, background work, messages."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from patchpoint.filesystem.process import is_alive
from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.session.client_capabilities import OWN_OPTIONS, ClientCapabilities
from patchpoint.lsp.session.documents import Documents
from patchpoint.lsp.session.progress import Work, WorkRegistry
from patchpoint.lsp.session.protocol import PatchpointProtocol, converter
from patchpoint.lsp.transport.access import TOKEN_KEY
from patchpoint.progress import CancelledError
from patchpoint.schema.decode import JSON, encode
from patchpoint.schema.settings import SECTION, Settings, Trace, read_settings
from patchpoint.schema.uris import path_of
from patchpoint.text import shown
from patchpoint.version import __version__

P = ParamSpec("P")
T = TypeVar("T")

_WORKERS = 4
"""Threads for work that would block the event loop."""

_FINISH_TIMEOUT_S = 10.0
"""Seconds that running work has to come to an end when the session ends."""

_WATCH_INTERVAL_S = 3.0
"""Seconds between two checks that the client's process is alive."""


class Session(LanguageServer):
    """The server's side of a session with one client.

    In this order: the course of the session, the settings, background work, messages to the client, errors.
    """

    protocol: PatchpointProtocol

    def __init__(self) -> None:
        super().__init__(
            "patchpoint",
            __version__,
            protocol_cls=PatchpointProtocol,
            converter_factory=converter,
        )
        self.begun = False
        """Whether `initialize` was received."""
        self.client = ClientCapabilities()
        self.roots: list[Path] = []
        """The workspace folders, in the client's order."""
        self.documents = Documents(self.client.unit)
        self.settings = Settings()
        """The user's settings, over git's configuration for the first workspace folder."""
        self.given_settings: JSON = None
        """The user's settings as the client sent them."""
        self.settings_read = asyncio.Event()
        """Set while `settings` includes git's configuration, which a thread reads after each change."""
        self.work = WorkRegistry()
        self.chosen_before: Callable[[], frozenset[str]] = frozenset
        """Return the ids of recent edits for which a person chose one of several places."""
        self.exit_status: asyncio.Future[int] | None = None
        self._executor = ThreadPoolExecutor(_WORKERS, thread_name_prefix="patchpoint")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._logged_problems: set[str] = set()
        self._settings_generation = 0
        self._finished = False

    def begin(self, params: JSON, client_is_alive: bool | None = None) -> Documents:
        """Begin with the parameters of `initialize`, and return the store for the client's documents.

        `client_is_alive` says whether the client's process was alive when it sent them, if that is known. The
        end of a process that was not seen alive (it may be in another container) does not end the session.
        """
        self.begun = True
        self.client = ClientCapabilities.of(params)
        self.documents = Documents(self.client.unit)
        given = params if isinstance(params, dict) else {}
        if given.get("trace") in (types.TraceValue.Messages, types.TraceValue.Verbose):
            self.protocol.trace = types.TraceValue(given["trace"])
        self.roots = _roots(given)
        options = given.get("initializationOptions")
        if isinstance(options, dict):
            options = {key: value for key, value in options.items() if key not in (*OWN_OPTIONS, TOKEN_KEY)}
        self._use_settings(options)
        process_id = self.client.process_id
        if process_id is not None and (is_alive(process_id) if client_is_alive is None else client_is_alive):
            self.start(self._watch_client(process_id))
        return self.documents

    async def on_initialized(self) -> None:
        """Ask a client that is ready for its settings, and to notify us when they change."""
        if self.client.configuration_registration:
            await self.register(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})
        if self.client.text_document_content:
            await self.register(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, {"schemes": [SECTION]})
        await self.pull_settings()

    def on_folders_changed(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """Update the workspace folders after the client opened or closed some."""
        removed = {path_of(folder.uri) for folder in event.removed}
        added = [path for folder in event.added if (path := path_of(folder.uri)) is not None]
        kept = [root for root in self.roots if root not in removed]
        self.roots = list(dict.fromkeys([*kept, *added]))
        self._use_settings(self.given_settings)

    async def serve(self, loop: asyncio.AbstractEventLoop) -> int:
        """Serve the client on `loop` until the session ends, and return the exit status."""
        self._loop = loop
        self.exit_status = loop.create_future()
        status = await self.exit_status
        await self.finish()
        return status

    def exit(self, status: int) -> None:
        """End the session with an exit status; later calls change nothing."""
        if self.exit_status is not None and not self.exit_status.done():
            self.exit_status.set_result(status)

    async def finish(self) -> None:
        """Stop all work at its next step and wait until it has ended, at most `_FINISH_TIMEOUT_S`."""
        self._finished = True
        for work in self.work:
            work.cancel()
        waiting = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in waiting:
            task.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)
        closing = asyncio.get_running_loop().run_in_executor(None, self._executor.shutdown, True)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(closing), _FINISH_TIMEOUT_S)

    def settings_changed(self) -> None:
        """Update what depends on `settings`, after they changed; sub-classes do so."""

    async def pull_settings(self) -> None:
        """Request our section of the client's settings, if the client answers such requests."""
        if not self.client.configuration:
            return
        items = [types.ConfigurationItem(section=SECTION)]
        try:
            answer = await self.workspace_configuration_async(types.ConfigurationParams(items=items))
        except Exception as error:
            self.log(f"The client did not send its settings: {error}", types.MessageType.Warning)
            return
        if isinstance(answer, (list, tuple)) and answer and answer[0] is not None:
            self._use_settings(answer[0])

    def receive_settings(self, given: JSON) -> None:
        """Use settings that the client sent unasked; a client that answers requests is asked instead."""
        if self.client.configuration:
            self.start(self.pull_settings())
        else:
            self._use_settings(given)

    async def ladder(self, min_similarity: float | None = None, min_margin: float | None = None) -> Ladder:
        """Return the ladder of the user's settings, with the thresholds that a request overrides.

        Waits until git's configuration has been read, so that no edit is applied by a rung that is turned off
        there. The other settings are complete, too, once this returns.
        """
        await self.settings_read.wait()
        return self.settings.ladder(min_similarity, min_margin)

    def begin_work(self, title: str, token: types.ProgressToken | None = None) -> Work:
        """Return a piece of long work, to be used as an asynchronous context."""
        return Work(self, title, token)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Call `function` in a thread of the session's, and return its result."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(function, *args, **kwargs))

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Run `work` in the background and log its failure; nothing starts once the session has finished."""
        if self._finished:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def call_soon(self, function: Callable[[], None]) -> None:
        """Call `function` on the event loop, from any thread; nothing happens once the loop is closed."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function)

    async def register(self, method: str, options: object) -> None:
        """Ask the client to send us `method`; log a failure."""
        registration = types.Registration(id=f"{SECTION}:{method}", method=method, register_options=options)
        try:
            await self.client_register_capability_async(
                types.RegistrationParams(registrations=[registration])
            )
        except Exception as error:
            self.log(f"The client did not register `{method}`: {error}", types.MessageType.Log)

    async def unregister(self, method: str) -> None:
        """Ask the client to stop sending us `method`; log a failure."""
        params = types.UnregistrationParams([types.Unregistration(id=f"{SECTION}:{method}", method=method)])
        try:
            await self.client_unregister_capability_async(params)
        except Exception as error:
            self.log(f"The client did not unregister `{method}`: {error}", types.MessageType.Log)

    def notify(self, method: str, params: object) -> None:
        """Send a notification; a client that does not know `method` ignores it."""
        self.protocol.notify(method, encode(params))

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write a line to the client's log."""
        if self.begun:
            self.window_log_message(types.LogMessageParams(type=kind, message=shown.message(message)))

    def trace_line(self, message: str) -> None:
        """Write a line to the log if the setting `trace` asks for it, and to the trace of the client."""
        if self.settings.trace is not Trace.OFF:
            self.log(message, types.MessageType.Log)
        if self.protocol.trace is not types.TraceValue.Off:
            self.log_trace(types.LogTraceParams(message=shown.message(message)))

    def show_message(self, message: str) -> None:
        """Show a message to the user."""
        self._show(types.MessageType.Info, message)

    def warn(self, message: str) -> None:
        """Show a warning to the user."""
        self._show(types.MessageType.Warning, message)

    def send_result(self, command: str, result: object) -> None:
        """Show the user a line about the result of a command, unless the client itself shows results."""
        if self.client.shows_results:
            return
        from patchpoint.lsp.session.results import summary_line

        line = summary_line(command, result, self.roots)
        if line is not None:
            self._show(*line)

    def _show(self, kind: types.MessageType, message: str) -> None:
        self.window_show_message(types.ShowMessageParams(type=kind, message=shown.message(message)))

    def to_rpc_error(self, error: Exception) -> JsonRpcException | None:
        """Return the error of a response for `error`; `None` when it is a bug of ours."""
        from patchpoint.lsp.errors import rpc_error_for

        return rpc_error_for(error)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log an error that pygls caught, unless it is the response to a request; show no window."""
        if source is not FeatureRequestError:
            self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    def _use_settings(self, given: JSON) -> None:
        """Use the client's settings at once, and have git's configuration read for the others."""
        if isinstance(given, dict):
            self.given_settings = given
        self.settings, _ = read_settings(self.given_settings)
        self.settings_changed()
        self.settings_read.clear()
        self._settings_generation += 1
        self.start(self._read_git_settings(self._settings_generation))

    async def _read_git_settings(self, generation: int) -> None:
        """Read git's configuration in a thread and merge it, unless the settings changed in the meantime."""
        from patchpoint.schema.git_settings import settings_of

        root = self.roots[0] if self.roots else Path.home()
        try:
            settings, problems = await self.run(settings_of, root, self.given_settings)
            if generation != self._settings_generation:
                return
            changed = settings != self.settings
            self.settings = settings
        finally:
            if generation == self._settings_generation:
                self.settings_read.set()
        for problem in problems:
            if problem not in self._logged_problems:
                self._logged_problems.add(problem)
                self.log(problem, types.MessageType.Warning)
        if changed:
            self.settings_changed()

    async def _guarded(self, work: Awaitable[object]) -> None:
        try:
            await work
        except CancelledError:
            pass
        except Exception as error:
            logging.getLogger(__name__).exception("Background work failed")
            self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    async def _watch_client(self, process_id: int) -> None:
        """End the session when the client's process has ended without closing its end of the connection."""
        while is_alive(process_id):
            await asyncio.sleep(_WATCH_INTERVAL_S)
        self.exit(1)


def _roots(params: dict[str, JSON]) -> list[Path]:
    """Return the workspace folders of `initialize`, or else its root; only absolute file paths count."""
    folders = params.get("workspaceFolders")
    uris = (
        [folder.get("uri") for folder in folders if isinstance(folder, dict)]
        if isinstance(folders, list)
        else []
    )
    if not uris:
        uris = [params.get("rootUri")]
    paths = [path_of(uri) for uri in uris if isinstance(uri, str)]
    if not any(paths) and isinstance(params.get("rootPath"), str):
        paths = [Path(str(params["rootPath"]))]
    return list(dict.fromkeys(path for path in paths if path is not None and path.is_absolute()))
