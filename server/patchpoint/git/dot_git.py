"""A `.git` that is there and of which no repository can be made: what is wrong with it, and what it lacks."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.filesystem.open_to_read import read_own_file

_LARGEST = 64 * 1024
"""Bytes of a `.git` file that are read."""
_PARTS = ("HEAD", "objects", "refs")
_SIGNS = (*_PARTS, "config", "index", "packed-refs", "logs")
"""What shows that a directory was a repository: an empty one, which sandboxes put in place, is none."""


def is_broken(dot_git: bytes) -> bool:
    """Return whether git would have made a repository of this, which is none now, were it whole.

    For git's own sake, that also holds for a file that does not say where its repository is.
    """
    try:
        if os.path.isdir(dot_git):
            return any(os.fsencode(name) in os.listdir(dot_git) for name in _SIGNS)
        return os.path.isfile(dot_git) and os.path.getsize(dot_git) > 0
    except OSError:
        return True


def fault_of(dot_git: Path) -> str:
    """Return what is wrong with a `.git`, as the rest of a sentence that begins with its path."""
    if dot_git.is_dir():
        missing = missing_parts(dot_git)
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


def missing_parts(dot_git: Path) -> list[str]:
    """Return what a directory lacks of what makes it a repository."""
    return [name for name in _PARTS if not os.path.lexists(dot_git / name)]


def create_missing_parts(dot_git: Path, head: str) -> list[str]:
    """Create what a directory lacks to be a repository, with HEAD on the branch `head` (its full name).

    Returns what that was. What is there stays. Raises `OSError`.
    """
    missing = missing_parts(dot_git)
    for name, parts in (("objects", ("pack", "info")), ("refs", ("heads", "tags"))):
        for part in parts if name in missing else ():
            (dot_git / name / part).mkdir(parents=True, exist_ok=True)
    if "HEAD" in missing:
        from patchpoint.filesystem.atomic_write import write_new

        write_new(dot_git / "HEAD", b"ref: " + os.fsencode(head) + b"\n")
    return missing
