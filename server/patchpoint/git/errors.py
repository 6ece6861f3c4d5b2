"""The errors of reading and writing a repository.

Those of checkpoints (`patchpoint.checkpoints.errors`) belong to the same hierarchy.
"""

from __future__ import annotations


class RepositoryError(Exception):
    """Any failure with a repository; `code` is stable, for programs to rely on."""

    code = "checkpoint-error"


class FolderRefusedError(RepositoryError):
    """The folder is one that no checkpoint is taken of: a file system's root, a home folder."""

    code = "refused-folder"


class UnsupportedRepositoryError(RepositoryError):
    """The repository uses a format that is not supported here, or is another user's and not trusted."""

    code = "unsupported-repository"


class RepositoryBusyError(RepositoryError):
    """Another process held a lock of the repository for too long."""

    code = "repository-busy"


class SnapshotFailedError(RepositoryError):
    """The working tree could not be recorded; no checkpoint was taken."""

    code = "snapshot-failed"


class CheckpointDamagedError(RepositoryError):
    """An object that the checkpoint needs is missing, or its content does not match its id."""

    code = "checkpoint-damaged"
