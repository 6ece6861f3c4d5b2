"""dulwich's object store, which does not wait for a FIFO in place of one of its files."""

from __future__ import annotations

import os
from collections.abc import Iterator

from dulwich.object_store import BaseObjectStore, DiskObjectStore
from dulwich.objects import ObjectID, ShaFile

from patchpoint.filesystem.open_to_read import is_special


class DiskStore(DiskObjectStore):
    """The loose objects and packs of a directory, and those of its alternates."""

    @property
    def alternates(self) -> list[BaseObjectStore]:
        """The stores that `info/alternates` names."""
        if self._alternates is None:
            self._alternates = []
            for path in self._read_alternate_paths():
                self._alternates.append(DiskStore(path, object_format=self.object_format))
        return self._alternates

    def _read_alternate_paths(self) -> Iterator[str]:
        if is_special(os.path.join(self.path, "info", "alternates")):
            return iter(())
        return super()._read_alternate_paths()

    def _get_loose_object(self, sha: ObjectID) -> ShaFile | None:
        if is_special(self._get_shafile_path(sha)):
            return None
        return super()._get_loose_object(sha)
