"""What an editor changed at a request's wish, entered into the log of operations as if we had written it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.dataclass import replace
from patchpoint.operations.log import Cause, OperationLog
from patchpoint.patching.plan import PlannedChange
from patchpoint.text.encoding import Encoding, UnencodableError, encode
from patchpoint.text.file_operation import FileOperation
from patchpoint.workspace.request import EditTarget, ResolvedRequest
from patchpoint.workspace.transaction.noted_steps import NotedStep, note_steps, noted
from patchpoint.workspace.transaction.undo_log import StepKind


def note_changes(
    log: OperationLog, cause: Cause, request: ResolvedRequest, changes: Sequence[PlannedChange]
) -> None:
    """Enter what an editor changed into the log, after what is there of the same operation.

    What cannot be taken back from here, such as a document that is no file, is named alone. Raises `OSError`.
    """
    steps: list[NotedStep] = []
    left: list[str] = []
    for change in changes:
        found = list(_steps(change, request))
        steps += found
        left += [] if found else [change.new_path or change.path]
    note_steps(log, replace(cause, editor=tuple(left)), steps)


def _steps(change: PlannedChange, request: ResolvedRequest) -> Iterator[NotedStep]:
    """Yield what a change does to its file; nothing for one that is none, or that is a link."""
    target = request.targets[change.path]
    moved = request.targets[change.new_path].resolved if change.new_path is not None else None
    at = target.resolved
    if at is None or (change.operation is not FileOperation.UPDATE and at.place != at.target):
        return
    try:
        old = None if change.before is None else _bytes(target, change.before)
        new = None if change.after is None else _bytes(target, change.after)
    except UnencodableError:
        return
    mode = target.disk.mode if target.disk is not None else 0
    if change.operation is FileOperation.CREATE:
        yield noted(StepKind.CREATE, at.root, at.place, None, new)
    elif change.operation is FileOperation.DELETE:
        yield noted(StepKind.DELETE, at.root, at.place, old, None, mode=mode)
    else:
        place = at.target
        if moved is not None:
            place = moved.place
            yield noted(StepKind.MOVE, at.root, at.place, old, None, mode=mode, new_path=place)
        if old != new:
            yield noted(StepKind.WRITE, at.root, place, old, new, mode=mode)


def _bytes(target: EditTarget, text: str) -> bytes:
    return target.disk.encoded(text) if target.disk is not None else encode(text, Encoding.UTF_8)
