"""Patchpoint, struck by a signal while it writes files."""

from __future__ import annotations

import sys

_STRUCK = """
import os, sys
from patchpoint.filesystem.write import OpenPlace

renamed = OpenPlace.rename_over

def strike(place, goal):
    renamed(place, goal)
    if not any(pending):
        pending.append(True)
        os.kill(os.getpid(), {number})

pending = []
OpenPlace.rename_over = strike
from patchpoint.cli import main
sys.exit(main({words}))
"""
"""A program that gets the signal when it has written the first of its files."""


def struck(number: int, *words: str) -> list[str]:
    """Return the command that runs Patchpoint so."""
    return [sys.executable, "-c", _STRUCK.format(number=int(number), words=list(words))]
