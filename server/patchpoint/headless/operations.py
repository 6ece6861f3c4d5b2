"""The JSON of what was undone."""

from __future__ import annotations

from patchpoint.headless.undo import Undone
from patchpoint.schema.checkpoints import restore_result
from patchpoint.schema.operations import UndoneResult, files_data, operation_data


def undone_result(done: Undone) -> UndoneResult:
    """Return the JSON of what was undone or redone."""
    is_undone = (done.kind.value == "undo") is not done.dry_run
    return UndoneResult(
        operation=operation_data(done.operation, done.root, is_undone=is_undone),
        kind=done.kind.value,
        dry_run=done.dry_run,
        files=files_data(done.files, done.root),
        checkpoints=done.checkpoints,
        missing=done.missing,
        restored=None if done.restored is None else restore_result(done.restored, done.root),
        passed=tuple(operation_data(each, done.root, is_undone=False) for each in done.passed),
    )
