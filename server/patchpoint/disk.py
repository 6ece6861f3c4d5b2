"""The changes of a plan as changes of files on disk, in each file's own encoding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.landing import DiskChange, Landed, land
from patchpoint.plan import FileChange, FileOperation
from patchpoint.progress import Progress
from patchpoint.state import state_folder
from patchpoint.text.encoding import Encoding, encode
from patchpoint.workspace import Request


def land_changes(request: Request, changes: Sequence[FileChange], progress: Progress | None = None) -> Landed:
    """Write `changes`, a part of what `request` does, to disk, all or none.

    Raises `FileError`, `CancelledError` before anything is written, and `ValueError` for a document that is
    no file.
    """
    on_disk = [_disk_change(change, request) for change in changes]
    return land(on_disk, journal_folder(on_disk[0].root), progress)


def journal_folder(root: Path) -> Path:
    """Where landings in the workspace folder `root` keep their journal. Raises `OSError`."""
    return state_folder(root) / "landing"


def _disk_change(change: FileChange, request: Request) -> DiskChange:
    target = request.targets[change.path]
    resolved, disk = target.resolved, target.disk
    if resolved is None:
        raise ValueError(f"{change.path} is no file")
    in_place = change.operation in (FileOperation.UPDATE, FileOperation.CREATE)
    new = request.targets[change.new_path].resolved if change.new_path is not None else None
    data = None
    if change.after is not None and (disk is None or change.after != disk.text):
        data = disk.encoded(change.after) if disk else encode(change.after, Encoding.UTF_8)
    if disk is None:
        data = request.originals.get(str(resolved.path), data)
    return DiskChange(
        root=resolved.root,
        path=resolved.target if in_place else resolved.place,
        operation=change.operation,
        expected=disk.identity if disk else None,
        data=data,
        new_path=new.place if new else None,
        executable=None if change.mode is None else bool(change.mode & 0o111),
    )
