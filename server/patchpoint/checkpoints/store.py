"""The checkpoints of one folder, for all who use them: the server, the command line, other programs.

    store = CheckpointStore.open(folder)
    checkpoint = store.take(label="before the run")
    store.diff(checkpoint.id)
    store.restore(checkpoint.id)
    store.undo()

Paths go in and come out relative to `store.root`, the working tree's root, with `/`; absolute ones inside
it are taken too. Whatever changes anything waits for its turn among all processes that work on the
repository. Every method that is given a `Progress` reports to it and stops when it says so, as long as
nothing has been changed.
"""

from __future__ import annotations

import os
import weakref
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from patchpoint.checkpoints import journal as journals
from patchpoint.checkpoints import sessions, transfer
from patchpoint.checkpoints.checkpoint import Checkpoint, Kind
from patchpoint.checkpoints.difference import FileDifference, file_differences
from patchpoint.checkpoints.disk_use import DiskUse, disk_use
from patchpoint.checkpoints.doctor import Diagnosis, diagnose, sweep
from patchpoint.checkpoints.errors import (
    AnchorNotFoundError,
    CheckpointError,
    CheckpointNotFoundError,
    NothingToUndoError,
    RestoreRefusedError,
    UnsafePathError,
)
from patchpoint.checkpoints.head import head_move, refuse_in_progress
from patchpoint.checkpoints.journal import Journal, Phase, SessionMark
from patchpoint.checkpoints.lock import turn
from patchpoint.checkpoints.proven import Change
from patchpoint.checkpoints.reclaim import reclaim
from patchpoint.checkpoints.record import Records, Request
from patchpoint.checkpoints.repository import Repository
from patchpoint.checkpoints.restore import Restored, Wanted, restore
from patchpoint.checkpoints.restore_apply import recover
from patchpoint.checkpoints.restore_plan import is_within
from patchpoint.checkpoints.retention import KEEP, prune
from patchpoint.checkpoints.sessions import SessionState
from patchpoint.checkpoints.snapshot import Snapshot, SnapshotOptions, take_snapshot
from patchpoint.checkpoints.versions import newest_other
from patchpoint.progress import Progress, Silent

WORKTREE = "worktree"
"""What `diff` compares with when nothing else is named: the working tree as it is."""


class CheckpointStore:
    """The checkpoints of one folder; see the module's text. It may be used from several threads."""

    def __init__(self, repository: Repository, *, options: SnapshotOptions, keep: int | None) -> None:
        self._repository = repository
        self._records = Records(repository)
        self._options = options
        self._keep = keep
        # Left to the interpreter's end, dulwich complains of packs that are still open.
        weakref.finalize(self, repository.objects.close)

    @classmethod
    def open(
        cls,
        folder: str | os.PathLike[str],
        *,
        options: SnapshotOptions | None = None,
        keep: int | None = KEEP,
    ) -> CheckpointStore:
        """The store of the repository that `folder` is in, or a private one when it is in none.

        `options` say what a checkpoint leaves out; `keep` how many are kept (`None`: all). A restore that was
        cut short is finished or discarded first; where that cannot be done now, `doctor` says why. Raises
        `FolderRefusedError` and `UnsupportedRepositoryError`.
        """
        store = cls(Repository.open(folder), options=options or SnapshotOptions(), keep=keep)
        sweep(store._records)
        if store._is_unfinished():
            try:
                with store._turn(Silent(), timeout=0):
                    recover(store._records, Silent())
            except (CheckpointError, OSError):
                pass  # somebody is at it, or `doctor` will tell
        return store

    @property
    def root(self) -> Path:
        """The root of the working tree, to which paths are relative."""
        return Path(os.fsdecode(self._repository.worktree))

    @property
    def folder(self) -> Path:
        """The folder that was opened: `root` or one below it. A restore that names no path is of it alone."""
        return self.root / os.fsdecode(self._repository.prefix)

    @property
    def is_private(self) -> bool:
        """Whether the folder is in no repository, so that its checkpoints are in a store of their own."""
        return self._repository.private

    @property
    def marks(self) -> tuple[Path, Path]:
        """The folder of the refs and the file of packed ones: one of them changes with every checkpoint."""
        shared = Path(os.fsdecode(self._repository.commondir))
        return shared / os.fsdecode(self._records.namespace.checkpoints), shared / "packed-refs"

    def take(
        self,
        *,
        label: str = "",
        session: str | None = None,
        message: str | None = None,
        buffers: Mapping[str, str] | None = None,
        kind: Kind = Kind.MANUAL,
        progress: Progress | None = None,
    ) -> Checkpoint:
        """Record the working tree as it is, and `buffers` (unsaved text by path) beside it.

        `session` and `message` make it the anchor of a chat message. Raises `SnapshotFailedError` when it
        cannot be recorded: then there is no checkpoint.
        """
        watch = progress or Silent()
        request = Request(
            kind=kind, label=label, session=session, message=message, buffers=self._buffers(buffers)
        )
        with self._turn(watch):
            checkpoint = self._records.write(self._snapshot(watch), request)
            if self._keep is not None and prune(self._records, keep=self._keep):
                reclaim(self._records, at_most_daily=True)
        return checkpoint

    def list(
        self, *, session: str | None = None, limit: int | None = None, safety: bool = False
    ) -> tuple[Checkpoint, ...]:
        """The checkpoints (of one session), newest first; with `safety`, those taken before restores
        instead."""
        found = self._records.all(safety=safety)
        return tuple(each for each in found if session is None or each.session == session)[:limit]

    def show(self, id: str) -> Checkpoint:  # noqa: A002
        """The checkpoint with this id. Raises `CheckpointNotFoundError`, `CheckpointDamagedError`."""
        return self._records.get(id)

    def diff(
        self,
        id: str,  # noqa: A002
        against: str = WORKTREE,
        *,
        path: str | None = None,
        progress: Progress | None = None,
    ) -> tuple[FileDifference, ...]:
        """What changed from checkpoint `id` to the checkpoint `against`, or to the working tree as it is now.

        `path` limits it to a file or folder. What either side could not record is not compared.
        """
        watch = progress or Silent()
        old = self._records.get(id)
        unknown = {os.fsencode(left.path) for left in old.skipped}
        if against == WORKTREE:
            with self._turn(watch):
                snapshot = self._snapshot(watch)
            new_tree = snapshot.tree
            unknown |= {left.path for left in snapshot.skipped}
        else:
            new = self._records.get(against)
            new_tree = new.tree
            unknown |= {os.fsencode(left.path) for left in new.skipped}
        within = (self._path(path),) if path is not None else (self._repository.prefix,)

        def wanted() -> Iterator[Change]:
            for change in self._records.objects.changes(old.tree.encode(), new_tree.encode()):
                watch.check()
                if is_within(change.path, within) and not (unknown and is_within(change.path, unknown)):
                    yield change

        return tuple(file_differences(self._records.objects, wanted()))

    def read(self, id: str, path: str) -> bytes:  # noqa: A002
        """The bytes of one file as it was; of a symbolic link, where it pointed.

        Raises `CheckpointNotFoundError` for a checkpoint and `FileNotFoundError` for a file that is not
        there.
        """
        checkpoint = self._records.get(id)
        entry = self._records.objects.at(checkpoint.tree.encode(), self._path(path))
        if entry is None or entry.is_tree or entry.is_gitlink:
            raise FileNotFoundError(f"Checkpoint '{id}' holds no file '{path}'.")
        return self._records.objects.blob(entry.oid)

    def committed(self, path: str) -> bytes | None:
        """The file `path` as the commit of HEAD has it; `None` when that has no such file."""
        head = self._repository.head().commit
        if head is None:
            return None
        objects = self._records.objects
        entry = objects.at(objects.commit(head.encode()).tree, self._path(path))
        return None if entry is None or entry.is_tree or entry.is_gitlink else objects.blob(entry.oid)

    def newest_other(self, path: str, content: bytes) -> Checkpoint | None:
        """The newest checkpoint that holds the file `path` with another content than `content`."""
        return newest_other(self._records, self._path(path), content)

    def refusal(self, id: str) -> RestoreRefusedError | None:  # noqa: A002
        """Why a restore of all of a checkpoint would be refused now, as far as can be told at a glance."""
        checkpoint = self._records.get(id)
        try:
            refuse_in_progress(self._repository)
            head_move(
                self._repository, self._records.objects, checkpoint, self._repository.head(), force=False
            )
        except RestoreRefusedError as error:
            return error
        return None

    def restore(
        self,
        id: str | None = None,  # noqa: A002
        *,
        session: str | None = None,
        message: str | None = None,
        paths: Sequence[str] | None = None,
        hunk: str | None = None,
        dry_run: bool = False,
        force: bool = False,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Go back to checkpoint `id`, or to the one that precedes `message` of `session`.

        All of it by default: files, branch, staged state. `paths` names files and folders instead, and then
        (as when the store was opened on a folder below the root) branch and staged state stay. `hunk`, as a
        `FileDifference` shows it, is the only thing restored of the one file named. `buffers` is what is
        unsaved in the editor now: it goes into the safety checkpoint.

        Refused (`RestoreRefusedError`) with nothing changed when it may not be done; `force` goes ahead where
        nothing can be lost by it. A restore of all by session and message drops the session's later
        checkpoints and marks the session for a fresh start.
        """
        watch = progress or Silent()
        with self._turn(watch):
            recover(self._records, watch)
            checkpoint, mark, dropped = self._target(id, session, message)
            limited = self._limits(paths)
            if paths is not None:
                mark, dropped = None, ()
            wanted = Wanted(
                paths=limited,
                hunk=hunk,
                dry_run=dry_run,
                force=force,
                buffers=self._buffers(buffers),
                session=mark,
                dropped=dropped,
            )
            return self._restore(checkpoint, wanted, watch)

    def undo(
        self,
        *,
        dry_run: bool = False,
        force: bool = False,
        buffers: Mapping[str, str] | None = None,
        progress: Progress | None = None,
    ) -> Restored:
        """Take back the last restore; it is itself a restore, so that a second undo takes back the first.

        Checkpoints that the restore dropped come back. Raises `NothingToUndoError`.
        """
        watch = progress or Silent()
        with self._turn(watch):
            recover(self._records, watch)
            last = journals.read(self._repository.patchpoint_folder, Phase.DONE)
            if last is None:
                raise NothingToUndoError("There is no restore to undo; nothing was restored here yet.")
            try:
                safety = self._records.get(last.safety)
            except CheckpointNotFoundError as error:
                raise NothingToUndoError(
                    f"The state before the last restore is no longer kept (checkpoint '{last.safety}')."
                ) from error
            mark = last.session
            wanted = Wanted(
                paths=() if last.whole else tuple(step.change.path for step in last.steps),
                dry_run=dry_run,
                force=force,
                buffers=self._buffers(buffers),
                session=SessionMark(session=mark.session, message=mark.message, fresh=not mark.fresh)
                if mark
                else None,
                dropped=last.revived,
                revived=last.dropped,
                made=frozenset(step.change.path for step in last.steps if step.change.old is None),
            )
            return self._restore(safety, wanted, watch)

    def delete(self, id: str) -> None:  # noqa: A002
        """Forget a checkpoint; what only it held goes with git's next garbage collection.

        Raises `CheckpointNotFoundError`.
        """
        with self._turn(Silent()):
            if not self._records.forget(id):
                raise CheckpointNotFoundError(id)
            reclaim(self._records)

    def prune(
        self,
        *,
        keep: int | None = None,
        older_than_days: float | None = None,
        max_bytes: int | None = None,
    ) -> tuple[str, ...]:
        """Forget the checkpoints beyond the newest `keep`, those older, and those beyond `max_bytes` in sum.

        With none of the three it is what every checkpoint taken does by itself: the newest that the store was
        opened to keep stay. Safety checkpoints are counted apart, by the same limits, and stay a week at
        least. The ids of those that went.
        """
        if keep is None and older_than_days is None and max_bytes is None:
            keep = self._keep
        with self._turn(Silent()):
            gone = prune(self._records, keep=keep, older_than_days=older_than_days, max_bytes=max_bytes)
            if gone:
                reclaim(self._records)
        return gone

    def disk_use(self) -> DiskUse:
        """How much of the disk the checkpoints take, beyond what git holds anyway."""
        return disk_use(self._records)

    def recover(self, *, progress: Progress | None = None) -> Journal | None:
        """Finish or discard a restore that was cut short: its journal, or `None` when there was none.

        `open` does this by itself. Raises `UnfinishedRestoreError`, `RepositoryBusyError` or
        `CheckpointDamagedError` when it cannot be done now.
        """
        watch = progress or Silent()
        with self._turn(watch):
            return recover(self._records, watch)

    def doctor(self, *, repair: bool = False, progress: Progress | None = None) -> Diagnosis:
        """What is wrong with the checkpoints and what a crash left behind; with `repair`, mended if it can
        be."""
        watch = progress or Silent()
        with self._turn(watch):
            return diagnose(self._records, repair=repair, progress=watch)

    def push(
        self, remote: str, ids: Sequence[str] | None = None, *, progress: Progress | None = None
    ) -> tuple[str, ...]:
        """Send checkpoints (all but the safety ones by default) to a remote, a URL or a folder.

        The ids of those that were not there yet. Raises `TransferError`.
        """
        return transfer.push(self._records, remote, ids, progress or Silent())

    def fetch(self, remote: str, *, progress: Progress | None = None) -> tuple[str, ...]:
        """Fetch the checkpoints of a remote, a URL or a folder that are not here yet; their ids.

        Raises `TransferError`.
        """
        return transfer.fetch(self._records, remote, progress or Silent())

    def session(self, session: str) -> SessionState:
        """What is known of a chat session: whether its agent has to start afresh after a restore."""
        return sessions.session_state(self._repository.patchpoint_folder, session)

    def begin_session(self, session: str) -> None:
        """Say that the agent of `session` has started afresh: the mark that a restore set goes."""
        with self._turn(Silent()):
            state = self.session(session)
            if state.fresh_start:
                sessions.set_session_state(
                    self._repository.patchpoint_folder, session, state.with_fresh_start(False)
                )

    def _target(
        self, id_: str | None, session: str | None, message: str | None
    ) -> tuple[Checkpoint, SessionMark | None, tuple[tuple[str, str], ...]]:
        """The checkpoint meant, and for an anchor what becomes of the session and of its later
        checkpoints."""
        if id_ is not None:
            return self._records.get(id_), None, ()
        if session is None or message is None:
            raise CheckpointNotFoundError("")
        own = self.list(session=session)
        since = self.session(session).since or ""
        anchored = [each for each in own if each.message == message]
        if not anchored:
            raise AnchorNotFoundError(session, message)
        checkpoint = min(anchored, key=lambda each: (each.id < since, each.id))
        dropped = tuple((each.id, each.commit) for each in own if each.id > checkpoint.id)
        return checkpoint, SessionMark(session=session, message=message, fresh=True), dropped

    def _limits(self, paths: Sequence[str] | None) -> tuple[bytes, ...]:
        if paths is not None:
            if not paths:
                raise ValueError("no path is named; leave `paths` out to restore everything")
            return tuple(self._path(path) for path in paths)
        return (self._repository.prefix,) if self._repository.prefix else ()

    def _path(self, path: str) -> bytes:
        """`path` as git has it: relative to the root, with `/`."""
        absolute = os.path.normpath(self.root / path)
        relative = os.path.relpath(absolute, self.root)
        if relative.startswith(os.pardir) and Path(path).is_absolute():
            # The folder may have another name, through a symbolic link.
            parent = Path(absolute).parent.resolve()
            relative = os.path.relpath(parent / Path(absolute).name, self.root)
        if relative == os.pardir or relative.startswith(os.pardir + os.sep):
            raise UnsafePathError(f"'{path}' is not in '{self.root}'; name a path inside it.")
        return b"" if relative == os.curdir else os.fsencode(relative.replace(os.sep, "/"))

    def _buffers(self, buffers: Mapping[str, str] | None) -> dict[str, str]:
        return {os.fsdecode(self._path(path)): text for path, text in (buffers or {}).items()}

    def _snapshot(self, progress: Progress, *, passing: bool = False) -> Snapshot:
        return take_snapshot(self._repository, self._options, progress, passing=passing)

    def _restore(self, checkpoint: Checkpoint, wanted: Wanted, progress: Progress) -> Restored:
        def take() -> Snapshot:
            return self._snapshot(progress, passing=True)

        return restore(self._records, checkpoint, wanted, take, progress)

    def _is_unfinished(self) -> bool:
        folder = self._repository.patchpoint_folder
        unfinished = any(journals.exists(folder, phase) for phase in (Phase.PREPARED, Phase.APPLYING))
        return unfinished or journals.is_of_earlier_boot(folder)

    @contextmanager
    def _turn(self, progress: Progress, *, timeout: float = 60.0) -> Iterator[None]:
        lock = Path(os.fsdecode(self._repository.commondir)) / "patchpoint" / "lock"
        with turn(lock, timeout=timeout, progress=progress):
            yield
