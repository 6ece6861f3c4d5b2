"""Whether another process is still running, and which machine and boot of it this is."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path


def is_alive(process_id: int) -> bool:
    """Return whether a process of that id is running."""
    if sys.platform == "win32":  # there, signal 0 would end the process
        from patchpoint.filesystem.windows.calls import is_running

        return is_running(process_id)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True  # it runs as another user
    return True


def boot_id() -> str:
    """Return the id of this boot of the machine; empty where the system has none."""
    with suppress(OSError):
        return Path("/proc/sys/kernel/random/boot_id").read_bytes().decode("ascii").strip()
    return ""


def host_name() -> str:
    """Return the name of this machine."""
    if sys.platform == "win32":
        import socket

        return socket.gethostname()
    # The same, without the time that it takes to load what a socket needs.
    return os.uname().nodename
