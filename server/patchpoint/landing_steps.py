"""Taking one step of a landing, and taking it back.

A step is taken back by looking at what is there, not by remembering how far things went: so it does not
matter when the process ended, nor how often it is tried. What somebody else changed since is left alone.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from patchpoint.files import (
    FileBytes,
    FileError,
    FileIdentity,
    MissingFileError,
    StaleFileError,
    put_new,
    put_over,
    read_bytes,
    read_unchanged,
    stage,
)
from patchpoint.landing_journal import Journal, Step, StepKind
from patchpoint.paths import require_place


class UnsafePlaceError(FileError):
    """A path that was inside its workspace folder is so no longer."""


def require_safe(root: str, path: str) -> None:
    """Raise `UnsafePlaceError` where a request may not write any more."""
    refused = require_place(Path(root), Path(path))
    if refused is not None:
        raise UnsafePlaceError(Path(path), f"may not be written: {refused.message}")


def take(step: Step) -> None:
    """Do what the step says, if the file is still what was read. Raises `FileError` and `OSError`."""
    path = Path(step.path)
    require_safe(step.root, step.path)
    if step.kind is StepKind.CREATE:
        put_new(Path(step.staged), path)
        return
    _require_old(step)
    if step.kind is StepKind.WRITE:
        put_over(Path(step.staged), path)
    elif step.kind is StepKind.DELETE:
        path.unlink()
    elif step.kind is StepKind.CHMOD and step.new_mode is not None:
        path.chmod(step.new_mode)
    elif step.kind is StepKind.MOVE:
        require_safe(step.root, step.new_path)
        _move(path, Path(step.new_path))


def take_back(step: Step, journal: Journal) -> bool:
    """Make it as it was before the step, whether the step was taken or not.

    Answers whether it is so now; it is not where somebody else changed the file afterwards, which is then
    left alone. Raises `FileError` and `OSError`.
    """
    path = Path(step.path)
    if require_place(Path(step.root), path) is not None:
        return False
    if step.kind is StepKind.CREATE:
        return _take_away(path, step)
    if not path.parent.is_dir():
        return False
    if step.kind is StepKind.MOVE:
        return _move_back(path, Path(step.new_path), step)
    if step.old_link:
        return _link_back(path, step.old_link)
    if step.kind is StepKind.WRITE:
        return os.path.lexists(step.staged) or _write_back(path, step, journal)
    now = _present(path)
    if now is not None and now.identity.digest == step.old_digest:
        if now.mode != step.old_mode:
            path.chmod(step.old_mode)
        return True
    if step.kind is StepKind.CHMOD:
        return True
    if now is None:
        _bring_back(step, journal, put_new)
    return now is None


def is_other_spelling(path: Path, new_path: Path) -> bool:
    """Whether both are one directory entry, on a file system that ignores upper and lower case."""
    try:
        return path != new_path and not _stands(new_path) and os.path.samestat(path.lstat(), new_path.lstat())
    except OSError:
        return False


def _require_old(step: Step) -> None:
    path = Path(step.path)
    if not step.old_link:
        read_unchanged(path, FileIdentity(step.old_size, step.old_mtime_ns, step.old_digest))
    elif not path.is_symlink() or str(path.readlink()) != step.old_link:
        raise StaleFileError(path, "is not the symbolic link any more that was read; read it again")


def _move(path: Path, new_path: Path) -> None:
    if is_other_spelling(path, new_path):
        path.rename(new_path)
    elif path.is_symlink():
        # Some systems would link to what it points to; a name that is taken was refused a moment ago.
        path.rename(new_path)
    else:
        put_new(path, new_path)


def _write_back(path: Path, step: Step, journal: Journal) -> bool:
    now = _present(path)
    if now is None or now.identity.digest not in (step.old_digest, step.new_digest):
        return False
    if now.identity.digest != step.old_digest or now.mode != step.old_mode:
        _bring_back(step, journal, put_over)
    # Whatever waits where it was staged makes it count as not taken, however often this is tried.
    Path(step.staged).touch()
    return True


def _take_away(path: Path, step: Step) -> bool:
    staged = Path(step.staged)
    if os.path.lexists(staged):
        # The process may have ended between giving the file its name and taking the staged one away.
        with suppress(FileNotFoundError):
            if os.path.samestat(staged.lstat(), path.lstat()):
                path.unlink()
        return True
    now = _present(path)
    if now is not None and now.identity.digest == step.new_digest:
        # Back where it was staged, so that it counts as not taken however often this is tried.
        path.rename(staged)
        return True
    return now is None


def _move_back(path: Path, new_path: Path, step: Step) -> bool:
    if path == new_path:
        return True
    here, there = _stands(path), _stands(new_path)
    if here and there:
        # The process may have ended between giving the new name and taking the old one away.
        if os.path.samestat(path.lstat(), new_path.lstat()):
            new_path.unlink()
            return True
        return path.is_symlink() or _is_old(path, step)
    if there:
        new_path.rename(path)
    return here or there


def _is_old(path: Path, step: Step) -> bool:
    now = _present(path)
    return now is not None and now.identity.digest == step.old_digest


def _stands(path: Path) -> bool:
    """Whether a file stands there under exactly this name."""
    try:
        return any(entry.name == path.name for entry in path.parent.iterdir())
    except OSError:
        return False


def _link_back(path: Path, link: str) -> bool:
    if not os.path.lexists(path):
        path.symlink_to(link)
        return True
    return path.is_symlink() and str(path.readlink()) == link


def _present(path: Path) -> FileBytes | None:
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            raise StaleFileError(path, "is no regular file any more")
        return read_bytes(path)
    except (FileNotFoundError, NotADirectoryError, MissingFileError):
        return None


def _bring_back(step: Step, journal: Journal, put: Callable[[Path, Path], None]) -> None:
    path, returning = Path(step.path), Path(step.returning)
    returning.unlink(missing_ok=True)
    stage(path, journal.old_content(step), step.old_mode, place=returning)
    os.utime(returning, ns=(step.old_mtime_ns, step.old_mtime_ns))
    put(returning, path)
