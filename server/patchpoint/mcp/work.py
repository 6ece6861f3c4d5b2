"""The work of a request in a thread, reported to the client and ended when it cancels."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import anyio
import anyio.from_thread
import anyio.to_thread

from patchpoint import signals
from patchpoint.mcp.exchange import Context
from patchpoint.mcp.plain_text import plain
from patchpoint.progress import CancelledError

T = TypeVar("T")

_REPORT_S = 0.2
"""Seconds between two reports of progress."""


class Watched:
    """Progress that is reported to the client, and that ends when it cancels the request."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._cancelled = False
        self._reported = 0.0
        self._count = 0

    def cancel(self) -> None:
        """End the work at the next occasion."""
        self._cancelled = True

    def check(self) -> None:
        """Raise `CancelledError` when the client has cancelled the request, `Stopped` for a signal."""
        signals.check()
        if self._cancelled:
            raise CancelledError

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Tell the client, which wants numbers that only grow."""
        self.check()
        now = time.monotonic()
        if now - self._reported < _REPORT_S:
            return
        self._reported, self._count = now, self._count + 1
        said = f"{message} {done}/{total}" if total else message
        anyio.from_thread.run(self._context.session.report_progress, float(self._count), None, plain(said))


async def in_thread(work: Callable[[], T], watched: Watched) -> T:
    """Return what `work` returns, done in a thread.

    When the request is cancelled, wait until it has ended, with nothing half-done.
    """
    done: list[T] = []
    failure: Exception | None = None

    async def cancel_with_request() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            watched.cancel()

    async with anyio.create_task_group() as group:
        group.start_soon(cancel_with_request)
        try:
            done.append(await anyio.to_thread.run_sync(work))
        except Exception as error:
            # A group would wrap it.
            failure = error
        group.cancel_scope.cancel()
    if failure is not None:
        raise failure
    return done[0]
