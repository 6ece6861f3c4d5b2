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
from patchpoint.git.repository import Repository, git_directory_of
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
        yield from _unusable_above(Path(os.fsdecode(repository.worktree)))
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


def _unusable_above(folder: Path) -> Iterator[str]:
    """Find the nearest `.git` above that is there and of which git makes no repository."""
    for above in (folder, *folder.parents):
        dot_git = above / ".git"
        if not os.path.lexists(dot_git):
            continue
        if git_directory_of(os.fsencode(above)) is None:
            yield (
                f"'{dot_git}' {_fault(dot_git)}. Until it is repaired, checkpoints are kept outside of it, "
                "and those that it holds are not shown"
            )
        return


def _fault(dot_git: Path) -> str:
    if dot_git.is_dir():
        missing = [name for name in ("HEAD", "objects", "refs") if not os.path.lexists(dot_git / name)]
        if missing == ["HEAD"]:
            return "has no HEAD (of branch 'main': `git symbolic-ref HEAD refs/heads/main` creates it)"
        return f"is no repository: it lacks {', '.join(missing) or 'what git needs'}"
    try:
        named = read_own_file(dot_git, largest=_LARGEST).decode("utf-8", "replace").strip()
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    target = named.removeprefix("gitdir:").strip()
    if target == named:
        return "does not say where its repository is"
    return f"points to '{target}', which is no repository (after a move: `git worktree repair`, run there)"
