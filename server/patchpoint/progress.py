"""How long work is watched and stopped: one small interface for the command line and the protocol."""

from __future__ import annotations

from typing import Protocol


class CancelledError(Exception):
    """Raised out of long work that the person no longer wants; nothing half-done is left behind."""


class Progress(Protocol):
    """What long work calls now and then, from whatever thread it runs on."""

    def check(self) -> None:
        """Raise `CancelledError` when the work is no longer wanted."""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Say how far the work is: `done` of `total` steps, `total` being `None` when it is not known."""


class Silent:
    """Progress that nobody watches and nobody stops."""

    def check(self) -> None:
        """Never cancel."""

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Say nothing."""
