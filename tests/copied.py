"""Repositories that are made once in a process, and copied for each test."""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path


def copy_repository(make: Callable[[Path], object], folder: Path) -> None:
    """Copy the repository that `make` makes to `folder`, which must not exist; its index knows the copies."""
    shutil.copytree(_made(make), folder, symlinks=True, copy_function=shutil.copy)
    subprocess.run(["git", "update-index", "-q", "--refresh"], cwd=folder, check=True)


@cache
def _made(make: Callable[[Path], object]) -> Path:
    above = tempfile.mkdtemp(prefix="made-")
    owner = os.getpid()

    def delete() -> None:
        if os.getpid() == owner:
            shutil.rmtree(above, ignore_errors=True)

    atexit.register(delete)
    made = Path(above) / "made"
    make(made)
    return made
