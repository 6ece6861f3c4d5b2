"""The lock of a repository's checkpoints, which one process at a time holds."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints.errors import RepositoryBusyError, UnsupportedRepositoryError
from patchpoint.filesystem.exhausted import in_words
from patchpoint.filesystem.lock import LockBusyError, exclusive_lock
from patchpoint.git.ref_creation import remove_half_created
from patchpoint.git.ref_deletion import is_left_behind, release_left_behind

if TYPE_CHECKING:
    from patchpoint.git.repository import Repository
    from patchpoint.progress import Progress


_THREAD_WAIT = 60.0
"""Seconds for which another thread of this process is waited for: the same person asked for its work."""


@contextmanager
def repository_lock(
    repository: Repository, progress: Progress, *, timeout: float | None = None
) -> Iterator[None]:
    """Hold the lock of the repository's checkpoints while the block runs.

    Raises `RepositoryBusyError` when it cannot be acquired in `timeout` seconds, by default the repository's
    `patience`, and `CancelledError` when `progress` is cancelled.
    """
    from patchpoint.git.odb.kept_packs import tend_kept_packs

    wait = repository.patience if timeout is None else timeout
    lock = Path(os.fsdecode(repository.commondir)) / "patchpoint" / "lock"
    try:
        with exclusive_lock(
            lock, timeout=wait, thread_timeout=max(wait, _THREAD_WAIT) if wait else 0, progress=progress
        ):
            release_left_behind(repository.commondir)
            remove_half_created(repository.commondir)
            objects = os.path.join(repository.commondir, b"objects")
            tend_kept_packs(objects, repository.object_format, collected=not repository.private)
            yield
    except LockBusyError as error:
        if error.path.is_symlink():
            raise RepositoryBusyError(
                f"'{error.path}' is a symbolic link, which is not followed; delete it."
            ) from error
        if isinstance(error.__cause__, OSError):
            raise RepositoryBusyError(
                f"'{error.path}' cannot be written: {in_words(error.__cause__)}."
            ) from error
        raise RepositoryBusyError(
            f"{error.holder} is using the checkpoints and holds '{error.path}'; gave up after {wait:g} "
            f"seconds. When it is done, {error.remedy}."
        ) from error


def is_left_locked(repository: Repository) -> bool:
    """Return whether a process that has died, or one that works now, has locked refs to delete them.

    Git cannot delete or pack refs meanwhile. Who gets the lock of the checkpoints next removes those locks.
    """
    return is_left_behind(repository.commondir)


def refuse_linked_directory(repository: Repository) -> None:
    """Raise `UnsupportedRepositoryError` when a directory of Patchpoint's own is a symbolic link."""
    shared = Path(os.fsdecode(repository.commondir)) / "patchpoint"
    for directory in (repository.patchpoint_directory, shared):
        if directory.is_symlink():
            raise UnsupportedRepositoryError(
                f"'{directory}' is a symbolic link, which would have files written and deleted elsewhere; "
                "delete the link."
            )
