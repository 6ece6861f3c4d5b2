"""Take a checkpoint, and load no more of the package than that needs: a hook waits for all that is loaded.

With it go its companions: checkpoints of the repositories inside, which the working tree's own does not hold,
and of others that are named.
"""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from contextlib import nullcontext, suppress

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.checkpoints.maintenance.retention import delete_outdated
from patchpoint.checkpoints.options import StoreOptions
from patchpoint.checkpoints.record.checkpoint import Checkpoint, Companion
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.steps import forget_steps
from patchpoint.checkpoints.record.write import CheckpointRequest
from patchpoint.checkpoints.repository_lock import refuse_linked_directory, repository_lock
from patchpoint.checkpoints.restore.phases import is_unfinished
from patchpoint.checkpoints.snapshot.skipped import SkipReason
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.dataclass import dataclass, replace
from patchpoint.git.repository import Repository, git_directory_of
from patchpoint.progress import CancelledError, Progress

_SHORT_PATIENCE_S = 0.5
"""Seconds for which a new checkpoint waits for git's lock of the packed refs, to delete outdated ones, and
for the lock of another repository's checkpoints."""
_REPOSITORIES = (SkipReason.NESTED_REPOSITORY, SkipReason.SUBMODULE)


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherRepositories:
    """The other repositories of which a checkpoint is taken as well."""

    named: Sequence[str] = ()
    """Absolute paths of working trees elsewhere."""
    within: float | None = None
    """Seconds after which no more of them are recorded; `None`: all are."""


def take_checkpoint(
    records: Records, request: CheckpointRequest, options: StoreOptions, progress: Progress
) -> Checkpoint:
    """Take a checkpoint, delete those that are outdated by `options`, and return it.

    Raises `RepositoryBusyError`, and `SnapshotFailedError` when the tree cannot be recorded; then there is no
    checkpoint.
    """
    return take_checkpoints(records, [request], options, progress)[0]


def take_checkpoints(
    records: Records,
    requests: Sequence[CheckpointRequest],
    options: StoreOptions,
    progress: Progress,
    others: OtherRepositories | None = None,
) -> list[Checkpoint]:
    """Take a checkpoint for each of `requests`, all of one snapshot; else as `take_checkpoint`."""
    with repository_lock(records.repository, progress):
        return _take_checkpoints(records, requests, options, progress, others or OtherRepositories())


def _take_checkpoints(
    records: Records,
    requests: Sequence[CheckpointRequest],
    options: StoreOptions,
    progress: Progress,
    others: OtherRepositories,
) -> list[Checkpoint]:
    def with_companions(snapshot: Snapshot, newest: Checkpoint | None) -> Sequence[CheckpointRequest]:
        paths = _paths(records.repository, snapshot, newest, requests, others.named)
        if not paths:
            return requests
        watch = progress if others.within is None else _Until(progress, time.monotonic() + others.within)
        found: list[list[Companion]] = [[] for _ in requests]
        for path in paths:
            for each, taken in zip(found, _companions(records, path, requests, options, watch), strict=False):
                each.append(Companion(path, taken.id))
            progress.check()
        return [
            replace(request, companions=tuple(each)) for request, each in zip(requests, found, strict=True)
        ]

    checkpoints = records.take_each(requests, options.snapshot, progress, with_companions)
    # They exist: what is outdated can be deleted after the next one, too.
    with suppress(CheckpointError, OSError):
        if delete_outdated(records, options.retention, patience=_SHORT_PATIENCE_S):
            from patchpoint.checkpoints.maintenance.reclaim import reclaim

            reclaim(records, at_most_daily=True)
        forget_steps(records.repository.patchpoint_directory, records.all)
    return checkpoints


def _paths(
    repository: Repository,
    snapshot: Snapshot,
    newest: Checkpoint | None,
    requests: Sequence[CheckpointRequest],
    named: Sequence[str],
) -> list[str]:
    """Return the working trees of the other repositories, as companions have them.

    Those elsewhere in which a session has worked stay with it.
    """
    root = os.fsdecode(repository.worktree)
    inside = [os.fsdecode(left.path) for left in snapshot.skipped if left.reason in _REPOSITORIES]
    elsewhere = [_relative(root, path) for path in named]
    if (
        newest is not None
        and newest.session is not None
        and newest.session in {request.session for request in requests}
    ):
        elsewhere += [each.path for each in newest.companions if each.path not in inside]
    return [
        path
        for path in dict.fromkeys((*inside, *elsewhere))
        if git_directory_of(os.path.join(repository.worktree, os.fsencode(path))) is not None
    ]


def _companions(
    records: Records,
    path: str,
    requests: Sequence[CheckpointRequest],
    options: StoreOptions,
    progress: Progress,
) -> list[Checkpoint]:
    """Take a checkpoint of the repository at `path` for each of `requests`; none where that cannot be done.

    A failure there leaves the checkpoint that they accompany as it is.
    """
    outer = records.repository
    place = os.path.join(outer.worktree, os.fsencode(path))
    asked = [replace(request, buffers={}, only_changes=True) for request in requests]
    with suppress(CheckpointError, OSError, CancelledError):
        progress.check()
        patience = min(options.wait, _SHORT_PATIENCE_S)
        repository = replace(Repository.open(place), patience=patience)
        try:
            if repository.worktree != os.path.realpath(place) or repository.private:
                return []
            refuse_linked_directory(repository)
            if is_unfinished(repository.patchpoint_directory):
                return []
            # A linked working tree inside has the lock of the repository that it is linked to.
            is_held = repository.commondir == outer.commondir
            with nullcontext() if is_held else repository_lock(repository, progress):
                own = Records(repository, records.mirror_bytes)
                return _take_checkpoints(own, asked, options, progress, OtherRepositories())
        finally:
            repository.close()
    return []


def _relative(root: str, path: str) -> str:
    below = os.path.relpath(path, root)
    return path if below.startswith(os.pardir) else below.replace(os.sep, "/")


class _Until:
    """Progress that cancels what takes longer than until a time (`time.monotonic`)."""

    def __init__(self, progress: Progress, until: float) -> None:
        self._progress = progress
        self._until = until

    def check(self) -> None:
        """Raise `CancelledError` where the work was cancelled, or the time is over."""
        self._progress.check()
        if time.monotonic() > self._until:
            raise CancelledError("the time is over")

    def report(self, message: str, done: int = 0, total: int | None = None) -> None:
        """Pass on what is reported."""
        self._progress.report(message, done, total)
