"""Prepare the restore of a checkpoint: check whether it may be done, plan it, take the safety checkpoint.

`restore.apply` then applies it.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import OperationInProgressError, TreeMovedError
from patchpoint.checkpoints.record.checkpoint import CheckpointKind, SkippedPath
from patchpoint.checkpoints.record.state_commit import read_state
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.restore.apply import apply_restore, worktree_writer
from patchpoint.checkpoints.restore.head import (
    plan_head_move,
    refuse_in_progress,
    refuse_moved,
    remark_on_branch,
    remark_on_operation,
)
from patchpoint.checkpoints.restore.journal import RestoreJournal
from patchpoint.checkpoints.restore.plan import (
    LeftState,
    WorktreeChange,
    hidden_by,
    hunk_change,
    ignored_by_either,
    is_within,
    plan_restore,
)
from patchpoint.checkpoints.restore.staging import not_prepared
from patchpoint.checkpoints.snapshot.skipped import OF_THE_FILE
from patchpoint.dataclass import dataclass, field, replace
from patchpoint.filesystem.directory_tree import folds_case, own_spelling
from patchpoint.git.index.read import index_signature
from patchpoint.git.index.under_way import UnderWay, read_under_way
from patchpoint.git.objects.reader import Change
from patchpoint.git.objects.tree_edit import edited_tree
from patchpoint.git.objects.writer import ObjectWriter
from patchpoint.git.odb.ids import ObjectID
from patchpoint.operations.log import named

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.checkpoint import Checkpoint, Companion
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.record.state_commit import CheckpointState
    from patchpoint.checkpoints.restore.journal import HeadMove, SessionMark
    from patchpoint.checkpoints.restore.plan import RestorePlan
    from patchpoint.checkpoints.restore.worktree import WorktreeWriter
    from patchpoint.checkpoints.snapshot.take import Snapshot
    from patchpoint.operations.log import Cause
    from patchpoint.progress import Progress


_ATTEMPTS = 3
"""How often a restore is prepared when something changes meanwhile, such as git refreshing its index."""
_MOST_MOVING = 8
"""Files that are left as they are because they keep changing, such as logs; more than that are the work of a
program on the project."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RestoreRequest:
    """What to restore of a checkpoint, and how."""

    paths: tuple[bytes, ...] = ()
    """Files and directories; none means everything, including branch and staged state."""
    hunk: str | None = None
    """The only hunk to restore of the one file in `paths`."""
    dry_run: bool = False
    force: bool = False
    buffers: Mapping[str, str] = field(default_factory=dict)
    """The text that is unsaved in the editor now, for the safety checkpoint."""
    session: SessionMark | None = None
    dropped: tuple[tuple[str, str], ...] = ()
    revived: tuple[tuple[str, str], ...] = ()
    companions: tuple[Companion, ...] = ()
    """The safety checkpoints of what was restored with it in other repositories."""
    created: frozenset[bytes] = frozenset()
    """Files known to be newer than the checkpoint, ignored or not."""
    taken_back: LeftState | None = None
    """Where an operation is taken back: what of the checkpoint is restored, instead of `paths`."""
    cause: Cause | None = None
    """What the log of operations says of it; `None` where it is none."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Restored:
    """What a restore did or, in a dry run, would do. Paths are relative to the working tree's root."""

    checkpoint: Checkpoint
    safety: Checkpoint | None
    """The state before; `None` for a dry run, and when there was nothing to do (and so nothing to undo)."""
    written: tuple[str, ...]
    deleted: tuple[str, ...]
    kept: tuple[SkippedPath, ...]
    """Paths that differ from the checkpoint and were left so, with reasons."""
    head_from: str | None
    head_to: str | None
    """Equal to `head_from` when the branch did not move."""
    staged: bool
    """Whether the staged state was restored."""
    dropped: tuple[str, ...] = ()
    """Ids of the session's later checkpoints, which the restore dropped."""
    session: str | None = None
    message: str | None = None
    session_reset: bool = False
    """Whether the session's agent has to start afresh."""
    buffers: Mapping[str, str]
    """Unsaved text of the checkpoint by path, for the editor to show as unsaved again."""
    dry_run: bool = False
    created: tuple[str, ...] = ()
    """Those of `written` that were not there."""
    remark: str = ""
    """A sentence for who restores some files while another branch is checked out, or ends a merge."""
    companions: tuple[tuple[Path, Restored], ...] = ()
    """What was done in each other repository, by the root of its working tree."""

    def parts(self, root: Path) -> list[tuple[Path, Restored]]:
        """Return what was done in each repository, by the root of its working tree; first here, at `root`."""
        return [(root, self), *(part for place, one in self.companions for part in one.parts(place))]

    @property
    def overwritten(self) -> tuple[str, ...]:
        """Those of `written` that had other content, or were something else."""
        return tuple(path for path in self.written if path not in self.created)


@dataclass(frozen=True, slots=True)
class _PreparedRestore:
    """A restore that is planned, with nothing changed."""

    snapshot: Snapshot
    index: bytes
    """The signature of the index, read before the snapshot recorded it."""
    under_way: UnderWay
    """What git is in the middle of, read before the snapshot, too."""
    saved_tree: str
    plan: RestorePlan
    head: HeadMove | None
    staged: bool
    state: CheckpointState
    remark: str


def restore(
    records: Records,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    take: Callable[[ObjectWriter], Snapshot],
    progress: Progress,
) -> Restored:
    """Restore the working tree, or the named part of it, to the state of `checkpoint`.

    `take` takes a snapshot of the working tree, whose writer is finished here. The caller holds the
    repository's lock, and no restore is unfinished. Raises `RestoreRefusedError` or
    `CheckpointDamagedError` with nothing changed, and `RestoreFailedError` when something could not be
    written and everything was rolled back.
    """
    attempt, moved, moving = 0, set[bytes](), set[bytes]()
    while True:
        attempt += 1
        try:
            with worktree_writer(records) as writer, ObjectWriter(records.repository, fast=True) as objects:
                return _restore(records, writer, objects, checkpoint, request, moving, take, progress)
        except TreeMovedError as error:
            if error.path in moved and len(moving) < _MOST_MOVING and _may_leave(error.path, request):
                moving.add(error.path)
                attempt = 0
            elif attempt == _ATTEMPTS:
                raise
            moved.add(error.path)
        except (FileNotFoundError, NotADirectoryError) as error:
            if attempt == _ATTEMPTS:
                raise TreeMovedError(
                    f"A file or folder disappeared while the restore was being prepared ({error}); nothing "
                    "was changed. Try again."
                ) from error
        except OSError as error:
            raise not_prepared(error) from error
        finally:
            records.objects.read_ahead(())


def _may_leave(path: bytes, request: RestoreRequest) -> bool:
    """Return whether a restore is still what was asked for without the file at `path`."""
    return bool(path) and request.hunk is None and request.taken_back is None and path not in request.paths


def _restore(
    records: Records,
    writer: WorktreeWriter,
    objects: ObjectWriter,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    moving: Collection[bytes],
    take: Callable[[ObjectWriter], Snapshot],
    progress: Progress,
) -> Restored:
    progress.report("Scanning the working tree")
    prepared = _prepare(records, writer, objects, checkpoint, request, moving, take)
    result = _result(checkpoint, request, prepared)
    if request.dry_run or _changes_nothing(prepared, request):
        objects.finish()
        prepared.snapshot.settle()
        return result
    progress.check()
    cause = named(records.repository.worktree, request.cause) if request.cause is not None else None
    progress.report("Saving the state before the restore")
    wanted = [change.new.oid for change in prepared.plan.writes if change.new]
    objects.meanwhile = partial(records.objects.read_ahead, wanted)
    safety = records.write(
        prepared.snapshot,
        CheckpointRequest(
            kind=CheckpointKind.SAFETY,
            label=f"Before restoring {checkpoint.id}",
            buffers=request.buffers,
            safety_for=checkpoint.id,
            dropped=request.dropped,
            companions=request.companions,
        ),
        tree=prepared.saved_tree,
        writer=objects,
    )
    journal = RestoreJournal(
        checkpoint=checkpoint.id,
        commit=checkpoint.commit,
        safety=safety.id,
        safety_commit=safety.commit,
        steps=tuple(writer.steps(prepared.plan.ordered(), safety.id)),
        head=prepared.head,
        whole=_is_whole(request),
        hunk=request.hunk,
        staged_state=prepared.staged,
        session=request.session,
        dropped=request.dropped,
        revived=request.revived,
        cause=cause,
    )
    saved = prepared.snapshot.recorded
    moved = partial(refuse_moved, records.repository, prepared.snapshot, prepared.index, prepared.under_way)
    kept = apply_restore(records, writer, journal, saved, moved, progress)
    failed = {left.path for left in kept}
    return replace(
        result,
        safety=safety,
        written=tuple(path for path in result.written if path not in failed),
        deleted=tuple(path for path in result.deleted if path not in failed),
        created=tuple(path for path in result.created if path not in failed),
        kept=(*result.kept, *kept),
    )


def _prepare(
    records: Records,
    writer: WorktreeWriter,
    objects_writer: ObjectWriter,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    moving: Collection[bytes],
    take: Callable[[ObjectWriter], Snapshot],
) -> _PreparedRestore:
    objects, repository = records.objects, records.repository
    paths = frozenset(request.paths)
    state = read_state(objects, checkpoint.state)
    if checkpoint.head:
        objects.commit(ObjectID(checkpoint.head.encode()))
    part = request.taken_back
    if part is not None:
        part.refuse_changed(writer.has, repository.head())
    under_way = read_under_way(repository)
    if part is not None:
        part.refuse_under_way(under_way)
    head, staged, remark = _plan_git(records, checkpoint, request, under_way, state)
    index = index_signature(repository)
    snapshot = take(objects_writer)
    if request.hunk is not None or (snapshot.index is not None and snapshot.index.flags is not None):
        objects_writer.finish()  # some of it is read at once
    if request.hunk is not None:
        changes = [hunk_change(records, checkpoint, snapshot, request.paths, request.hunk)]
    else:
        changes = [
            change
            for change in objects.changes(
                ObjectID(snapshot.tree.encode()), ObjectID(checkpoint.tree.encode()), snapshot.built
            )
            if (is_within(change.path, paths) if part is None else change.path in part.files)
        ]
    if part is not None:
        part.refuse_staged(snapshot.index, objects)
    files = _plan(records, changes, checkpoint, snapshot, state, request).without_moving(moving)
    saved_tree, root = snapshot.tree, repository.worktree
    unsaved = writer.unsaved(files.writes)
    spellings = {path: spelled for path in unsaved if (spelled := own_spelling(root, path)) != path}
    ignored = request.created.difference(change.path for change in changes)
    going = writer.unsaved(WorktreeChange(path, None, None) for path in sorted(ignored))
    going = [path for path in going if own_spelling(root, path) == path]
    if unsaved := [*(path for path in unsaved if path not in spellings), *going]:
        objects_writer.finish()
        snapshots_own = frozenset(objects_writer.reused)
        entries = writer.saved_in(objects_writer, unsaved)
        tree = edited_tree(objects, objects_writer, ObjectID(saved_tree.encode()), entries)
        objects_writer.keep(objects_writer.reused - snapshots_own)
        saved_tree = tree.decode() if tree else saved_tree
        changes = [replace(change, old=entries.get(change.path, change.old)) for change in changes]
        changes += [Change(path, entries[path], None) for path in going]
        changes = [change for change in changes if change.old != change.new]
        files = _plan(records, changes, checkpoint, snapshot, state, request).without_moving(moving)
    files = files.without_twins(spellings, lambda path: folds_case(root, path))
    writer.refuse_obstructed([*files.writes, *files.deletes])
    return _PreparedRestore(snapshot, index, under_way, saved_tree, files, head, staged, state, remark)


def _plan_git(
    records: Records,
    checkpoint: Checkpoint,
    request: RestoreRequest,
    under_way: UnderWay,
    state: CheckpointState,
) -> tuple[HeadMove | None, bool, str]:
    """Return how HEAD moves, whether the staged state is restored, and a remark on it all."""
    repository, is_taken_back = records.repository, request.taken_back is not None
    if not _is_whole(request):
        return None, False, remark_on_branch(repository, checkpoint) if request.paths else ""
    then = UnderWay.from_record(state.under_way)
    try:
        refuse_in_progress(under_way, then)
    except OperationInProgressError:
        if is_taken_back or not request.force:
            raise
        return None, False, ""
    # What is taken back was left at a commit that is checked out still, whatever the history in between.
    force = request.force or is_taken_back
    head, staged = plan_head_move(repository, records.objects, checkpoint, repository.head(), force=force)
    return head, staged, remark_on_operation(under_way, then) if staged else ""


def _is_whole(request: RestoreRequest) -> bool:
    part = request.taken_back
    return not request.paths if part is None else part.head is not None


def _changes_nothing(prepared: _PreparedRestore, request: RestoreRequest) -> bool:
    """Return whether the state equals the checkpoint, so that there would be nothing to undo either."""
    files, state = prepared.plan, prepared.state
    return not (
        files.writes
        or files.deletes
        or prepared.head
        or (prepared.staged and prepared.snapshot.index != state.index)
        or (prepared.staged and prepared.under_way.files != UnderWay.from_record(state.under_way).files)
        or request.buffers
        or state.buffers
        or request.session
        or request.dropped
        or request.revived
        or request.companions
    )


def _result(checkpoint: Checkpoint, request: RestoreRequest, prepared: _PreparedRestore) -> Restored:
    head = prepared.head
    mark = request.session
    return Restored(
        checkpoint=checkpoint,
        safety=None,
        written=tuple(os.fsdecode(change.path) for change in prepared.plan.writes),
        deleted=tuple(os.fsdecode(change.path) for change in prepared.plan.deletes),
        kept=prepared.plan.kept,
        head_from=head.old if head else prepared.snapshot.head,
        head_to=head.new if head else prepared.snapshot.head,
        staged=prepared.staged,
        dropped=tuple(id_ for id_, _ in request.dropped),
        session=mark.session if mark else None,
        message=mark.message if mark else None,
        session_reset=mark is not None and mark.fresh,
        buffers={
            path: text
            for path, text in prepared.state.buffers.items()
            if request.hunk is None
            and request.taken_back is None
            and is_within(os.fsencode(path), request.paths)
        },
        dry_run=request.dry_run,
        created=tuple(os.fsdecode(change.path) for change in prepared.plan.writes if change.old is None),
        remark=prepared.remark,
    )


def _plan(
    records: Records,
    changes: list[Change],
    checkpoint: Checkpoint,
    snapshot: Snapshot,
    state: CheckpointState,
    request: RestoreRequest,
) -> RestorePlan:
    ignored = ignored_by_either(records, checkpoint, state)
    hidden_now = hidden_by(records.objects, snapshot.index)
    hidden_then = hidden_by(records.objects, state.index)
    root = Path(os.fsdecode(records.repository.worktree))

    def is_there(path: bytes) -> bool:
        return os.path.lexists(root / os.fsdecode(path))

    def is_hidden(path: bytes) -> bool:
        return hidden_now(path) and not is_there(path)

    plan = plan_restore(
        [change for change in changes if not (is_hidden(change.path) and hidden_then(change.path))],
        not_recorded={os.fsencode(left.path): left.reason for left in state.skipped},
        not_saved={left.path: left.reason.value for left in snapshot.skipped},
        is_ignored=lambda path: path not in request.created and ignored(path),
        is_hidden=is_hidden,
        is_there=is_there,
    )
    known = {left.path for left in (*plan.kept, *state.skipped)}
    unread = [
        SkippedPath(os.fsdecode(left.path), f"it could not be saved first: {left.reason.value}")
        for left in snapshot.skipped
        if left.reason in OF_THE_FILE
        and os.fsdecode(left.path) not in known
        and request.taken_back is None
        and is_within(left.path, request.paths)
        and records.objects.at(ObjectID(checkpoint.tree.encode()), left.path) is None
    ]
    kept = sorted((*plan.kept, *unread), key=lambda left: left.path)
    return replace(plan, kept=tuple(kept))
