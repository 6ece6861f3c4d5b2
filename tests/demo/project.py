"""The small project that tests and the editors work in, and a drifted answer about it."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

from tests.copied import copy_repository

DATA = Path(__file__).parent.parent / "data" / "demo"
ANSWER = DATA / "answer.md"
CHAT = DATA / "chat.md"
"""An answer of a chat page: one function, without anything that is searched for."""


def make_project(folder: Path) -> Path:
    """Copy the project to `folder`, commit it in a repository of its own, and return its path."""
    copy_repository(_make, folder)
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    """Return the content of every file of the project, without those of its repository, by relative path."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and ".git" not in path.relative_to(folder).parts
    }


def _make(folder: Path) -> None:
    shutil.copytree(DATA / "project", folder)
    identity = ["-c", "user.name=Someone", "-c", "user.email=someone@example.org"]
    for arguments in (["init", "-q", "-b", "main"], ["add", "-A"], ["commit", "-q", "-m", "A till"]):
        subprocess.run(["git", *identity, *arguments], cwd=folder, check=True)
