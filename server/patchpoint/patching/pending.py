"""Edits that could not be applied, kept until they are resolved, discarded or overtaken.

Only the request and where it was written are kept; the outcome is computed again whenever the file changes,
so that nothing here becomes stale.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from enum import Enum

from patchpoint.dataclass import dataclass, replace
from patchpoint.edit import Edit, Format
from patchpoint.locate.ladder import Ladder
from patchpoint.outcome import Outcome, Status
from patchpoint.patching.plan import plan_edits
from patchpoint.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingEdit:
    """One edit that waits for a person."""

    id: str
    file: str
    """Absolute path of its file, or the URI of a document that is not a file."""
    edit: Edit
    source: str = ""
    """URI of the document in which the edit is written, if it was read from one."""
    seen: str = ""
    """Digest of the text that the edit was first compared with; see `digest_of`."""
    index: int = 0
    """Position of the edit in the answer that it was in last."""
    title: str = ""
    """The first sentence of that answer."""
    attempts: int = 1
    """How many times the same edit was requested and could not be applied."""


class ChangeStatus(str, Enum):
    """The user's own changes of an edit's file; the values are what people are shown."""

    UNCHANGED = ""
    MODIFIED = "M"
    ADDED = "A"
    MOVED_ON = "~"
    """The buffer is no longer the text that the edit was first compared with."""
    MODIFIED_AND_MOVED_ON = "~M"


PENDING = (Status.AMBIGUOUS, Status.NOT_FOUND, Status.PROPOSED, Status.CONFLICT, Status.HELD)
"""The statuses for which an edit is kept: a later state of its file may resolve each of them."""


def edit_id(file: str, edit: Edit) -> str:
    """Return an id for an edit of `file`: the same whenever the same edit is requested, in any format."""
    asked = replace(edit, path="", span=(0, 0), format=Format.REQUEST)
    return hashlib.sha256(f"{file}\0{asked!r}".encode(errors="surrogatepass")).hexdigest()[:12]


def digest_of(text: str) -> str:
    """Return a digest by which to see whether a text is still the same."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def outcome_now(
    pending: PendingEdit, text: str | None, ladder: Ladder | None = None, progress: Progress | None = None
) -> Outcome:
    """Return the outcome of a pending edit in the present `text` of its file; `None` is no such file."""
    files = {} if text is None else {pending.edit.path: text}
    outcome = plan_edits([pending.edit], files, ladder=ladder, progress=progress).outcomes[0]
    return replace(outcome, index=pending.index)


def remember(kept: Mapping[str, PendingEdit], new: Iterable[PendingEdit]) -> dict[str, PendingEdit]:
    """Return the pending edits with new ones added; one that is already kept counts another attempt.

    Not so one of the same document: a person looks at it again.
    """
    result = dict(kept)
    for pending in new:
        before = result.pop(pending.id, None)
        if before is not None:
            is_again = bool(pending.source) and pending.source == before.source
            pending = replace(pending, attempts=before.attempts + (not is_again), seen=before.seen)
        result[pending.id] = pending
    return result


def change_status(pending: PendingEdit, text: str | None, committed: str | None) -> ChangeStatus:
    """Return how the present `text` of the file differs from what the model saw and what was committed."""
    moved_on = text is not None and bool(pending.seen) and digest_of(text) != pending.seen
    modified = committed is not None and text is not None and text != committed
    if moved_on:
        return ChangeStatus.MODIFIED_AND_MOVED_ON if modified else ChangeStatus.MOVED_ON
    if committed is None and text is not None:
        return ChangeStatus.ADDED
    return ChangeStatus.MODIFIED if modified else ChangeStatus.UNCHANGED
