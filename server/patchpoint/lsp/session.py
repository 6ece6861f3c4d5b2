"""One client's session: what it can do, what its user chose, what it has open and what goes on for it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from lsprotocol import types
from pygls.exceptions import FeatureRequestError, JsonRpcException
from pygls.lsp.server import LanguageServer

from patchpoint.locate.ladder import Ladder
from patchpoint.lsp.capabilities import SHOWS_RESULTS, Client
from patchpoint.lsp.client_process import lives
from patchpoint.lsp.decode import JSON, encode
from patchpoint.lsp.documents import Documents
from patchpoint.lsp.progress import Work, WorkRegistry
from patchpoint.lsp.protocol import PatchpointProtocol, converter
from patchpoint.lsp.settings import SECTION, Settings, Trace, read_settings
from patchpoint.lsp.uris import path_of
from patchpoint.outcome import Rung
from patchpoint.progress import CancelledError

P = ParamSpec("P")
T = TypeVar("T")

_WORKERS = 4
_FAREWELL = 10.0
"""Seconds that running work has to come to an end when the client leaves."""
_WATCH_INTERVAL = 3.0
"""Seconds between two looks at whether the client's process still lives."""


class Session(LanguageServer):
    """The server as one client has it."""

    protocol: PatchpointProtocol

    def __init__(self) -> None:
        super().__init__(
            "patchpoint",
            version("patchpoint"),
            protocol_cls=PatchpointProtocol,
            converter_factory=converter,
        )
        self.begun = False
        self.client = Client()
        self.settings = Settings()
        self.roots: list[Path] = []
        """The workspace folders, in the client's order."""
        self.documents = Documents(self.client.unit)
        self.chosen_before: Callable[[], frozenset[str]] = frozenset
        """Answers the ids of the edits that a person put at one of several places, of late."""
        self.work = WorkRegistry()
        self.exit_status: asyncio.Future[int] | None = None
        self._executor = ThreadPoolExecutor(_WORKERS, thread_name_prefix="patchpoint")
        self._loop: asyncio.AbstractEventLoop | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._told: set[str] = set()
        self._over = False

    def begin(self, params: JSON, client_lives: bool | None = None) -> Documents:
        """Start with the parameters of `initialize`; answers the store for the client's documents.

        `client_lives` says whether the client's process was there when it sent them, if that is known: one
        that never was (it may be in another container) is not waited for.
        """
        self.begun = True
        self.client = Client.of(params)
        self.documents = Documents(self.client.unit)
        given = params if isinstance(params, dict) else {}
        self.roots = _roots(given)
        options = given.get("initializationOptions")
        if isinstance(options, dict):
            self._follow_settings({key: value for key, value in options.items() if key != SHOWS_RESULTS})
        process_id = self.client.process_id
        if process_id is not None and (lives(process_id) if client_lives is None else client_lives):
            self.start(self._watch_client(process_id))
        return self.documents

    def change_folders(self, event: types.WorkspaceFoldersChangeEvent) -> None:
        """The client opened or closed folders."""
        gone = {path_of(folder.uri) for folder in event.removed}
        added = [path for folder in event.added if (path := path_of(folder.uri)) is not None]
        kept = [root for root in self.roots if root not in gone]
        self.roots = list(dict.fromkeys([*kept, *added]))

    def settings_changed(self) -> None:
        """What follows from other settings than before; nothing here."""

    async def greet(self) -> None:
        """Ask a client that is ready for its settings, and to be told when they change."""
        if self.client.configuration_registration:
            await self.register(types.WORKSPACE_DID_CHANGE_CONFIGURATION, {"section": SECTION})
        if self.client.text_document_content:
            await self.register(types.WORKSPACE_TEXT_DOCUMENT_CONTENT, {"schemes": [SECTION]})
        await self.pull_settings()

    async def pull_settings(self) -> None:
        """Ask the client for our section of its settings, where it answers such questions."""
        if not self.client.configuration:
            return
        items = [types.ConfigurationItem(section=SECTION)]
        try:
            answer = await self.workspace_configuration_async(types.ConfigurationParams(items=items))
        except Exception as error:
            self.log(f"The client did not say its settings: {error}", types.MessageType.Warning)
            return
        if isinstance(answer, (list, tuple)) and answer and answer[0] is not None:
            self._follow_settings(answer[0])

    def take_settings(self, given: JSON) -> None:
        """Follow settings that the client sent of itself; clients that can be asked are asked instead."""
        if self.client.configuration:
            self.start(self.pull_settings())
        else:
            self._follow_settings(given)

    def _follow_settings(self, given: JSON) -> None:
        if not isinstance(given, dict):
            return
        self.settings, problems = read_settings(given)
        for problem in problems:
            if problem not in self._told:
                self._told.add(problem)
                self.start(self._say_later(problem))
        self.settings_changed()

    async def _say_later(self, problem: str) -> None:
        self.log(problem, types.MessageType.Warning)

    async def register(self, method: str, options: object) -> None:
        """Have the client send us `method`; one that does not is named in its log."""
        registration = types.Registration(id=f"{SECTION}:{method}", method=method, register_options=options)
        try:
            await self.client_register_capability_async(
                types.RegistrationParams(registrations=[registration])
            )
        except Exception as error:
            self.log(f"The client did not register `{method}`: {error}", types.MessageType.Log)

    async def unregister(self, method: str) -> None:
        """Have the client no longer send us `method`."""
        params = types.UnregistrationParams([types.Unregistration(id=f"{SECTION}:{method}", method=method)])
        try:
            await self.client_unregister_capability_async(params)
        except Exception as error:
            self.log(f"The client did not unregister `{method}`: {error}", types.MessageType.Log)

    def begin_work(self, title: str, token: types.ProgressToken | None = None) -> Work:
        """A piece of long work, to be used as an asynchronous context."""
        return Work(self, title, token)

    async def run(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do what takes long in a thread of ours, while the loop goes on."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._executor, partial(function, *args, **kwargs))

    def start(self, work: Coroutine[Any, Any, object]) -> None:
        """Let `work` go on by itself; if it fails, the log says so. Once the session ends, nothing begins."""
        if self._over:
            work.close()
            return
        task = asyncio.get_running_loop().create_task(self._guarded(work))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _guarded(self, work: Awaitable[object]) -> None:
        try:
            await work
        except CancelledError:
            pass
        except Exception as error:
            logging.getLogger(__name__).exception("Work in the background failed")
            self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    def soon(self, function: Callable[[], None]) -> None:
        """Call `function` on the loop, from any thread."""
        if self._loop is not None:
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(function)

    def log(self, message: str, kind: types.MessageType = types.MessageType.Info) -> None:
        """Write a line to the client's log."""
        if self.begun:
            self.window_log_message(types.LogMessageParams(type=kind, message=message))

    def say(self, message: str) -> None:
        """Show a message."""
        self.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message=message))

    def warn(self, message: str) -> None:
        """Show a warning."""
        self.window_show_message(types.ShowMessageParams(type=types.MessageType.Warning, message=message))

    def tell_result(self, command: str, answer: object) -> None:
        """Show in a line what a command came to, where the client does not show it."""
        if self.client.shows_results:
            return
        from patchpoint.lsp.results import line_for_person

        told = line_for_person(command, answer, self.roots)
        if told is not None:
            self.window_show_message(types.ShowMessageParams(type=told[0], message=told[1]))

    def notify(self, method: str, params: object) -> None:
        """Tell the client of something that happened; a client that does not know it ignores it."""
        self.protocol.notify(method, encode(params))

    def trace_line(self, message: str) -> None:
        """Write a line to the client's log if its user wants to follow our work."""
        if self.settings.trace is not Trace.OFF:
            self.log(message, types.MessageType.Log)

    def report_server_error(self, error: Exception, source: object) -> None:
        """Log what the library could not handle, unless a request was answered with it; open no window."""
        if source is not FeatureRequestError:
            self.log(f"{type(error).__name__}: {error}", types.MessageType.Error)

    def ladder(self, min_similarity: float | None = None, min_margin: float | None = None) -> Ladder:
        """The ladder that the client's user chose, with what a request wants otherwise."""
        settings = self.settings
        return Ladder(
            rungs=tuple(rung for rung in Rung if rung in settings.rungs),
            min_similarity=settings.min_similarity if min_similarity is None else min_similarity,
            min_margin=settings.min_margin if min_margin is None else min_margin,
        )

    def explain(self, error: Exception) -> JsonRpcException | None:
        """The error as the caller is told it; `None` when it is a fault of ours."""
        from patchpoint.lsp.failures import failure_of

        return failure_of(error)

    async def converse(self, loop: asyncio.AbstractEventLoop) -> int:
        """Serve until the client leaves; answers the exit status."""
        self._loop = loop
        self.exit_status = loop.create_future()
        status = await self.exit_status
        await self.finish()
        return status

    def leave(self, status: int) -> None:
        """End the session."""
        if self.exit_status is not None and not self.exit_status.done():
            self.exit_status.set_result(status)

    async def finish(self) -> None:
        """Stop all work at its next step and wait, for a while, until it has ended."""
        self._over = True
        for work in self.work:
            work.cancel()
        waiting = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in waiting:
            task.cancel()
        self._executor.shutdown(wait=False, cancel_futures=True)
        closing = asyncio.get_running_loop().run_in_executor(None, self._executor.shutdown, True)
        with contextlib.suppress(asyncio.TimeoutError):
            await asyncio.wait_for(asyncio.shield(closing), _FAREWELL)

    async def _watch_client(self, process_id: int) -> None:
        """Leave when the client's process is gone without having closed its end."""
        while lives(process_id):
            await asyncio.sleep(_WATCH_INTERVAL)
        self.leave(1)


def _roots(params: dict[str, JSON]) -> list[Path]:
    """The folders that the client works in: several, one, or none at all."""
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
