"""The private store of a folder that is in no repository: a bare repository in the user's state directory."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.filesystem.user_state import state_directory
from patchpoint.git.new_repository import make_repository


def private_store(folder: bytes) -> bytes:
    """Return the git directory of the store for `folder` (a real path), creating it if need be."""
    store = state_directory(Path(os.fsdecode(folder))) / "checkpoints"
    if not (store / "HEAD").exists():
        make_repository(store, bare=True)
    return os.fsencode(store)
