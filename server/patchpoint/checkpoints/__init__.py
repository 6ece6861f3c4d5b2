"""Checkpoints of working trees: recorded as ordinary commits under private refs, restored byte for byte.

What is exported is imported at its first use, since the object store's library takes longer to load than a
small request takes to be handled.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchpoint.checkpoints.diff import FileDifference
    from patchpoint.checkpoints.errors import CheckpointError, RestoreRefusedError
    from patchpoint.checkpoints.fork import Fork, fork_checkpoint
    from patchpoint.checkpoints.maintenance.disk_use import DiskUse
    from patchpoint.checkpoints.maintenance.doctor import CheckpointFinding, Diagnosis
    from patchpoint.checkpoints.maintenance.transfer import Transfer
    from patchpoint.checkpoints.options import RetentionPolicy, SnapshotOptions, StoreOptions
    from patchpoint.checkpoints.record.checkpoint import Checkpoint, CheckpointKind, SkippedPath
    from patchpoint.checkpoints.record.sessions import SessionState
    from patchpoint.checkpoints.restore.prepare import Restored
    from patchpoint.checkpoints.store import WORKTREE, CheckpointStore
    from patchpoint.text.file_operation import FileOperation

__all__ = [
    "WORKTREE",
    "Checkpoint",
    "CheckpointError",
    "CheckpointFinding",
    "CheckpointKind",
    "CheckpointStore",
    "Diagnosis",
    "DiskUse",
    "FileDifference",
    "FileOperation",
    "Fork",
    "RestoreRefusedError",
    "Restored",
    "RetentionPolicy",
    "SessionState",
    "SkippedPath",
    "SnapshotOptions",
    "StoreOptions",
    "Transfer",
    "fork_checkpoint",
]

_HOMES = {
    "Checkpoint": "record.checkpoint",
    "CheckpointError": "errors",
    "CheckpointFinding": "maintenance.doctor",
    "CheckpointKind": "record.checkpoint",
    "CheckpointStore": "store",
    "Diagnosis": "maintenance.doctor",
    "DiskUse": "maintenance.disk_use",
    "FileDifference": "diff",
    "FileOperation": "diff",
    "Fork": "fork",
    "RestoreRefusedError": "errors",
    "Restored": "restore.prepare",
    "RetentionPolicy": "options",
    "SessionState": "record.sessions",
    "SkippedPath": "record.checkpoint",
    "SnapshotOptions": "options",
    "StoreOptions": "options",
    "Transfer": "maintenance.transfer",
    "WORKTREE": "store",
    "fork_checkpoint": "fork",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'patchpoint.checkpoints' has no attribute '{name}'")
    return getattr(import_module(f"patchpoint.checkpoints.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
