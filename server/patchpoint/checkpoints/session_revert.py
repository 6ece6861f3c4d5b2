"""Revert what one session changed, and leave what others changed since.

What a session changed is what its steps claim (`checkpoints.authorship`). Newest first, each such change is
taken out of the files as they have become since (`patchpoint.text.reversal`). The result is restored like a
checkpoint, so that it is all or nothing, survives a crash, and can itself be undone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from patchpoint.checkpoints.authorship.claims import Authorship, By, Claim, authorship
from patchpoint.checkpoints.changed_files import restore_changed
from patchpoint.checkpoints.diff import common_encoding, is_binary
from patchpoint.checkpoints.errors import AnchorNotFoundError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.checkpoints.restore.apply import finish_interrupted_restore
from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.restore.prepare import Restored
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.dataclass import dataclass, field, replace
from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.operations.log import Cause, OperationKind
from patchpoint.progress import Progress, Silent
from patchpoint.text.reversal import Obstacle, reversal


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftChange:
    """A change of the session that was not reverted, since others have changed what it changed."""

    path: str
    reason: str
    obstacle: Obstacle | None = None
    """Where, and what; `None` for a file as a whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReverted:
    """What reverting a session did or, in a dry run or where it was refused, would have done."""

    restored: Restored | None
    """What was written and deleted; `None` when nothing was to do, or it was refused."""
    left: tuple[LeftChange, ...]
    unattributed: tuple[str, ...]
    """Files that changed while the session was at work, by no step that is known: these changes stay."""
    open_ended: bool
    """Whether something changed in a turn of which no checkpoint says when it was done. Without `until_now`,
    nothing is reverted then: `restored` is a dry run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WithoutSession:
    """What becomes of files where all that one session did since a checkpoint is taken out of them."""

    files: Mapping[bytes, Entry | None]
    contents: Mapping[ObjectID, bytes]
    """The contents in `files` that may be in no store."""
    left: tuple[LeftChange, ...]
    """Changes of the session that cannot be taken out: others have changed the same since."""
    unattributed: tuple[str, ...]
    """Files that changed while the session was at work, by no step that is known."""


def without_session(records: Records, now: Snapshot, session: str, since: str) -> WithoutSession:
    """Return the files of `now` without what `session` changed since the checkpoint with the id `since`."""
    tree = ObjectID(now.tree.encode())
    found = authorship(records, tree)
    draft = _Draft(records.objects, found, session, None, tree, include_unattributed=False)
    for claim in reversed(found.claims):
        if claim.interval.start.id >= since:
            draft.take_out(claim, {left.path for left in now.skipped})
    changes = draft.changes()
    return WithoutSession(
        files=changes,
        contents=draft.new_contents(changes),
        left=tuple(sorted(draft.left, key=lambda each: each.path)),
        unattributed=tuple(os.fsdecode(path) for path in sorted(draft.unattributed)),
    )


def revert_session(
    root: Path,
    session: str,
    turn: str | None = None,
    *,
    per_file: bool = False,
    until_now: bool = False,
    include_unattributed: bool = False,
    dry_run: bool = False,
    options: StoreOptions | None = None,
    progress: Progress | None = None,
) -> SessionReverted:
    """Revert what `session` changed in the working tree at `root`, or only in `turn` (a message's id).

    When a part of it cannot be reverted, nothing is; with `per_file`, only the files with such a part stay as
    they are. With `until_now`, a turn without an end counts up to its session's next checkpoint or until now;
    with `include_unattributed`, so do files that no step was to write. Raises `AnchorNotFoundError` when no
    checkpoint is of this session and turn, and what `CheckpointStore.restore` raises.
    """
    chosen, watch = options or StoreOptions(), progress or Silent()
    repository = replace(Repository.open(root), patience=chosen.wait)
    records = Records(repository, chosen.mirror_bytes)
    with repository_lock(repository, watch):
        finish_interrupted_restore(records, watch)
        take = partial(records.snapshot, chosen.snapshot, watch)
        now = records.snapshot(chosen.snapshot, watch)
        found = authorship(records, ObjectID(now.tree.encode()))
        if not any(
            session in each.at_work and turn in (None, each.at_work[session]) for each in found.intervals
        ):
            raise AnchorNotFoundError(session, turn)
        draft = _Draft(
            records.objects, found, session, turn, ObjectID(now.tree.encode()), include_unattributed
        )
        for claim in reversed(found.claims):
            watch.check()
            draft.take_out(claim, {left.path for left in now.skipped})
        changes = draft.changes()
        restored = None
        if changes and not (draft.left and not per_file):
            label = f"Without session {session}"
            restored = restore_changed(
                records,
                now,
                changes,
                draft.new_contents(changes),
                label,
                take,
                watch,
                held_by=draft.held_by,
                cause=Cause(kind=OperationKind.REVERT, label=f"session {session}"),
                dry_run=dry_run or (draft.open_ended and not until_now),
            )
        return SessionReverted(
            restored=restored,
            left=tuple(sorted(draft.left, key=lambda each: each.path)),
            unattributed=tuple(os.fsdecode(path) for path in sorted(draft.unattributed)),
            open_ended=draft.open_ended,
        )


@dataclass(slots=True)
class _Draft:
    """The files without the session's changes, while one after the other is taken out."""

    objects: ObjectReader
    found: Authorship
    session: str
    turn: str | None
    now: ObjectID
    include_unattributed: bool
    files: dict[bytes, Entry | None] = field(default_factory=dict)
    """The files that become others than they are now."""
    left: list[LeftChange] = field(default_factory=list)
    held_by: dict[bytes, Checkpoint] = field(default_factory=dict)
    """The checkpoint before the session's first change of each file."""
    blocked: set[bytes] = field(default_factory=set)
    unattributed: set[bytes] = field(default_factory=set)
    open_ended: bool = False
    """Whether it takes out what changed when the session may have been done."""

    def changes(self) -> dict[bytes, Entry | None]:
        """Return what becomes of each file that does not stay as it is."""
        return {
            path: entry
            for path, entry in self.files.items()
            if path not in self.blocked and entry != self.objects.at(self.now, path)
        }

    def new_contents(self, changes: Mapping[bytes, Entry | None]) -> dict[ObjectID, bytes]:
        """Return the contents in `changes` that may be in no store yet."""
        added = self.found.contents.added
        return {each.oid: added[each.oid] for each in changes.values() if each and each.oid in added}

    def take_out(self, claim: Claim, not_recorded: set[bytes]) -> None:
        """Take out a change, if it is the session's."""
        at_work = claim.interval.at_work
        is_meanwhile = self.session in at_work and self.turn in (None, at_work[self.session])
        others = sorted((at_work.keys() if claim.by is By.NOBODY else claim.contenders) - {self.session})
        if claim.by is By.SESSION:
            if claim.session != self.session or self.turn not in (None, claim.turn):
                return
        elif claim.by is By.NOBODY:
            if not self.include_unattributed or not is_meanwhile:
                self.unattributed |= {claim.path} if is_meanwhile else set()
                return
        elif claim.by is By.PERSON or self.session not in claim.contenders or not is_meanwhile:
            return
        self.open_ended |= claim.is_open or (
            claim.by is By.NOBODY and self.session in claim.interval.open_ended
        )
        if claim.path in self.blocked:
            return
        start, end = claim.interval.start, claim.interval.end
        skipped = {os.fsencode(left.path) for each in (start, end) if each for left in each.skipped}
        skipped |= not_recorded
        if skipped and is_within(claim.path, skipped):
            self._leave(claim, "a checkpoint does not hold it")
        elif claim.by is By.SEVERAL or (claim.by is By.NOBODY and others):
            who = f"session {others[0]!r} was at work" if others else "somebody changed it"
            self._leave(claim, f"{who} at the same time")
        else:
            self.held_by[claim.path] = start
            self._take_out(claim)

    def _take_out(self, change: Claim) -> None:
        path = change.path
        now = self.files[path] if path in self.files else self.objects.at(self.now, path)
        if now is not None and now.is_tree:
            self._leave(change, "a folder is there now")
        elif now == change.new:
            self.files[path] = change.old
        elif now == change.old:
            pass
        elif now is None or change.new is None or change.old is None:
            self._leave(change, "it has been deleted since" if now is None else "it has been changed since")
        else:
            self._take_out_text(change, change.old, change.new, now)

    def _take_out_text(self, change: Claim, old: Entry, new: Entry, now: Entry) -> None:
        if not all(stat.S_ISREG(each.mode) for each in (old, new, now)):
            self._leave(change, "it has been changed since, and is no regular file")
            return
        before, after, present = map(self.found.contents.of, (old, new, now))
        if any(map(is_binary, (before, after, present))):
            self._leave(change, "it has been changed since, and is binary")
            return
        encoding = common_encoding(before, after, present)
        done = reversal(before.decode(encoding), after.decode(encoding), present.decode(encoding))
        if done.obstacles:
            for obstacle in done.obstacles:
                self._leave(change, "these lines have been changed since", obstacle)
            return
        content = done.text.encode(encoding)
        oid = now.oid if content == present else self.found.contents.with_content(now, content).oid
        self.files[change.path] = Entry(old.mode if now.mode == new.mode else now.mode, oid)

    def _leave(self, change: Claim, reason: str, obstacle: Obstacle | None = None) -> None:
        self.blocked.add(change.path)
        self.left.append(LeftChange(path=os.fsdecode(change.path), reason=reason, obstacle=obstacle))
