"""Moments as a person names them: `14:30`, `noon`, `2026-11-24 14:30`, `yesterday`, `2h`."""

from __future__ import annotations

from datetime import datetime, timedelta

from patchpoint.text.regex import regex

_LENGTHS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
"""Seconds of a minute, an hour, a day and a week."""
_AGO = regex(r"(\d{1,5}) ?([mhdw])(?: ago)?")
_TIMES = {"noon": "12:00", "midnight": "00:00"}
_DAYS = {"today": 0, "yesterday": 1}
_FORMS = ("%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%d")


def moment_named(text: str, now: datetime) -> datetime | None:
    """Return the moment that `text` means, in the time zone of `now`; `None` where it means none.

    A time alone is one of today, a day alone its beginning, and `2h` is two hours before `now`.
    """
    words = text.strip().lower().replace("t", " ") if text[:1].isdecimal() else text.strip().lower()
    ago = _AGO.fullmatch(words)
    if ago is not None:
        return now - timedelta(seconds=int(ago[1]) * _LENGTHS[ago[2]])
    day, _, time = words.partition(" ")
    if day in _TIMES or ":" in day:
        day, time = "today", words
    if day in _DAYS:
        day = (now - timedelta(days=_DAYS[day])).strftime("%Y-%m-%d")
    written = f"{day} {_TIMES.get(time, time)}".strip()
    for form in _FORMS:
        try:
            return datetime.strptime(written, form).replace(tzinfo=now.tzinfo)
        except ValueError:
            continue
    return None
