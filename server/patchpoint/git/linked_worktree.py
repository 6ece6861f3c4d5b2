"""Create a linked working tree, as `git worktree add --no-checkout` does.

The layout is that of gitrepository-layout(5), "worktrees". Nothing is checked out, and no hook runs.
"""

from __future__ import annotations

import os
import shutil
from contextlib import suppress

from patchpoint.filesystem.directory_tree import DirectoryTree
from patchpoint.filesystem.open_directory import OpenDirectory
from patchpoint.git import refs
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Repository
from patchpoint.text.regex import regex

_WORKTREES = b"worktrees"
_NOT_IN_NAME = regex(rb"[^0-9A-Za-z_+-]+")
"""Git replaces only what a ref's name cannot have; a name of these alone is safe everywhere."""
_LOCKED = b"initializing"
"""The reason that git gives, for which `git worktree prune` leaves it alone meanwhile."""


class LinkedWorktree:
    """A linked working tree that is being created; `finish` or `remove` ends that."""

    def __init__(self, repository: Repository, folder: bytes, head: bytes) -> None:
        """Create the folder and the repository's part of it; folders above are created as well.

        `head` becomes the content of its `HEAD`: a commit id, or `ref: ` and a branch. Raises
        `FileExistsError` when there is anything at `folder`, and `OSError`, with nothing left there.
        """
        above, name = os.path.split(folder)
        os.makedirs(above, exist_ok=True)
        self.folder = os.path.join(os.path.realpath(above), name)
        self.gitdir = b""
        with OpenDirectory(above) as directory:
            directory.make_directory(name)
        try:
            self.gitdir = _registered(repository, self.folder, head)
            with OpenDirectory(self.folder) as directory:
                directory.write_new(b".git", b"gitdir: " + self.gitdir + b"\n")
        except BaseException:
            self.remove()
            raise

    def finish(self) -> None:
        """Let git, which has left it alone so far, work with it."""
        with OpenDirectory(self.gitdir) as directory:
            directory.remove(b"locked")

    def remove(self) -> None:
        """Remove the folder with all that is in it, and the repository's part of it. Raises nothing."""
        shutil.rmtree(self.folder, ignore_errors=True)
        if self.gitdir:
            shutil.rmtree(self.gitdir, ignore_errors=True)
            with suppress(OSError):
                os.rmdir(os.path.dirname(self.gitdir))


def _registered(repository: Repository, folder: bytes, head: bytes) -> bytes:
    """Create the repository's part of the working tree at `folder`, and return its path."""
    tree = DirectoryTree(repository.commondir)
    try:
        worktrees = tree.at(_WORKTREES, create=True)
        name = _make_directory(repository, worktrees, os.path.basename(folder))
        with worktrees.subdirectory(name) as own:
            own.write_new(b"locked", _LOCKED + b"\n")
            own.write_new(b"gitdir", os.path.join(folder, b".git") + b"\n")
            own.write_new(b"commondir", b"../..\n")
            own.write_new(b"HEAD", head + b"\n")
    finally:
        tree.close()
    return os.path.join(repository.commondir, _WORKTREES, name)


def _make_directory(repository: Repository, worktrees: OpenDirectory, wanted: bytes) -> bytes:
    """Create a directory in `worktrees`, and return its name, which begins with `wanted`.

    A name under which there are checkpoints of a working tree that is gone is not given again.
    """
    base = _NOT_IN_NAME.sub(b"-", wanted).strip(b"-") or b"fork"
    number = 0
    while True:
        name = base + (b"%d" % number if number else b"")
        number += 1
        if refs.names_below(repository.refs, Namespace.of(name).prefix):
            continue
        with suppress(FileExistsError):
            worktrees.make_directory(name)
            return name
