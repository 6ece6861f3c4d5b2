"""The private store of a folder that is in no repository: a bare repository in the user's state directory."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.filesystem.user_state import state_directory, write_private

_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n[gc]\n\tauto = 0\n"


def private_store(folder: bytes) -> bytes:
    """Return the git directory of the store for `folder` (a real path), creating it if need be."""
    store = state_directory(Path(os.fsdecode(folder))) / "checkpoints"
    if not (store / "HEAD").exists():
        for part in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
            (store / part).mkdir(parents=True, exist_ok=True)
        store.chmod(0o700)
        # Atomically, for another thread or process may be creating the same store.
        write_private(store / "config", _CONFIG)
        # Last, for it is a repository once it has this file.
        write_private(store / "HEAD", b"ref: refs/heads/main\n")
    return os.fsencode(store)
