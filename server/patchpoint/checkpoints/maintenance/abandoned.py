"""What crashes left behind in the git directory, and nobody needs any more."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.restore.replaced import delete_left_behind

if TYPE_CHECKING:
    from patchpoint.git.repository import Repository


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


def abandoned_in(directory: Path, pattern: str) -> list[Path]:
    """Return the files of a directory with such a name that nobody has written to for a day."""
    found = []
    with suppress(OSError):
        for path in directory.glob(pattern):
            if time.time() - path.stat().st_mtime > _OLD:
                found.append(path)
    return found
