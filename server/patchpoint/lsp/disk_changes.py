"""Changes of a plan as they are made on disk, by ourselves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.landing import DiskChange, land
from patchpoint.plan import FileChange, FileOperation
from patchpoint.progress import Progress
from patchpoint.state import state_folder
from patchpoint.workspace import Request


def land_changes(request: Request, changes: Sequence[FileChange], progress: Progress) -> None:
    """Write changes to disk, all or none.

    Raises `FileError`, and `CancelledError` before anything is written.
    """
    on_disk = [disk_change(request, change) for change in changes]
    land(on_disk, landing_journal(on_disk[0].root), progress)


def landing_journal(root: Path) -> Path:
    """Where landings in a workspace folder keep what they need to be taken back."""
    return state_folder(root) / "landing"


def disk_change(request: Request, change: FileChange) -> DiskChange:
    """What a change means on disk: bytes in the file's own encoding, links followed or not as it needs."""
    target = request.targets[change.path]
    place, disk = target.resolved, target.disk
    assert place is not None
    moves = change.operation in (FileOperation.RENAME, FileOperation.DELETE)
    destination = request.targets[change.new_path].resolved if change.new_path is not None else None
    data = None
    if change.after is not None and (disk is None or change.after != disk.text):
        data = change.after.encode("utf-8") if disk is None else disk.encoded(change.after)
    return DiskChange(
        root=place.root,
        path=place.place if moves else place.target,
        operation=change.operation,
        expected=disk.identity if disk is not None else None,
        data=data,
        new_path=destination.place if destination is not None else None,
        executable=None if change.mode is None else bool(change.mode & 0o111),
    )
