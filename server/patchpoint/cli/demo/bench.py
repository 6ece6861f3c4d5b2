"""`patchpoint bench`: the open benchmark of applying edits, which is in a clone and not in the package."""

from __future__ import annotations

import argparse
import sys
from importlib import import_module
from pathlib import Path

from patchpoint.cli.terminal import ENVIRONMENT_FAILED, CommandError, Terminal

CLONE = Path(__file__).resolve().parents[4]
"""The clone, where this package is installed from one with `make setup`."""
_BENCHMARK = Path("tests", "applying", "run.py")


def bench(options: argparse.Namespace, _terminal: Terminal) -> int:
    """Run the benchmark of the clone that this very package is in; no other folder is looked at."""
    if not (CLONE / _BENCHMARK).is_file():
        raise CommandError(
            "The benchmark is not part of the package: it has cases, and other engines to compare. Run "
            "`make setup` and `.venv/bin/patchpoint bench` in a clone of Patchpoint.",
            "no-benchmark",
            ENVIRONMENT_FAILED,
        )
    sys.path.insert(0, str(CLONE))
    status: int = import_module("tests.applying.run").run(options)
    return status
