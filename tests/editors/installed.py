"""The editors that are installed here, and no test where one is not."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path
from typing import NoReturn

import pytest

ROOT = Path(__file__).parent.parent.parent
BIN = Path(sys.executable).parent
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
INSTALLED = Path(os.environ.get("PATCHPOINT_EDITORS") or CACHE / "patchpoint" / "editors")
"""Where tests/editors/install.sh puts what it installs."""
LISP = INSTALLED / "tree" / "usr" / "share" / "emacs" / "site-lisp" / "elpa-src"

PROGRAMS = os.pathsep.join([str(BIN), str(INSTALLED / "bin"), os.defpath])
"""Where an editor finds others, and Patchpoint as it is installed."""

ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "LC_ALL": "C.UTF-8",
    "TERM": "xterm",
    "PATH": PROGRAMS,
}


def editor(name: str, how: str) -> str:
    """Return the path of the editor `name`; without it skip the test, or fail if editors are required."""
    found = shutil.which(name, path=ENVIRONMENT["PATH"])
    if found is None:
        no_test(f"There is no {name} here; {how}.")
    return found


def no_test(reason: str) -> NoReturn:
    """Skip the test for this reason, or fail it if tests of editors are required."""
    if os.environ.get("PATCHPOINT_REQUIRE_EDITORS"):
        pytest.fail(reason)
    pytest.skip(reason)
