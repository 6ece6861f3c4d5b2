"""A command that gets a signal before one of its changes to files; each of its processes loads this."""

from __future__ import annotations

import os
import signal
import sys
import traceback
from collections.abc import Sequence
from pathlib import Path

from patchpoint.cli import main
from tests.checkpoints.file_events import signal_before


def end_with(words: list[str], number: int, at: int, counted: str, ignored: Sequence[int]) -> None:
    """Run a command that gets the signal before the change number `at`, and end this process with its status.

    How many changes there were is written to the file `counted`. Signals that are `ignored` were so before.
    """
    status = 99
    # What a signal leaves does not depend on it, and it would take minutes.
    os.fsync = lambda fd: None
    for each in ignored:
        signal.signal(each, signal.SIG_IGN)
    try:
        seen = signal_before(at, number, only_changes=True)
        status = main(words)
        sys.stdout.flush()
        sys.stderr.flush()
        Path(counted).write_text(str(seen()), encoding="ascii")
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(status)
