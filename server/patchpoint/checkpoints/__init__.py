"""Checkpoints of working trees: recorded as ordinary commits under private refs, restored byte for byte.

What is exported is imported when it is first asked for, since the object store's library takes longer to load
than a small request takes to answer.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from patchpoint.checkpoints.checkpoint import Checkpoint, Kind, LeftOut
    from patchpoint.checkpoints.difference import FileDifference, FileOperation
    from patchpoint.checkpoints.disk_use import DiskUse
    from patchpoint.checkpoints.doctor import Diagnosis, Finding
    from patchpoint.checkpoints.errors import CheckpointError, RestoreRefusedError
    from patchpoint.checkpoints.restore import Restored
    from patchpoint.checkpoints.sessions import SessionState
    from patchpoint.checkpoints.snapshot import SnapshotOptions
    from patchpoint.checkpoints.store import WORKTREE, CheckpointStore

__all__ = [
    "WORKTREE",
    "Checkpoint",
    "CheckpointError",
    "CheckpointStore",
    "Diagnosis",
    "DiskUse",
    "FileDifference",
    "FileOperation",
    "Finding",
    "Kind",
    "LeftOut",
    "RestoreRefusedError",
    "Restored",
    "SessionState",
    "SnapshotOptions",
]

_HOMES = {
    "WORKTREE": "store",
    "Checkpoint": "checkpoint",
    "CheckpointError": "errors",
    "CheckpointStore": "store",
    "Diagnosis": "doctor",
    "DiskUse": "disk_use",
    "FileDifference": "difference",
    "FileOperation": "difference",
    "Finding": "doctor",
    "Kind": "checkpoint",
    "LeftOut": "checkpoint",
    "RestoreRefusedError": "errors",
    "Restored": "restore",
    "SessionState": "sessions",
    "SnapshotOptions": "snapshot",
}


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'patchpoint.checkpoints' has no attribute '{name}'")
    return getattr(import_module(f"patchpoint.checkpoints.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
