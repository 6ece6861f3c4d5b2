"""The private store of a folder that is in no repository: a bare repository in the user's state folder."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.state import state_folder, write_whole

_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n[gc]\n\tauto = 0\n"


def private_store(folder: bytes) -> bytes:
    """The store for `folder` (a real path), made when it is not there."""
    store = state_folder(Path(os.fsdecode(folder))) / "checkpoints"
    if not (store / "HEAD").exists():
        for part in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
            (store / part).mkdir(parents=True, exist_ok=True)
        store.chmod(0o700)
        # Whole, for another thread or process may be making the same store.
        write_whole(store / "config", _CONFIG)
        # Last, for this file is what makes it a repository.
        write_whole(store / "HEAD", b"ref: refs/heads/main\n")
    return os.fsencode(store)
