"""The changes of a plan as changes of files on disk, in each file's own encoding."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from patchpoint.landing import DiskChange
from patchpoint.plan import FileChange, FileOperation
from patchpoint.state import state_folder
from patchpoint.text.encoding import Encoding, encode
from patchpoint.workspace import Request


def disk_changes(
    changes: Iterable[FileChange], request: Request, deleted: Mapping[str, bytes] | None = None
) -> tuple[DiskChange, ...]:
    """What `patchpoint.landing.land` is to do so that `changes` of `request` are on disk.

    `deleted` holds the bytes, by name, of files that come back as they were; any other new file is UTF-8.
    Raises `ValueError` for a document that is no file.
    """
    return tuple(_disk_change(change, request, (deleted or {}).get(change.path)) for change in changes)


def journal_folder(root: Path) -> Path:
    """Where landings in the workspace folder `root` keep their journal. Raises `OSError`."""
    return state_folder(root) / "landing"


def _disk_change(change: FileChange, request: Request, raw: bytes | None) -> DiskChange:
    target = request.targets[change.path]
    resolved, disk = target.resolved, target.disk
    if resolved is None:
        raise ValueError(f"{change.path} is no file")
    in_place = change.operation in (FileOperation.UPDATE, FileOperation.CREATE)
    data = None
    if change.after is not None and (disk is None or change.after != disk.text):
        data = disk.encoded(change.after) if disk else encode(change.after, Encoding.UTF_8)
    if disk is None and raw is not None:
        data = raw
    new = request.targets[change.new_path].resolved if change.new_path is not None else None
    return DiskChange(
        root=resolved.root,
        path=resolved.target if in_place else resolved.place,
        operation=change.operation,
        expected=disk.identity if disk else None,
        data=data,
        new_path=new.place if new else None,
        executable=None if change.mode is None else bool(change.mode & 0o100),
    )
