"""What can go wrong with checkpoints: one hierarchy.

    CheckpointError
    ├── FolderRefusedError          refused-folder        no checkpoints are kept of such a folder
    ├── UnsupportedRepositoryError  unsupported-repository  its format is not understood well enough
    ├── RepositoryBusyError         repository-busy       another process holds a lock
    ├── SnapshotFailedError         snapshot-failed       the working tree could not be recorded
    ├── CheckpointNotFoundError     checkpoint-not-found  no checkpoint has this id
    ├── AnchorNotFoundError         anchor-not-found      no checkpoint precedes this message
    ├── CheckpointDamagedError      checkpoint-damaged    an object is missing or is not what it should be
    ├── RestoreRefusedError                               nothing was changed
    │   ├── BranchChangedError      branch-changed        another branch is checked out
    │   ├── HistoryChangedError     history-changed       the branch was rewritten since
    │   ├── OperationInProgressError  merge-in-progress, rebase-in-progress, ...
    │   ├── UnsafePathError         unsafe-path           a path may not be written
    │   ├── PathObstructedError     path-obstructed       something not to be deleted is in the way
    │   ├── TreeMovedError          changed-meanwhile     a file changed while the restore was prepared
    │   ├── UnfinishedRestoreError  unfinished-restore    an earlier restore was cut short
    │   ├── NothingToUndoError      nothing-to-undo       there is no restore to take back
    │   └── HunkNotFoundError       hunk-not-found        the hunk is not in the difference any more
    ├── RestoreFailedError          restore-failed        something could not be written; all was put back
    └── TransferError               transfer-failed       a remote could not be reached or refused

Every message names the thing, says what is wrong with it, and what to do.
"""

from __future__ import annotations


class CheckpointError(Exception):
    """Anything about checkpoints that could not be done; `code` is stable and fit for programs."""

    code = "checkpoint-error"


class FolderRefusedError(CheckpointError):
    """The folder is one that no checkpoint is taken of: a file system's root, a home folder."""

    code = "refused-folder"


class UnsupportedRepositoryError(CheckpointError):
    """The repository uses a format that this program cannot be trusted with."""

    code = "unsupported-repository"


class RepositoryBusyError(CheckpointError):
    """Another process holds a lock of the repository, and did not let go in time."""

    code = "repository-busy"


class SnapshotFailedError(CheckpointError):
    """The working tree could not be recorded; no checkpoint was made."""

    code = "snapshot-failed"


class CheckpointNotFoundError(CheckpointError):
    """No checkpoint has this id."""

    code = "checkpoint-not-found"

    def __init__(self, checkpoint: str) -> None:
        super().__init__(f"There is no checkpoint '{checkpoint}'; list them to see which there are.")


class AnchorNotFoundError(CheckpointError):
    """No checkpoint precedes this message of this session."""

    code = "anchor-not-found"

    def __init__(self, session: str, message: str) -> None:
        super().__init__(
            f"No checkpoint precedes message '{message}' of session '{session}'; "
            "list the session's checkpoints to see which there are."
        )


class CheckpointDamagedError(CheckpointError):
    """An object that the checkpoint needs is missing, or its content is not what its name says."""

    code = "checkpoint-damaged"


class RestoreRefusedError(CheckpointError):
    """A restore that was refused before anything was changed."""

    code = "restore-refused"


class BranchChangedError(RestoreRefusedError):
    """Another branch is checked out than when the checkpoint was taken."""

    code = "branch-changed"


class HistoryChangedError(RestoreRefusedError):
    """The branch no longer contains the commit it stood at when the checkpoint was taken."""

    code = "history-changed"


class OperationInProgressError(RestoreRefusedError):
    """Git is in the middle of something that a restore would break; `code` says of what."""

    def __init__(self, operation: str, finish: str) -> None:
        self.code = f"{operation}-in-progress"
        super().__init__(f"A {operation} is in progress; {finish}, then restore again.")


class UnsafePathError(RestoreRefusedError):
    """The checkpoint holds a path that may not be written, such as one into `.git`."""

    code = "unsafe-path"


class PathObstructedError(RestoreRefusedError):
    """Something that a restore does not delete stands where a file has to go."""

    code = "path-obstructed"


class TreeMovedError(RestoreRefusedError):
    """A file changed between the safety checkpoint and the restore."""

    code = "changed-meanwhile"


class UnfinishedRestoreError(RestoreRefusedError):
    """An earlier restore was cut short and could not be finished."""

    code = "unfinished-restore"


class NothingToUndoError(RestoreRefusedError):
    """There is no restore to take back."""

    code = "nothing-to-undo"


class HunkNotFoundError(RestoreRefusedError):
    """The hunk to restore is not (or no longer) in the difference."""

    code = "hunk-not-found"


class RestoreFailedError(CheckpointError):
    """Something could not be written while a restore was applied; all of it was taken back."""

    code = "restore-failed"


class TransferError(CheckpointError):
    """Checkpoints could not be moved to or from a remote."""

    code = "transfer-failed"
