"""Holding git's lock of the index, so that no git command stages or commits in the middle of a restore.

The lock says whose it is: one that a restore left behind when its process died is known by that, and taken
over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.checkpoints.errors import RepositoryBusyError
from patchpoint.checkpoints.repository import Repository

_PATIENCE = 5.0
_PAUSE = 0.02
_MARK = "patchpoint "


@contextmanager
def index_lock(repository: Repository, owner: str, *, patience: float | None = None) -> Iterator[None]:
    """Hold the lock while the block runs; `owner` (a safety checkpoint's id) is written into it.

    A lock of this owner's that is there already is taken over. Raises `RepositoryBusyError` when somebody
    else's is not released within `patience` seconds (5). Where there is no index there is nothing to hold.
    """
    if repository.private:
        yield
        return
    place = _place(repository)
    deadline = time.monotonic() + (_PATIENCE if patience is None else patience)
    while not (_create(repository, owner) or _is_held_by(place, owner)):
        if time.monotonic() > deadline:
            raise RepositoryBusyError(
                f"Another program holds '{place}'; wait for it. When no git command runs, delete the file."
            )
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def release_left_behind(repository: Repository, owner: str) -> None:
    """Remove the lock that `owner` left behind, if there is one."""
    _unnamed(repository, owner).unlink(missing_ok=True)
    if not repository.private and _is_held_by(_place(repository), owner):
        _place(repository).unlink(missing_ok=True)


def _place(repository: Repository) -> Path:
    return Path(os.fsdecode(repository.gitdir)) / "index.lock"


def _create(repository: Repository, owner: str) -> bool:
    """Whether the lock is ours now: it appears with its content, so that no crash leaves a nameless one."""
    place = _place(repository)
    fresh = _unnamed(repository, owner)
    fresh.write_text(_MARK + owner, "ascii")
    try:
        os.link(fresh, place)
    except FileExistsError:
        return False
    except OSError:
        return _create_plainly(place, owner)
    finally:
        fresh.unlink()
    return True


def _create_plainly(place: Path, owner: str) -> bool:
    """The same on a file system without hard links, where the lock is nameless for an instant."""
    try:
        with place.open("x", encoding="ascii") as file:
            file.write(_MARK + owner)
    except FileExistsError:
        return False
    return True


def _unnamed(repository: Repository, owner: str) -> Path:
    """Where the lock of `owner` is made before it takes its name."""
    return _place(repository).with_name(f"index.lock.{owner}")


def _is_held_by(place: Path, owner: str) -> bool:
    with suppress(OSError, ValueError):
        return place.stat().st_size < 200 and place.read_text("ascii") == _MARK + owner
    return False


def left_behind(repository: Repository) -> Path | None:
    """The lock if a restore made it; with the repository's turn held and no journal open, nobody holds it."""
    place = _place(repository)
    with suppress(OSError, ValueError):
        if not repository.private and place.stat().st_size < 200:
            return place if place.read_text("ascii").startswith(_MARK) else None
    return None
