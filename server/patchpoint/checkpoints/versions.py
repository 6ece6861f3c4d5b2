"""One file through the checkpoints."""

from __future__ import annotations

from patchpoint.checkpoints.checkpoint import Checkpoint
from patchpoint.checkpoints.errors import CheckpointDamagedError
from patchpoint.checkpoints.objects import BLOB, object_id
from patchpoint.checkpoints.record import Records


def newest_other(records: Records, path: bytes, content: bytes) -> Checkpoint | None:
    """The newest checkpoint that holds the file `path` with another content than `content`, if there is one.

    Contents are compared by their names, so that no version of the file is read.
    """
    now = object_id(BLOB, content, records.repository.object_format).hex().encode()
    same: set[str] = set()
    for checkpoint in records.all():
        if checkpoint.tree in same:
            continue
        try:
            entry = records.objects.at(checkpoint.tree.encode(), path)
        except CheckpointDamagedError:
            continue
        if entry is not None and not entry.is_tree and not entry.is_gitlink and entry.oid != now:
            return checkpoint
        same.add(checkpoint.tree)
    return None
