"""Progress of long work, shown in the client where it has progress bars, and cancelled from there."""

from __future__ import annotations

import asyncio
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Protocol

from lsprotocol import types

from patchpoint.lsp.session.client_capabilities import ClientCapabilities
from patchpoint.progress import CancelledError
from patchpoint.text.shown import visible_line

ANNOUNCE_AFTER_S = 0.5
"""Seconds after which work is announced that the client did not give a progress token for."""

_REPORT_INTERVAL_S = 0.1
"""Least seconds between two reports; nobody reads more of them."""


class ProgressSession(Protocol):
    """The part of a session that its work needs."""

    client: ClientCapabilities
    work: WorkRegistry

    def call_soon(self, function: Callable[[], None]) -> None:
        """Call `function` on the event loop, from any thread."""

    def progress(self, params: types.ProgressParams) -> None:
        """Send the client a progress notification."""

    async def window_work_done_progress_create_async(
        self, params: types.WorkDoneProgressCreateParams
    ) -> None:
        """Ask the client for a progress bar."""


class Work:
    """A piece of long work, used as an asynchronous context: shown while it lasts, and always ended.

    It implements `patchpoint.progress.Progress` and may be used from any thread.
    """

    def __init__(
        self, session: ProgressSession, title: str, token: types.ProgressToken | None = None
    ) -> None:
        self._session = session
        self._title = title
        self._has_token = token is not None
        self._shown = False
        self._over = False
        self._reported = 0.0
        self._stop = threading.Event()
        self.stopping: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        """Done once the work was cancelled."""
        self._timer: asyncio.TimerHandle | None = None
        self._announcing: asyncio.Task[None] | None = None
        self.token: types.ProgressToken = token if token is not None else str(uuid.uuid4())

    def check(self) -> None:
        """Raise `CancelledError` if the work was cancelled."""
        if self._stop.is_set():
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Report how far the work is; reports less than `_REPORT_INTERVAL_S` after another are dropped."""
        now = time.monotonic()
        if now - self._reported < _REPORT_INTERVAL_S:
            return
        self._reported = now
        percentage = min(100, done * 100 // total) if total else None
        self._session.call_soon(lambda: self._send_report(message, percentage))

    def cancel(self) -> None:
        """Ask the work to stop at its next step. Call this on the event loop."""
        self._stop.set()
        if not self.stopping.done():
            self.stopping.set_result(None)

    @property
    def cancelled(self) -> bool:
        """Whether the work was cancelled."""
        return self._stop.is_set()

    async def __aenter__(self) -> Work:
        self._session.work.add(self)
        if self._has_token:
            self._begin()
        elif self._session.client.work_done_progress:
            self._timer = asyncio.get_running_loop().call_later(ANNOUNCE_AFTER_S, self._announce)
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
        """Request a progress bar for work without a token; nothing is shown if the client refuses."""
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
        self._progress(types.WorkDoneProgressBegin(title=visible_line(self._title), cancellable=True))

    def _send_report(self, message: str, percentage: int | None) -> None:
        if self._shown and not self._over:
            self._progress(
                types.WorkDoneProgressReport(
                    message=visible_line(message), percentage=percentage, cancellable=True
                )
            )

    def _progress(
        self, value: types.WorkDoneProgressBegin | types.WorkDoneProgressReport | types.WorkDoneProgressEnd
    ) -> None:
        self._session.progress(types.ProgressParams(token=self.token, value=value))


class WorkRegistry:
    """The work in progress by its progress token, by which a client cancels it."""

    def __init__(self) -> None:
        self._by_token: dict[types.ProgressToken, Work] = {}

    def add(self, work: Work) -> None:
        """Add work that began."""
        self._by_token[work.token] = work

    def remove(self, work: Work) -> None:
        """Remove work that ended."""
        self._by_token.pop(work.token, None)

    def cancel(self, token: types.ProgressToken) -> bool:
        """Cancel the work of a progress token, and return whether there is any."""
        work = self._by_token.get(token)
        if work is not None:
            work.cancel()
        return work is not None

    def __iter__(self) -> Iterator[Work]:
        return iter(list(self._by_token.values()))
