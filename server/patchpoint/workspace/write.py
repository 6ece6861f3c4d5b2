"""Writing the changes of a plan to disk, each file in its own encoding."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from patchpoint.filesystem.errors import FileError, writing_problem
from patchpoint.operations.log import Cause, OperationLog
from patchpoint.patching.plan import PlannedChange
from patchpoint.progress import CancelledError, Progress
from patchpoint.text.encoding import Encoding, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.request import ResolvedRequest
from patchpoint.workspace.transaction.apply import (
    AppliedChanges,
    DiskChange,
    PartlyAppliedError,
    apply_changes,
)
from patchpoint.workspace.unfinished import mark_of, undo_log_directory


def write_changes(
    request: ResolvedRequest,
    changes: Sequence[PlannedChange],
    progress: Progress | None = None,
    cause: Cause | None = None,
) -> AppliedChanges:
    """Write `changes`, all or part of those that `request` was planned to make, to disk: all or none.

    With a `cause`, they are in the log of operations of the first file's working tree from then on. Raises
    `FileError`, `CancelledError` before anything is written, and `ValueError` for a document that is not a
    file.
    """
    on_disk = [_disk_change(change, request) for change in changes]
    try:
        log_directory = undo_log_directory(on_disk[0].root)
        recorded = recorded_in(on_disk[0].root, cause) if cause is not None else None
    except OSError as error:
        raise writing_problem(Path(error.filename or on_disk[0].root), error) from error
    return apply_changes(on_disk, log_directory, progress, mark=mark_of(log_directory), recorded=recorded)


def recorded_in(folder: Path, cause: Cause) -> tuple[OperationLog, Cause]:
    """Return the log of the working tree that `folder` is in, and `cause` under a name that is the newest."""
    log = OperationLog.of(folder)
    return log, log.newly_named(cause)


def failure_message(failure: FileError | CancelledError, changed: Sequence[str] = ()) -> str:
    """Return the sentences that say why changes were not written, and what of the request is changed anyway.

    `changed` names the files of the request that an editor has changed, and that stay so.
    """
    said = "The request was cancelled." if isinstance(failure, CancelledError) else f"{failure}."
    if isinstance(failure, PartlyAppliedError) or changed:
        return said + (f" The editor's changes stay: {', '.join(changed)}." if changed else "")
    return f"{said} Nothing was written."


def _disk_change(change: PlannedChange, request: ResolvedRequest) -> DiskChange:
    target = request.targets[change.path]
    resolved, disk = target.resolved, target.disk
    if resolved is None:
        raise ValueError(f"{change.path} is not a file")
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
