"""What was done between checkpoints, as far as it was announced: one line of JSON an event, in their order.

A step that finds nothing changed has no checkpoint of its own, and what a step writes is known before it does
so: neither can stand in a checkpoint. Nor can what an editor saved. The lines are in `steps`, in the
repository's folder of Patchpoint.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.record.checkpoint import Checkpoint, is_id
from patchpoint.dataclass import dataclass, field

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.stated_change import Replacement, StatedChange

_NAME = "steps"
_LARGEST = 4 * 1024 * 1024
"""Bytes of the file at which what no checkpoint needs any more is left out."""
_MOST_KEPT = 2 * 1024 * 1024
"""Bytes of it that are kept then."""
_LARGEST_SPLICE = 64 * 1024
"""Bytes of what a save has changed that are kept."""
_FLAGS = os.O_CREAT | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnouncedStep:
    """A step of a session, or the prompt of a turn, which itself writes nothing."""

    session: str
    after: str
    """Id of the newest checkpoint when the step began."""
    writes: tuple[str, ...] | None
    """The files that it names, relative to the working tree's root; `None` where it may write any."""
    call: str | None = None
    """What its agent calls it, if it does."""
    changes: Mapping[str, StatedChange] = field(default_factory=dict)
    """What it says that it does to these files, as far as it says so."""
    is_of_all: bool = False
    """Whether every step of the session is announced: it did nothing that none of them can have done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StepEnd:
    """The end of a step of a session."""

    session: str
    newest: str
    """Id of the newest checkpoint then."""
    call: str | None = None
    writes: tuple[str, ...] | None = None
    is_recorded: bool = False
    """Whether that one was taken, or would have been, after the step: it holds all that the step did."""
    has_failed: bool = False
    """Whether what the step said has not been done."""
    changes: Mapping[str, StatedChange] = field(default_factory=dict)
    """What it did, where that is not what it had said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TurnEnd:
    """A session is done with what it was asked for, and waits."""

    session: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedFile:
    """A file that a person saved in an editor."""

    path: str
    after: str
    """Id of the newest checkpoint then."""
    was: str | None
    """Object id of the content that the editor had read or saved before; `None` where it had none."""
    now: str
    """That of the content that it saved."""
    splice: tuple[int, bytes, bytes] | None = None
    """Where the two differ, if that is not too much: an offset in bytes, what was and what is there."""

    def content_after(self, before: bytes) -> bytes | None:
        """Return the content that was saved, if `before` is what was there; `None` where it is not known."""
        return None if self.splice is None else _spliced(before, *self.splice)

    def content_before(self, after: bytes) -> bytes | None:
        """Return the content that was there, if `after` is what was saved; `None` where it is not known."""
        if self.splice is None:
            return None
        at, old, new = self.splice
        return _spliced(after, at, new, old)


def splice_between(before: bytes, after: bytes) -> tuple[int, bytes, bytes] | None:
    """Return where two contents differ, as a `SavedFile` keeps it; `None` where that is too much."""
    from patchpoint.text.line_diff import shared_ends

    head, tail = shared_ends(before, after)
    old, new = before[head : len(before) - tail], after[head : len(after) - tail]
    return (head, old, new) if len(old) + len(new) <= _LARGEST_SPLICE else None


def _spliced(content: bytes, at: int, old: bytes, new: bytes) -> bytes | None:
    end = at + len(old)
    return content[:at] + new + content[end:] if content[at:end] == old else None


Event = AnnouncedStep | StepEnd | TurnEnd | SavedFile


def record_steps(directory: Path, events: Sequence[Event]) -> None:
    """Add events to those of the repository whose folder of Patchpoint is `directory`. Raises `OSError`."""
    lines = "".join(map(_line, events)).encode("ascii")
    descriptor = os.open(directory / _NAME, os.O_WRONLY | os.O_APPEND | _FLAGS, 0o600)
    try:
        os.write(descriptor, lines)
    finally:
        os.close(descriptor)


def recorded_steps(directory: Path) -> list[Event]:
    """Return the events that were recorded, oldest first. Lines that cannot be read are passed over."""
    try:
        text = (directory / _NAME).read_text("ascii", "replace")
    except OSError:
        return []
    return [event for line in text.splitlines() if (event := _event(line)) is not None]


def has_steps(directory: Path) -> bool:
    """Return whether anything was recorded."""
    return (directory / _NAME).is_file()


def announced_in(directory: Path, calls: Iterable[str]) -> set[str]:
    """Return those of `calls`, steps as their agent calls them, that were recorded. Raises `OSError`."""
    try:
        text = (directory / _NAME).read_bytes()
    except FileNotFoundError:
        return set()
    return {call for call in calls if json.dumps(call).encode("ascii") in text}


def is_at_work(directory: Path, session: str) -> bool:
    """Return whether nothing says that a session that has begun is done."""
    own = [
        event
        for event in recorded_steps(directory)
        if not isinstance(event, SavedFile) and event.session == session
    ]
    return bool(own) and not isinstance(own[-1], TurnEnd)


def forget_steps(directory: Path, checkpoints: Callable[[], Iterable[Checkpoint]]) -> None:
    """Leave out the events that are older than all checkpoints of their session, once there are many.

    `checkpoints` is asked for them only then. Where too much would be kept, the oldest go as well: what they
    did is nobody's then.
    """
    with suppress(OSError):
        if (directory / _NAME).stat().st_size < _LARGEST:
            return
        oldest: dict[str, str] = {}
        first = "~"
        for one in checkpoints():
            first = min(first, one.id)
            if one.session is not None:
                oldest[one.session] = min(one.id, oldest.get(one.session, one.id))
        kept: list[str] = []
        begun: set[str] = set()
        for event in recorded_steps(directory):
            if isinstance(event, SavedFile):
                is_kept = first <= event.after
            elif isinstance(event, AnnouncedStep):
                is_kept = oldest.get(event.session, "~") <= event.after
                begun |= {event.session} if is_kept else set()
            else:
                is_kept = event.session in begun
            kept += [_line(event)] if is_kept else []
        size = 0
        for number in reversed(range(len(kept))):
            size += len(kept[number])
            if size > _MOST_KEPT:
                kept = kept[number + 1 :]
                break
        from patchpoint.filesystem.atomic_write import write_atomically

        write_atomically(directory / _NAME, "".join(kept).encode("ascii"), permissions=0o600)


def _line(event: Event) -> str:
    fields: dict[str, object]
    more: dict[str, object] = {}
    if isinstance(event, AnnouncedStep):
        fields = {"session": event.session, "after": event.after, "writes": event.writes}
        more = {"call": event.call, "all": event.is_of_all, "changes": _changes_data(event.changes)}
    elif isinstance(event, StepEnd):
        fields = {"session": event.session, "ended": event.newest, "recorded": event.is_recorded}
        more = {
            "call": event.call,
            "writes": event.writes,
            "failed": event.has_failed,
            "changes": _changes_data(event.changes),
        }
    elif isinstance(event, TurnEnd):
        fields = {"session": event.session, "done": True}
    else:
        fields = {"saved": event.path, "after": event.after, "was": event.was, "is": event.now}
        if event.splice is not None:
            at, old, new = event.splice
            more = {"splice": [at, old.decode("latin-1"), new.decode("latin-1")]}
    return json.dumps({**fields, **{key: value for key, value in more.items() if value}}) + "\n"


def _changes_data(changes: Mapping[str, StatedChange]) -> dict[str, object]:
    return {
        path: each.content
        if each.content is not None
        else [[one.old, one.new, int(one.every) + 2 * int(one.whole_lines)] for one in each.replacements]
        for path, each in changes.items()
    }


def _event(line: str) -> Event | None:
    try:
        found = json.loads(line)
        return _read(found) if isinstance(found, dict) else None
    except (ValueError, TypeError, KeyError, RecursionError):
        return None


def _read(found: dict[str, object]) -> Event:
    """Return the event that a line describes. Raises `ValueError` and the like for what is none."""
    if "saved" in found:
        was = found["was"]
        return SavedFile(
            path=_text(found["saved"]),
            after=_id(found["after"]),
            was=None if was is None else _text(was),
            now=_text(found["is"]),
            splice=_splice(*splice) if isinstance(splice := found.get("splice"), list) else None,
        )
    session = _text(found["session"])
    if "done" in found:
        return TurnEnd(session=session)
    call = found.get("call")
    call = None if call is None else _text(call)
    changes = _changes(found.get("changes") or {})
    if "ended" in found:
        return StepEnd(
            session=session,
            newest=_id(found["ended"]),
            is_recorded=bool(found.get("recorded")),
            call=call,
            writes=_writes(found.get("writes")),
            has_failed=bool(found.get("failed")),
            changes=changes,
        )
    return AnnouncedStep(
        session=session,
        after=_id(found["after"]),
        writes=_writes(found["writes"]),
        call=call,
        changes=changes,
        is_of_all=bool(found.get("all")),
    )


def _changes(found: object) -> dict[str, StatedChange]:
    if not isinstance(found, dict):
        raise TypeError(found)
    from patchpoint.stated_change import StatedChange

    return {
        path: StatedChange(content=each)
        if isinstance(each, str)
        else StatedChange(replacements=tuple(_replacement(*one) for one in each))
        for path, each in found.items()
    }


def _replacement(old: object, new: object, how: object) -> Replacement:
    if not isinstance(how, int):
        raise TypeError(how)
    from patchpoint.stated_change import Replacement

    return Replacement(_text(old), _text(new), every=bool(how & 1), whole_lines=bool(how & 2))


def _splice(at: object, old: object, new: object) -> tuple[int, bytes, bytes]:
    if not isinstance(at, int) or at < 0:
        raise TypeError(at)
    return at, _text(old).encode("latin-1"), _text(new).encode("latin-1")


def _writes(found: object) -> tuple[str, ...] | None:
    if found is None:
        return None
    if not isinstance(found, list):
        raise TypeError(found)
    return tuple(map(_text, found))


def _text(found: object) -> str:
    if not isinstance(found, str):
        raise TypeError(found)
    return found


def _id(found: object) -> str:
    if not is_id(_text(found)):
        raise ValueError(found)
    return _text(found)
