"""Progress and cancellation of long work: one small interface for the command line and the protocol."""

from __future__ import annotations

from typing import Protocol


class CancelledError(Exception):
    """Raised by long work that was cancelled; nothing half-done is left behind."""


class Progress(Protocol):
    """What long work calls now and then, from any thread."""

    def check(self) -> None:
        """Raise `CancelledError` when the work was cancelled."""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Report that `done` of `total` steps are done; `total` is `None` when it is not known."""


class Silent:
    """Progress that is not shown and never cancels."""

    def check(self) -> None:
        """Never cancel."""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Show nothing."""
