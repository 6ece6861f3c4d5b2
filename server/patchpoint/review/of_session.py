"""What one session wrote since a checkpoint: each file is compared with what it would be without that.

What others wrote meanwhile is on both sides, in the same file as well, and so is what nobody is known to have
written: neither is shown, and neither is reverted.
"""

from __future__ import annotations

import os
from collections.abc import Sequence

from patchpoint.checkpoints.restore.plan import is_within
from patchpoint.checkpoints.session_revert import WithoutSession, without_session
from patchpoint.checkpoints.snapshot.take import Snapshot
from patchpoint.dataclass import dataclass
from patchpoint.git.objects.reader import Change, Entry
from patchpoint.git.odb.ids import ObjectID
from patchpoint.review.change_set import FileState
from patchpoint.review.tree import SinceCheckpoint


@dataclass
class OfSession(SinceCheckpoint):
    """A working tree, compared with itself without what a session wrote since a checkpoint."""

    session: str = ""
    _found: WithoutSession | None = None
    """What was found last; none before the files were asked for."""

    @classmethod
    def of(cls, tree: SinceCheckpoint, session: str) -> OfSession:
        """Return `tree`, compared with itself without what `session` wrote since its checkpoint."""
        return cls(tree.store, tree.checkpoint, tree.review, session)

    def left_out(self) -> list[str]:
        """Return, in sentences, what is not shown although it changed while the session was at work."""
        if (found := self._found) is None:
            return []
        shown = set(map(os.fsdecode, found.files))
        left = [f"{each.path}: {each.reason}" for each in found.left]
        others = [
            f"{path}: {'also ' if path in shown else ''}changed by no step that is known"
            for path in found.unattributed
        ]
        return list(dict.fromkeys((*left, *others)))

    def _changes(self, now: Snapshot, within: Sequence[bytes]) -> list[Change]:
        found = without_session(self.records, now, self.session, self.checkpoint.id)
        self._found = found
        tree = ObjectID(now.tree.encode())
        paths = sorted(path for path in found.files if is_within(path, within))
        return [Change(path, found.files[path], self.records.objects.at(tree, path)) for path in paths]

    def _state(self, entry: Entry | None) -> FileState | None:
        contents = self._found.contents if self._found is not None else {}
        if entry is not None and entry.oid in contents:
            return FileState(entry.mode, contents[entry.oid])
        return super()._state(entry)
