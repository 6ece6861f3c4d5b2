"""The checkpoint stores of workspace folders, opened with the client's settings."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore
from patchpoint.schema.git_settings import settings_of

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


def open_store(session: Session, root: Path) -> CheckpointStore:
    """Open the checkpoint store of a folder; in an untrusted workspace nothing is recovered.

    Raises `CheckpointError`.
    """
    settings, _ = settings_of(root, session.given_settings)
    return CheckpointStore.open(root, options=settings.store_options, recover=session.client.trusts_workspace)
