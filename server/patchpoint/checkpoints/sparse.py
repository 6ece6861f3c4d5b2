"""Files that a sparse checkout hides: the index has them, the disk has not."""

from __future__ import annotations

from collections.abc import Callable

from patchpoint.checkpoints.index_read import SKIP_WORKTREE
from patchpoint.checkpoints.index_state import IndexState, read_flags
from patchpoint.checkpoints.proven import ProvenObjects
from patchpoint.checkpoints.restore_plan import is_within


def hidden_by(objects: ProvenObjects, index: IndexState | None) -> Callable[[bytes], bool]:
    """Whether a path was hidden when this staged state was recorded."""
    if index is None or index.flags is None:
        return lambda _path: False
    flags = read_flags(objects.blob(index.flags.encode()))
    paths = frozenset(path.rstrip(b"/") for path, bits in flags.items() if bits & SKIP_WORKTREE)
    return lambda path: bool(paths) and is_within(path, paths)
