"""Where the mirror of a repository is, and which folders the checkpoints of a mirror or private store are of.

    <state directory>/mirrors/<hash>/    a bare repository, for this user alone
        origin.json                      what it mirrors, and the folders that checkpoints were taken of
        register                         the checkpoints; see `register.py`
        objects/                         what the repository's object store has; see `objects.py`
        packed-refs, HEAD                its branches and tags, as they were within the last hour

A folder is known by its path and, in case it is renamed, by its device and inode.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.atomic_write import Durability, write_atomically
from patchpoint.filesystem.user_state import read_json, state_home
from patchpoint.git.repository import Repository

Identity = tuple[int, int]
"""Device and inode of a folder."""

_ORIGIN = "origin.json"
_VERSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreOrigin:
    """What the checkpoints of a mirror, or of a private store, were taken of."""

    directory: str
    """The git directory that is mirrored, or that of the private store itself."""
    object_format: str
    roots: Mapping[str, Identity]
    """The roots of the working trees, with what they were when a checkpoint was taken last."""


def mirrors_directory() -> Path:
    """Return the directory of all mirrors; it need not exist. Raises `RuntimeError` without a home."""
    return state_home() / "mirrors"


def mirror_directory(repository: Repository) -> Path:
    """Return the place of the mirror of a repository; it need not exist. Raises `RuntimeError`."""
    return mirror_of(os.fsdecode(repository.commondir), repository.object_format)


def mirror_of(directory: str, object_format: str) -> Path:
    """Return the place of the mirror of the repository with this git directory, a real path."""
    name = f"{object_format}:{os.path.normcase(directory)}"
    return mirrors_directory() / hashlib.sha256(os.fsencode(name)).hexdigest()[:32]


def has_mirror(repository: Repository) -> bool:
    """Return whether there is a mirror of the repository."""
    try:
        return not repository.private and (mirror_directory(repository) / _ORIGIN).exists()
    except (OSError, RuntimeError):
        return False


def make_mirror(repository: Repository) -> Path:
    """Return the mirror of a repository, which is created if need be. Raises `OSError`, `RuntimeError`."""
    mirror = mirror_directory(repository)
    if not (mirror / "HEAD").exists():
        from patchpoint.git.new_repository import make_repository

        mirror.mkdir(mode=0o700, parents=True, exist_ok=True)
        make_repository(mirror, bare=True, object_format=repository.object_format)
    return mirror


def note_origin(store: Path, repository: Repository) -> None:
    """Note that the mirror or private store at `store` has checkpoints of the working tree at hand.

    Raises `OSError`.
    """
    status = os.stat(repository.worktree)
    root, identity = os.fsdecode(repository.worktree), (status.st_dev, status.st_ino)
    known = read_origin(store)
    if known is None:
        known = StoreOrigin(
            directory=os.fsdecode(repository.commondir), object_format=repository.object_format, roots={}
        )
    if known.roots.get(root) != identity:
        known = replace(known, roots={**known.roots, root: identity})
        content = {
            "directory": known.directory,
            "format": known.object_format,
            "roots": [[path, *numbers] for path, numbers in sorted(known.roots.items())],
        }
        text = json.dumps({"version": _VERSION, "content": content})
        write_unsynced(store / _ORIGIN, text.encode("ascii"))


def read_origin(store: Path) -> StoreOrigin | None:
    """Return what the checkpoints in a mirror or private store were taken of; `None` where none says so."""
    match read_json(store / _ORIGIN, _VERSION):
        case {"directory": str(directory), "format": str(object_format), "roots": list(roots)}:
            found: dict[str, Identity] = {}
            for each in roots:
                match each:
                    case [str(path), int(device), int(inode)]:
                        found[path] = (device, inode)
            return StoreOrigin(directory=directory, object_format=object_format, roots=found)
    return None


def write_unsynced(path: Path, data: bytes) -> None:
    """Write a file for this user alone, atomically; nobody waits for the disk, for it can be made again."""
    write_atomically(path, data, permissions=0o600, durability=Durability.NONE)


def origins() -> dict[Path, StoreOrigin]:
    """Return what each mirror and each private store of this user was taken of, by its place."""
    try:
        home = state_home()
        places = [*home.glob(f"mirrors/*/{_ORIGIN}"), *home.glob(f"folders/*/checkpoints/{_ORIGIN}")]
    except (OSError, RuntimeError):
        return {}
    found = {place.parent: read_origin(place.parent) for place in sorted(places)}
    return {store: origin for store, origin in found.items() if origin is not None}


def mirrored_directories() -> dict[Path, str]:
    """Return the git directory that each mirror is of."""
    return {
        store: origin.directory for store, origin in origins().items() if store.parent == mirrors_directory()
    }


def opened(store: Path, object_format: str, worktree: bytes) -> Repository:
    """Return the mirror or private store at `store` as a repository, for reading, of a working tree."""
    from dulwich.config import StackedConfig

    return Repository(
        worktree=worktree,
        gitdir=os.fsencode(store),
        commondir=os.fsencode(store),
        worktree_name=None,
        private=True,
        prefix=b"",
        config=StackedConfig([]),
        object_format=object_format,
    )
