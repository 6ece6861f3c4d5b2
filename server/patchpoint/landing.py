"""Several changes to files on disk, of which all happen or none, whatever happens in between.

The new contents are staged beside their targets, the old ones kept in a journal; then each target is looked
at once more and changed by one renaming, link or deletion, which either happens or does not. When something
goes wrong, what was done is taken back; when the process ends, the next start does so (`recover`). From the
moment at which the journal is closed, all of it counts as landed.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path

from patchpoint.checkpoints.errors import RepositoryBusyError
from patchpoint.checkpoints.lock import turn
from patchpoint.files import (
    ExistingFileError,
    FileError,
    FileIdentity,
    identity_of,
    read_unchanged,
    require_writable,
    stage,
    staging_place,
    sync_folder,
    with_executable,
    writing_problem,
)
from patchpoint.landing_journal import Journal, Record, Step, StepKind, folders_to_make
from patchpoint.landing_steps import UnsafePlaceError, is_other_spelling, require_safe, take, take_back
from patchpoint.plan import FileOperation
from patchpoint.progress import Progress, Silent


class BusyError(FileError):
    """Another process has been landing edits in the same workspace for too long."""


class SharedPathError(FileError):
    """Two changes of one landing are about the same path."""


class UnfinishedError(FileError):
    """What a landing had done could not be taken back yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DiskChange:
    """What becomes of one file on disk."""

    root: Path
    """The workspace folder that it lies in."""
    path: Path
    """The `target` of a resolved path; its `place` for a deletion or a renaming."""
    operation: FileOperation
    expected: FileIdentity | None = None
    """What was read; `None` for a file that must not exist yet."""
    data: bytes | None = None
    """The new bytes; `None` where they stay."""
    new_path: Path | None = None
    """The `place` that a renamed file goes to."""
    executable: bool | None = None
    """Whether it may be executed afterwards; `None` where that stays, too."""


@dataclass(frozen=True, slots=True)
class Landed:
    """What is on disk now."""

    identities: dict[Path, FileIdentity]
    """The files that were written, made, moved or marked executable."""
    deleted: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that somebody else changed after a landing was cut short; it was left as it is."""

    path: Path
    old: Path | None
    """Where the bytes are that the file had before the landing, if it had any."""


@dataclass(frozen=True, slots=True)
class Recovered:
    """What became of a landing that was cut short."""

    taken_back: tuple[Path, ...]
    """The files that it was about; they are as they were before it."""
    kept: tuple[Kept, ...]
    """Those that are not."""


def land(changes: Sequence[DiskChange], journal: Path, progress: Progress | None = None) -> Landed:
    """Make all the changes, or none of them; `journal` is a folder of Patchpoint's own, one for a workspace.

    An earlier landing that was cut short is taken back first. Raises a `FileError` that says why nothing was
    done, `CancelledError` through `progress` before anything was done, and `ValueError` for a change that
    contradicts itself.
    """
    watch = progress or Silent()
    if not changes:
        return Landed({}, ())
    _require_sense(changes)
    with _turn(journal, watch):
        if Journal(journal).is_open:
            _take_back_all(Journal(journal))
        return _land(changes, Journal(journal), watch)


def recover(journal: Path, progress: Progress | None = None) -> Recovered:
    """Take back a landing that was cut short, if there is one; to be called when the server starts.

    Waits for a landing that another process is about to finish. Raises `FileError` when something could not
    be taken back; the journal stays, and it can be tried again.
    """
    if not Journal(journal).is_open:
        return Recovered((), ())
    with _turn(journal, progress or Silent()):
        return _take_back_all(Journal(journal))


@contextmanager
def _turn(journal: Path, watch: Progress) -> Iterator[None]:
    try:
        with turn(Journal(journal).lock, progress=watch):
            yield
    except RepositoryBusyError as error:
        if isinstance(error.__cause__, OSError):
            raise writing_problem(journal, error.__cause__) from error
        raise BusyError(journal, "is held by another process that is landing edits; try again") from None
    except OSError as error:
        raise writing_problem(Path(error.filename or journal), error) from error


def _require_sense(changes: Sequence[DiskChange]) -> None:
    for change in changes:
        creates = change.operation is FileOperation.CREATE
        if (change.expected is None) != creates or (creates and change.data is None):
            raise ValueError(f"{change.path}: a file that is made needs bytes, any other what was expected")
        if (change.new_path is None) == (change.operation is FileOperation.RENAME):
            raise ValueError(f"{change.path}: a renamed file, and no other, needs a new path")
    sources = Counter(change.path for change in changes if change.expected is not None)
    goals = Counter(
        change.new_path or change.path for change in changes if change.operation is not FileOperation.DELETE
    )
    for path, times in (*sources.items(), *goals.items()):
        if times > 1:
            raise SharedPathError(path, "is changed twice; make it one change")


def _land(changes: Sequence[DiskChange], journal: Journal, watch: Progress) -> Landed:
    steps, contents = _steps(changes, watch)
    folders = folders_to_make(Path(step.new_path or step.path) for step in steps)
    try:
        journal.open(Record(tuple(steps), folders), [content.old for content in contents])
        try:
            for folder in folders:
                Path(folder).mkdir()
                sync_folder(Path(folder).parent)
            for step, content in zip(steps, contents, strict=True):
                watch.check()
                _stage(step, content)
            journal.begin()
            for done, step in enumerate(steps):
                watch.report(f"writing {Path(step.path).name}", done, len(steps))
                take(step)
            touched = {path for step in steps for path in (step.path, step.new_path) if path}
            for folder in {str(Path(path).parent) for path in touched}:
                sync_folder(Path(folder))
            journal.close()
        except BaseException:
            _take_back_all(journal)
            raise
    except OSError as error:
        raise writing_problem(Path(error.filename or journal.folder), error) from error
    return _landed(steps)


# What goes makes room for what comes.
_ORDER = {
    FileOperation.DELETE: 0,
    FileOperation.RENAME: 1,
    FileOperation.CREATE: 2,
    FileOperation.UPDATE: 3,
}


@dataclass(frozen=True, slots=True)
class _Content:
    """The bytes that go with a step."""

    like: Path
    """The file whose owner and attributes the new one gets."""
    old: bytes = b""
    new: bytes = b""
    executable: bool | None = None


def _steps(changes: Sequence[DiskChange], watch: Progress) -> tuple[list[Step], list[_Content]]:
    """The steps of all changes, in the order to take them, each with its bytes."""
    steps: list[Step] = []
    contents: list[_Content] = []
    old_at = 0
    gone: set[Path] = set()
    for change in sorted(changes, key=lambda change: _ORDER[change.operation]):
        watch.check()
        _require_room(change, gone)
        if change.operation in (FileOperation.DELETE, FileOperation.RENAME):
            gone.add(change.path)
        for step, content in _steps_of(change):
            steps.append(replace(step, old_at=old_at))
            contents.append(content)
            old_at += len(content.old)
    return steps, contents


def _require_room(change: DiskChange, gone: Collection[Path]) -> None:
    """Raise where a change may not write, or would replace a file that it does not know of."""
    require_safe(str(change.root), str(change.path))
    goal = change.new_path or change.path
    if change.operation not in (FileOperation.CREATE, FileOperation.RENAME):
        return
    require_safe(str(change.root), str(goal))
    if os.path.lexists(goal) and goal not in gone and not is_other_spelling(change.path, goal):
        raise ExistingFileError(goal, "exists already")


def _steps_of(change: DiskChange) -> Iterator[tuple[Step, _Content]]:
    step = Step(kind=StepKind.CREATE, root=str(change.root), path=str(change.path))
    if change.expected is None:
        yield _with_new(step, change, change.path), _new_content(change)
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
    mode = with_executable(was.mode, change.executable)
    if change.operation is FileOperation.DELETE:
        if not link:
            require_writable(change.path)
        deletion = replace(step, kind=StepKind.DELETE, returning=str(staging_place(change.path)))
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
        write = replace(_with_new(step, change, goal), kind=StepKind.WRITE, new_mode=mode)
        yield write, replace(_new_content(change), old=was.data)
    elif mode != was.mode:
        chmod = replace(step, kind=StepKind.CHMOD, path=str(goal), new_mode=mode)
        yield chmod, _Content(change.path, was.data)


def _with_new(step: Step, change: DiskChange, goal: Path) -> Step:
    identity = identity_of(change.data or b"")
    return replace(
        step,
        path=str(goal),
        staged=str(staging_place(goal)),
        returning=str(staging_place(goal)),
        new_size=identity.size,
        new_digest=identity.digest,
    )


def _new_content(change: DiskChange) -> _Content:
    return _Content(change.path, new=change.data or b"", executable=change.executable)


def _stage(step: Step, content: _Content) -> None:
    if step.staged:
        require_safe(step.root, step.path)
        stage(
            content.like,
            content.new,
            step.new_mode,
            executable=content.executable,
            place=Path(step.staged),
        )


def _take_back_all(journal: Journal) -> Recovered:
    """Take back whatever a landing has done, leaving alone what somebody else has changed since."""
    record = journal.read()
    if record is None:
        return Recovered((), ())
    try:
        kept = _take_back_steps(record, journal) if journal.is_taking else []
        for step in record.steps:
            for place in filter(None, (step.staged, step.returning)):
                Path(place).unlink(missing_ok=True)
        for folder in reversed(record.folders):
            with suppress(OSError):  # somebody else has put a file there, or it was never made
                Path(folder).rmdir()
        journal.close()
    except (OSError, FileError) as error:
        if isinstance(error, OSError):
            error = writing_problem(Path(error.filename or journal.folder), error)
        raise UnfinishedError(
            error.path,
            f"could not be put back as it was (it {error.problem}); this is tried again at the next start, "
            f"and the old bytes are in {journal.folder}",
        ) from error
    left = {one.path for one in kept}
    paths = {Path(step.path): None for step in record.steps}
    return Recovered(tuple(path for path in paths if path not in left), tuple(kept))


def _take_back_steps(record: Record, journal: Journal) -> list[Kept]:
    kept = []
    problem: OSError | FileError | None = None
    for step in reversed(record.steps):
        try:
            if not take_back(step, journal):
                has_old = step.old_digest and not step.old_link
                kept.append(Kept(Path(step.path), journal.keep(step) if has_old else None))
        except (OSError, FileError) as error:
            problem = problem or error
    if problem is not None:
        raise problem
    journal.step_back()
    return kept


def _landed(steps: Sequence[Step]) -> Landed:
    identities: dict[Path, FileIdentity] = {}
    deleted = []
    for step in steps:
        if step.kind is StepKind.DELETE:
            deleted.append(Path(step.path))
            continue
        path = Path(step.new_path or step.path)
        with suppress(OSError):  # gone again already
            mtime_ns = path.stat().st_mtime_ns
            if step.new_digest:
                identities[path] = FileIdentity(step.new_size, mtime_ns, step.new_digest)
            else:
                identities[path] = FileIdentity(step.old_size, mtime_ns, step.old_digest)
    return Landed(identities, tuple(deleted))
