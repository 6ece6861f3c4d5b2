"""How long checkpoints are kept."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from patchpoint.checkpoints import journal as journals
from patchpoint.checkpoints import refs
from patchpoint.checkpoints.checkpoint import is_id, milliseconds_of
from patchpoint.checkpoints.disk_use import disk_use
from patchpoint.checkpoints.journal import Phase
from patchpoint.checkpoints.record import Records

KEEP = 50
"""How many checkpoints are kept when nobody says otherwise; safety ones are counted apart."""
SAFETY_DAYS = 7
"""For so long a safety checkpoint is kept, however many there are."""
UNDONE_DAYS = 30
"""For so long a commit that a restore took off a branch is kept, as git keeps what only a reflog knows."""

_DAY = 86_400.0


def prune(
    records: Records,
    *,
    keep: int | None = None,
    older_than_days: float | None = None,
    max_bytes: int | None = None,
) -> tuple[str, ...]:
    """Delete the refs of what is outdated by any of the limits (see `outdated`); the ids, newest first.

    Safety checkpoints and commits that restores took off a branch are counted apart. The safety checkpoint
    that an undo would go back to stays.
    """
    sizes = disk_use(records).by_checkpoint if max_bytes is not None else None
    namespace = records.namespace
    deleted: list[str] = []
    for prefix, days in (
        (namespace.checkpoints, 0.0),
        (namespace.safety, SAFETY_DAYS),
        (namespace.undone, UNDONE_DAYS),
    ):
        names = refs.names_below(records.repository.refs, prefix)
        gone = outdated(
            sorted(filter(is_id, names), reverse=True),
            keep=keep,
            older_than_days=older_than_days,
            max_bytes=max_bytes,
            sizes=sizes,
            spared_days=days,
        )
        needed = _needed_safety(records) if gone and prefix == namespace.safety else None
        targets = records.below(prefix) if gone else {}
        for id_ in gone:
            if id_ == needed or id_ not in targets:
                continue
            if refs.delete(records.repository.refs, prefix + id_.encode(), targets[id_]):
                deleted.append(id_)
    return tuple(deleted)


def _needed_safety(records: Records) -> str | None:
    last = journals.read(records.repository.patchpoint_folder, Phase.DONE)
    return last.safety if last else None


def outdated(
    ids: Sequence[str],
    *,
    keep: int | None = None,
    older_than_days: float | None = None,
    max_bytes: int | None = None,
    sizes: Mapping[str, int] | None = None,
    spared_days: float = 0.0,
    now: float | None = None,
) -> list[str]:
    """Which of `ids` (newest first) are to go: all beyond the newest `keep`, all older than that many days,
    and from the one on with which the sum of `sizes` exceeds `max_bytes`. A limit that is not given sets
    none. None younger than `spared_days` goes. `now` is in seconds since 1970.
    """
    now = time.time() if now is None else now
    total = 0
    gone = []
    for number, id_ in enumerate(ids):
        age = (now - milliseconds_of(id_) / 1000) / _DAY
        total += (sizes or {}).get(id_, 0)
        if (not spared_days or age >= spared_days) and (
            (keep is not None and number >= keep)
            or (older_than_days is not None and age > older_than_days)
            or (max_bytes is not None and total > max_bytes)
        ):
            gone.append(id_)
    return gone
