"""The errors of reading and writing a repository.

Those of checkpoints (`patchpoint.checkpoints.errors`) belong to the same hierarchy.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress

from patchpoint.wording import duration


class RepositoryError(Exception):
    """Any failure with a repository; `code` is stable, for programs to rely on."""

    code = "checkpoint-error"


class FolderRefusedError(RepositoryError):
    """The folder is one that no checkpoint is taken of: a file system's root, a home folder."""

    code = "refused-folder"


class UnsupportedRepositoryError(RepositoryError):
    """The repository uses a format that is not supported here, or is another user's and not trusted."""

    code = "unsupported-repository"


class BrokenRepositoryError(UnsupportedRepositoryError):
    """A `.git` is there, and what it holds is no repository any more."""

    code = "broken-repository"

    def __init__(self, dot_git: str, fault: str) -> None:
        super().__init__(
            f"'{dot_git}' {fault}. Until it is repaired, no checkpoints are taken; 'patchpoint doctor "
            "--repair' creates what is missing, and brings back the checkpoints that there were."
        )
        self.dot_git = dot_git
        """The path of the `.git`."""


class RepositoryBusyError(RepositoryError):
    """Another process held a lock of the repository for too long."""

    code = "repository-busy"


class SnapshotFailedError(RepositoryError):
    """The working tree could not be recorded; no checkpoint was taken."""

    code = "snapshot-failed"


class ObjectsVanishedError(SnapshotFailedError):
    """Something removed objects of the snapshot before a ref reached them; no checkpoint was taken."""

    code = "objects-vanished"


class CheckpointDamagedError(RepositoryError):
    """An object that the checkpoint needs is missing, or its content does not match its id."""

    code = "checkpoint-damaged"


def lock_held(lock: str | bytes | os.PathLike[str]) -> RepositoryBusyError:
    """Return the error for a lock file of git that another program has, or that one that was killed left."""
    place = os.fsdecode(lock)
    since = ""
    with suppress(OSError):
        since = f", which is there for {duration(time.time() - os.lstat(place).st_mtime)}"
    return RepositoryBusyError(
        f"Another program holds '{place}'{since}; wait for it. If no git command is running, a killed one "
        "left the file behind: delete it."
    )
