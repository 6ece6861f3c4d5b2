"""What the register of a mirror says of checkpoints, and when it is written."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from contextlib import suppress

from patchpoint.checkpoints.mirror.place import has_mirror, mirror_directory
from patchpoint.checkpoints.mirror.register import Registered, append_deleted
from patchpoint.checkpoints.record.checkpoint import Checkpoint, is_id, milliseconds_of
from patchpoint.git.repository import Repository


def add_to_mirror(
    repository: Repository,
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
    update.add_to_mirror(repository, entries, limit, since, before, taken_at)


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
