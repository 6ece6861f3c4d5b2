"""Restoring a checkpoint: whether it may be done, what there is to do, and the safety checkpoint.

`restore_apply` then does it.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from patchpoint.checkpoints.checkpoint import Checkpoint, Kind, LeftOut
from patchpoint.checkpoints.difference import with_hunk_taken_back
from patchpoint.checkpoints.errors import HunkNotFoundError, TreeMovedError
from patchpoint.checkpoints.head import head_move, refuse_in_progress
from patchpoint.checkpoints.ignore import IgnoreRules, PathRules, standard_rules
from patchpoint.checkpoints.index_read import index_signature
from patchpoint.checkpoints.journal import HeadMove, Journal, SessionMark
from patchpoint.checkpoints.objects import BLOB, ObjectWriter
from patchpoint.checkpoints.proven import Change, Entry
from patchpoint.checkpoints.record import Records, Request
from patchpoint.checkpoints.restore_apply import carry_out, tree_writer
from patchpoint.checkpoints.restore_plan import RestorePlan, is_within, plan
from patchpoint.checkpoints.snapshot import Snapshot
from patchpoint.checkpoints.sparse import hidden_by
from patchpoint.checkpoints.state import State, read_state
from patchpoint.checkpoints.tree_edit import edited_tree
from patchpoint.checkpoints.tree_writer import TreeWriter
from patchpoint.progress import Progress

_ATTEMPTS = 3
"""How often a restore is prepared anew because something changed meanwhile (git refreshing its index,
say)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What of a checkpoint is to be restored, and how."""

    paths: tuple[bytes, ...] = ()
    """Files and folders; none means everything, branch and staged state included."""
    hunk: str | None = None
    """Of the one file in `paths`, only this hunk of its difference."""
    dry_run: bool = False
    force: bool = False
    buffers: Mapping[str, str] = field(default_factory=dict)
    """The text that is unsaved in the editor now, for the safety checkpoint."""
    session: SessionMark | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    revived: tuple[tuple[str, str], ...] = ()
    made: frozenset[bytes] = frozenset()
    """Files that are known to have come after the checkpoint, ignored or not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did, or, of a dry run, would do. Paths are relative to the working tree's root."""

    checkpoint: Checkpoint
    safety: Checkpoint | None
    """The state before; `None` of a dry run, and when nothing was to be done (there is nothing to undo
    then)."""
    written: tuple[str, ...]
    deleted: tuple[str, ...]
    kept: tuple[LeftOut, ...]
    """What is not as the checkpoint has it, and was left so, with the reason."""
    head_from: str | None
    head_to: str | None
    """The same as `head_from` when the branch did not move."""
    staged: bool
    """Whether the staged state is now as the checkpoint has it."""
    dropped: tuple[str, ...] = ()
    """Ids of later checkpoints of the session, which went with the restore."""
    session: str | None = None
    message: str | None = None
    session_reset: bool = False
    """Whether the session's agent has to start afresh."""
    buffers: Mapping[str, str]
    """Unsaved text that was part of the checkpoint, by path, to be put back into the editor as unsaved."""
    dry_run: bool = False


@dataclass(frozen=True, slots=True)
class _Prepared:
    """A restore that is worked out, with nothing changed."""

    snapshot: Snapshot
    index: bytes
    """The signature of the index that the snapshot recorded, or of an older one."""
    saved_tree: str
    plan: RestorePlan
    head: HeadMove | None
    staged: bool
    state: State


def restore(
    records: Records, checkpoint: Checkpoint, wanted: Wanted, take: Callable[[], Snapshot], progress: Progress
) -> Restored:
    """Bring the working tree (or the named part of it) to the state of `checkpoint`.

    `take` takes a snapshot of it as it is. The caller holds the repository's turn, and has no journal open.
    Raises `RestoreRefusedError` or `CheckpointDamagedError` with nothing changed, and `RestoreFailedError`
    when something could not be written and all of it was taken back.
    """
    for attempt in range(1, _ATTEMPTS + 1):
        try:
            return _restore(records, checkpoint, wanted, take, progress)
        except TreeMovedError:
            if attempt == _ATTEMPTS:
                raise
    raise AssertionError("the loop returns or raises")


def _restore(
    records: Records, checkpoint: Checkpoint, wanted: Wanted, take: Callable[[], Snapshot], progress: Progress
) -> Restored:
    refuse_in_progress(records.repository)
    progress.report("Looking at the working tree")
    writer = tree_writer(records)
    prepared = _prepare(records, writer, checkpoint, wanted, take)
    answer = _answer(checkpoint, wanted, prepared)
    if wanted.dry_run or _is_nothing(prepared, wanted):
        return answer
    progress.check()
    progress.report("Saving the state before the restore")
    safety = records.write(
        prepared.snapshot,
        Request(
            kind=Kind.SAFETY,
            label=f"Before restoring {checkpoint.id}",
            buffers=wanted.buffers,
            safety_for=checkpoint.id,
            dropped=wanted.dropped,
        ),
        tree=prepared.saved_tree,
    )
    journal = Journal(
        checkpoint=checkpoint.id,
        commit=checkpoint.commit,
        safety=safety.id,
        safety_commit=safety.commit,
        steps=tuple(writer.steps(prepared.plan.ordered(), safety.id)),
        head=prepared.head,
        whole=not wanted.paths,
        staged_state=prepared.staged,
        session=wanted.session,
        dropped=wanted.dropped,
        revived=wanted.revived,
    )
    kept = carry_out(records, writer, journal, lambda: _refuse_moved(records, prepared), progress)
    failed = {left.path for left in kept}
    return replace(
        answer,
        safety=safety,
        written=tuple(path for path in answer.written if path not in failed),
        deleted=tuple(path for path in answer.deleted if path not in failed),
        kept=(*answer.kept, *kept),
    )


def _prepare(
    records: Records, writer: TreeWriter, checkpoint: Checkpoint, wanted: Wanted, take: Callable[[], Snapshot]
) -> _Prepared:
    objects, repository = records.objects, records.repository
    paths = frozenset(wanted.paths)
    state = read_state(objects, checkpoint.state)
    if checkpoint.head:
        objects.commit(checkpoint.head.encode())
    head, staged = head_move(repository, objects, checkpoint, repository.head(), force=wanted.force)
    if wanted.paths:
        head, staged = None, False
    index = index_signature(repository)
    snapshot = take()
    if wanted.hunk is not None:
        changes = [_hunk_change(records, checkpoint, snapshot, wanted)]
    else:
        changes = [
            change
            for change in objects.changes(snapshot.tree.encode(), checkpoint.tree.encode(), snapshot.built)
            if is_within(change.path, paths)
        ]
    files = _plan(records, changes, checkpoint, snapshot, state, wanted)
    saved_tree = snapshot.tree
    if unsaved := writer.unsaved(files.writes):
        entries = _saved(records, writer, unsaved)
        with ObjectWriter(repository) as objects_writer:
            tree = edited_tree(objects, objects_writer, saved_tree.encode(), entries)
            objects_writer.finish()
        saved_tree = tree.decode() if tree else saved_tree
        changes = [replace(change, old=entries.get(change.path, change.old)) for change in changes]
        changes = [change for change in changes if change.old != change.new]
        files = _plan(records, changes, checkpoint, snapshot, state, wanted)
    writer.refuse_obstructed([*files.writes, *files.deletes])
    return _Prepared(snapshot, index, saved_tree, files, head, staged, state)


def _is_nothing(prepared: _Prepared, wanted: Wanted) -> bool:
    """Whether all is as the checkpoint has it, so that there would be nothing to undo either."""
    files, state = prepared.plan, prepared.state
    return not (
        files.writes
        or files.deletes
        or prepared.head
        or (prepared.staged and prepared.snapshot.index != state.index)
        or wanted.buffers
        or state.buffers
        or wanted.session
        or wanted.dropped
        or wanted.revived
    )


def _answer(checkpoint: Checkpoint, wanted: Wanted, prepared: _Prepared) -> Restored:
    head = prepared.head
    mark = wanted.session
    return Restored(
        checkpoint=checkpoint,
        safety=None,
        written=tuple(os.fsdecode(change.path) for change in prepared.plan.writes),
        deleted=tuple(os.fsdecode(change.path) for change in prepared.plan.deletes),
        kept=prepared.plan.kept,
        head_from=head.old if head else prepared.snapshot.head,
        head_to=head.new if head else prepared.snapshot.head,
        staged=prepared.staged,
        dropped=tuple(id_ for id_, _ in wanted.dropped),
        session=mark.session if mark else None,
        message=mark.message if mark else None,
        session_reset=mark is not None and mark.fresh,
        buffers={
            path: text
            for path, text in prepared.state.buffers.items()
            if wanted.hunk is None and is_within(os.fsencode(path), wanted.paths)
        },
        dry_run=wanted.dry_run,
    )


def _plan(
    records: Records,
    changes: list[Change],
    checkpoint: Checkpoint,
    snapshot: Snapshot,
    state: State,
    wanted: Wanted,
) -> RestorePlan:
    ignored = _ignored(records, checkpoint, state)
    hidden_now = hidden_by(records.objects, snapshot.index)
    hidden_then = hidden_by(records.objects, state.index)
    root = Path(os.fsdecode(records.repository.worktree))

    def is_hidden(path: bytes) -> bool:
        return hidden_now(path) and not os.path.lexists(root / os.fsdecode(path))

    return plan(
        [change for change in changes if not (is_hidden(change.path) and hidden_then(change.path))],
        not_recorded={os.fsencode(left.path): left.reason for left in state.skipped},
        not_saved={left.path: left.reason.value for left in snapshot.skipped},
        is_ignored=lambda path: path not in wanted.made and ignored(path),
        is_hidden=is_hidden,
    )


def _ignored(records: Records, checkpoint: Checkpoint, state: State) -> Callable[[bytes], bool]:
    """Whether a path is ignored by the rules of now or by those of then."""
    repository, objects = records.repository, records.objects
    root = Path(os.fsdecode(repository.worktree))

    def on_disk(path: bytes) -> bytes | None:
        place = root / os.fsdecode(path)
        try:
            return place.read_bytes() if not place.is_symlink() else None
        except OSError:
            return None

    def in_checkpoint(path: bytes) -> bytes | None:
        entry = objects.at(checkpoint.tree.encode(), path)
        return objects.blob(entry.oid) if entry and stat.S_ISREG(entry.mode) else None

    outside = IgnoreRules(fold=repository.flag(b"core", b"ignorecase", False))
    for content in state.rules:
        outside = outside.within(b"", content)
    now = PathRules(standard_rules(repository), on_disk)
    then = PathRules(outside, in_checkpoint)
    return lambda path: now.ignores(path) or then.ignores(path)


def _hunk_change(records: Records, checkpoint: Checkpoint, snapshot: Snapshot, wanted: Wanted) -> Change:
    """The change that takes back one hunk of what a file has become since the checkpoint."""
    if len(wanted.paths) != 1 or wanted.hunk is None:
        raise HunkNotFoundError("A hunk is of one file; name that file and no other.")
    path, objects = wanted.paths[0], records.objects
    then = objects.at(checkpoint.tree.encode(), path)
    now = objects.at(snapshot.tree.encode(), path)
    for entry in (then, now):
        if entry is not None and not stat.S_ISREG(entry.mode):
            raise HunkNotFoundError(
                f"'{os.fsdecode(path)}' is no plain file and has no hunks; restore all of it."
            )
    before = objects.blob(then.oid) if then else b""
    after = objects.blob(now.oid) if now else b""
    content = with_hunk_taken_back(before, after, wanted.hunk)
    if then is None and not content:
        return Change(path, now, None)
    with ObjectWriter(records.repository) as writer:
        oid = writer.add(BLOB, content).hex().encode()
        writer.finish()
    mode = (now or then or Entry(0o100644, oid)).mode
    return Change(path, now, Entry(mode, oid))


def _saved(records: Records, writer: TreeWriter, paths: list[bytes]) -> dict[bytes, Entry | None]:
    """The entries of files that no snapshot holds (ignored ones) and that are about to be overwritten."""
    entries: dict[bytes, Entry | None] = {}
    with ObjectWriter(records.repository) as objects_writer:
        for path in paths:
            mode, content = writer.content(path)
            entries[path] = Entry(mode, objects_writer.add(BLOB, content).hex().encode())
        objects_writer.finish()
    return entries


def _refuse_moved(records: Records, prepared: _Prepared) -> None:
    """Raise `TreeMovedError` when branch or index are not what the safety checkpoint holds."""
    repository, snapshot = records.repository, prepared.snapshot
    head = repository.head()
    if (head.commit, head.branch) != (snapshot.head, snapshot.branch):
        raise TreeMovedError("The branch moved while the restore was prepared; nothing was done. Try again.")
    if index_signature(repository) != prepared.index:
        raise TreeMovedError(
            "Something was staged while the restore was prepared; nothing was done. Try again."
        )
