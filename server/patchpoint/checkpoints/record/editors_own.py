"""Files that editors keep for themselves, in checkpoints taken before such were left out."""

from __future__ import annotations

from patchpoint.checkpoints.record.checkpoint import Checkpoint
from patchpoint.git.ignore.editor_files import editor_file
from patchpoint.git.objects.reader import ObjectReader
from patchpoint.git.odb.ids import ObjectID

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from patchpoint.checkpoints.snapshot.take import Snapshot


def is_editors_own(objects: ObjectReader, state: Checkpoint | Snapshot, path: bytes) -> bool:
    """Return whether `state`, taken before such were left out, has an untracked editor's file at `path`."""
    if editor_file(path) is None or not isinstance(state, Checkpoint):
        return False
    untracked = objects.tree(objects.commit(ObjectID(state.state.encode())).tree).get(b"untracked")
    return untracked is not None and objects.at(untracked.oid, path) is not None
