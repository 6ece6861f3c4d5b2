"""The contents of files at checkpoints, and of those that lie between two of them and are in no store."""

from __future__ import annotations

import stat

from patchpoint.git.objects.reader import Entry, ObjectReader
from patchpoint.git.odb.ids import BLOB, ObjectID, object_id, to_hexadecimal

_REGULAR = stat.S_IFREG | 0o644


class Contents:
    """The contents of entries, also of those that were added here and are nowhere else."""

    def __init__(self, objects: ObjectReader) -> None:
        self._objects = objects
        self.added: dict[ObjectID, bytes] = {}

    def of(self, entry: Entry) -> bytes:
        """Return the content of an entry. Raises `CheckpointDamagedError`."""
        known = self.added.get(entry.oid)
        return self._objects.blob(entry.oid) if known is None else known

    def with_content(self, entry: Entry | None, content: bytes) -> Entry:
        """Return `entry` (`None`: a new file) with another content."""
        oid = to_hexadecimal(object_id(BLOB, content, self._objects.object_format))
        self.added.setdefault(oid, content)
        return Entry(_REGULAR if entry is None else entry.mode, oid)
