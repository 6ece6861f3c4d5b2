"""What is wrong with the repository of a folder: what keeps checkpoints from being taken or found."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointError
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.git.index.read import read_index
from patchpoint.git.repository import Repository
from patchpoint.text.regex import regex

_LARGEST = 64 * 1024
"""Bytes of a file of git's that is read."""
_LOCK_S = 60.0
"""Seconds after which a lock is older than what git holds it for."""
_COMMITS = ("MERGE_HEAD", "CHERRY_PICK_HEAD", "REVERT_HEAD")
_IDS = regex(rb"(?:[0-9a-f]{40}(?:[0-9a-f]{24})?\n?)+")


def repository_problems(repository: Repository) -> Iterator[str]:
    """Yield what is wrong with a repository, or with what should be one, in sentences. Changes nothing."""
    if repository.private:
        return
    git_directory = Path(os.fsdecode(repository.gitdir))
    try:
        read_index(repository)
    except CheckpointError as error:
        yield str(error)
    lock = git_directory / "index.lock"
    with suppress(OSError):
        age = time.time() - lock.lstat().st_mtime
        if age > _LOCK_S:
            yield (
                f"'{lock}' is {int(age // 60)} min old: a git command is at work, or was killed. If none "
                "runs, delete that file; until then git stages nothing and no restore is made"
            )
    for name in _COMMITS:
        path = git_directory / name
        with suppress(OSError):
            if not _IDS.fullmatch(read_own_file(path, largest=_LARGEST)):
                yield (
                    f"'{path}' does not name a commit, so git takes an operation for unfinished that is not "
                    "there, and no restore is made; delete that file"
                )
