"""Go on with what a hook's checkpoint left for lack of time, when nobody waits: the rest of its mirror."""

from __future__ import annotations

import os
from pathlib import Path

_SLICE_S = 0.1
"""Seconds after which it is looked whether a hook asks."""
_PATIENCE_S = 1.0
"""Seconds for which the lock of the checkpoints is waited for: a hook would wait for it as well."""


def follow(root: str) -> bool:
    """Go on with the mirrors of the working tree `root` and of its companions; return whether more is left.

    It takes a moment, and raises nothing. Where another process uses the checkpoints for long, the rest
    follows with the next ones.
    """
    from patchpoint.checkpoints.errors import CheckpointError

    try:
        return _follow(root)
    except (CheckpointError, OSError):
        return False


def _follow(root: str) -> bool:
    from patchpoint.schema.git_settings import store_options_of

    options, _ = store_options_of(Path(root))
    limit = options.mirror_bytes
    is_left, companions = _continue(root, limit)
    return is_left or any(_continue(place, limit)[0] for place in companions)


def _continue(place: str, limit: int | None) -> tuple[bool, list[str]]:
    """Go on with the mirror of one repository; also return the companions of its newest checkpoint."""
    from patchpoint.checkpoints.record.records import Records
    from patchpoint.checkpoints.repository_lock import repository_lock
    from patchpoint.git.repository import Repository
    from patchpoint.progress import Silent

    repository = Repository.open(place)
    try:
        records = Records(repository, limit)
        with repository_lock(repository, Silent(), timeout=_PATIENCE_S):
            is_left = records.continue_mirror(_SLICE_S)
        companions = [each.path for one in records.newest(1) for each in one.companions]
        return is_left, [str(Path(os.fsdecode(repository.worktree), path)) for path in companions]
    finally:
        repository.close()
