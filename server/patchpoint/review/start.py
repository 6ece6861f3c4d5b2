"""The checkpoint since which changes are reviewed, where nobody names it."""

from __future__ import annotations

from patchpoint.checkpoints import Checkpoint, CheckpointKind, CheckpointStore
from patchpoint.checkpoints.errors import AnchorNotFoundError, CheckpointNotFoundError
from patchpoint.checkpoints.naming import id_named, session_named
from patchpoint.review.records import ReviewRecords


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
    return _before_turn(begun[0], [one for one in own if one.session == begun[0].session]).id


def _before_turn(newest: Checkpoint, same_session: list[Checkpoint]) -> Checkpoint:
    """Return the first checkpoint of the turn that `newest` is of; `same_session` is newest first."""
    first = newest
    if newest.session is None:
        return first
    for one in same_session[same_session.index(newest) + 1 :]:
        is_same = newest.message is not None and one.message == newest.message
        if one.kind is CheckpointKind.AFTER_RUN or not (is_same or first.kind is CheckpointKind.STEP):
            break
        first = one
    return first
