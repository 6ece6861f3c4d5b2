"""Apply a restore that is worked out, so that a crash at any instant loses neither state.

Every object needed is verified while all new contents are staged. Then one rename of the journal passes the
point of no return: before it everything stays as it was; after it `finish_interrupted_restore` finishes what
a crash cut short. Contents are renamed over files, files deleted, the branch moved, the staged state set,
checkpoints dropped, and the journal is closed. Each of these is idempotent.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Container, Sequence
from contextlib import ExitStack, suppress
from pathlib import Path

from patchpoint.checkpoints.errors import RestoreFailedError, UnfinishedRestoreError
from patchpoint.checkpoints.record.checkpoint import SkippedPath, trailers_of
from patchpoint.checkpoints.record.notices import note_restored
from patchpoint.checkpoints.record.records import Records
from patchpoint.checkpoints.record.state_commit import CheckpointState, permissions_in, read_state
from patchpoint.checkpoints.restore import journal as journals
from patchpoint.checkpoints.restore.head import apply_head_move
from patchpoint.checkpoints.restore.journal import RestoreJournal
from patchpoint.checkpoints.restore.phases import Phase, is_from_earlier_boot, record_boot
from patchpoint.checkpoints.restore.replaced import ReplacedFiles
from patchpoint.checkpoints.restore.staging import (
    STAGING_DIRECTORY_PREFIX,
    StagingDirectory,
    is_in_worktree,
    not_prepared,
)
from patchpoint.checkpoints.restore.worktree import RestoreStep, WorktreeWriter
from patchpoint.checkpoints.snapshot.stat_cache import RecordedFiles
from patchpoint.checkpoints.snapshot.trees import FilePermissions
from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git import refs
from patchpoint.git.index.lock import index_lock, release_left_behind
from patchpoint.git.odb.ids import ObjectID
from patchpoint.progress import Progress


def worktree_writer(records: Records) -> WorktreeWriter:
    """Return the writer of the working tree's files, a context. Raises `OSError`."""
    repository = records.repository
    return WorktreeWriter(
        Path(os.fsdecode(repository.worktree)),
        records.objects,
        StagingDirectory(repository.patchpoint_directory),
        trust_mode=repository.flag(b"core", b"filemode", True),
        symlinks=repository.flag(b"core", b"symlinks", True),
    )


def apply_restore(
    records: Records,
    writer: WorktreeWriter,
    journal: RestoreJournal,
    saved: RecordedFiles,
    refuse_moved: Callable[[], None],
    progress: Progress,
) -> list[SkippedPath]:
    """Apply `journal`; return the paths that were left because they changed meanwhile, with reasons.

    `saved` are the files as the safety checkpoint has them. `refuse_moved` raises when the state is no longer
    that of the safety checkpoint; it is called while git is locked out. An exception before the point of no
    return leaves everything as it was, without the safety checkpoint; after it, `RestoreFailedError` means
    that everything was rolled back, and `UnfinishedRestoreError` that `finish_interrupted_restore` will do
    the rest.
    """
    directory = records.repository.patchpoint_directory
    writer.permissions = _permissions(records, journal.commit)
    passed = False
    locked = ExitStack()

    def lock_index() -> None:
        progress.report("Locking the index")
        _release_done(records)
        locked.enter_context(index_lock(records.repository, journal.safety))

    try:
        journal.write(records.repository)
        with locked:
            # What is staged in the working tree must not be added by git meanwhile.
            is_seen = any(step.staged is not None and is_in_worktree(step.staged) for step in journal.steps)
            if is_seen:
                lock_index()
            writer.expect(journal.steps, saved)
            for number, step in enumerate(journal.steps):
                progress.check()
                progress.report("Preparing the files", number, len(journal.steps))
                writer.stage(step)
            writer.refuse_touched()
            if not is_seen:
                lock_index()
            progress.check()
            if journal.head is not None:
                refs.refuse_locked(records.repository.refs, os.fsencode(journal.head.ref))
            refuse_moved()
            progress.report("Starting to change files")
            record_boot(directory)
            journals.advance(directory, Phase.PREPARED, Phase.APPLYING)
            passed = True
            left = _change_files(records, writer, journal, progress)
            paths = [os.fsdecode(step.change.path) for step in left]
            kept = [SkippedPath(path, "it changed while the restore ran") for path in paths]
            kept += _complete(records, writer, journal, left, left, progress)
            _note(records, journal, set(paths))
            return kept
    except OSError as error:
        if passed:
            raise UnfinishedRestoreError(
                f"The files are restored, but the index is still locked ({error}); fix that, then run "
                "'patchpoint doctor'."
            ) from error
        raise not_prepared(error) from error
    finally:
        if not passed:
            # What cannot be removed now is removed at the next start, for the journal is still there.
            with suppress(OSError):
                _discard(records, writer, journal)
            with suppress(OSError):
                records.delete(journal.safety, journal.safety_commit)


def _note(records: Records, journal: RestoreJournal, left: Container[str]) -> None:
    """Have agents hear of the files that were restored."""
    files = {os.fsdecode(step.change.path): step.change.new is not None for step in journal.steps}
    restored = {path: is_there for path, is_there in files.items() if path not in left}
    note_restored(os.fsdecode(records.repository.worktree), restored)


def finish_interrupted_restore(records: Records, progress: Progress) -> RestoreJournal | None:
    """Finish or discard an interrupted restore; return its journal, or `None` when there was none.

    The caller holds the repository's lock. Raises `UnfinishedRestoreError`, `RepositoryBusyError` or
    `CheckpointDamagedError` when that cannot be done now; nothing is lost, and it may be tried again. Of a
    journal that is not known to be this user's own nothing is done: then it is an `UntrustedJournalError`.
    """
    try:
        with worktree_writer(records) as writer:
            return _finish(records, writer, progress)
    except OSError as error:
        raise UnfinishedRestoreError(
            f"An interrupted restore could not be finished ({error}); both states are kept as checkpoints. "
            "Fix that, then run 'patchpoint doctor --repair'."
        ) from error


def _finish(records: Records, writer: WorktreeWriter, progress: Progress) -> RestoreJournal | None:
    directory = records.repository.patchpoint_directory
    prepared = journals.read(records.repository, Phase.PREPARED)
    if prepared is not None:
        _discard(records, writer, prepared)
    power_failed = is_from_earlier_boot(directory)
    applying = journals.read(records.repository, Phase.APPLYING)
    if applying is None:
        _release_done(records)
        if power_failed:
            _rewrite_zero_filled(records, writer)
        return prepared
    from patchpoint.checkpoints.restore.verify import verify_journal

    verify_journal(records, applying, Phase.APPLYING)
    writer.permissions = _permissions(records, applying.commit)
    _release_ref_locks(records, applying)
    writer.note([step.change for step in applying.steps])
    untouched = []
    with index_lock(records.repository, applying.safety):
        for number, step in enumerate(applying.steps):
            progress.report("Finishing an interrupted restore", number, len(applying.steps))
            if not writer.complete(step, power_failed=power_failed):
                untouched.append(step)
        _complete(records, writer, applying, applying.steps, untouched, progress)
    return applying


def _rewrite_zero_filled(records: Records, writer: WorktreeWriter) -> None:
    """Rewrite the files of the last restore whose new content did not reach the disk when the power failed.

    The content is durable in the repository; to wait for a thousand files to reach the disk would take longer
    than all the rest of a restore.
    """
    # A journal that cannot be used is reported by `doctor`, not at every start.
    with suppress(UnfinishedRestoreError):
        done = journals.read(records.repository, Phase.DONE)
        if done is not None:
            from patchpoint.checkpoints.restore.verify import verify_journal

            verify_journal(records, done, Phase.DONE)
            writer.permissions = _permissions(records, done.commit)
        for step in done.steps if done else ():
            if writer.is_zero_filled(step.change.path):
                writer.complete(step, power_failed=True)
        if done is not None:
            writer.discard((), done.safety)
    record_boot(records.repository.patchpoint_directory)


def _change_files(
    records: Records, writer: WorktreeWriter, journal: RestoreJournal, progress: Progress
) -> list[RestoreStep]:
    """Apply every step; return those that were left because a file changed meanwhile."""
    left = []
    directory = records.repository.patchpoint_directory
    replaced = ReplacedFiles(directory, journal.safety, len(journal.steps))
    try:
        for number, step in enumerate(journal.steps):
            progress.report("Restoring the files", number, len(journal.steps))
            if not writer.apply(step, replaced):
                left.append(step)
        written = set(writer.put_back(replaced.held.written()))
        left += [step for step in journal.steps if step.change.path in written and step not in left]
        replaced.adopt(STAGING_DIRECTORY_PREFIX + journal.safety.encode())
    except OSError as error:
        meanwhile = list(replaced.held.written())
        # The space of all that is replaced may be needed.
        replaced.held.close()
        replaced.delete_now()
        try:
            _roll_back(records, writer, journal)
            writer.put_back(meanwhile)
        except OSError as second:
            raise UnfinishedRestoreError(
                f"Files could not be changed ({error}) or put back ({second}); both states are kept as "
                "checkpoints. Fix that, then run 'patchpoint doctor'."
            ) from error
        name = error.filename if isinstance(error.filename, str) else os.fsdecode(error.filename or b"a file")
        raise RestoreFailedError(
            f"'{name}' could not be changed ({error.strerror or error}); everything was put back. "
            "Fix that and restore again."
        ) from error
    finally:
        replaced.held.close()
        replaced.delete()
    return left


def _roll_back(records: Records, writer: WorktreeWriter, journal: RestoreJournal) -> None:
    """Put the files back into the state before the restore."""
    writer.permissions = _permissions(records, journal.safety_commit)
    for step in writer.reversed_steps(journal.steps, journal.safety):
        writer.complete(step)
    writer.discard(journal.steps, journal.safety)
    writer.remove_empty_directories(step.change.path for step in journal.steps if step.change.old is None)
    journals.remove(records.repository.patchpoint_directory, Phase.APPLYING)


def _complete(
    records: Records,
    writer: WorktreeWriter,
    journal: RestoreJournal,
    staged: Sequence[RestoreStep],
    left: Sequence[RestoreStep],
    progress: Progress,
) -> list[SkippedPath]:
    """Apply what comes after the files; return what could not be done, with reasons.

    What is `staged` for these steps is removed; those in `left` have changed nothing.
    """
    repository, directory = records.repository, records.repository.patchpoint_directory
    kept = []
    try:
        writer.discard(staged, journal.safety)
        writer.remove_empty_directories(step.change.path for step in journal.steps if step.change.new is None)
        if journal.head is not None:
            progress.report("Moving the branch")
            if not apply_head_move(
                repository, records.namespace, journal.head, journal.safety, journal.checkpoint
            ):
                kept.append(SkippedPath(journal.head.ref, "it moved while the restore ran"))
        if journal.staged_state:
            progress.report("Setting the staged state")
            before, wanted = (_state(records, commit) for commit in journal.commits)
            if before.index is not None and wanted.index is not None:
                from patchpoint.checkpoints.restore.index import restore_index

                changes = (step.change for step in journal.steps)
                restore_index(repository, records.objects, before.index, wanted.index, changes)
            if before.under_way != wanted.under_way:
                from patchpoint.git.index.under_way import UnderWay, set_under_way

                set_under_way(repository, UnderWay.from_record(wanted.under_way))
        progress.report("Dropping later checkpoints")
        for id_, commit in journal.dropped:
            records.delete(id_, commit)
        for id_, commit in journal.revived:
            refs.create(repository.refs, records.namespace.checkpoints + id_.encode(), commit)
        if journal.session is not None:
            from patchpoint.checkpoints.record.sessions import SessionState, set_session_state

            mark = journal.session
            state = SessionState(fresh_start=mark.fresh, message=mark.message, since=journal.safety)
            set_session_state(directory, mark.session, state)
        journals.record_operation(repository, journal, [step.change.path for step in left])
        progress.report("Closing the journal")
        journals.advance(directory, Phase.APPLYING, Phase.DONE)
    except OSError as error:
        raise UnfinishedRestoreError(
            f"The files are restored, but the rest is not ({error}); fix that, and it is finished at the "
            "next start, or by 'patchpoint doctor'."
        ) from error
    progress.report("Restored")
    return kept


def _discard(records: Records, writer: WorktreeWriter, journal: RestoreJournal) -> None:
    """Remove what was staged for a restore that has changed nothing yet."""
    writer.discard(journal.steps, journal.safety)
    release_left_behind(records.repository, journal.safety)
    journals.remove(records.repository.patchpoint_directory, Phase.PREPARED)


def _release_done(records: Records) -> None:
    """Remove the lock of the index that the last restore left, whose process died once all else was done."""
    if os.path.lexists(os.path.join(records.repository.gitdir, b"index.lock")):
        with suppress(UnfinishedRestoreError):
            if (done := journals.read(records.repository, Phase.DONE)) is not None:
                release_left_behind(records.repository, done.safety)


def _release_ref_locks(records: Records, journal: RestoreJournal) -> None:
    """Remove the locks of refs that the restore held when its process died.

    They are recognized by their content and by being younger than the journal. Git has no reason to create
    one meanwhile: the index is locked.
    """
    repository, namespace = records.repository, records.namespace
    since = journals.started_at(repository.patchpoint_directory, Phase.APPLYING)
    common = Path(os.fsdecode(repository.commondir))
    names = [namespace.undone + journal.safety.encode()]
    names += [namespace.checkpoints + id_.encode() for id_, _ in (*journal.dropped, *journal.revived)]
    locks = [common / os.fsdecode(name + b".lock") for name in names]
    content = {b""} | {commit.encode() + b"\n" for _, commit in journal.revived}
    if journal.head is not None:
        directory = Path(os.fsdecode(repository.gitdir)) if journal.head.ref == "HEAD" else common
        locks.append(directory / (journal.head.ref + ".lock"))
        content |= {f"{commit}\n".encode() for commit in (journal.head.old, journal.head.new)}
    for lock in locks:
        with suppress(OSError):
            if lock.stat().st_mtime >= since and read_file_bytes(lock) in content:
                lock.unlink()


def _state(records: Records, commit: str) -> CheckpointState:
    return read_state(records.objects, _state_commit(records, commit))


def _permissions(records: Records, commit: str) -> FilePermissions:
    return permissions_in(records.objects, _state_commit(records, commit))


def _state_commit(records: Records, commit: str) -> str:
    """Return the id of the state commit of the checkpoint whose commit is `commit`."""
    return trailers_of(records.objects.commit(ObjectID(commit.encode())).message)["State"][0]
