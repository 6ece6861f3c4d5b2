"""The private store of a folder that is in no repository: a bare repository in the user's state folder."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

_CONFIG = b"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = true\n[gc]\n\tauto = 0\n"


def private_store(folder: bytes) -> bytes:
    """The store for `folder` (a real path), made when it is not there.

    Named by the folder's path; the file `folder` inside it says in plain words which one that is.
    """
    name = hashlib.sha256(folder).hexdigest()[:32]
    store = _state_folder() / "stores" / name
    if not (store / "HEAD").exists():
        for part in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
            (store / part).mkdir(parents=True, exist_ok=True)
        store.chmod(0o700)
        (store / "config").write_bytes(_CONFIG)
        (store / "folder").write_bytes(folder + b"\n")
        fresh = store / f"HEAD.{os.getpid()}"
        fresh.write_bytes(b"ref: refs/heads/main\n")
        fresh.replace(store / "HEAD")
    return os.fsencode(store)


def _state_folder() -> Path:
    base = os.environ.get("XDG_STATE_HOME") or ""
    return (Path(base) if base.startswith("/") else Path.home() / ".local" / "state") / "patchpoint"
