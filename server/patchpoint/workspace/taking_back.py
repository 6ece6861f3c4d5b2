"""Take back what a transaction did to files, exactly, from its record in the log of operations."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from patchpoint.dataclass import dataclass, replace
from patchpoint.filesystem.errors import FileError, writing_problem
from patchpoint.filesystem.read import read_file
from patchpoint.operations.log import Cause, LoggedOperation, OperationLog
from patchpoint.progress import Progress
from patchpoint.text.encoding import decode
from patchpoint.workspace.transaction.apply import DiskChange, apply_changes
from patchpoint.workspace.transaction.inverse import inverse_changes, is_change_of_text
from patchpoint.workspace.transaction.noted_steps import note_steps, noted
from patchpoint.workspace.transaction.undo_log import StepKind, transaction_of
from patchpoint.workspace.unfinished import mark_of, undo_log_directory


@dataclass(frozen=True, slots=True)
class TakingBack:
    """What takes back an operation."""

    changes: tuple[DiskChange, ...]
    in_editor: Mapping[Path, str]
    """The texts that documents get which are open in an editor, by their files."""


def take_back(
    log: OperationLog,
    operation: LoggedOperation,
    cause: Cause,
    progress: Progress,
    *,
    dry_run: bool = False,
    opened: Mapping[Path, str] | None = None,
) -> TakingBack:
    """Take back what `operation` did, all of it or nothing; return what that changes.

    It is in `log` then, for this `cause`. The text of a file that is `opened` in an editor, with the text
    that it had there, is changed by the editor alone, before. Raises `FilesChangedError` where a file is not
    as it was left, and another `FileError` where it cannot be written: nothing was changed then.
    """
    opened = opened or {}
    try:
        transaction = transaction_of(operation.body)
        changes = inverse_changes(transaction.steps, log.old(operation.cause), opened)
        there = [each for each in changes if each.path in opened and is_change_of_text(each)]
        files = {each.path: read_file(each.path) for each in there}
        in_editor = {each.path: _shown(each.data or b"", opened[each.path]) for each in there}
        taken = TakingBack(tuple(changes), in_editor)
        if dry_run or not changes:
            return taken
        root = changes[0].root
        log_directory = undo_log_directory(root)
    except OSError as error:
        raise writing_problem(Path(os.fsdecode(error.filename or log.directory)), error) from error
    except (TypeError, KeyError, ValueError) as error:
        raise FileError(log.place(operation.cause), f"is damaged ({error})") from error
    on_disk = [each for each in changes if each not in there]
    apply_changes(
        on_disk,
        log_directory,
        progress,
        mark=mark_of(log_directory),
        recorded=(log, replace(cause, editor=tuple(map(str, in_editor)))),
        emptied=[Path(folder) for folder in reversed(transaction.folders)],
    )
    if there:
        noted_there = [
            noted(
                StepKind.WRITE,
                each.root,
                each.path,
                files[each.path].encoded(opened[each.path]),
                each.data,
                mode=files[each.path].mode,
            )
            for each in there
        ]
        with suppress(OSError):
            note_steps(log, cause, noted_there)
    return taken


def _shown(data: bytes, like: str) -> str:
    """Return the text of a file's bytes, with its line endings as an editor shows them in the text `like`."""
    text = decode(data).text
    return text if "\r" in like else text.replace("\r\n", "\n")
