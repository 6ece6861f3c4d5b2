"""What the register of a mirror says of checkpoints, and when it is written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cached_property

from patchpoint.checkpoints.mirror.place import has_mirror, mirror_directory
from patchpoint.checkpoints.mirror.register import Registered, append_deleted, is_behind
from patchpoint.checkpoints.record.checkpoint import Checkpoint, is_id, milliseconds_of, trailers_of
from patchpoint.dataclass import dataclass
from patchpoint.git.errors import CheckpointDamagedError
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID
from patchpoint.git.refs import Namespace
from patchpoint.git.repository import Repository


@dataclass(frozen=True)
class Described:
    """Finds out what the register of a mirror says of the refs of checkpoints, from their commits."""

    repository: Repository
    own: Namespace
    """That of the working tree at hand, which its checkpoints are of wherever they were taken."""

    def __call__(self, ref: str, commit: str) -> Registered | None:
        """Return it, or `None` for what is no checkpoint, or damaged."""
        prefix, _, id_ = ref.rpartition("/")
        try:
            found = trailers_of(self._objects.commit(ObjectID(commit.encode())).message)
        except CheckpointDamagedError:
            return None
        if not is_id(id_) or "Id" not in found:
            return None
        value = {name: each[0] for name, each in found.items()}
        is_own = os.fsencode(prefix + "/") in (self.own.checkpoints, self.own.safety)
        return Registered(
            ref=ref,
            commit=commit,
            taken=taken_at(id_),
            root=os.fsdecode(self.repository.worktree) if is_own else value.get("Root", ""),
            label=value.get("Label", ""),
            session=value.get("Session"),
            branch=value.get("Branch"),
            head=value.get("Head"),
        )

    @cached_property
    def _objects(self) -> ObjectReader:
        return ObjectReader(self.repository)


def add_to_mirror(
    described: Described,
    checkpoints: Mapping[bytes, Checkpoint],
    limit: int | None,
    since: float,
    before: str | None,
) -> None:
    """Add checkpoints, by the names of their refs, to the mirror, which may take `limit` bytes.

    Where that is `None` there is to be none. See `patchpoint.checkpoints.mirror.update`. Raises nothing.
    """
    if limit is None:
        return
    from patchpoint.checkpoints.mirror import update

    entries = [registered(ref, each) for ref, each in checkpoints.items()]
    update.add_to_mirror(described.repository, entries, limit, since, before, described)


def continue_mirror(described: Described, limit: int | None, seconds: float | None) -> bool:
    """Add to the mirror what was left for lack of time, for so many seconds; return whether more is left.

    See `patchpoint.checkpoints.mirror.update`. Raises nothing.
    """
    with suppress(OSError, RuntimeError):
        if limit is None or not has_mirror(described.repository):
            return False
        if is_behind(mirror_directory(described.repository)):
            from patchpoint.checkpoints.mirror import update

            return update.continue_mirror(described.repository, limit, described, seconds)
    return False


def note_deleted(repository: Repository, names: Iterable[bytes]) -> None:
    """Have the mirror know that these refs of checkpoints were deleted, and not lost. Raises nothing."""
    with suppress(OSError, RuntimeError):
        if has_mirror(repository):
            append_deleted(mirror_directory(repository), map(os.fsdecode, names))


def registered(ref: bytes, checkpoint: Checkpoint) -> Registered:
    """Return what the register of a mirror says of a checkpoint."""
    return Registered(
        ref=os.fsdecode(ref),
        commit=checkpoint.commit,
        taken=taken_at(checkpoint.id),
        root=checkpoint.root,
        label=checkpoint.label,
        session=checkpoint.session,
        branch=checkpoint.branch,
        head=checkpoint.head,
        pinned=checkpoint.pinned,
    )


def taken_at(id_: str) -> float:
    """Return the time in an id, in seconds since 1970. Raises `ValueError` for what is no id."""
    if not is_id(id_):
        raise ValueError(f"'{id_}' is no id of a checkpoint")
    return milliseconds_of(id_) / 1000
