"""The checkpoint stores of workspace folders, opened with the client's settings."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.checkpoints import CheckpointStore
from patchpoint.filesystem.state_home import unfinished_marks
from patchpoint.schema.git_settings import settings_of

if TYPE_CHECKING:
    from patchpoint.lsp.session.session import Session


def open_store(session: Session, root: Path) -> CheckpointStore:
    """Open the checkpoint store of a folder; in an untrusted workspace nothing is recovered.

    Edits that were cut short, in whatever folder, are undone before.

    Raises `CheckpointError`.
    """
    if session.client.trusts_workspace and unfinished_marks():
        _undo_unfinished_edits(session)
    settings, _ = settings_of(root, session.given_settings)
    return CheckpointStore.open(root, options=settings.store_options, recover=session.client.trusts_workspace)


def _undo_unfinished_edits(session: Session) -> None:
    from patchpoint.workspace.unfinished import recover_unfinished

    for says in recover_unfinished():
        session.call_soon(partial(session.warn, says))
