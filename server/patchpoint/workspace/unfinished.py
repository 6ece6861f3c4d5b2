"""The transactions that were interrupted, whatever workspace they are of: found at once, and rolled back.

While a transaction is under way there is a mark for it in one directory, so that a command which begins asks
only for the names in there.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.filesystem.errors import FileError
from patchpoint.filesystem.state_home import UNFINISHED, unfinished_marks
from patchpoint.filesystem.user_state import state_directory, state_home
from patchpoint.wording import plural

if TYPE_CHECKING:
    from patchpoint.workspace.transaction.rollback import RolledBack


_FOLDERS = "folders"
_NAMED = 3
"""How many files that were changed since are named; of the others it is said how many there are."""


def undo_log_directory(root: Path) -> Path:
    """Return the directory of the undo log of the workspace folder `root`. Raises `OSError`."""
    return state_directory(root) / "landing"


def mark_of(log_directory: Path) -> Path:
    """Return the path of the mark of an undo log, as `undo_log_directory` returns it."""
    return state_home() / UNFINISHED / log_directory.parent.name


def recover_unfinished() -> Iterator[str]:
    """Roll back what was interrupted in any workspace, and say of each what was done, in one line.

    What another process is just applying is left to it.
    """
    from patchpoint.workspace.transaction.apply import BusyError, roll_back_unfinished

    for name in unfinished_marks():
        log_directory = state_home() / _FOLDERS / name / "landing"
        try:
            done = roll_back_unfinished(log_directory, mark=mark_of(log_directory), wait=0)
        except BusyError:
            continue
        except (FileError, OSError) as error:
            yield f"Interrupted edits could not be undone yet: {error}."
            continue
        with suppress(OSError):
            mark_of(log_directory).unlink()
        if done.restored or done.kept:
            yield said_of(done)


def said_of(done: RolledBack) -> str:
    """Return what was rolled back, in one line: how many files, and by name those that are left."""
    said = []
    if done.restored:
        which = f" ({done.restored[0]})" if len(done.restored) == 1 else ""
        are = "is as it was" if len(done.restored) == 1 else "are as they were"
        said.append(
            f"Edits that were cut short are undone: {plural(len(done.restored), 'file')}{which} {are} before"
        )
    for kept in done.kept[:_NAMED]:
        old = f"; what it was before the edits is in {kept.saved_copy}" if kept.saved_copy else ""
        said.append(f"{kept.path} was changed since and is left as it is{old}")
    if len(done.kept) > _NAMED:
        copies = done.kept[-1].saved_copy
        where = f"; what they were is in {copies.parent}" if copies else ""
        said.append(f"So are {plural(len(done.kept) - _NAMED, 'other file')}{where}")
    return f"{'. '.join(said)}."
