"""The checkpoints of the client's folders as they stand now, whoever takes or deletes them.

Listing them reads each one's commit; whether that is due shows in the stat of two or three files.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.session import Session

Stamp = tuple[tuple[int, int, int] | None, ...]
"""What tells whether files changed: of each its time, number and size; `None` for one that is not there."""

_TICK_NS = 100_000_000
"""Nanoseconds within which a second change may leave the same time of a file behind (FAT knows no finer)."""


@dataclass(frozen=True, slots=True)
class Listing:
    """The checkpoints of one of the client's folders."""

    root: Path
    """The root of the working tree that the folder is in."""
    checkpoints: tuple[Checkpoint, ...]
    """Newest first."""
    marks: tuple[Path, Path]
    """A folder and a file: what changes whenever one is taken or deleted."""
    stamp: Stamp


class KnownCheckpoints:
    """What is known of the checkpoints in all of the client's folders."""

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self._session = session
        self._changed = changed
        self._listings: dict[Path, Listing] = {}
        self._seen: set[str] = set()
        self._told: set[str] = set()

    async def current(self) -> Mapping[Path, Listing]:
        """The checkpoints by folder, without folders that can have none. The client is told of new ones."""
        roots = list(self._session.roots)
        found = await self._session.run(_look, self._session, roots, dict(self._listings))
        before, self._listings = self._listings, found
        for folder, listing in found.items():
            ids = {one.id for one in listing.checkpoints}
            if folder in before:
                for one in reversed(listing.checkpoints):
                    if one.id not in self._seen:
                        self.tell(one)
                if ids != {one.id for one in before[folder].checkpoints}:
                    self._changed()
            self._seen |= ids
        return found

    def watch_patterns(self) -> set[tuple[Path, str]]:
        """What a client would watch to tell of new checkpoints: folders, and which names in them."""
        marks = [listing.marks for listing in self._listings.values()]
        return {pattern for refs, packed in marks for pattern in ((refs, "*"), (packed.parent, packed.name))}

    def tell(self, checkpoint: Checkpoint) -> None:
        """Tell the client of a checkpoint, once."""
        from patchpoint.lsp.checkpoint_answers import checkpoint_answer

        if checkpoint.id not in self._told:
            self._told.add(checkpoint.id)
            self._session.notify("patchpoint/didTakeCheckpoint", checkpoint_answer(checkpoint))


def stamp_of(*paths: Path) -> Stamp:
    """What tells whether some files changed since."""
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size


def _look(session: Session, roots: list[Path], known: Mapping[Path, Listing]) -> dict[Path, Listing]:
    # Loaded in the thread that wants it: what it stands on takes long to load.
    from patchpoint.checkpoints import CheckpointError
    from patchpoint.lsp.checkpoint_stores import open_store

    found = {}
    for folder in roots:
        listing = known.get(folder)
        if listing is not None and listing.stamp and listing.stamp == _settled(folder, listing.marks):
            found[folder] = listing
            continue
        try:
            store = open_store(session, folder)
            stamp = _settled(folder, store.marks)
            found[folder] = Listing(store.root, store.list(), store.marks, stamp)
        except (CheckpointError, OSError):
            continue
    return found


def _settled(folder: Path, marks: tuple[Path, ...]) -> Stamp:
    """The stamp of what tells of a folder's checkpoints; empty while it may not show every change."""
    stamp = stamp_of(*marks)
    newest = max((one[0] for one in stamp if one is not None), default=0)
    if abs(time.time_ns() - newest) < _TICK_NS:
        return ()
    # A folder that becomes a repository, or ceases to be one, has its checkpoints elsewhere from then on.
    git = _stamp(folder / ".git")
    return (*stamp, (0, git[1], 0) if git is not None else None)
