"""The current checkpoints of the client's folders, whichever process takes or deletes them.

Listing them reads the commit of each; the stat of two or three files shows whether that is necessary.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.dataclass import dataclass
from patchpoint.paths.repositories import is_repository

if TYPE_CHECKING:
    from patchpoint.checkpoints import Checkpoint
    from patchpoint.lsp.session.session import Session

Stamp = tuple[tuple[int, int, int] | None, ...]
"""For each of some files its modification time (ns), inode number and size; `None` for a missing file."""

_TICK_NS = 100_000_000
"""Nanoseconds within which a second change may leave a file's time as it is (FAT's resolution)."""


@dataclass(frozen=True, slots=True)
class FolderCheckpoints:
    """The checkpoints of one of the client's folders."""

    root: Path
    """The root of the working tree that the folder is in."""
    checkpoints: tuple[Checkpoint, ...]
    """Newest first."""
    marks: tuple[Path, Path]
    """A directory and a file, of which one changes whenever a checkpoint is taken or deleted."""
    stamp: Stamp


class KnownCheckpoints:
    """The known checkpoints of all of the client's folders; the client is notified of new ones."""

    def __init__(self, session: Session, changed: Callable[[], None]) -> None:
        self._session = session
        self._changed = changed
        self._listings: dict[Path, FolderCheckpoints] = {}
        self._seen: set[str] = set()
        self._announced: set[str] = set()
        self._began = datetime.now(timezone.utc)

    async def current(self) -> Mapping[Path, FolderCheckpoints]:
        """Return the checkpoints by folder, without folders that can have none; announce the new ones."""
        roots = list(self._session.roots)
        found = await self._session.run(_list_folders, self._session, roots, dict(self._listings))
        before, self._listings = self._listings, found
        for folder, listing in found.items():
            ids = {one.id for one in listing.checkpoints}
            for one in reversed(listing.checkpoints):
                # What is older than the session is no news where a folder is listed for the first time.
                if one.id not in self._seen and (folder in before or self._is_of_session(one)):
                    self.announce(one)
            if folder in before and ids != {one.id for one in before[folder].checkpoints}:
                self._changed()
            self._seen |= ids
        return found

    def watch_patterns(self) -> set[tuple[Path, str]]:
        """Return what a client has to watch to notice new checkpoints: directories, and names in each."""
        marks = [listing.marks for listing in self._listings.values()]
        return {pattern for refs, packed in marks for pattern in ((refs, "*"), (packed.parent, packed.name))}

    def announce(self, checkpoint: Checkpoint) -> None:
        """Notify the client of a checkpoint, once."""
        from patchpoint.schema.checkpoints import checkpoint_data

        if checkpoint.id not in self._announced:
            self._announced.add(checkpoint.id)
            self._session.notify("patchpoint/didTakeCheckpoint", checkpoint_data(checkpoint))

    def _is_of_session(self, checkpoint: Checkpoint) -> bool:
        return datetime.fromisoformat(checkpoint.created_at.replace("Z", "+00:00")) >= self._began


def list_folder(session: Session, folder: Path) -> FolderCheckpoints | None:
    """Return the checkpoints of a folder as they are now; `None` if it can have none."""
    # Imported in the worker thread, because dulwich takes long to import.
    from patchpoint.checkpoints import CheckpointError
    from patchpoint.lsp.checkpoints.stores import open_store

    try:
        # What becomes a repository meanwhile is listed again.
        git = _git_of(folder)
        store = open_store(session, folder)
        stamp = _reliable_stamp(store.marks, git)
        return FolderCheckpoints(store.root, store.list(), store.marks, stamp)
    except (CheckpointError, OSError):
        return None


def stamp_of(*paths: Path) -> Stamp:
    """Return a stamp that differs once one of the files has changed."""
    return tuple(_stamp(path) for path in paths)


def _stamp(path: Path) -> tuple[int, int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_mtime_ns, status.st_ino, status.st_size


def _list_folders(
    session: Session, roots: list[Path], known: Mapping[Path, FolderCheckpoints]
) -> dict[Path, FolderCheckpoints]:
    found = {}
    for folder in roots:
        listing = known.get(folder)
        stamp = _reliable_stamp(listing.marks, _git_of(folder)) if listing is not None else ()
        if listing is not None and stamp and listing.stamp == stamp:
            found[folder] = listing
            continue
        listing = list_folder(session, folder)
        if listing is not None:
            found[folder] = listing
    return found


def _git_of(folder: Path) -> tuple[int, int, int] | None:
    """Return what differs once a folder has become a repository, or is none any more.

    Its checkpoints are elsewhere then. While git makes one, it is none yet.
    """
    made = _stamp(folder / ".git")
    return (is_repository(folder / ".git"), made[1], 0) if made is not None else None


def _reliable_stamp(marks: tuple[Path, ...], git: tuple[int, int, int] | None) -> Stamp:
    """Return the stamp of a folder's checkpoints; empty while a file is so new that it may miss a change."""
    stamp = stamp_of(*marks)
    newest = max((one[0] for one in stamp if one is not None), default=0)
    return (*stamp, git) if abs(time.time_ns() - newest) >= _TICK_NS else ()
