"""The errors of checkpoints: one hierarchy.

    CheckpointError
    ├── FolderRefusedError          refused-folder        no checkpoints are kept of such a folder
    ├── UnsupportedRepositoryError  unsupported-repository  its format is not known, or its owner not trusted
    │   └── BrokenRepositoryError   broken-repository     a `.git` is there and is no repository any more
    ├── RepositoryBusyError         repository-busy       another process holds a lock
    ├── SnapshotFailedError         snapshot-failed       the working tree could not be recorded
    │   └── ObjectsVanishedError    objects-vanished      a garbage collection of git ran meanwhile
    ├── CheckpointNotFoundError     checkpoint-not-found  no checkpoint has this id
    ├── AmbiguousCheckpointError    ambiguous-checkpoint  a name could mean several checkpoints
    ├── AmbiguousSessionError       ambiguous-session     a name could mean several sessions
    ├── AnchorNotFoundError         anchor-not-found      no checkpoint precedes this message
    ├── CheckpointDamagedError      checkpoint-damaged    an object is missing or is not what it should be
    ├── RestoreRefusedError                               nothing was changed
    │   ├── BranchChangedError      branch-changed        another branch is checked out
    │   ├── HistoryChangedError     history-changed       the branch was rewritten since
    │   ├── OperationInProgressError  rebase-in-progress, bisect-in-progress, ...
    │   ├── UnsafePathError         unsafe-path           a path may not be written
    │   ├── PathObstructedError     path-obstructed       something not to be deleted is in the way
    │   ├── TreeMovedError          changed-meanwhile     a file changed while the restore was prepared
    │   ├── UnfinishedRestoreError  unfinished-restore    an earlier restore was interrupted
    │   │   └── UntrustedJournalError  untrusted-journal  its journal is not known to be this user's own
    │   ├── NothingToUndoError      nothing-to-undo       there is no restore to undo
    │   │   └── NothingToRedoError  nothing-to-redo       the last restore is not undone
    │   ├── ChangedSinceError       changed-since         it was changed since what is to be undone
    │   └── HunkNotFoundError       hunk-not-found        the hunk is not in the difference any more
    ├── RestoreFailedError          restore-failed        something could not be written; all was put back
    ├── ForkRefusedError            fork-refused          no working tree can be made there
    └── TransferError               transfer-failed       a remote could not be reached or refused
        └── TransferDeclinedError   declined              the user did not want the transfer

Every message names the thing, says what is wrong with it, and what to do.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.git.errors import (
    BrokenRepositoryError,
    CheckpointDamagedError,
    FolderRefusedError,
    ObjectsVanishedError,
    RepositoryBusyError,
    RepositoryError,
    SnapshotFailedError,
    UnsupportedRepositoryError,
)

__all__ = [
    "AmbiguousCheckpointError",
    "AmbiguousSessionError",
    "AnchorNotFoundError",
    "BranchChangedError",
    "BrokenRepositoryError",
    "ChangedSinceError",
    "CheckpointDamagedError",
    "CheckpointError",
    "CheckpointNotFoundError",
    "FolderRefusedError",
    "ForkRefusedError",
    "HistoryChangedError",
    "HunkNotFoundError",
    "NothingToRedoError",
    "NothingToUndoError",
    "ObjectsVanishedError",
    "OperationInProgressError",
    "PathObstructedError",
    "RepositoryBusyError",
    "RestoreFailedError",
    "RestoreRefusedError",
    "SnapshotFailedError",
    "TransferDeclinedError",
    "TransferError",
    "TreeMovedError",
    "UnfinishedRestoreError",
    "UnsafePathError",
    "UnsupportedRepositoryError",
    "UntrustedJournalError",
]

_NAMED = 5
"""How many files a message names."""

CheckpointError = RepositoryError
"""The root of the hierarchy, under the name by which callers of the store catch it."""


class CheckpointNotFoundError(CheckpointError):
    """No checkpoint has this id."""

    code = "checkpoint-not-found"

    def __init__(self, checkpoint: str, lost: str = "") -> None:
        """Name what was asked for; `lost` says which there were that can be brought back."""
        found = f". {lost}." if lost else "; list the checkpoints to find it."
        super().__init__(f"There is no checkpoint '{checkpoint}'{found}")


class AmbiguousCheckpointError(CheckpointError):
    """A name could mean several checkpoints; `meant` describes them."""

    code = "ambiguous-checkpoint"

    def __init__(self, name: str, meant: Sequence[str]) -> None:
        super().__init__(
            f"'{name}' could be any of {len(meant)} checkpoints ({', '.join(meant[:8])}"
            f"{', ...' if len(meant) > 8 else ''}); give more characters, or the whole id."
        )


class AmbiguousSessionError(CheckpointError):
    """A name could mean several sessions; `meant` are these."""

    code = "ambiguous-session"

    def __init__(self, name: str, meant: Sequence[str]) -> None:
        super().__init__(
            f"'{name}' could be any of {len(meant)} sessions ({', '.join(meant[:8])}"
            f"{', ...' if len(meant) > 8 else ''}); give more characters, or the whole name."
        )


class AnchorNotFoundError(CheckpointError):
    """No checkpoint precedes this message of this session."""

    code = "anchor-not-found"

    def __init__(self, session: str, message: str | None) -> None:
        super().__init__(
            f"There is no checkpoint of session '{session}'; list the checkpoints to find their sessions."
            if message is None
            else f"No checkpoint precedes message '{message}' of session '{session}'; list the session's "
            "checkpoints to find it."
        )


class RestoreRefusedError(CheckpointError):
    """A restore that was refused before anything was changed."""

    code = "restore-refused"


class BranchChangedError(RestoreRefusedError):
    """Another branch is checked out than when the checkpoint was taken."""

    code = "branch-changed"


class HistoryChangedError(RestoreRefusedError):
    """The branch no longer contains the commit that it pointed at when the checkpoint was taken."""

    code = "history-changed"


class OperationInProgressError(RestoreRefusedError):
    """A rebase or the like is in progress, which a whole restore would break; `code` names it."""

    def __init__(self, operation: str, finish: str) -> None:
        self.code = f"{operation}-in-progress"
        article = "An" if operation.startswith("a") else "A"
        super().__init__(
            f"{article} {operation} is in progress; {finish}, then restore again, or force the restore: it "
            "then restores files only."
        )


class UnsafePathError(RestoreRefusedError):
    """The checkpoint holds a path that may not be written, such as one into `.git`."""

    code = "unsafe-path"


class PathObstructedError(RestoreRefusedError):
    """Something that a restore does not delete is where a file has to go."""

    code = "path-obstructed"


class TreeMovedError(RestoreRefusedError):
    """A file, at `path` where that is known, changed between the safety checkpoint and the restore."""

    code = "changed-meanwhile"

    def __init__(self, message: str, path: bytes = b"") -> None:
        super().__init__(message)
        self.path = path


def path_obstructed(path: bytes, obstacle: bytes) -> PathObstructedError:
    """Return the error for a file that would have to go where `obstacle` is."""
    return PathObstructedError(
        f"'{_shown(path)}' cannot be restored: '{_shown(obstacle)}' is in the way, and a restore does not "
        "delete it; move it, or restore other files by name."
    )


def tree_moved(path: bytes) -> TreeMovedError:
    """Return the error for a file that changed meanwhile."""
    return TreeMovedError(
        f"'{_shown(path)}' changed while the restore was being prepared; nothing was changed. Try again when "
        "nothing writes to it, or restore other files by name.",
        path,
    )


class UnfinishedRestoreError(RestoreRefusedError):
    """An earlier restore was interrupted and could not be finished."""

    code = "unfinished-restore"


class UntrustedJournalError(UnfinishedRestoreError):
    """The journal of a restore is not known to be this user's own, so nothing that it says is done."""

    code = "untrusted-journal"


class NothingToUndoError(RestoreRefusedError):
    """There is no restore to undo."""

    code = "nothing-to-undo"


class NothingToRedoError(NothingToUndoError):
    """The last restore is not undone."""

    code = "nothing-to-redo"


class ChangedSinceError(RestoreRefusedError):
    """What an operation did has been changed since, so that it cannot be taken back exactly."""

    code = "changed-since"


def changed_since(paths: Sequence[str], instead: str) -> ChangedSinceError:
    """Return the error for the files at `paths`; `instead` is a sentence that says what to do."""
    named = ", ".join(f"'{path}'" for path in paths[:_NAMED])
    more = f" and {len(paths) - _NAMED} more" if len(paths) > _NAMED else ""
    has = "has" if len(paths) == 1 else "have"
    return ChangedSinceError(f"{named}{more} {has} been changed since; nothing was changed. {instead}")


class HunkNotFoundError(RestoreRefusedError):
    """The hunk to restore is not (or no longer) in the difference."""

    code = "hunk-not-found"


class RestoreFailedError(CheckpointError):
    """Something could not be written while a restore was applied; all of it was rolled back."""

    code = "restore-failed"


class ForkRefusedError(CheckpointError):
    """A linked working tree cannot be made there, and nothing was."""

    code = "fork-refused"


class TransferError(CheckpointError):
    """Checkpoints could not be moved to or from a remote."""

    code = "transfer-failed"


class TransferDeclinedError(TransferError):
    """The user was asked, and did not want the transfer."""

    code = "declined"


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "replace")
