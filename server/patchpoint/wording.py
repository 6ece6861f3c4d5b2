"""Words for what people are shown: counts, sizes, ages, what follows a checkpoint, URLs without passwords."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from pathlib import PurePosixPath

from patchpoint.text.regex import regex

_UNITS = (("day", 86_400), ("hour", 3_600), ("minute", 60))
"""The units of an age and their lengths in seconds, longest first."""

_NAMED_FILES = 2
"""How many files are named; of others it is said how many there are."""

_USER = regex(r"(?<=://)[^/?#\s'\"]*@")
_UNREADABLE_USER = regex(r"(?<=://)[^/?#\s'\"@*\[]*:(?!\d*(?:[/?#\s'\",)]|$))[^\s'\"]*")
"""What looks like a password with a slash in it: what follows the colon is no port."""
_QUERY = regex(r"(?<=://)([^\s?'\"]*\?)[^\s'\"]*")


def plural(count: int, thing: str) -> str:
    """Return `1 file`, `2 files` and so on; `thing` is a noun whose plural ends in `s`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def files_named(paths: Sequence[str]) -> str:
    """Return the names of some files, as in `sessions.py, structures.py, +1`, with folders where needed."""
    names = [_distinct_name(path, paths) for path in paths]
    more = [f"+{len(names) - _NAMED_FILES}"] if len(names) > _NAMED_FILES else []
    return ", ".join((*names[:_NAMED_FILES], *more))


def before_edits(count: int, paths: Sequence[str]) -> str:
    """Return what a checkpoint before `count` edits of files is called: by what follows it."""
    return f"Before {plural(count, 'edit')}: {files_named(paths)}"


def before_reverting(paths: Sequence[str]) -> str:
    """Return what a checkpoint before edits of files are reverted is called."""
    return f"Before reverting: {files_named(paths)}"


def answer_named(name: str, created_at: str, now: datetime, edits: int, files: int) -> str:
    """Return what an application is called: by its `name` or, without, `answer of 08:35, 3 edits in 3 files`.

    `created_at` is in ISO 8601 and UTC; the time is that of `now`'s zone, with the date if it is another day.
    """
    moment = _moment(created_at).astimezone(now.tzinfo)
    today = moment.date() == now.date()
    time = moment.strftime("%H:%M" if today else "%Y-%m-%d %H:%M")
    called = name or f"answer of {time}"
    return f"{called}, {plural(edits, 'edit')} in {plural(files, 'file')}"


def byte_size(count: int) -> str:
    """Return a number of bytes in its largest unit, as in `12 bytes` or `3.4 MiB`."""
    if count < 1024:
        return plural(count, "byte")
    size, unit = count / 1024, "KiB"
    for larger in ("MiB", "GiB"):
        if size < 1024:
            break
        size, unit = size / 1024, larger
    return f"{size:.1f} {unit}"


def ago(created_at: str, now: datetime, recent: str = "just now") -> str:
    """Return how long before `now` the moment `created_at` was, in ISO 8601 and UTC, as in `3 hours ago`.

    `recent` is the text for an age below one minute, and for a moment that is still to come.
    """
    seconds = (now - _moment(created_at)).total_seconds()
    return f"{duration(seconds)} ago" if seconds >= _UNITS[-1][1] else recent


def duration(seconds: float) -> str:
    """Return a length of time in its largest unit, as in `12 seconds` or `3 hours`."""
    for unit, length in _UNITS:
        if seconds >= length:
            return plural(int(seconds // length), unit)
    return plural(max(int(seconds), 0), "second")


def without_credentials(text: str) -> str:
    """Return `text` without the user, password and query of each URL in it."""
    return _QUERY.sub(r"\1***", _UNREADABLE_USER.sub("***", _USER.sub("***@", text)))


def _distinct_name(path: str, among: Sequence[str]) -> str:
    """Return as many of the last parts of a path as tell it from the others."""
    parts = PurePosixPath(path).parts
    others = [PurePosixPath(other).parts for other in among if other != path]
    for count in range(1, len(parts)):
        if all(other[-count:] != parts[-count:] for other in others):
            return "/".join(parts[-count:])
    return path


def _moment(created_at: str) -> datetime:
    return datetime.fromisoformat(created_at.removesuffix("Z")).replace(tzinfo=timezone.utc)
