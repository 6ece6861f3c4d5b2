"""Making a repository without git: what git needs to take a directory for one."""

from __future__ import annotations

from pathlib import Path

from patchpoint.filesystem.user_state import write_private


def make_repository(gitdir: Path, *, bare: bool) -> None:
    """Make `gitdir` a git directory without a commit; what is there already stays.

    Several threads or processes may make the same one at once. Raises `OSError`.
    """
    for part in ("objects/pack", "objects/info", "refs/heads", "refs/tags"):
        (gitdir / part).mkdir(parents=True, exist_ok=True)
    gitdir.chmod(0o700)
    core = f"[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = {str(bare).lower()}\n"
    write_private(gitdir / "config", f"{core}[gc]\n\tauto = 0\n".encode())
    # Last, for it is a repository once it has this file.
    write_private(gitdir / "HEAD", b"ref: refs/heads/main\n")
