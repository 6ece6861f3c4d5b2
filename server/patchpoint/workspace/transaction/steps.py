"""Executing one step of a transaction, and undoing it.

New content is staged in a directory of Patchpoint's own, or next to its target (`ContentStaging`).

A step is undone by what is on disk, not by a record of how far it went: undoing is idempotent, whenever the
process ended. What somebody else has changed since is left alone.

Each directory is opened from the workspace folder downwards and held open, following no link, and everything
is read, renamed, linked and removed relative to it: a directory that somebody swaps for a link meanwhile
leads nothing outside.
"""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, suppress
from pathlib import Path

from patchpoint.filesystem.atomic_write import sync_directory
from patchpoint.filesystem.directory_tree import folded
from patchpoint.filesystem.errors import FileError, MissingFileError, StaleFileError
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.filesystem.open_to_read import HeldFiles
from patchpoint.filesystem.read import FileBytes, FileIdentity, read_bytes, read_unchanged
from patchpoint.filesystem.write import OpenPlace, open_place, place_new, put_back, stage
from patchpoint.paths.resolve import require_place, require_same_place
from patchpoint.progress import Progress
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind, UndoLog


class UnsafePlaceError(FileError):
    """A path that was inside its workspace folder no longer is."""


class _OtherKindError(FileError):
    """Somebody has put a folder or a link where a file was."""


def require_safe(root: str, path: str) -> None:
    """Raise `UnsafePlaceError` if a request may no longer write to `path`."""
    refused = require_place(Path(root), Path(path))
    if refused is not None:
        raise UnsafePlaceError(Path(path), f"may not be written: {refused.message}")


@contextmanager
def safe_place(root: str, path: str) -> Iterator[OpenPlace]:
    """Open the place of `path` in the workspace folder `root`, following no link, while the block runs.

    Raises `UnsafePlaceError` if a request may not write there, and `OSError`.
    """
    require_safe(root, path)
    with _place(root, path) as place:
        yield place


@contextmanager
def place_of_staged(root: str, staged: Path) -> Iterator[OpenPlace]:
    """Open the place of staged content, in the workspace folder `root` or outside, while the block runs.

    Raises `OSError`.
    """
    real = Path(os.path.realpath(root))
    if staged.is_relative_to(real):
        with open_place(real, staged) as place:
            yield place
        return
    with OpenDirectory(staged.parent) as directory:
        yield OpenPlace(directory, staged)


@contextmanager
def staged_place(place: OpenPlace, root: str, staged: str) -> Iterator[OpenPlace]:
    """Open the place of content that is `staged` for the file at `place`, while the block runs.

    Raises `OSError`.
    """
    path = Path(staged)
    if path.parent == place.path.parent:
        yield place.next_to(path)
        return
    with place_of_staged(root, path) as found:
        yield found


def returning_places(step: FileStep) -> tuple[str, ...]:
    """Return where the old content may be staged: last, next to the file, whatever the log says."""
    return (step.returning, str(Path(step.path).with_name(Path(step.returning).name)))


def execute_all(steps: Sequence[FileStep], executed: set[str], watch: Progress) -> None:
    """Execute the steps, and add their paths to those that are `executed`; the directories are synchronised.

    A file that another program wrote to at the instant at which it was replaced is put back. Then, and where
    one is not what was read, a `FileError` is raised, as is `OSError`.
    """
    held = HeldFiles()
    try:
        for done, step in enumerate(steps):
            watch.check()
            watch.report(f"writing {Path(step.path).name}", done, len(steps))
            execute(step, held)
            executed.update(path for path in (step.path, step.new_path) if path)
        touched = {path for step in steps for path in (step.path, step.new_path) if path}
        for directory in {str(Path(path).parent) for path in touched}:
            sync_directory(Path(directory))
        roots = {os.fsencode(step.path): step.root for step in steps}
        written = list(held.written())
        for path, content, permissions in written:
            with _place(roots[path], os.fsdecode(path)) as place:
                put_back(place.directory, place.name, content, permissions)
        if written:
            raise _written_meanwhile(written[0][0])
    finally:
        held.close()


def execute(step: FileStep, held: HeldFiles) -> None:
    """Execute the step if the file is still what was read, and hold that. Raises `FileError`, `OSError`."""
    with safe_place(step.root, step.path) as place:
        if step.kind is StepKind.CREATE:
            with staged_place(place, step.root, step.staged) as staged:
                place_new(staged, place)
            return
        status = place.status()
        _require_old(step, place)
        if step.kind in (StepKind.WRITE, StepKind.DELETE) and status is not None:
            path = os.fsencode(step.path)
            if not held.hold(path, place.directory, place.name, status):
                raise _written_meanwhile(path)
        if step.kind is StepKind.WRITE:
            with staged_place(place, step.root, step.staged) as staged:
                staged.rename_over(place)
        elif step.kind is StepKind.DELETE:
            place.directory.remove(place.name)
        elif step.kind is StepKind.CHMOD and step.new_mode is not None:
            place.directory.set_permissions(place.name, step.new_mode)
        elif step.kind is StepKind.MOVE:
            with safe_place(step.root, step.new_path) as goal:
                _move(place, goal)


def undo(step: FileStep, log: UndoLog) -> bool:
    """Bring the file back to its state before the step, whether or not the step was executed.

    Return whether it is in that state now. It is not when somebody else has changed the file since; it is
    then left alone. Raises `FileError` and `OSError`.
    """
    for path in filter(None, (step.path, step.new_path)):
        if require_same_place(Path(step.root), Path(path)) is not None:
            return False
    try:
        return _undo(step, log)
    except _OtherKindError:
        return False


def is_other_spelling(root: str, path: Path, new_path: Path) -> bool:
    """Return whether both are one directory entry, on a file system that ignores case."""
    try:
        with _place(root, str(path)) as place, _place(root, str(new_path)) as goal:
            return _are_one_entry(place, goal)
    except OSError:
        return False


def _undo(step: FileStep, log: UndoLog) -> bool:
    with ExitStack() as opened:
        try:
            place = opened.enter_context(_place(step.root, step.path))
        except (FileNotFoundError, NotADirectoryError):
            return step.kind is StepKind.CREATE  # without its directory, there is no file to remove
        if step.kind is StepKind.CREATE:
            with staged_place(place, step.root, step.staged) as staged:
                return _undo_create(place, staged, step)
        if step.kind is StepKind.MOVE:
            return _undo_move(place, step)
        if step.kind is StepKind.DELETE and step.old_link:
            return _restore_link(place, step.old_link)
        if step.kind is StepKind.WRITE:
            with staged_place(place, step.root, step.staged) as staged:
                return staged.status() is not None or _undo_write(place, staged, step, log)
        now = _read_if_present(place)
        if now is not None and now.identity.digest == step.old_digest:
            if now.mode != step.old_mode:
                place.directory.set_permissions(place.name, step.old_mode)
            return True
        if step.kind is StepKind.CHMOD:
            return True
        if now is None:
            _put_back(place, step, log, place_new)
        return now is None


def _written_meanwhile(path: bytes) -> StaleFileError:
    return StaleFileError(Path(os.fsdecode(path)), "was written to at this very instant; read it again")


def _place(root: str, path: str) -> AbstractContextManager[OpenPlace]:
    return open_place(Path(os.path.realpath(root)), Path(path))


def _require_old(step: FileStep, place: OpenPlace) -> None:
    path = place.path
    if not step.old_link:
        was = FileIdentity(step.old_size, step.old_mtime_ns, step.old_digest)
        read_unchanged(path, was, directory=place.directory)
    elif not _is_link_to(place, step.old_link):
        raise StaleFileError(path, "is no longer the symbolic link that was read; read it again")


def _move(place: OpenPlace, goal: OpenPlace) -> None:
    # A hard link would go to the link's target on some systems; an existing name has just been refused.
    if _are_one_entry(place, goal) or stat.S_ISLNK(place.directory.status(place.name).st_mode):
        place.rename_over(goal)
    else:
        place_new(place, goal)


def _are_one_entry(place: OpenPlace, goal: OpenPlace) -> bool:
    here, there = place.status(), goal.status()
    return (
        place.path != goal.path
        and here is not None
        and there is not None
        and (os.path.samestat(here, there) or _is_spelled_alike(place, goal))
        and not _has_entry(goal)
    )


def _is_spelled_alike(place: OpenPlace, goal: OpenPlace) -> bool:
    """Return whether only the spelling differs. An exFAT gives each spelling of a file its own inode."""
    return place.path.parent == goal.path.parent and folded(place.name) == folded(goal.name)


def _undo_write(place: OpenPlace, staged: OpenPlace, step: FileStep, log: UndoLog) -> bool:
    now = _read_if_present(place)
    if now is None or now.identity.digest not in (step.old_digest, step.new_digest):
        return False
    if now.identity.digest != step.old_digest or now.mode != step.old_mode:
        _put_back(place, step, log, OpenPlace.rename_over)
    # A file at the staging path marks the step as not executed, however often it is undone.
    with suppress(FileExistsError):
        staged.directory.create(staged.name).keep()
    return True


def _undo_create(place: OpenPlace, staged: OpenPlace, step: FileStep) -> bool:
    if step.new_link and _is_link_to(place, step.new_link):
        place.rename_over(staged)
        return True
    waiting = staged.status()
    if waiting is not None:
        # The process may have ended between linking the file and removing its staging name.
        now = place.status()
        if now is not None and os.path.samestat(waiting, now):
            place.remove()
        return True
    content = _read_if_present(place)
    if content is not None and content.identity.digest == step.new_digest:
        # Back to its staging path, which marks the step as not executed, however often it is undone.
        place.rename_over(staged)
        return True
    return content is None


def _undo_move(place: OpenPlace, step: FileStep) -> bool:
    if step.path == step.new_path:
        return True
    here = _has_entry(place)
    with ExitStack() as opened:
        try:
            goal = opened.enter_context(_place(step.root, step.new_path))
        except (FileNotFoundError, NotADirectoryError):
            return here
        there = _has_entry(goal)
        if here and there:
            # The process may have ended between linking the new name and removing the old one.
            old, new = place.directory.status(place.name), goal.directory.status(goal.name)
            if os.path.samestat(old, new):
                goal.remove()
                return True
            return stat.S_ISLNK(old.st_mode) or _is_old(place, step)
        if there:
            goal.rename_over(place)
        return here or there


def _is_old(place: OpenPlace, step: FileStep) -> bool:
    now = _read_if_present(place)
    return now is not None and now.identity.digest == step.old_digest


def _has_entry(place: OpenPlace) -> bool:
    """Return whether the directory has an entry of exactly this name, in its upper and lower case."""
    try:
        return any(name == place.name for name, _ in place.directory.entries())
    except OSError:
        return False


def _restore_link(place: OpenPlace, link: str) -> bool:
    if place.status() is None:
        place.directory.symlink(os.fsencode(link), place.name)
        return True
    return _is_link_to(place, link)


def _is_link_to(place: OpenPlace, link: str) -> bool:
    now = place.status()
    if now is None or not stat.S_ISLNK(now.st_mode):
        return False
    return os.fsdecode(place.directory.read_link(place.name)) == link


def _read_if_present(place: OpenPlace) -> FileBytes | None:
    now = place.status()
    if now is None:
        return None
    if not stat.S_ISREG(now.st_mode):
        raise _OtherKindError(place.path, "is no longer a regular file")
    try:
        return read_bytes(place.path, directory=place.directory)
    except MissingFileError:
        return None


def _put_back(
    place: OpenPlace, step: FileStep, log: UndoLog, put: Callable[[OpenPlace, OpenPlace], None]
) -> None:
    """Stage the old content, with the mode and the time that it had, and `put` it in place."""
    places = returning_places(step)
    for staged in places:
        with staged_place(place, step.root, staged) as returning:
            returning.remove()
            stage(returning, log.old_content(step), step.old_mode, like=place, mtime_ns=step.old_mtime_ns)
            try:
                put(returning, place)
            except OSError as error:
                returning.remove()
                if error.errno != errno.EXDEV or staged == places[-1]:
                    raise
            else:
                return
