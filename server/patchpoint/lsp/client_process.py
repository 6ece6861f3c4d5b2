"""Whether the process at the other end still lives: some clients end and leave the pipe open."""

from __future__ import annotations

import os
import sys


def lives(process_id: int | None) -> bool:
    """Whether a process of that id is there; `False` also where that cannot be told."""
    if process_id is None or sys.platform == "win32":
        return False
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
