"""What crashes left behind in the git directory: files that nobody needs any more, and half of a restore."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import UnfinishedRestoreError
from patchpoint.checkpoints.restore.phases import is_from_earlier_boot, is_left_undone, is_unfinished
from patchpoint.checkpoints.restore.replaced import delete_left_behind

if TYPE_CHECKING:
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.restore.journal import RestoreJournal
    from patchpoint.git.repository import Repository
    from patchpoint.progress import Progress


FETCHED_PREFIX = "fetched."
"""Of the directories in `.git/patchpoint` that fetches write into."""
_OLD = 86_400.0
"""Seconds after which a temporary object file counts as abandoned."""


def remove_abandoned_files(repository: Repository) -> None:
    """Remove what crashes left: temporary pack files and what was fetched, when older than a day, and trash
    directories of restores."""
    delete_left_behind(repository.patchpoint_directory)
    common = Path(os.fsdecode(repository.commondir))
    for path in abandoned_in(common / "objects" / "pack", "tmp_*"):
        with suppress(OSError):
            path.unlink()
    for path in abandoned_in(common / "patchpoint", f"{FETCHED_PREFIX}*"):
        import shutil

        shutil.rmtree(path, ignore_errors=True)


def may_be_left_undone(repository: Repository) -> bool:
    """Return whether a restore was cut short, or may not all have reached the disk when the power failed."""
    return is_left_undone(repository) or is_from_earlier_boot(repository.patchpoint_directory)


def finish_left_undone(records: Records, progress: Progress, *, recover: bool) -> RestoreJournal | None:
    """Finish or discard the restore that was cut short, and return its journal; `None`: there is none.

    Raises what `finish_interrupted_restore` raises, and without `recover`, for a folder that is not trusted,
    `UnfinishedRestoreError`.
    """
    repository = records.repository
    if recover and may_be_left_undone(repository):
        from patchpoint.checkpoints.restore.apply import finish_interrupted_restore

        return finish_interrupted_restore(records, progress)
    if is_unfinished(repository.patchpoint_directory):
        raise UnfinishedRestoreError(
            f"A restore of '{os.fsdecode(repository.worktree)}' was interrupted and will not be finished "
            "while the folder is not trusted; trust the folder first."
        )
    return None


def abandoned_in(directory: Path, pattern: str) -> list[Path]:
    """Return the files of a directory with such a name that nobody has written to for a day."""
    found = []
    with suppress(OSError):
        for path in directory.glob(pattern):
            if time.time() - path.stat().st_mtime > _OLD:
                found.append(path)
    return found
