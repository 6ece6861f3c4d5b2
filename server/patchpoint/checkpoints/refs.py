"""The private refs: how they are called, and creating, deleting and listing them beside other processes."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from dulwich.file import FileLocked
from dulwich.objects import ObjectID
from dulwich.refs import Ref, RefsContainer

from patchpoint.checkpoints.errors import RepositoryBusyError

_PATIENCE = 5.0
"""Seconds to wait for a ref's lock file; git holds one for milliseconds."""
_FIRST_PAUSE = 0.002
_LONGEST_PAUSE = 0.1

_Answer = TypeVar("_Answer")


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where the refs of one working tree stand."""

    prefix: bytes
    """`refs/patchpoint/` for the main working tree, `refs/patchpoint/worktrees/<name>/` for a linked one."""

    @classmethod
    def of(cls, worktree_name: bytes | None) -> Namespace:
        """The namespace of the main working tree (`None`) or of the linked one of this name."""
        if worktree_name is None:
            return cls(b"refs/patchpoint/")
        return cls(b"refs/patchpoint/worktrees/" + worktree_name + b"/")

    @property
    def checkpoints(self) -> bytes:
        """Below this stand the checkpoints that were asked for."""
        return self.prefix + b"checkpoints/"

    @property
    def safety(self) -> bytes:
        """Below this stand the checkpoints taken before a restore."""
        return self.prefix + b"safety/"

    @property
    def undone(self) -> bytes:
        """Below this stand commits that a restore took off a branch, each by its safety checkpoint's id."""
        return self.prefix + b"undone/"


def create(refs: RefsContainer, name: bytes, commit: str) -> bool:
    """Make the ref `name` point at `commit`; false when it exists already.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    return _patiently(name, lambda: refs.add_if_new(Ref(name), ObjectID(commit.encode())))


def delete(refs: RefsContainer, name: bytes, commit: str) -> bool:
    """Delete the ref `name` if it points at `commit`; false when it does not.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    return _patiently(name, lambda: refs.remove_if_equals(Ref(name), ObjectID(commit.encode())))


def below(refs: RefsContainer, prefix: bytes) -> dict[str, str]:
    """The refs below `prefix` (which ends in a slash): the rest of each name, and what it points at."""
    return {
        name.decode("utf-8", "surrogateescape"): target.decode()
        for name, target in refs.as_dict(Ref(prefix.rstrip(b"/"))).items()
    }


def names_below(refs: RefsContainer, prefix: bytes) -> list[str]:
    """The rest of the name of each ref below `prefix` (which ends in a slash)."""
    return [name.decode("utf-8", "surrogateescape") for name in refs.subkeys(Ref(prefix.rstrip(b"/")))]


def move(refs: RefsContainer, name: bytes, old: str | None, new: str | None) -> bool:
    """Move the ref `name` if it stands at `old`; false when not. `None` is a ref that is not there.

    Raises `RepositoryBusyError` when its lock is held too long.
    """
    if old is None:
        return new is None or create(refs, name, new)
    if new is None:
        return delete(refs, name, old)
    before, after = ObjectID(old.encode()), ObjectID(new.encode())
    return _patiently(name, lambda: refs.set_if_equals(Ref(name), before, after))


def _patiently(name: bytes, action: Callable[[], _Answer]) -> _Answer:
    """Do `action`, again after a pause when another process holds the lock or just removed the folder."""
    deadline = time.monotonic() + _PATIENCE
    pause = _FIRST_PAUSE
    while True:
        try:
            return action()
        except (FileLocked, FileNotFoundError) as error:
            if time.monotonic() > deadline:
                shown = name.decode("utf-8", "replace")
                raise RepositoryBusyError(
                    f"'{shown}' is locked by another program; when none is running, delete its '.lock' file."
                ) from error
        except OSError as error:
            raise RepositoryBusyError(
                f"'{name.decode('utf-8', 'replace')}' cannot be written ({error.strerror or error}); "
                "checkpoints need room and the right to write to the repository."
            ) from error
        time.sleep(pause)
        pause = min(pause * 2, _LONGEST_PAUSE)
