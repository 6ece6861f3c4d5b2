"""Take back what a transaction did to files, exactly, from its record in the log of operations."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from patchpoint.filesystem.errors import FileError, writing_problem
from patchpoint.operations.log import Cause, LoggedOperation, OperationLog
from patchpoint.progress import Progress
from patchpoint.workspace.transaction.apply import DiskChange, apply_changes
from patchpoint.workspace.transaction.inverse import inverse_changes
from patchpoint.workspace.transaction.undo_log import transaction_of
from patchpoint.workspace.unfinished import mark_of, undo_log_directory


def take_back(
    log: OperationLog, operation: LoggedOperation, cause: Cause, progress: Progress, *, dry_run: bool = False
) -> Sequence[DiskChange]:
    """Take back what `operation` did, all of it or nothing; return the changes.

    It is in `log` then, for this `cause`. Raises `FilesChangedError` where a file is not as it was left, and
    another `FileError` where it cannot be written: nothing was changed then.
    """
    try:
        transaction = transaction_of(operation.body)
        changes = inverse_changes(transaction.steps, log.old(operation.cause))
        if dry_run or not changes:
            return changes
        root = changes[0].root
        log_directory = undo_log_directory(root)
    except OSError as error:
        raise writing_problem(Path(os.fsdecode(error.filename or log.directory)), error) from error
    except (TypeError, KeyError, ValueError) as error:
        raise FileError(log.place(operation.cause), f"is damaged ({error})") from error
    apply_changes(
        changes,
        log_directory,
        progress,
        mark=mark_of(log_directory),
        recorded=(log, cause),
        emptied=[Path(folder) for folder in reversed(transaction.folders)],
    )
    return changes
