"""Executing one step of a transaction, and undoing it.

A step is undone by what is on disk, not by a record of how far it went: undoing is idempotent, whenever the
process ended. What somebody else has changed since is left alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from patchpoint.filesystem.atomic_write import rename_over
from patchpoint.filesystem.errors import FileError, MissingFileError, StaleFileError
from patchpoint.filesystem.read import FileBytes, FileIdentity, read_bytes, read_unchanged
from patchpoint.filesystem.write import place_new, stage
from patchpoint.paths.resolve import require_place
from patchpoint.workspace.transaction.undo_log import FileStep, StepKind, UndoLog


class UnsafePlaceError(FileError):
    """A path that was inside its workspace folder no longer is."""


def require_safe(root: str, path: str) -> None:
    """Raise `UnsafePlaceError` if a request may no longer write to `path`."""
    refused = require_place(Path(root), Path(path))
    if refused is not None:
        raise UnsafePlaceError(Path(path), f"may not be written: {refused.message}")


def execute(step: FileStep) -> None:
    """Execute the step if the file is still what was read. Raises `FileError` and `OSError`."""
    path = Path(step.path)
    require_safe(step.root, step.path)
    if step.kind is StepKind.CREATE:
        place_new(Path(step.staged), path)
        return
    _require_old(step)
    if step.kind is StepKind.WRITE:
        rename_over(Path(step.staged), path)
    elif step.kind is StepKind.DELETE:
        path.unlink()
    elif step.kind is StepKind.CHMOD and step.new_mode is not None:
        path.chmod(step.new_mode)
    elif step.kind is StepKind.MOVE:
        require_safe(step.root, step.new_path)
        _move(path, Path(step.new_path))


def undo(step: FileStep, log: UndoLog) -> bool:
    """Bring the file back to its state before the step, whether or not the step was executed.

    Return whether it is in that state now. It is not when somebody else has changed the file since; it is
    then left alone. Raises `FileError` and `OSError`.
    """
    path = Path(step.path)
    if require_place(Path(step.root), path) is not None:
        return False
    if step.kind is StepKind.CREATE:
        return _undo_create(path, step)
    if not path.parent.is_dir():
        return False
    if step.kind is StepKind.MOVE:
        return _undo_move(path, Path(step.new_path), step)
    if step.old_link:
        return _restore_link(path, step.old_link)
    if step.kind is StepKind.WRITE:
        return os.path.lexists(step.staged) or _undo_write(path, step, log)
    now = _read_if_present(path)
    if now is not None and now.identity.digest == step.old_digest:
        if now.mode != step.old_mode:
            path.chmod(step.old_mode)
        return True
    if step.kind is StepKind.CHMOD:
        return True
    if now is None:
        _restore_old(step, log, place_new)
    return now is None


def is_other_spelling(path: Path, new_path: Path) -> bool:
    """Return whether both are one directory entry, on a file system that ignores case."""
    try:
        return (
            path != new_path and not _has_entry(new_path) and os.path.samestat(path.lstat(), new_path.lstat())
        )
    except OSError:
        return False


def _require_old(step: FileStep) -> None:
    path = Path(step.path)
    if not step.old_link:
        read_unchanged(path, FileIdentity(step.old_size, step.old_mtime_ns, step.old_digest))
    elif not path.is_symlink() or str(path.readlink()) != step.old_link:
        raise StaleFileError(path, "is no longer the symbolic link that was read; read it again")


def _move(path: Path, new_path: Path) -> None:
    if is_other_spelling(path, new_path):
        rename_over(path, new_path)
    elif path.is_symlink():
        # A hard link would go to the link's target on some systems; an existing name has just been refused.
        rename_over(path, new_path)
    else:
        place_new(path, new_path)


def _undo_write(path: Path, step: FileStep, log: UndoLog) -> bool:
    now = _read_if_present(path)
    if now is None or now.identity.digest not in (step.old_digest, step.new_digest):
        return False
    if now.identity.digest != step.old_digest or now.mode != step.old_mode:
        _restore_old(step, log, rename_over)
    # A file at the staging path marks the step as not executed, however often it is undone.
    Path(step.staged).touch()
    return True


def _undo_create(path: Path, step: FileStep) -> bool:
    staged = Path(step.staged)
    if os.path.lexists(staged):
        # The process may have ended between linking the file and removing its staging name.
        with suppress(FileNotFoundError):
            if os.path.samestat(staged.lstat(), path.lstat()):
                path.unlink()
        return True
    now = _read_if_present(path)
    if now is not None and now.identity.digest == step.new_digest:
        # Back to its staging path, which marks the step as not executed, however often it is undone.
        rename_over(path, staged)
        return True
    return now is None


def _undo_move(path: Path, new_path: Path, step: FileStep) -> bool:
    if path == new_path:
        return True
    here, there = _has_entry(path), _has_entry(new_path)
    if here and there:
        # The process may have ended between linking the new name and removing the old one.
        if os.path.samestat(path.lstat(), new_path.lstat()):
            new_path.unlink()
            return True
        return path.is_symlink() or _is_old(path, step)
    if there:
        rename_over(new_path, path)
    return here or there


def _is_old(path: Path, step: FileStep) -> bool:
    now = _read_if_present(path)
    return now is not None and now.identity.digest == step.old_digest


def _has_entry(path: Path) -> bool:
    """Return whether the directory has an entry of exactly this name, in its upper and lower case."""
    try:
        return any(entry.name == path.name for entry in path.parent.iterdir())
    except OSError:
        return False


def _restore_link(path: Path, link: str) -> bool:
    if not os.path.lexists(path):
        path.symlink_to(link)
        return True
    return path.is_symlink() and str(path.readlink()) == link


def _read_if_present(path: Path) -> FileBytes | None:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StaleFileError(path, "is no longer a regular file")
        return read_bytes(path)
    except (FileNotFoundError, NotADirectoryError, MissingFileError):
        return None


def _restore_old(step: FileStep, log: UndoLog, put: Callable[[Path, Path], None]) -> None:
    path, returning = Path(step.path), Path(step.returning)
    returning.unlink(missing_ok=True)
    stage(path, log.old_content(step), step.old_mode, place=returning)
    os.utime(returning, ns=(step.old_mtime_ns, step.old_mtime_ns))
    put(returning, path)
