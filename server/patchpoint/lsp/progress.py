"""Long work as the client sees it: a progress bar where it has one, and a way to stop it."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol

from lsprotocol import types

from patchpoint.lsp.capabilities import Client
from patchpoint.progress import CancelledError

MOMENT = 0.5
"""Seconds after which work that the client did not ask to watch shows itself."""

_INTERVAL = 0.1
"""Seconds between two reports: more would only be traffic."""


class Watcher(Protocol):
    """What work needs of the session that it is done for."""

    client: Client
    work: WorkRegistry

    def soon(self, function: Callable[[], None]) -> None:
        """Call `function` on the loop, from any thread."""

    def progress(self, params: types.ProgressParams) -> None:
        """Tell the client how far some work is."""

    async def window_work_done_progress_create_async(
        self, params: types.WorkDoneProgressCreateParams
    ) -> None:
        """Ask the client for a progress bar."""


class Work:
    """One piece of long work, to be used as an asynchronous context: shown while it lasts, ended always.

    It is what the rooms below know as `patchpoint.progress.Progress`, and may be used from any thread.
    """

    def __init__(self, session: Watcher, title: str, token: types.ProgressToken | None = None) -> None:
        self._session = session
        self._title = title
        self._asked = token is not None
        self._shown = False
        self._over = False
        self._reported = 0.0
        self._stop = threading.Event()
        self.stopping: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once the work was asked to stop."""
        self._timer: asyncio.TimerHandle | None = None
        self._announcing: asyncio.Task[None] | None = None
        self.token: types.ProgressToken = token if token is not None else str(uuid.uuid4())

    def check(self) -> None:
        """Raise `CancelledError` when the client no longer wants the work."""
        if self._stop.is_set():
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show how far the work is; reports that come too thick are left out."""
        now = time.monotonic()
        if now - self._reported < _INTERVAL:
            return
        self._reported = now
        percentage = min(100, done * 100 // total) if total else None
        self._session.soon(lambda: self._send_report(message, percentage))

    def cancel(self) -> None:
        """Ask the work to stop at its next step; to be called on the loop."""
        self._stop.set()
        if not self.stopping.done():
            self.stopping.set_result(None)

    @property
    def cancelled(self) -> bool:
        """Whether it was asked to stop."""
        return self._stop.is_set()

    async def __aenter__(self) -> Work:
        self._session.work.add(self)
        if self._asked:
            self._begin()
        elif self._session.client.work_done_progress:
            self._timer = asyncio.get_running_loop().call_later(MOMENT, self._announce)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over = True
        self._session.work.remove(self)
        if self._timer is not None:
            self._timer.cancel()
        if self._shown:
            self._progress(types.WorkDoneProgressEnd(message="Cancelled" if self.cancelled else None))

    def _announce(self) -> None:
        self._announcing = asyncio.get_running_loop().create_task(self._create())

    async def _create(self) -> None:
        """Ask for a progress bar of our own; a client that refuses goes without."""
        try:
            await self._session.window_work_done_progress_create_async(
                types.WorkDoneProgressCreateParams(token=self.token)
            )
        except Exception:
            return
        if not self._over:
            self._begin()

    def _begin(self) -> None:
        self._shown = True
        self._progress(types.WorkDoneProgressBegin(title=self._title, cancellable=True))

    def _send_report(self, message: str, percentage: int | None) -> None:
        if self._shown and not self._over:
            self._progress(
                types.WorkDoneProgressReport(message=message, percentage=percentage, cancellable=True)
            )

    def _progress(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        self._session.progress(types.ProgressParams(token=self.token, value=value))


class WorkRegistry:
    """The long work that is going on, so that it can be found when its client wants it stopped."""

    def __init__(self) -> None:
        self._by_token: dict[types.ProgressToken, Work] = {}

    def add(self, work: Work) -> None:
        """Note that `work` goes on."""
        self._by_token[work.token] = work

    def remove(self, work: Work) -> None:
        """Note that `work` has ended."""
        self._by_token.pop(work.token, None)

    def cancel(self, token: types.ProgressToken) -> bool:
        """Ask the work behind a progress token to stop; whether there was any."""
        work = self._by_token.get(token)
        if work is not None:
            work.cancel()
        return work is not None

    def __iter__(self) -> Iterator[Work]:
        return iter(list(self._by_token.values()))
