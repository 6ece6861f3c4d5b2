"""Apply the retention policy: which checkpoints are kept for how long."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import UnfinishedRestoreError
from patchpoint.checkpoints.record.checkpoint import is_id, milliseconds_of
from patchpoint.checkpoints.restore.phases import Phase, has_journal
from patchpoint.git import refs

if TYPE_CHECKING:
    from patchpoint.checkpoints.options import RetentionPolicy
    from patchpoint.checkpoints.record.records import Records


SAFETY_DAYS = 7
"""Days for which a safety checkpoint is kept at least, however many there are."""
UNDONE_DAYS = 30
"""Days for which a commit that a restore removed from a branch is kept, as git keeps unreachable commits."""

PATIENCE_S = 5.0
"""Seconds to wait for git's lock of the packed refs."""
_DAY = 86_400.0


def delete_outdated(
    records: Records,
    policy: RetentionPolicy,
    *,
    patience: float = PATIENCE_S,
    note: Callable[[Records, Mapping[bytes, str]], None] | None = None,
) -> tuple[str, ...]:
    """Delete the refs that `outdated_refs` returns; return the ids of their checkpoints, newest first.

    Before that `note` is called with them.

    Raises `RepositoryBusyError` when git's packed refs are locked for more than `patience` seconds. None is
    deleted where one of them has to stay for longer.
    """
    going = outdated_refs(records, policy)
    ids_going = {name.rpartition(b"/")[2].decode() for name in going}
    wait = records.relied_on_for(ids_going) if going else 0.0
    if wait > patience:
        return ()
    time.sleep(wait)
    if going:
        from patchpoint.checkpoints.record.mirrored import note_deleted

        note_deleted(records.repository, going)
        if note is not None:
            note(records, going)
    deleted = refs.delete_all(records.repository.refs, going, patience=patience)
    return tuple(name.rpartition(b"/")[2].decode() for name in deleted)


def prune(records: Records, policy: RetentionPolicy, *, dry_run: bool) -> tuple[str, ...]:
    """Delete what `policy` does not keep, and the objects that only that needed; with `dry_run` nothing.

    The caller holds the lock of the checkpoints.
    """
    from patchpoint.checkpoints.maintenance.reclaim import reclaim

    if dry_run:
        return tuple(name.rpartition(b"/")[2].decode() for name in outdated_refs(records, policy))
    from patchpoint.checkpoints.maintenance.adopt import note_deletion

    gone = delete_outdated(records, policy, note=note_deletion)
    if gone:
        reclaim(records)
    return gone


def outdated_refs(records: Records, policy: RetentionPolicy) -> dict[bytes, str]:
    """Return the refs of the checkpoints that `policy` does not keep, each with its commit, newest first.

    Checkpoints of each session, its steps, safety checkpoints, and commits that restores removed from a
    branch are counted apart. The safety checkpoint that an undo would go back to stays, and so do the
    checkpoints of a restore that was cut short, and pinned checkpoints.
    """
    sizes = None
    if policy.max_bytes is not None:
        from patchpoint.checkpoints.maintenance.disk_use import disk_use

        sizes = disk_use(records).by_checkpoint
    namespace = records.namespace
    spared: frozenset[str] | None = None
    found: dict[bytes, str] = {}
    for prefix, days in (
        (namespace.checkpoints, 0.0),
        (namespace.safety, SAFETY_DAYS),
        (namespace.undone, UNDONE_DAYS),
    ):
        ids = sorted(filter(is_id, refs.names_below(records.repository.refs, prefix)), reverse=True)
        if not outdated(ids, policy, sizes=sizes, spared_days=days):
            continue  # what no limit deletes as a whole, none deletes series by series
        commits = records.below(prefix)
        ids = [id_ for id_ in ids if id_ in commits]  # a damaged one takes nobody's place
        series = records.series(commits) if prefix == namespace.checkpoints else None
        if spared is None:
            spared = records.pinned_ids() | _needed_by_restores(records)
        for id_ in outdated(ids, policy, sizes=sizes, series=series, spared_days=days):
            if id_ in spared:
                continue
            found[prefix + id_.encode()] = commits[id_]
    return found


def _needed_by_restores(records: Records) -> frozenset[str]:
    phases = [
        phase
        for phase in (Phase.APPLYING, Phase.DONE)
        if has_journal(records.repository.patchpoint_directory, phase)
    ]
    if not phases:
        return frozenset()
    from patchpoint.checkpoints.restore import journal as journals

    needed: set[str] = set()
    for phase in phases:
        with suppress(UnfinishedRestoreError):
            if (journal := journals.read(records.repository, phase)) is not None:
                needed |= {journal.safety} if phase is Phase.DONE else {journal.safety, journal.checkpoint}
    return frozenset(needed)


def outdated(
    ids: Sequence[str],
    policy: RetentionPolicy,
    *,
    sizes: Mapping[str, int] | None = None,
    series: Mapping[str, Hashable] | None = None,
    spared_days: float = 0.0,
    now: float | None = None,
) -> list[str]:
    """Return the ids to delete under `policy`, newest first, of `ids`, which are sorted newest first.

    `sizes` are bytes by id. With `series` (by id; those that are missing there are one series) each series'
    newest are counted apart. None younger than `spared_days` is returned. `now` is in seconds since 1970.
    """
    now = time.time() if now is None else now
    is_young = policy.older_than_days is None or not ids or _days(ids[-1], now) <= policy.older_than_days
    if policy.max_bytes is None and is_young and (policy.keep is None or len(ids) <= policy.keep):
        return []
    total = 0
    newer: Counter[Hashable] = Counter()
    found = []
    for id_ in ids:
        age = _days(id_, now)
        total += (sizes or {}).get(id_, 0)
        own = (series or {}).get(id_)
        if (not spared_days or age >= spared_days) and (
            (policy.keep is not None and newer[own] >= policy.keep)
            or (policy.older_than_days is not None and age > policy.older_than_days)
            or (policy.max_bytes is not None and total > policy.max_bytes)
        ):
            found.append(id_)
        newer[own] += 1
    return found


def _days(id_: str, now: float) -> float:
    """Return the age of a checkpoint."""
    return (now - milliseconds_of(id_) / 1000) / _DAY
