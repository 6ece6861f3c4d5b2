"""Counts and ages in words, for what the editor and the command line show."""

from __future__ import annotations

from datetime import datetime, timezone

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
"""The units of an age and their lengths in seconds, longest first."""


def plural(count: int, thing: str) -> str:
    """Return `1 file`, `2 files` and so on; `thing` is a noun whose plural ends in `s`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def ago(created_at: str, now: datetime, recent: str = "just now") -> str:
    """Return how long before `now` the moment `created_at` was, in ISO 8601 and UTC, as in `3 hours ago`.

    `recent` is the text for an age below one minute, and for a moment that is still to come.
    """
    moment = datetime.fromisoformat(created_at.removesuffix("Z")).replace(tzinfo=timezone.utc)
    seconds = (now - moment).total_seconds()
    for unit, length in _UNITS:
        if seconds >= length:
            return f"{plural(int(seconds // length), unit)} ago"
    return recent
