"""Verify that a journal says what its two checkpoints say, before anything of it is carried out."""

from __future__ import annotations

import stat

from patchpoint.checkpoints.diff import revert_hunk
from patchpoint.checkpoints.errors import (
    CheckpointNotFoundError,
    HunkNotFoundError,
    UntrustedJournalError,
)
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.journal import HeadMove, RestoreJournal
from patchpoint.checkpoints.restore.phases import Phase
from patchpoint.checkpoints.restore.plan import WorktreeChange
from patchpoint.git.objects.reader import Entry
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_hexadecimal


def verify_journal(records: Records, journal: RestoreJournal, phase: Phase) -> None:
    """Raise `UntrustedJournalError` unless a restore from one checkpoint of `journal` to the other does this.

    Both have to be checkpoints here, and steps, branch and dropped checkpoints have to be what they record.
    Raises `CheckpointDamagedError` when one of them cannot be read.
    """

    def refuse(reason: str) -> UntrustedJournalError:
        return journals.untrusted(records.repository, phase, reason)

    try:
        safety, target = records.get(journal.safety), records.get(journal.checkpoint)
    except CheckpointNotFoundError as error:
        raise refuse("it is about a checkpoint that is not here") from error
    if (safety.commit, target.commit) != journal.commits or safety.safety_for != target.id:
        raise refuse("it does not belong to the checkpoints that it names")
    if journal.head is not None and journal.head != _head_move(safety, target):
        raise refuse("it moves the branch to another commit than its checkpoints record")
    if journal.dropped != safety.dropped or journal.revived not in ((), target.dropped):
        raise refuse("it drops other checkpoints than its safety checkpoint records")
    if journal.hunk is not None:
        agrees = len(journal.steps) == 1 and _reverts_hunk(
            records, safety, target, journal.hunk, journal.steps[0].change
        )
    else:
        agrees = _follow_from_trees(records, safety, target, journal)
    if not agrees:
        raise refuse("it changes files in another way than its checkpoints record")


def _head_move(safety: Checkpoint, target: Checkpoint) -> HeadMove | None:
    if safety.branch != target.branch:
        return None
    return HeadMove(ref=safety.branch or "HEAD", old=safety.head, new=target.head)


def _follow_from_trees(
    records: Records, safety: Checkpoint, target: Checkpoint, journal: RestoreJournal
) -> bool:
    """Return whether every step is a difference of the two trees."""
    before, after = (ObjectID(each.tree.encode()) for each in (safety, target))
    changes = {
        WorktreeChange(change.path, change.old, change.new)
        for change in records.objects.changes(before, after)
    }
    return all(step.change in changes for step in journal.steps)


def _reverts_hunk(
    records: Records, safety: Checkpoint, target: Checkpoint, hunk: str, change: WorktreeChange
) -> bool:
    """Return whether `change` leads from the safety checkpoint to the same file with one hunk reverted."""
    then, now = (_file_at(records, each, change.path) for each in (target, safety))
    if change.old != now:
        return False
    # A file that the ignore rules leave out is missing for the hunk, and saved all the same.
    for base in (now, None):
        try:
            content = revert_hunk(_content(records, then), _content(records, base), hunk)
        except HunkNotFoundError:
            continue
        if then is None and not content:
            return change.new is None
        oid = to_hexadecimal(object_id(BLOB, content, records.repository.object_format))
        mode = (base or then or Entry(0o100644, oid)).mode
        return change.new == Entry(mode, oid)
    return False


def _file_at(records: Records, checkpoint: Checkpoint, path: bytes) -> Entry | None:
    entry = records.objects.at(ObjectID(checkpoint.tree.encode()), path)
    return entry if entry is not None and stat.S_ISREG(entry.mode) else None


def _content(records: Records, entry: Entry | None) -> bytes:
    return records.objects.blob(entry.oid) if entry is not None else b""
