"""How a mirror is: whether it can be written, and how many of the checkpoints it has whole."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.mirror import place
from patchpoint.checkpoints.mirror.register import append_entries, registered
from patchpoint.checkpoints.mirror.tidy import own_bytes
from patchpoint.checkpoints.mirror.update import complete_mirror
from patchpoint.checkpoints.record.mirrored import Described
from patchpoint.checkpoints.record.records import Records
from patchpoint.dataclass import dataclass
from patchpoint.filesystem.exhausted import in_words
from patchpoint.git import refs
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID, RawObjectID, to_binary
from patchpoint.git.odb.loose import loose_size
from patchpoint.git.repository import Repository
from patchpoint.progress import Progress


@dataclass(frozen=True, slots=True, kw_only=True)
class MirrorState:
    """What there is to say of the mirror of a repository."""

    place: Path
    problem: str | None
    """Why it cannot be written, and what to do."""
    checkpoints: int
    """How many checkpoints the repository has."""
    whole: int
    """How many of them the mirror has, with everything that they need."""
    own_bytes: int
    """What it takes beyond what the repository takes."""
    is_full: bool = False
    """Whether it cannot have all within its limit; known once it was completed."""


def mirror_state(records: Records, *, complete: bool, progress: Progress) -> MirrorState | None:
    """Return how the mirror is; `None` where there is to be none. With `complete` it is completed first.

    The caller holds the lock of the checkpoints.
    """
    repository, limit = records.repository, records.mirror_bytes
    if repository.private or limit is None:
        return None
    known = refs.checkpoints_of_all(repository.refs)
    try:
        mirror = place.mirror_directory(repository)
    except RuntimeError as error:
        return MirrorState(place=Path(), problem=str(error), checkpoints=len(known), whole=0, own_bytes=0)
    problem, is_full = None, False
    try:
        if known:
            append_entries(place.make_mirror(repository), ())
            is_full = complete and not complete_mirror(
                repository, limit, Described(repository, records.namespace)
            )
    except OSError as error:
        problem = in_words(error)
    return MirrorState(
        place=mirror,
        problem=problem,
        checkpoints=len(known),
        whole=_whole(repository, mirror, known, progress),
        own_bytes=own_bytes(mirror),
        is_full=is_full,
    )


def _whole(repository: Repository, mirror: Path, known: Mapping[str, str], progress: Progress) -> int:
    listed = registered(mirror)
    there = place.opened(mirror, repository.object_format, repository.worktree)
    check = _Presence(there)
    whole = 0
    for ref, commit in known.items():
        progress.check()
        if ref in listed and listed[ref].commit == commit and check.has_checkpoint(ObjectID(commit.encode())):
            whole += 1
    return whole


class _Presence:
    """Which trees a store has with all that is in them: trees are read, blobs are looked for."""

    def __init__(self, repository: Repository) -> None:
        self._objects = ObjectReader(repository)
        self._packs = repository.packs
        self._directory = os.path.join(repository.commondir, b"objects")
        self._whole: set[RawObjectID] = set()

    def has_checkpoint(self, commit: ObjectID) -> bool:
        """Return whether commit, tree and state commit of a checkpoint are there."""
        try:
            found = self._objects.commit(commit)
            state = self._objects.commit(found.parents[-1]) if found.parents else found
            return self._has_tree(ObjectID(found.tree)) and self._has_tree(ObjectID(state.tree))
        except CheckpointDamagedError:
            return False

    def _has_tree(self, root: ObjectID) -> bool:
        """Return whether all of a tree is there. Raises `CheckpointDamagedError` where a tree is not."""
        seen: set[RawObjectID] = set()
        waiting = [root]
        while waiting:
            tree = waiting.pop()
            if to_binary(tree) in self._whole or to_binary(tree) in seen:
                continue
            seen.add(to_binary(tree))
            for each in self._objects.tree(tree).values():
                if each.is_tree:
                    waiting.append(each.oid)
                elif not each.is_gitlink and not self._has(each.oid):
                    return False
        self._whole |= seen
        return True

    def _has(self, oid: ObjectID) -> bool:
        binary = to_binary(oid)
        return self._packs.holding(binary) is not None or loose_size(self._directory, binary) is not None
