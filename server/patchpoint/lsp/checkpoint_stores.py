"""The stores of checkpoints, as the client's user wants them kept."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore, SnapshotOptions

if TYPE_CHECKING:
    from patchpoint.lsp.session import Session

_MEBIBYTE = 1024 * 1024


def open_store(session: Session, root: Path) -> CheckpointStore:
    """The checkpoints of a folder. Raises `CheckpointError`."""
    settings = session.settings
    options = SnapshotOptions(
        max_file_size=int(settings.max_file_size_mib * _MEBIBYTE), exclude=settings.exclude
    )
    return CheckpointStore.open(root, options=options, keep=settings.keep)
