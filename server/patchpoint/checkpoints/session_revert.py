"""Revert what one session changed, and leave what others changed since.

What a session changed is the difference between a checkpoint that was taken before it worked and the next
one of the session; where its steps are recorded, only in the files that they were to write. Newest first,
each such change is taken out of the files as they have become since
(`patchpoint.text.reversal`). The result is restored like a checkpoint, so that it is all or nothing,
survives a crash, and can itself be undone.
"""

from __future__ import annotations

import os
import stat
from dataclasses import field, replace
from functools import partial
from pathlib import Path

from patchpoint.checkpoints.changed_files import is_editors_own, restore_changed
from patchpoint.checkpoints.diff import common_encoding, is_binary
from patchpoint.checkpoints.errors import AnchorNotFoundError
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.attribution import Interval, intervals
from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.steps import recorded_steps
from patchpoint.checkpoints.repository_lock import repository_lock
from patchpoint.checkpoints.restore.apply import finish_interrupted_restore
from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.restore.prepare import Restored
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Change, Entry, ObjectReader
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_hexadecimal
from patchpoint.git.repository import Repository
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
    """Files that changed while the session was at work, and that no step of it was to write: they stay."""
    open_ended: bool
    """Whether something changed in a turn of which no checkpoint says when it was done. Without `until_now`,
    nothing is reverted then: `restored` is a dry run."""


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
    records = Records(repository)
    with repository_lock(repository, watch):
        finish_interrupted_restore(records, watch)
        known = intervals(records.all(), recorded_steps(repository.patchpoint_directory))
        wanted = [
            each
            for each in known
            if session in each.at_work and (turn is None or each.at_work[session] == turn)
        ]
        if not wanted:
            raise AnchorNotFoundError(session, turn)
        take = partial(records.snapshot, chosen.snapshot, watch)
        now = records.snapshot(chosen.snapshot, watch)
        draft = _Draft(records.objects, session, ObjectID(now.tree.encode()), include_unattributed)
        for each in reversed(wanted):
            watch.check()
            draft.take_out(each, {left.path for left in now.skipped})
        changes = draft.changes()
        restored = None
        if changes and not (draft.left and not per_file):
            label = f"Without session {session}"
            restored = restore_changed(
                records,
                now,
                changes,
                draft.contents,
                label,
                take,
                watch,
                held_by=draft.held_by,
                dry_run=dry_run or (draft.open_ended and not until_now),
            )
        return SessionReverted(
            restored=restored,
            left=tuple(draft.left),
            unattributed=tuple(os.fsdecode(path) for path in sorted(draft.unattributed)),
            open_ended=draft.open_ended,
        )


@dataclass(slots=True)
class _Draft:
    """The files without the session's changes, while one after the other is taken out."""

    objects: ObjectReader
    session: str
    now: ObjectID
    include_unattributed: bool
    files: dict[bytes, Entry | None] = field(default_factory=dict)
    """The files that become others than they are now; an id that is new has its content in `contents`."""
    contents: dict[ObjectID, bytes] = field(default_factory=dict)
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

    def take_out(self, interval: Interval, not_recorded: set[bytes]) -> None:
        """Take out what the session changed in `interval`."""
        start, end = interval.start, interval.end
        after = self.now if end is None else ObjectID(end.tree.encode())
        skipped = {os.fsencode(left.path) for each in (start, end) if each for left in each.skipped}
        skipped |= not_recorded
        others = sorted(interval.at_work.keys() - {self.session})
        announced = None if self.include_unattributed else interval.announced.get(self.session)
        claimed = None if announced is None else {os.fsencode(path) for path in announced}
        for change in sorted(
            self.objects.changes(ObjectID(start.tree.encode()), after), key=lambda change: change.path
        ):
            if any(each and is_editors_own(self.objects, each, change.path) for each in (start, end)):
                continue
            if claimed is not None and change.path not in claimed:
                self.unattributed.add(change.path)
                continue
            self.open_ended |= self.session in interval.open_ended
            if change.path in self.blocked:
                continue
            if skipped and is_within(change.path, skipped):
                self._leave(change, "a checkpoint does not hold it")
            elif others:
                self._leave(change, f"session {others[0]!r} was at work at the same time")
            else:
                self.held_by[change.path] = start
                self._take_out(change)

    def _take_out(self, change: Change) -> None:
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

    def _take_out_text(self, change: Change, old: Entry, new: Entry, now: Entry) -> None:
        if not all(stat.S_ISREG(each.mode) for each in (old, new, now)):
            self._leave(change, "it has been changed since, and is no regular file")
            return
        before, after, present = map(self._content, (old, new, now))
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
        oid = now.oid if content == present else self._added(content)
        self.files[change.path] = Entry(old.mode if now.mode == new.mode else now.mode, oid)

    def _added(self, content: bytes) -> ObjectID:
        oid = to_hexadecimal(object_id(BLOB, content, self.objects.object_format))
        self.contents[oid] = content
        return oid

    def _content(self, entry: Entry) -> bytes:
        known = self.contents.get(entry.oid)
        return self.objects.blob(entry.oid) if known is None else known

    def _leave(self, change: Change, reason: str, obstacle: Obstacle | None = None) -> None:
        self.blocked.add(change.path)
        self.left.append(LeftChange(path=os.fsdecode(change.path), reason=reason, obstacle=obstacle))
