"""Edits that could not land, kept until they are resolved, discarded or overtaken.

What is kept is what was asked for and where it was written; what has become of it is worked out anew whenever
its file changes, so nothing here grows stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import Enum

from patchpoint.edit import Edit, Format
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.plan import plan_edits
from patchpoint.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEdit:
    """One edit that waits for a person."""

    id: str
    file: str
    """Absolute path of the file it is meant for, or the URI of a document that is no file."""
    edit: Edit
    source: str = ""
    """URI of the document in which the edit is written, if it was read from one."""
    seen: str = ""
    """Digest of the text that the model's answer was first held against; see `digest_of`."""
    attempts: int = 1
    """How often the same edit has come and could not land."""


class ChangeStatus(str, Enum):
    """How the user's own changes stand to an edit; the values are what people are shown."""

    UNCHANGED = ""
    MODIFIED = "M"
    ADDED = "A"
    MOVED_ON = "~"
    """The buffer is no longer what the edit was first held against."""
    MODIFIED_AND_MOVED_ON = "~M"


PENDING = (Status.AMBIGUOUS, Status.NOT_FOUND, Status.CONFLICT, Status.HELD)
"""What an edit can be kept for: a later state of its file may resolve each of these."""


def edit_id(file: str, edit: Edit) -> str:
    """A name for an edit of `file` that is the same whenever the same edit is asked for again, in whatever
    form."""
    asked = replace(edit, path="", span=(0, 0), format=Format.REQUEST)
    return hashlib.sha256(f"{file}\0{asked!r}".encode(errors="surrogatepass")).hexdigest()[:12]


def digest_of(text: str) -> str:
    """What tells whether a text is still the same."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def outcome_now(
    pending: PendingEdit, text: str | None, ladder: Ladder | None = None, progress: Progress | None = None
) -> Outcome:
    """What becomes of a pending edit in the `text` of its file as it now is; `None` is no such file."""
    files = {} if text is None else {pending.edit.path: text}
    return plan_edits([pending.edit], files, ladder=ladder, progress=progress).outcomes[0]


def remember(kept: Mapping[str, PendingEdit], new: Iterable[PendingEdit]) -> dict[str, PendingEdit]:
    """The pending edits with new ones added; one that is there already counts another attempt."""
    result = dict(kept)
    for pending in new:
        before = result.pop(pending.id, None)
        if before is not None:
            pending = replace(pending, attempts=before.attempts + 1, seen=before.seen)
        result[pending.id] = pending
    return result


def is_overtaken(outcome: Outcome) -> bool:
    """Whether a pending edit has nothing left to do, because what it asks for has been done."""
    return outcome.status is Status.ALREADY_APPLIED


def change_status(pending: PendingEdit, text: str | None, committed: str | None) -> ChangeStatus:
    """How `text`, the file as it now is, stands to what the model saw and to what was last committed."""
    moved_on = text is not None and bool(pending.seen) and digest_of(text) != pending.seen
    modified = committed is not None and text is not None and text != committed
    if moved_on:
        return ChangeStatus.MODIFIED_AND_MOVED_ON if modified else ChangeStatus.MOVED_ON
    if committed is None and text is not None:
        return ChangeStatus.ADDED
    return ChangeStatus.MODIFIED if modified else ChangeStatus.UNCHANGED
