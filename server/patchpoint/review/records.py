"""The reviews of a working tree that are not finished, one file each in the user's state directory.

See docs/decisions/review-records.md. And the checkpoint since which changes are reviewed, where nobody names
it.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from patchpoint.checkpoints import CheckpointKind, CheckpointStore
from patchpoint.checkpoints.errors import AnchorNotFoundError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named, session_named
from patchpoint.dataclass import replace
from patchpoint.filesystem.lock import exclusive_lock
from patchpoint.filesystem.user_state import read_json, set_aside, state_directory, write_json
from patchpoint.review.decisions import Review
from patchpoint.schema.decode import camel_case, decode, field_types

MOST_REVIEWS = 20
"""Unfinished reviews that are kept of one working tree: those decided last."""

SHOWN_FOR_S = 7 * 24 * 3600
"""Seconds for which an editor shows a review again when it starts, from the last decision on."""

_VERSION = 1
_SUFFIX = ".json"


class ReviewRecords:
    """The unfinished reviews of the working tree at `root`.

    Nothing is cached, and each change is made to what the file then holds, under a lock: what servers and
    command lines decide at the same time is all kept. Methods raise `OSError` if the state directory cannot
    be written, and `LockBusyError` while another process holds the lock.
    """

    def __init__(self, root: Path) -> None:
        self._folder = state_directory(root) / "reviews"

    def path(self, since: str) -> Path:
        """Return the file of the review since a checkpoint."""
        return self._folder / f"{since}{_SUFFIX}"

    def read(self, since: str) -> Review | None:
        """Return the unfinished review since a checkpoint; `None` when there is none."""
        content = read_json(self.path(since), _VERSION)
        review = None if content is None else _review(since, content)
        if content is not None and review is None:
            set_aside(self.path(since))
        return review

    def newest(self, *, shown: bool = False) -> Review | None:
        """Return the review that was decided last, or with `shown` the last that an editor shows.

        One that nobody has touched for `SHOWN_FOR_S` is not shown again by itself.
        """
        oldest = time.time_ns() - int(SHOWN_FOR_S * 1e9) if shown else 0
        recent = (self.read(path.stem) for changed, path in self._paths() if changed >= oldest)
        return next((review for review in recent if review is not None and (review.shown or not shown)), None)

    def update(self, since: str, change: Callable[[Review], Review]) -> Review:
        """Make `change` to the review since a checkpoint, which is begun if need be; return the result."""
        with exclusive_lock(self._folder / "lock"):
            before = self.read(since)
            after = change(before or Review(since=since))
            if after != before:
                write_json(self.path(since), _VERSION, asdict(after))
            for _, path in self._paths()[MOST_REVIEWS:]:
                path.unlink(missing_ok=True)
        return after

    def to_send(self, since: str) -> bytes | None:
        """Return the review since a checkpoint for another machine; `None` when there is none."""
        review = self.read(since)
        return None if review is None else json.dumps([_VERSION, asdict(review)]).encode()

    def receive(self, since: str, sent: bytes) -> bool:
        """Begin a review as another machine has sent it; return whether that was done.

        One that is here stays as it is. What was decided to be reverted there, and was not yet, is undecided
        here: nothing is reverted that nobody here has decided about.
        """
        try:
            version, content = json.loads(sent)
        except (TypeError, ValueError, RecursionError):
            return False
        review = _review(since, content) if version == _VERSION else None
        if review is None or self.read(since) is not None:
            return False
        done = tuple(one for one in review.taken_back if not one.waiting)
        self.update(since, lambda _: replace(review, shown=False, taken_back=done))
        return True

    def finish(self, since: str) -> None:
        """Forget the review since a checkpoint."""
        with exclusive_lock(self._folder / "lock"):
            self.path(since).unlink(missing_ok=True)

    def _paths(self) -> list[tuple[int, Path]]:
        """Return the files of all reviews and when they were changed, in ns, the one changed last first."""
        found: list[tuple[int, Path]] = []
        for path in self._folder.glob(f"*{_SUFFIX}"):
            with suppress(OSError):
                found.append((path.stat().st_mtime_ns, path))
        return sorted(found, reverse=True)


def _review(since: str, content: Any) -> Review | None:  # noqa: ANN401 - it is what a file holds
    """Return the review that a file holds; `None` where it does not hold one."""
    known = field_types(Review)
    try:
        named = {name: value for key, value in content.items() if (name := camel_case(key)) in known}
        return replace(decode(Review, named), since=since)
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        return None


def checkpoint_to_review(
    store: CheckpointStore, records: ReviewRecords, since: str | None, session: str | None
) -> str:
    """Return the id of the checkpoint that `since` names, or before the last turn of `session`.

    Without either it is that of the unfinished review that was decided last, so that nothing is lost that
    nobody has looked at, and else the one before the newest turn of any session. Raises
    `CheckpointNotFoundError`, `AmbiguousCheckpointError` and `AnchorNotFoundError`.
    """
    if since is not None:
        return store.show(id_named(store, since)).id
    known = store.list()
    session = None if session is None else session_named(store, session)
    if session is None:
        unfinished = records.newest()
        if unfinished is not None and any(one.id == unfinished.since for one in known):
            return unfinished.since
    own = [one for one in known if session is None or one.session == session]
    begun = [one for one in own if one.kind is not CheckpointKind.AFTER_RUN] or own
    if not begun:
        raise AnchorNotFoundError(session, None) if session is not None else CheckpointNotFoundError("last")
    first = begun[0]
    # Newest first: what is older, and may be of the same turn, comes after.
    same = [one for one in own if one.session == first.session] if first.session is not None else [first]
    for one in same[same.index(first) + 1 :]:
        is_same = begun[0].message is not None and one.message == begun[0].message
        if one.kind is CheckpointKind.AFTER_RUN or not (is_same or first.kind is CheckpointKind.STEP):
            break
        first = one
    return first.id
