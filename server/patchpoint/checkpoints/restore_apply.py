"""Carrying out a restore that is worked out, so that a crash at any instant loses neither state.

Every object that it takes is proven to be there while all new contents are staged. Then one rename of the
journal passes the point of no return: before it everything is as it was, and stays so; after it `recover`
finishes what a crash cut short. Contents are renamed over files, files deleted, the branch moved, the
staged state set, checkpoints dropped, and the journal is closed. Each of these may be done again without
harm.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints import journal as journals
from patchpoint.checkpoints import refs
from patchpoint.checkpoints.checkpoint import LeftOut, trailers_of
from patchpoint.checkpoints.errors import RestoreFailedError, UnfinishedRestoreError
from patchpoint.checkpoints.head import move_head
from patchpoint.checkpoints.index_lock import index_lock, release_left_behind
from patchpoint.checkpoints.index_state import IndexState
from patchpoint.checkpoints.journal import Journal, Phase
from patchpoint.checkpoints.record import Records
from patchpoint.checkpoints.replaced import ReplacedFiles
from patchpoint.checkpoints.sessions import SessionState, set_session_state
from patchpoint.checkpoints.staged import restore_staged
from patchpoint.checkpoints.state import read_state
from patchpoint.checkpoints.tree_writer import STAGED_PREFIX, Step, TreeWriter
from patchpoint.progress import Progress


def tree_writer(records: Records) -> TreeWriter:
    """What changes the files of the working tree."""
    repository = records.repository
    trust_mode = repository.flag(b"core", b"filemode", True)
    return TreeWriter(Path(os.fsdecode(repository.worktree)), records.objects, trust_mode=trust_mode)


def carry_out(
    records: Records,
    writer: TreeWriter,
    journal: Journal,
    refuse_moved: Callable[[], None],
    progress: Progress,
) -> list[LeftOut]:
    """Do what `journal` says; what could not be done because a file changed meanwhile, with the reason.

    `refuse_moved` raises when the state is not that of the safety checkpoint any more; it is asked while git
    is locked out. Whatever is raised up to the point of no return leaves everything as it was, without the
    safety checkpoint; after it, `RestoreFailedError` says that all was taken back, and
    `UnfinishedRestoreError` that the rest will be done by `recover`.
    """
    folder = records.repository.patchpoint_folder
    passed = False
    try:
        journal.write(folder)
        for number, step in enumerate(journal.steps):
            progress.check()
            progress.report("Preparing the files", number, len(journal.steps))
            writer.stage(step)
        progress.report("Locking the index")
        with index_lock(records.repository, journal.safety):
            progress.check()
            refuse_moved()
            progress.report("Passing the point of no return")
            journals.note_boot(folder)
            journals.move(folder, Phase.PREPARED, Phase.APPLYING)
            passed = True
            left = _change_files(writer, journal, folder, progress)
            paths = [os.fsdecode(step.change.path) for step in left]
            kept = [LeftOut(path, "it changed while the restore ran") for path in paths]
            return kept + _conclude(records, writer, journal, left, progress)
    except OSError as error:
        if passed:
            raise
        raise RestoreFailedError(
            f"The restore could not be prepared ({error}); nothing was changed. Mend that and restore again."
        ) from error
    finally:
        if not passed:
            _discard(records, writer, journal)
            records.delete(journal.safety, journal.safety_commit)


def recover(records: Records, progress: Progress) -> Journal | None:
    """Finish or discard a restore that was cut short: its journal, or `None` when there was none.

    The caller holds the repository's turn. Raises `UnfinishedRestoreError`, `RepositoryBusyError` or
    `CheckpointDamagedError` when that cannot be done now; nothing is lost, and it may be tried again.
    """
    folder = records.repository.patchpoint_folder
    writer = tree_writer(records)
    prepared = journals.read(folder, Phase.PREPARED)
    if prepared is not None:
        _discard(records, writer, prepared)
    power_failed = journals.is_of_earlier_boot(folder)
    applying = journals.read(folder, Phase.APPLYING)
    if applying is None:
        if power_failed:
            _fill_hollow(writer, folder)
        return prepared
    _release_ref_locks(records, applying)
    with index_lock(records.repository, applying.safety):
        for number, step in enumerate(applying.steps):
            progress.report("Finishing a restore that was cut short", number, len(applying.steps))
            writer.settle(step, power_failed=power_failed)
        _conclude(records, writer, applying, applying.steps, progress)
    return applying


def _fill_hollow(writer: TreeWriter, folder: Path) -> None:
    """Write again the files of the last restore whose new content did not reach the disk when the power
    failed.

    It is in the repository, durably; waiting for a thousand files to reach the disk would take longer than
    all the rest of a restore.
    """
    done = journals.read(folder, Phase.DONE)
    for step in done.steps if done else ():
        if writer.is_hollow(step.change.path):
            writer.settle(step, power_failed=True)
    journals.note_boot(folder)


def _change_files(writer: TreeWriter, journal: Journal, folder: Path, progress: Progress) -> list[Step]:
    """Take every step; those that could not be taken because a file changed meanwhile."""
    left = []
    replaced = ReplacedFiles(folder, journal.safety, len(journal.steps))
    try:
        for number, step in enumerate(journal.steps):
            progress.report("Restoring the files", number, len(journal.steps))
            if not writer.apply(step, replaced):
                left.append(step)
    except OSError as error:
        replaced.delete_now()
        try:
            _take_back(writer, journal, folder)
        except OSError as second:
            raise UnfinishedRestoreError(
                f"Files could not be changed ({error}), nor could they be put back ({second}); both states "
                "are kept as checkpoints. Mend that, then run 'patchpoint doctor'."
            ) from error
        name = error.filename if isinstance(error.filename, str) else os.fsdecode(error.filename or b"a file")
        raise RestoreFailedError(
            f"'{name}' could not be changed ({error.strerror or error}); everything was put back. "
            "Mend that and restore again."
        ) from error
    finally:
        replaced.delete()
    return left


def _take_back(writer: TreeWriter, journal: Journal, folder: Path) -> None:
    """Bring the files back to the state before."""
    for number, step in enumerate(reversed(journal.steps)):
        staged = step.staged
        if step.staged is None:
            staged = b"%s%s-back-%d" % (STAGED_PREFIX, journal.safety.encode(), number)
        elif step.change.old is None:
            staged = None
        writer.settle(Step(step.change.reversed(), staged))
    writer.discard(journal.steps)
    writer.remove_empty_folders(step.change.path for step in journal.steps if step.change.old is None)
    journals.remove(folder, Phase.APPLYING)


def _conclude(
    records: Records, writer: TreeWriter, journal: Journal, left: Sequence[Step], progress: Progress
) -> list[LeftOut]:
    """Do what comes after the files; what of it could not be done, with the reason. What is staged for the
    steps `left` is removed."""
    repository, folder = records.repository, records.repository.patchpoint_folder
    kept = []
    try:
        writer.discard(left)
        writer.remove_empty_folders(step.change.path for step in journal.steps if step.change.new is None)
        if journal.head is not None:
            progress.report("Moving the branch")
            if not move_head(repository, records.namespace, journal.head, journal.safety, journal.checkpoint):
                kept.append(LeftOut(journal.head.ref, "it moved while the restore ran"))
        if journal.staged_state:
            progress.report("Setting the staged state")
            before, wanted = (_index_state(records, commit) for commit in journal.commits)
            if before is not None and wanted is not None:
                restore_staged(repository, records.objects, before, wanted)
        progress.report("Dropping later checkpoints")
        for id_, commit in journal.dropped:
            records.delete(id_, commit)
        for id_, commit in journal.revived:
            refs.create(repository.refs, records.namespace.checkpoints + id_.encode(), commit)
        if journal.session is not None:
            mark = journal.session
            state = SessionState(fresh_start=mark.fresh, message=mark.message, since=journal.safety)
            set_session_state(folder, mark.session, state)
        progress.report("Closing the journal")
        journals.move(folder, Phase.APPLYING, Phase.DONE)
    except OSError as error:
        raise UnfinishedRestoreError(
            f"The files are restored, but the rest is not ({error}); mend that, and it is finished at the "
            "next start, or by 'patchpoint doctor'."
        ) from error
    progress.report("Restored")
    return kept


def _discard(records: Records, writer: TreeWriter, journal: Journal) -> None:
    """Remove what a restore that has changed nothing has prepared."""
    writer.discard(journal.steps)
    release_left_behind(records.repository, journal.safety)
    journals.remove(records.repository.patchpoint_folder, Phase.PREPARED)


def _release_ref_locks(records: Records, journal: Journal) -> None:
    """Remove the locks of refs that the restore was holding when its process died.

    They are known by being younger than the journal and by what is in them. Git has no reason to make one
    meanwhile: the index is locked.
    """
    repository, namespace = records.repository, records.namespace
    since = journals.started(repository.patchpoint_folder, Phase.APPLYING)
    common = Path(os.fsdecode(repository.commondir))
    names = [namespace.undone + journal.safety.encode()]
    names += [namespace.checkpoints + id_.encode() for id_, _ in (*journal.dropped, *journal.revived)]
    locks = [common / os.fsdecode(name + b".lock") for name in names]
    content = {b""} | {commit.encode() + b"\n" for _, commit in journal.revived}
    if journal.head is not None:
        folder = Path(os.fsdecode(repository.gitdir)) if journal.head.ref == "HEAD" else common
        locks.append(folder / (journal.head.ref + ".lock"))
        content |= {f"{commit}\n".encode() for commit in (journal.head.old, journal.head.new)}
    for lock in (*locks, common / "packed-refs.lock"):
        with suppress(OSError):
            if lock.stat().st_mtime >= since and (
                lock.name == "packed-refs.lock" or lock.read_bytes() in content
            ):
                lock.unlink()


def _index_state(records: Records, commit: str) -> IndexState | None:
    trailers = trailers_of(records.objects.commit(commit.encode()).message)
    return read_state(records.objects, trailers["State"][0]).index
