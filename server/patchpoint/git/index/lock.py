"""Hold git's lock of the index, so that no git command stages or commits in the middle of a restore.

The lock file names its owner: one that a restore left when its process died is recognised by that, and taken
over.
"""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from patchpoint.filesystem.open_to_read import read_file_bytes
from patchpoint.git.errors import lock_held
from patchpoint.git.repository import Repository

_PAUSE = 0.02
_MARK = "patchpoint "


@contextmanager
def index_lock(repository: Repository, owner: str, *, patience: float | None = None) -> Iterator[None]:
    """Hold the lock while the block runs; `owner` (a safety checkpoint's id) is written into it.

    A lock that this owner holds already is taken over. Raises `RepositoryBusyError` when another one's is not
    released within `patience` seconds (by default the repository's). A private store has no index, and
    nothing is locked.
    """
    if repository.private:
        yield
        return
    place = _place(repository)
    deadline = time.monotonic() + (repository.patience if patience is None else patience)
    while not (_create(repository, owner) or _is_held_by(place, owner)):
        if time.monotonic() > deadline:
            raise lock_held(place)
        time.sleep(_PAUSE)
    try:
        yield
    finally:
        place.unlink(missing_ok=True)


def release_left_behind(repository: Repository, owner: str) -> None:
    """Remove the lock that `owner` left behind, if there is one."""
    _temporary(repository, owner).unlink(missing_ok=True)
    if not repository.private and _is_held_by(_place(repository), owner):
        _place(repository).unlink(missing_ok=True)


def _place(repository: Repository) -> Path:
    return Path(os.fsdecode(repository.gitdir)) / "index.lock"


def _create(repository: Repository, owner: str) -> bool:
    """Return whether the lock was acquired; it appears with its content, so that no crash leaves one without
    an owner."""
    place = _place(repository)
    fresh = _temporary(repository, owner)
    fresh.write_bytes((_MARK + owner).encode("ascii"))
    try:
        os.link(fresh, place)
    except FileExistsError:
        return False
    except OSError:
        return _create_without_link(place, owner)
    finally:
        fresh.unlink()
    return True


def _create_without_link(place: Path, owner: str) -> bool:
    """Do the same on a file system without hard links, where the lock has no owner for an instant."""
    try:
        with place.open("x", encoding="ascii") as file:
            file.write(_MARK + owner)
    except FileExistsError:
        return False
    return True


def _temporary(repository: Repository, owner: str) -> Path:
    """Return the path of the lock of `owner` before it is linked to its name."""
    return _place(repository).with_name(f"index.lock.{owner}")


def _is_held_by(place: Path, owner: str) -> bool:
    with suppress(OSError, ValueError):
        return place.stat().st_size < 200 and read_file_bytes(place) == (_MARK + owner).encode()
    return False


def left_behind(repository: Repository) -> Path | None:
    """Return the lock file if a restore created it.

    While the caller holds the repository's lock and no journal is open, no process holds this one.
    """
    place = _place(repository)
    with suppress(OSError, ValueError):
        if not repository.private and place.stat().st_size < 200:
            return place if read_file_bytes(place).startswith(_MARK.encode()) else None
    return None
