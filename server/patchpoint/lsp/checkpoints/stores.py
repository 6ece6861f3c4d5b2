"""The checkpoint stores of workspace folders, opened with the client's settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


def open_store(session: Session, root: Path) -> CheckpointStore:
    """Open the checkpoint store of a folder. Raises `CheckpointError`."""
    return CheckpointStore.open(root, options=session.settings.store_options)
