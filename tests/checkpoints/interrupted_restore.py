"""A restore whose process dies just after the point of no return, before any file has been changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from unittest.mock import patch


class _Died(BaseException):
    pass


def interrupt(restore: Callable[[], object]) -> None:
    """Call `restore` and end it there, as if its process had died."""

    def die(*_: object) -> None:
        raise _Died

    with patch("patchpoint.checkpoints.restore.apply._change_files", die):
        try:
            restore()
        except _Died:
            return
    raise AssertionError("the restore was not interrupted")


def strangers_journal(root: Path, content: str, outside: Path) -> dict[str, object]:
    """Return a journal, without a code, that writes and deletes outside of the repository at `root` and in
    its `.git`. `content` is the id of a blob, and `outside` a file with the content of that blob.
    """
    up = "../" * (len(root.parts) - 1)
    return {
        "version": 1,
        "checkpoint": "0" * 14,
        "commit": content,
        "safety": "0" * 14,
        "safetyCommit": content,
        "head": None,
        "whole": False,
        "stagedState": False,
        "session": None,
        "dropped": [],
        "revived": [],
        "steps": [
            [f"{up}{outside.parent.relative_to('/')}/written", None, f"100644 {content}", "written.staged"],
            [".git/hooks/post-checkout", None, f"100755 {content}", ".git/hooks/staged"],
            [f"{up}{outside.relative_to('/')}", f"100644 {content}", None, None],
            ["a.txt", None, f"100644 {content}", f"{up}{outside.relative_to('/')}"],
        ],
    }


def plant(root: Path, phase: str, journal: object) -> Path:
    """Write `journal` as that of `phase` into the repository at `root`; return its path."""
    place = root / ".git/patchpoint" / f"restore.{phase}"
    place.parent.mkdir(exist_ok=True)
    place.write_text(journal if isinstance(journal, str) else json.dumps(journal))
    return place
