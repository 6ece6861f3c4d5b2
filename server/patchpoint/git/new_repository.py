"""Making a repository without git: what git needs to take a directory for one."""

from __future__ import annotations

import os
from pathlib import Path

from patchpoint.filesystem.user_state import state_directory, write_private


def make_repository(gitdir: Path, *, bare: bool, object_format: str = "sha1") -> None:
    """Make `gitdir` a git directory without a commit; what is there already stays.

    Several threads or processes may make the same one at once. Raises `OSError`.
    """
    for part in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
        (gitdir / part).mkdir(parents=True, exist_ok=True)
    gitdir.chmod(0o700)
    version = 0 if object_format == "sha1" else 1
    core = f"[core]\n\trepositoryformatversion = {version}\n\tfilemode = true\n\tbare = {str(bare).lower()}\n"
    if version:
        core += f"[extensions]\n\tobjectFormat = {object_format}\n"
    write_private(gitdir / "config", f"{core}[gc]\n\tauto = 0\n".encode())
    # Last, for it is a repository once it has this file.
    write_private(gitdir / "HEAD", b"ref: refs/heads/main\n")


def private_store(folder: bytes) -> bytes:
    """Return the git directory of the private store of `folder` (a real path), creating it if need be.

    It is a bare repository in the user's state directory, for a folder that is in no repository.
    """
    store = state_directory(Path(os.fsdecode(folder))) / "checkpoints"
    if not (store / "HEAD").exists():
        make_repository(store, bare=True)
    return os.fsencode(store)
