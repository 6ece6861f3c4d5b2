"""What one call of the command line loads: modules, and patterns that are compiled."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

_COUNTING = """
import atexit, os, re, sys
module = sys.modules.get("re._compiler") or __import__("sre_compile")
compiled, really = [], module.compile
writing = int(sys.argv.pop(1))

def counted(pattern, flags=0):
    compiled.append(pattern)
    return really(pattern, flags)

def counted_at_exit():
    loaded = [name for name, each in sys.modules.items() if type(each).__name__ != "_Postponed"]
    own = [name for name in loaded if name.partition(".")[0] == "patchpoint"]
    os.write(writing, b"%d %d %d" % (len(loaded), len(own), len(compiled)))

module.compile = counted
atexit.register(counted_at_exit)
from patchpoint.cli import main
sys.exit(main())
"""


class Loaded(NamedTuple):
    """How much one call loads."""

    modules: int
    """All of them, with Python's own."""
    own: int
    """Those of Patchpoint."""
    patterns: int
    """Regular expressions that are compiled."""


def loaded_by(folder: Path, *words: str | Path, sent: bytes = b"") -> Loaded:
    """Return what a call with these words loads in a folder, given what is `sent` to it."""
    reading, writing = os.pipe()
    try:
        done = subprocess.run(
            [sys.executable, "-c", _COUNTING, str(writing), *map(str, words)],
            cwd=folder,
            input=sent,
            capture_output=True,
            pass_fds=[writing],
            timeout=60,
        )
        assert done.returncode == 0, done.stderr.decode()
        return Loaded(*map(int, os.read(reading, 100).split()))
    finally:
        os.close(reading)
        os.close(writing)
