"""Checkpoints of working trees: recorded as ordinary commits under private refs, restored byte for byte."""

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
