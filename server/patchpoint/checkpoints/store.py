"""The checkpoints of one folder, for the server, the command line and other programs.

    store = CheckpointStore.open(folder)
    checkpoint = store.take(label="before the run")
    store.diff(checkpoint.id)
    store.restore(checkpoint.id)
    store.undo()

Paths go in and come out relative to `store.root`, the working tree's root, with `/`; absolute ones inside
it are accepted, too. What changes something waits for the repository's lock, which one process at a time
holds. What has a `progress` reports to it and stops when it is cancelled, as long as nothing was changed.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.arguments import buffers_by_path, git_path, restore_paths, restore_request
from patchpoint.checkpoints.errors import CheckpointError, RestoreRefusedError
from patchpoint.checkpoints.maintenance.abandoned import (
    finish_left_undone,
    may_be_left_undone,
    remove_abandoned_files,
)
from patchpoint.checkpoints.options import RetentionPolicy, StoreOptions
from patchpoint.checkpoints.record import sessions
from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.repository_lock import is_left_locked, refuse_linked_directory, repository_lock
from patchpoint.dataclass import replace
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress, Silent

if TYPE_CHECKING:
    from patchpoint.checkpoints.companions.restoring import CompanionPart
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.maintenance.disk_use import DiskUse
    from patchpoint.checkpoints.maintenance.doctor import Diagnosis
    from patchpoint.checkpoints.maintenance.elsewhere import Elsewhere
    from patchpoint.checkpoints.maintenance.prove import Proof
    from patchpoint.checkpoints.maintenance.transfer import Confirm
    from patchpoint.checkpoints.record.checkpoint import Companion
    from patchpoint.checkpoints.record.sessions import SessionState
    from patchpoint.checkpoints.restore.journal import RestoreJournal
    from patchpoint.checkpoints.restore.prepare import Restored, RestoreRequest
    from patchpoint.checkpoints.snapshot.take import Snapshot

WORKTREE = "worktree"
"""The default of what `diff` compares with: the working tree as it is."""


class CheckpointStore:
    """The checkpoints of one folder; see the module's text. It may be used from several threads."""

    def __init__(self, repository: Repository, options: StoreOptions, *, recover: bool = True) -> None:
        self._repository = repository
        self.recovers = recover
        self.records = Records(repository, options.mirror_bytes)
        self.options = options
        self.finished: RestoreJournal | None = None
        """The restore that was found cut short, and is finished by now, or discarded."""
        # Left to the interpreter's end, dulwich complains of packs that are still open.
        weakref.finalize(self, repository.close)

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        options: StoreOptions | None = None,
        recover: bool = True,
    ) -> CheckpointStore:
        """Return the store of the repository that `folder` is in, or a private one when it is in none.

        `options` is the user's policy: what a checkpoint leaves out, and which are kept. An
        interrupted restore is finished or discarded first; where that cannot be done now, `doctor` reports
        why. Without `recover`, for a folder that the user does not trust, what lies there is left as it is,
        and while a restore is unfinished no other one is done. Raises `FolderRefusedError` and
        `UnsupportedRepositoryError`.
        """
        chosen = options or StoreOptions()
        store = cls(replace(Repository.open(folder), patience=chosen.wait), chosen, recover=recover)
        refuse_linked_directory(store._repository)
        if not recover:
            return store
        remove_abandoned_files(store._repository)
        if may_be_left_undone(store._repository) or is_left_locked(store._repository):
            # If another process holds the lock, that finishes it, or `doctor` will report it.
            with suppress(CheckpointError, OSError), store._lock(Silent(), timeout=0):
                store._finish(Silent())
        return store

    @property
    def root(self) -> Path:
        """The root of the working tree, to which paths are relative."""
        return Path(os.fsdecode(self._repository.worktree))

    @property
    def folder(self) -> Path:
        """The folder that was opened: `root` or one below it. A restore without paths restores it alone."""
        return self.root / os.fsdecode(self._repository.prefix)

    @property
    def is_private(self) -> bool:
        """Whether the folder is in no repository, so that its checkpoints are in a private one."""
        return self._repository.private

    @property
    def marks(self) -> tuple[Path, Path]:
        """The directory of refs and the file of packed refs; one of them changes with every checkpoint."""
        shared = Path(os.fsdecode(self._repository.commondir))
        return shared / os.fsdecode(self.records.namespace.checkpoints), shared / "packed-refs"

    def take(
        self,
        *,
        label: str = "",
        session: str | None = None,
        message: str | None = None,
        buffers: Mapping[str, str] | None = None,
        kind: CheckpointKind = CheckpointKind.MANUAL,
        only_changes: bool = False,
        progress: Progress | None = None,
    ) -> Checkpoint:
        """Record the working tree as it is, together with `buffers` (unsaved text by path).

        `session` and `message` make it the anchor of a chat message. With `only_changes`, where nothing has
        changed since the newest checkpoint and that is of the same session, it is returned and no other made.
        Raises `SnapshotFailedError` when the tree cannot be recorded; then there is no checkpoint.
        """
        from patchpoint.checkpoints.record.write import CheckpointRequest
        from patchpoint.checkpoints.taking import take_checkpoint

        saved = self._unsaved(buffers)
        request = CheckpointRequest(
            kind=kind, label=label, session=session, message=message, buffers=saved, only_changes=only_changes
        )
        return take_checkpoint(self.records, request, self.options, progress or Silent())

    def list(
        self, *, session: str | None = None, limit: int | None = None, safety: bool = False
    ) -> tuple[Checkpoint, ...]:
        """Return the checkpoints (of one session), newest first, or with `safety` the safety checkpoints."""
        found = self.records.all(safety=safety)
        return tuple(each for each in found if session is None or each.session == session)[:limit]

    def show(self, id: str) -> Checkpoint:  # noqa: A002
        """Return the checkpoint with this id. Raises `CheckpointNotFoundError`, `CheckpointDamagedError`."""
        return self.records.get(id)

    def diff(
        self,
        id: str,  # noqa: A002
        against: str = WORKTREE,
        *,
        path: str | None = None,
        progress: Progress | None = None,
    ) -> tuple[FileDifference, ...]:
        """Return what changed from checkpoint `id` to `against`, a checkpoint or the current working tree.

        `path` limits it to a file or folder. What either side skipped is not compared.
        """
        from patchpoint.checkpoints.changed_files import differences_between
        from patchpoint.checkpoints.snapshot.take import take_snapshot

        watch = progress or Silent()
        old = self.records.get(id)
        new: Checkpoint | Snapshot
        if against == WORKTREE:
            with self._lock(watch):
                new = take_snapshot(self._repository, self.options.snapshot, watch)
        else:
            new = self.records.get(against)
        within = (git_path(self.root, path),) if path is not None else (self._repository.prefix,)
        return differences_between(self.records.objects, old, new, within, watch)

    def read(self, id: str, path: str) -> bytes:  # noqa: A002
        """Return the bytes of one file in checkpoint `id`; for a symbolic link, its target.

        Raises `CheckpointNotFoundError` for a missing checkpoint and `FileNotFoundError` for a missing file.
        """
        checkpoint = self.records.get(id)
        content = self.records.objects.file(ObjectID(checkpoint.tree.encode()), git_path(self.root, path))
        if content is None:
            raise FileNotFoundError(f"Checkpoint '{id}' holds no file '{path}'.")
        return content

    def committed(self, path: str) -> bytes | None:
        """Return the content of `path` in the commit of HEAD; `None` when that has no such file."""
        return self.records.committed(git_path(self.root, path))

    def newest_other(self, path: str, content: bytes) -> Checkpoint | None:
        """Return the newest checkpoint whose file `path` has another content than `content`, or `None`."""
        return self.records.newest_other(git_path(self.root, path), content)

    def refusal(self, id: str) -> RestoreRefusedError | None:  # noqa: A002
        """Return why a whole restore would be refused now; only git's state is checked, not the files."""
        from patchpoint.checkpoints.restore.head import refusal_of

        return refusal_of(self._repository, self.records.objects, self.records.get(id))

    def restore(
        self,
        id: str | None = None,  # noqa: A002
        *,
        session: str | None = None,
        message: str | None = None,
        paths: Sequence[str] | None = None,
        hunk: str | None = None,
        only: bool = False,
        allows: Callable[[Path], bool] | None = None,
        dry_run: bool = False,
        force: bool = False,
        buffers: Mapping[str, str] | None = None,
        by: str = "",
        progress: Progress | None = None,
    ) -> Restored:
        """Restore checkpoint `id`, or the one that precedes `message` of `session`.

        By default files, branch and staged state are restored. With `paths`, files and folders, or in a store
        that was opened on a folder below the root, branch and staged state stay. With `hunk`, as a
        `FileDifference` shows it, nothing else of the one file in `paths` is restored. `buffers` is the text
        that is unsaved in the editor now: it goes into the safety checkpoint. `by` is the session that asks.
        Its companions, in other repositories, are restored with it, or with `only` are not; `allows` says
        which of them may be.

        Refused (`RestoreRefusedError`) with nothing changed when it may not be done; `force` goes ahead where
        nothing can be lost by it. A restore of all by session and message drops the session's later
        checkpoints and marks the session for a fresh start.
        """
        from patchpoint.checkpoints.restore.prepare import RestoreRequest

        watch = progress or Silent()
        within, saved = restore_paths(self.root, self._repository.prefix, paths), self._unsaved(buffers)
        request = RestoreRequest(paths=within, hunk=hunk, dry_run=dry_run, force=force, buffers=saved)

        def there(store: CheckpointStore, part: CompanionPart, check: bool) -> Restored:
            return store.restore(part.id, paths=part.paths, dry_run=check, force=force, by=by, progress=watch)

        whole = paths is None
        find = partial(restore_request, self.records, request, id, session, message, whole=whole, by=by)
        return self._restore(find, None if only or hunk is not None else there, watch, allows)

    def undo(
        self,
        *,
        dry_run: bool = False,
        force: bool = False,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Undo the last restore. This is itself a restore, so that a second undo reverts the first.

        Checkpoints that the restore dropped come back. Raises `NothingToUndoError`.
        """
        return self._undo(progress or Silent(), buffers, again=False, dry_run=dry_run, force=force)

    def redo(
        self,
        *,
        dry_run: bool = False,
        force: bool = False,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Redo the restore that was undone last. Raises `NothingToRedoError` if the last was no undo."""
        return self._undo(progress or Silent(), buffers, again=True, dry_run=dry_run, force=force)

    def delete(self, id: str) -> None:  # noqa: A002
        """Delete a checkpoint; the objects that only it held go with git's next garbage collection.

        Raises `CheckpointNotFoundError`.
        """
        from patchpoint.checkpoints.maintenance.reclaim import delete

        with self._lock(Silent()):
            delete(self.records, id)

    def pin(self, id: str, *, pinned: bool = True) -> Checkpoint:  # noqa: A002
        """Pin a checkpoint, so that nothing but `delete` removes it, or unpin it; return the result.

        Raises `CheckpointNotFoundError`, `CheckpointDamagedError`.
        """
        return self.relabel(id, pinned=pinned)

    def relabel(self, id: str, label: str | None = None, *, pinned: bool | None = None) -> Checkpoint:  # noqa: A002
        """Give a checkpoint another label (its commit is another one then), pin or unpin it; return it.

        Raises what `pin` raises, and `ObjectsVanishedError`: nothing was changed then.
        """
        from patchpoint.checkpoints.record.relabel import relabelled

        with self._lock(Silent()):
            if label is not None:
                self._finish(Silent())
            return relabelled(self.records, id, label, pinned)

    def prune(
        self,
        *,
        keep: int | None = None,
        older_than_days: float | None = None,
        max_bytes: int | None = None,
        dry_run: bool = False,
    ) -> tuple[str, ...]:
        """Delete the checkpoints that these limits (see `RetentionPolicy`) do not keep; return their ids.

        Without a limit, the policy that the store was opened with holds, as after each checkpoint. Safety
        checkpoints are counted apart and stay a week at least; pinned ones stay. With `dry_run` all do.
        """
        from patchpoint.checkpoints.maintenance.retention import prune

        given = RetentionPolicy(keep=keep, older_than_days=older_than_days, max_bytes=max_bytes)
        policy = self.options.retention if given == RetentionPolicy() else given
        with self._lock(Silent()):
            return prune(self.records, policy, dry_run=dry_run)

    def elsewhere(self) -> tuple[Elsewhere, ...]:
        """Return the folder's checkpoints that are not among its own; see `maintenance.elsewhere`."""
        from patchpoint.checkpoints.maintenance.elsewhere import find_elsewhere

        return tuple(find_elsewhere(self.records))

    def bring_back(self, group: Elsewhere, ids: Collection[str] | None = None) -> tuple[str, ...]:
        """Make checkpoints of `group` (by default all) this folder's; return the ids of those that are."""
        from patchpoint.checkpoints.maintenance.adopt import adopt

        wanted = [each for each in group.entries if ids is None or each.id in ids]
        with self._lock(Silent()):
            return tuple(adopt(self.records, group, wanted, Silent()))

    def disk_use(self) -> DiskUse:
        """Return how much of the disk the checkpoints use beyond what git holds anyway."""
        from patchpoint.checkpoints.maintenance.disk_use import disk_use

        return disk_use(self.records)

    def doctor(self, *, repair: bool = False, progress: Progress | None = None) -> Diagnosis:
        """Return damage of checkpoints and what crashes left behind; `repair` fixes what it can."""
        from patchpoint.checkpoints.maintenance.doctor import diagnose

        with self._lock(progress or Silent()):
            return diagnose(self.records, repair=repair, progress=progress or Silent())

    def prove(self, progress: Progress | None = None) -> Proof:
        """Take a checkpoint, restore it next to the working tree, compare every byte, and remove both."""
        from patchpoint.checkpoints.maintenance.prove import prove

        with self._lock(progress or Silent()):
            return prove(self.records, self.options.snapshot, progress or Silent())

    def push(
        self,
        remote: str,
        ids: Sequence[str] | None = None,
        *,
        confirm: Confirm | None = None,
        progress: Progress | None = None,
        reviews: Mapping[str, bytes] | None = None,
    ) -> tuple[str, ...]:
        """Send checkpoints (by default all but the safety checkpoints) to a remote, a URL or a folder, with
        the `reviews` that begin at them; return the ids of those not there yet. Raises `TransferError`.
        """
        # It loads an HTTP client, which a hook that takes a checkpoint does not wait for.
        from patchpoint.checkpoints.maintenance import transfer

        return transfer.push(self.records, remote, ids, progress or Silent(), confirm, reviews)

    def fetch(
        self,
        remote: str,
        *,
        confirm: Confirm | None = None,
        progress: Progress | None = None,
        reviewed: Callable[[str, bytes], object] | None = None,
    ) -> tuple[str, ...]:
        """Fetch what a remote, a URL or a folder has and is not here; return the ids, or raise as `push`.
        `reviewed` is called with each review that is there, by its checkpoint."""
        from patchpoint.checkpoints.maintenance import transfer

        return transfer.fetch(self.records, remote, progress or Silent(), self._lock, confirm, reviewed)

    def session(self, session: str) -> SessionState:
        """Return the state of a chat session, for who runs its agent: whether it has to start afresh."""
        return sessions.session_state(self._repository.patchpoint_directory, session)

    def begin_session(self, session: str) -> None:
        """Record that the agent of `session` has started afresh: remove the mark that a restore set."""
        with self._lock(Silent()):
            sessions.begin_session(self._repository.patchpoint_directory, session)

    def _unsaved(self, buffers: Mapping[str, str] | None) -> dict[str, str]:
        return buffers_by_path(self.root, buffers)

    def _restore(
        self,
        find: Callable[[], tuple[Checkpoint, RestoreRequest]],
        there: Callable[[CheckpointStore, CompanionPart, bool], Restored] | None,
        progress: Progress,
        allows: Callable[[Path], bool] | None = None,
    ) -> Restored:
        """Restore what `find` returns, and its companions with `there`; without it, they stay."""
        with self._lock(progress):
            self._finish(progress)
            checkpoint, request = find()
            if there is None or not checkpoint.companions:
                return self._restore_alone(checkpoint, request, progress)

        def here(taken: tuple[Companion, ...], check: bool) -> Restored:
            with self._lock(progress):
                self._finish(progress)
                one, asked = find()
                return self._restore_alone(one, replace(asked, companions=taken, dry_run=check), progress)

        from patchpoint.checkpoints.companions.restoring import restored_together

        opened = partial(CheckpointStore.open, options=self.options, recover=self.recovers)
        return restored_together(self.root, checkpoint, request, here, opened, there, allows)

    def _restore_alone(self, checkpoint: Checkpoint, request: RestoreRequest, progress: Progress) -> Restored:
        from patchpoint.checkpoints.restore.prepare import restore

        take = partial(self.records.snapshot, self.options.snapshot, progress)
        return restore(self.records, checkpoint, request, take, progress)

    def _undo(
        self, watch: Progress, buffers: Mapping[str, str] | None, *, again: bool, dry_run: bool, force: bool
    ) -> Restored:
        from patchpoint.checkpoints.undo import require_last, undo_of_last

        def there(store: CheckpointStore, part: CompanionPart, check: bool) -> Restored:
            require_last(store.records, part.id)
            return store._undo(watch, None, again=again, dry_run=check, force=force)

        saved = self._unsaved(buffers)
        find = partial(undo_of_last, self.records, again=again, dry_run=dry_run, force=force, buffers=saved)
        return self._restore(find, there, watch)

    def _finish(self, progress: Progress) -> None:
        self.finished = finish_left_undone(self.records, progress, recover=self.recovers)

    def _lock(self, progress: Progress, *, timeout: float | None = None) -> AbstractContextManager[None]:
        return repository_lock(self._repository, progress, timeout=timeout)
