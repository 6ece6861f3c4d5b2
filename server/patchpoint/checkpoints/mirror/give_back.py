"""Give a repository back what it lost, from its mirror: parts of its `.git`, objects, branches and tags.

Only what is missing is created; nothing that is there is changed.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.objects import Budget, add_objects
from patchpoint.checkpoints.mirror.register import Registered, registered
from patchpoint.filesystem.open_to_read import read_own_file
from patchpoint.git import refs
from patchpoint.git.dot_git import create_missing_parts
from patchpoint.git.errors import BrokenRepositoryError
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import COMMIT, ObjectID
from patchpoint.git.repository import Repository

_LARGEST = 64 << 20
"""Bytes of a file of refs that is read."""
_BRANCHES = "refs/heads/"


def registered_of(dot_git: str) -> dict[str, Registered]:
    """Return the checkpoints that the mirror of the repository with this `.git` knows, by their refs."""
    for store in _mirrors_of(dot_git):
        if found := registered(store):
            return found
    return {}


def repair_repository(folder: Path) -> list[str]:
    """Create what the repository at or above `folder` lacks; return what was done, in sentences.

    Where it lacks nothing, or cannot be repaired so, that is nothing. Raises `OSError`.
    """
    try:
        Repository.open(folder)
    except BrokenRepositoryError as error:
        dot_git = Path(error.dot_git)
    else:
        return []
    if not dot_git.is_dir():
        return []
    newest = max(registered_of(str(dot_git)).values(), key=lambda each: each.taken, default=None)
    head = newest.branch if newest is not None and newest.branch else f"{_BRANCHES}main"
    created = create_missing_parts(dot_git, head)
    says = [f"'{dot_git}' lacked {', '.join(created)}; created."]
    for store in _mirrors_of(str(dot_git)):
        if "objects" in created:
            budget = Budget(until=float("inf"), bytes=1 << 62)
            add_objects(os.fsencode(store / "objects"), os.fsencode(dot_git / "objects"), budget)
            says.append("The objects were brought back from the mirror.")
    with suppress(BrokenRepositoryError):
        repository = Repository.open(folder)
        if names := give_branches_back(repository, newest):
            says.append(
                f"{', '.join(names)} {'was' if len(names) == 1 else 'were'} brought back from the mirror."
            )
    return says


def give_branches_back(repository: Repository, newest: Registered | None) -> list[str]:
    """Create the branches and tags of the mirror that the repository has not, and whose commits it has.

    Returns their short names. The branch of `newest` is as it was at that checkpoint.
    """
    wanted: dict[bytes, str] = {}
    with suppress(OSError, RuntimeError):
        mirror = place.mirror_directory(repository)
        for line in read_own_file(mirror / "packed-refs", largest=_LARGEST).splitlines():
            digits, _, name = line.partition(b" ")
            wanted[name] = digits.decode("ascii", "replace")
    if newest is not None and newest.branch and newest.head:
        wanted[os.fsencode(newest.branch)] = newest.head
    objects = ObjectReader(repository)
    created = []
    for name, oid in sorted(wanted.items()):
        if repository.refs.has(name) or not name.startswith((b"refs/heads/", b"refs/tags/", b"refs/stash")):
            continue
        with suppress(Exception):
            if not name.startswith(b"refs/tags/"):
                objects.content(ObjectID(oid.encode()), COMMIT)
            if refs.create(repository.refs, name, oid):
                created.append(os.fsdecode(name).removeprefix(_BRANCHES))
    return created


def _mirrors_of(dot_git: str) -> list[Path]:
    """Return the mirrors of a repository whose object format is not known."""
    with suppress(RuntimeError):
        real = os.path.realpath(dot_git)
        places = [place.mirror_of(real, object_format) for object_format in ("sha1", "sha256")]
        return [each for each in places if each.is_dir()]
    return []
