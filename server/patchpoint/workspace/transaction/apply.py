"""Changes to several files on disk, all or none of them, even when the process ends in between.

The new contents are staged, the old ones kept in an undo log; then each target is checked once more and
changed by one rename, link or unlink, which is atomic. When a step fails, the
steps before it are undone; when the process ends, the next start undoes them (`roll_back_unfinished`). Once
the undo log is closed, all changes count as applied.
"""

from __future__ import annotations

import errno
import os
import stat
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import ExistingFileError, FileError, writing_problem
from patchpoint.filesystem.lock import WAIT, LockBusyError, exclusive_lock
from patchpoint.filesystem.read import FileIdentity, identity_of, read_unchanged
from patchpoint.filesystem.write import ContentStaging, require_writable, stage, with_executable
from patchpoint.operations.log import Cause, OperationLog
from patchpoint.progress import Progress, Silent
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.transaction.rollback import (
    RolledBack,
    UnfinishedError,
    directory_place,
    roll_back,
)
from patchpoint.workspace.transaction.steps import (
    UnsafePlaceError,
    execute_all,
    is_other_spelling,
    require_safe,
    safe_place,
    staged_place,
)
from patchpoint.workspace.transaction.undo_log import (
    FileStep,
    StepKind,
    Transaction,
    UndoLog,
    missing_directories,
)


class BusyError(FileError):
    """Another process has been applying edits in the same workspace for too long."""


class SharedPathError(FileError):
    """Two changes of one transaction are about the same path."""


class PartlyAppliedError(FileError):
    """A change failed, and not all of those before it could be undone; `problem` names what stays."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskChange:
    """One change to one file on disk."""

    root: Path
    """The workspace folder that the file is in."""
    path: Path
    """The `target` of a resolved path; its `place` for a deletion or a rename."""
    operation: FileOperation
    expected: FileIdentity | None = None
    """The identity of the file that was read; `None` for a file that must not exist yet."""
    data: bytes | None = None
    """The new bytes; `None` to keep them."""
    new_path: Path | None = None
    """The `place` of a renamed file's new path."""
    executable: bool | None = None
    """Whether the file is executable afterwards; `None` to keep that, too."""
    mode: int | None = None
    """The permission bits afterwards, where all of them are known."""
    link: str = ""
    """Of a symbolic link that is created: its target, as it is written in it."""


@dataclass(frozen=True, slots=True)
class AppliedChanges:
    """The files that a transaction changed, as they are on disk now."""

    identities: dict[Path, FileIdentity]
    """The files that were written, created, renamed or made executable."""
    deleted: tuple[Path, ...]


def apply_changes(
    changes: Sequence[DiskChange],
    log_directory: Path,
    progress: Progress | None = None,
    *,
    mark: Path | None = None,
    recorded: tuple[OperationLog, Cause] | None = None,
    emptied: Sequence[Path] = (),
) -> AppliedChanges:
    """Apply all the changes, or none of them.

    `log_directory` is that of the workspace's undo log, `mark` the log's. An earlier transaction that was
    interrupted is rolled back first. With `recorded`, it is in that log of operations from the instant in
    which it is done. Of the directories `emptied`, innermost first, those that are empty then are removed.
    Raises a `FileError` that says why nothing was changed, a
    `PartlyAppliedError` among them if something stays changed all the same, whatever `progress` raises, with
    nothing changed, and `ValueError` for a change that contradicts itself.
    """
    watch = progress or Silent()
    if not changes:
        return AppliedChanges({}, ())
    _require_consistent(changes)
    with _exclusive(log_directory, watch):
        log = UndoLog(log_directory, mark)
        if log.is_open:
            roll_back(log)
        try:
            staging = ContentStaging(_staging_directories(changes, log_directory))
            done = _apply(changes, log, staging, watch, recorded)
        except FileError as error:
            if isinstance(error, PartlyAppliedError) or not _is_other_device(error):
                raise
            # What the system said of the two directories was not so.
            done = _apply(changes, log, ContentStaging(()), watch, recorded)
    for directory in emptied:
        with suppress(OSError):
            directory.rmdir()
    if recorded is not None:
        recorded[0].trim()
    return done


def roll_back_unfinished(
    log_directory: Path,
    progress: Progress | None = None,
    *,
    mark: Path | None = None,
    wait: float = WAIT,
) -> RolledBack:
    """Roll back the transaction that was interrupted, if there is one; to be called when the server starts.

    Waits `wait` seconds for a transaction that another process is about to finish. Raises `FileError` when a
    step could not be undone; the undo log is kept, so that it can be tried again.
    """
    log = UndoLog(log_directory, mark)
    if mark is None and not log.is_open:
        return RolledBack((), ())
    with _exclusive(log_directory, progress or Silent(), wait):
        if log.is_open:
            return roll_back(log)
        # Its process ended before it wrote the log, or just after it had closed it.
        log.unmark()
        return RolledBack((), ())


def _staging_directories(changes: Sequence[DiskChange], log_directory: Path) -> Iterator[Path]:
    """Return the directories outside of the working tree that contents may be staged in."""
    if os.name != "nt":  # there, a renamed file keeps the access control list of where it was
        yield log_directory
    for root in {change.root: None for change in changes}:
        near = Path(os.path.realpath(root))
        git = next((each / ".git" for each in (near, *near.parents) if os.path.lexists(each / ".git")), None)
        if git is not None and all(map(_is_own_directory, (git, git / "patchpoint"))):
            yield git / "patchpoint"


def _is_own_directory(path: Path) -> bool:
    """Return whether there is a directory of this user's own, and no symbolic link."""
    try:
        status = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(status.st_mode) and (os.name == "nt" or status.st_uid == os.geteuid())


def _is_other_device(error: FileError) -> bool:
    return isinstance(error.__cause__, OSError) and error.__cause__.errno == errno.EXDEV


@contextmanager
def _exclusive(log_directory: Path, watch: Progress, wait: float = WAIT) -> Iterator[None]:
    try:
        with exclusive_lock(UndoLog(log_directory).lock, timeout=wait, progress=watch):
            yield
    except LockBusyError as error:
        if isinstance(error.__cause__, OSError):
            raise writing_problem(log_directory, error.__cause__) from error
        raise BusyError(
            log_directory, "is locked by another process that is applying edits; try again"
        ) from None
    except OSError as error:
        raise writing_problem(Path(error.filename or log_directory), error) from error


def _require_consistent(changes: Sequence[DiskChange]) -> None:
    for change in changes:
        creates = change.operation is FileOperation.CREATE
        if (change.expected is None) != creates or (creates and change.data is None):
            raise ValueError(
                f"{change.path}: a created file needs data, any other file its expected identity"
            )
        if (change.new_path is None) == (change.operation is FileOperation.RENAME):
            raise ValueError(f"{change.path}: a renamed file needs a new path, and no other file has one")
    sources = Counter(change.path for change in changes if change.expected is not None)
    goals = Counter(
        change.new_path or change.path for change in changes if change.operation is not FileOperation.DELETE
    )
    for path, times in (*sources.items(), *goals.items()):
        if times > 1:
            raise SharedPathError(path, "has two changes; combine them into one")


def _apply(
    changes: Sequence[DiskChange],
    log: UndoLog,
    staging: ContentStaging,
    watch: Progress,
    recorded: tuple[OperationLog, Cause] | None,
) -> AppliedChanges:
    steps, contents = _steps(changes, staging, watch)
    directories = missing_directories(Path(step.new_path or step.path) for step in steps)
    executed: set[str] = set()
    try:
        operation = recorded[1].to_json() if recorded is not None else {}
        transaction = Transaction(tuple(steps), directories, operation)
        log.open(transaction, [content.old for content in contents])
        try:
            for directory in directories:
                _make_directory(Path(directory), steps)
            for step, content in zip(steps, contents, strict=True):
                watch.check()
                _stage(step, content)
            log.begin_steps()
            execute_all(steps, executed, watch)
            log.close_as(*recorded[0].places(recorded[1])) if recorded is not None else log.close()
        except (OSError, FileError) as error:
            _undo_all(log, executed, error)
            raise
        except BaseException:
            roll_back(log)
            raise
    except OSError as error:
        raise writing_problem(Path(error.filename or log.directory), error) from error
    return _applied(steps)


def _undo_all(log: UndoLog, executed: Collection[str], error: OSError | FileError) -> None:
    """Roll the transaction back because of `error`; `executed` are the paths of the steps before it.

    Raises `PartlyAppliedError` if not all of it could be undone.
    """
    failed: tuple[Path, ...] = ()
    try:
        kept = roll_back(log).kept
    except UnfinishedError as unfinished:
        failed, kept = unfinished.failed, unfinished.kept
    # A file that was changed before its own step is none of ours.
    changed = [one for one in kept if str(one.path) in executed]
    says = []
    if failed:
        says.append(
            f"{_names(failed)} could not be put back; the next start tries again (the old bytes are in "
            f"{log.directory})"
        )
    if changed:
        stayed = (
            "stayed as it is, because it has"
            if len(changed) == 1
            else "stayed as they are, because they have"
        )
        says.append(f"{_names(one.path for one in changed)} {stayed} been changed since")
        says += [f"what {one.path} was is in {one.saved_copy}" for one in changed if one.saved_copy]
    if says:
        if isinstance(error, OSError):
            error = writing_problem(Path(error.filename or log.directory), error)
        problem = f"{error.problem}. Not everything was undone: {'; '.join(says)}"
        raise PartlyAppliedError(error.path, problem) from error


def _names(paths: Iterable[Path]) -> str:
    return ", ".join(map(str, paths))


# Deleted and renamed files make room for new ones.
_ORDER = {
    FileOperation.DELETE: 0,
    FileOperation.RENAME: 1,
    FileOperation.CREATE: 2,
    FileOperation.UPDATE: 3,
}


@dataclass(frozen=True, slots=True)
class _Content:
    """The old and new bytes of a step."""

    like: Path
    """The file whose owner and attributes the new content gets."""
    old: bytes = b""
    new: bytes = b""
    executable: bool | None = None
    link: str = ""


def _steps(
    changes: Sequence[DiskChange], staging: ContentStaging, watch: Progress
) -> tuple[list[FileStep], list[_Content]]:
    """Return the steps of all changes in the order to execute them, each with its bytes."""
    steps: list[FileStep] = []
    contents: list[_Content] = []
    old_at = 0
    gone: set[Path] = set()
    for change in sorted(changes, key=lambda change: _ORDER[change.operation]):
        watch.check()
        _require_free(change, gone)
        if change.operation in (FileOperation.DELETE, FileOperation.RENAME):
            gone.add(change.path)
        for step, content in _steps_of(change, staging):
            steps.append(replace(step, old_at=old_at))
            contents.append(content)
            old_at += len(content.old)
    return steps, contents


def _require_free(change: DiskChange, gone: Collection[Path]) -> None:
    """Raise `FileError` if a change may not write, or would replace a file that it does not know of."""
    require_safe(str(change.root), str(change.path))
    goal = change.new_path or change.path
    if change.operation not in (FileOperation.CREATE, FileOperation.RENAME):
        return
    require_safe(str(change.root), str(goal))
    if (
        os.path.lexists(goal)
        and goal not in gone
        and not is_other_spelling(str(change.root), change.path, goal)
    ):
        raise ExistingFileError(goal, "already exists")


def _steps_of(change: DiskChange, staging: ContentStaging) -> Iterator[tuple[FileStep, _Content]]:
    step = FileStep(kind=StepKind.CREATE, root=str(change.root), path=str(change.path))
    if change.expected is None:
        create = _with_new(step, change, change.path, staging)
        yield replace(create, new_mode=change.mode, new_link=change.link), _new_content(change)
        return
    was = read_unchanged(change.path, change.expected)
    link = str(change.path.readlink()) if change.path.is_symlink() else ""
    step = replace(
        step,
        old_size=was.identity.size,
        old_digest=was.identity.digest,
        old_mode=was.mode,
        old_mtime_ns=was.identity.mtime_ns,
        old_link=link,
    )
    mode = with_executable(was.mode, change.executable) if change.mode is None else change.mode
    if change.operation is FileOperation.DELETE:
        if not link:
            require_writable(change.path)
        deletion = replace(step, kind=StepKind.DELETE, returning=str(staging.of(change.path)))
        yield deletion, _Content(change.path, was.data)
        return
    if link and (change.data is not None or mode != was.mode):
        raise UnsafePlaceError(
            change.path, "is a symbolic link: rename it, and change what it points to, one at a time"
        )
    if change.new_path is not None:
        yield (
            replace(step, kind=StepKind.MOVE, new_path=str(change.new_path)),
            _Content(change.path, was.data),
        )
    goal = change.new_path or change.path
    if change.data is not None:
        require_writable(change.path)
        write = replace(_with_new(step, change, goal, staging), kind=StepKind.WRITE, new_mode=mode)
        yield write, replace(_new_content(change), old=was.data)
    elif mode != was.mode:
        chmod = replace(step, kind=StepKind.CHMOD, path=str(goal), new_mode=mode)
        yield chmod, _Content(change.path, was.data)


def _with_new(step: FileStep, change: DiskChange, goal: Path, staging: ContentStaging) -> FileStep:
    identity = identity_of(change.data or b"")
    return replace(
        step,
        path=str(goal),
        staged=str(staging.of(goal)),
        returning=str(staging.of(goal)),
        new_size=identity.size,
        new_digest=identity.digest,
    )


def _new_content(change: DiskChange) -> _Content:
    return _Content(change.path, new=change.data or b"", executable=change.executable, link=change.link)


def _stage(step: FileStep, content: _Content) -> None:
    if not step.staged:
        return
    with ExitStack() as opened:
        place = opened.enter_context(safe_place(step.root, step.path))
        like = place
        if content.like != place.path:
            like = opened.enter_context(safe_place(step.root, str(content.like)))
        staged = opened.enter_context(staged_place(place, step.root, step.staged))
        if content.link:
            staged.directory.symlink(os.fsencode(content.link), staged.name)
            return
        stage(
            staged,
            content.new,
            step.new_mode,
            like=like,
            executable=content.executable,
        )


def _make_directory(directory: Path, steps: Sequence[FileStep]) -> None:
    with directory_place(directory, steps) as place:
        place.directory.make_directory(place.name)
        with suppress(OSError):
            place.directory.sync()


def _applied(steps: Sequence[FileStep]) -> AppliedChanges:
    identities: dict[Path, FileIdentity] = {}
    deleted = []
    for step in steps:
        if step.kind is StepKind.DELETE:
            deleted.append(Path(step.path))
            continue
        path = Path(step.new_path or step.path)
        with suppress(OSError):  # already gone again
            mtime_ns = path.stat().st_mtime_ns
            if step.new_digest:
                identities[path] = FileIdentity(step.new_size, mtime_ns, step.new_digest)
            else:
                identities[path] = FileIdentity(step.old_size, mtime_ns, step.old_digest)
    return AppliedChanges(identities, tuple(deleted))
