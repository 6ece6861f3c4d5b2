"""The command line: what the editors can do, for people, hooks and scripts."""

from __future__ import annotations

import atexit
import gc
import os
import sys

TYPE_CHECKING = False
# What type checkers know by this name, too, and what `typing` is not loaded for.

if TYPE_CHECKING:
    from collections.abc import Sequence

_COLLECTED_AFTER = 100_000
"""New objects after which Python looks for cycles; after its own 700 a command would wait a hundred times."""
_SELDOM_USED = ("copy", "inspect", "ipaddress", "logging", "ntpath", "textwrap", "traceback")
"""Modules that others import and of which a command seldom uses anything."""
_INTERRUPTED = 130
"""The exit status that a shell reports for a program interrupted from the keyboard (128 + SIGINT)."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 done, 1 refused, 2 wrong usage, 3 the environment failed,
    128 and the number of the signal that ended it.

    Raises `SystemExit` for `--help` and for arguments that are not understood, as argparse does.
    """
    is_process = arguments is None
    words = sys.argv[1:] if arguments is None else list(arguments)
    is_short = (
        is_process and bool(words) and words[0] not in ("serve", "mcp") and not words[0].startswith("-")
    )
    if is_process and sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import takes_long_paths

        takes_long_paths()
    if is_short:
        gc.set_threshold(_COLLECTED_AFTER)
        from patchpoint.postponed import postpone

        postpone(_SELDOM_USED)
    try:
        status = _run(words)
    except KeyboardInterrupt:
        status = _INTERRUPTED  # while modules were loaded
    finally:
        if is_process:
            gc.freeze()  # else Python looks for cycles once more before it ends
    if is_short:
        _end_at_once(status)
    return status


def _end_at_once(status: int) -> None:
    """End the process where nothing is left to be done but to free its memory, which the system does faster.

    Returns where a thread is still at work, or what was printed does not get out: Python sees to both.
    """
    threading = sys.modules.get("threading")
    if threading and any(
        not (each.daemon or each is threading.main_thread()) for each in threading.enumerate()
    ):
        return
    atexit._run_exitfuncs()
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return
    os._exit(status)


def _run(words: list[str]) -> int:
    if words[:1] == ["hook"]:
        options = {"--repair", "--lines"}
        agents = [word for word in words[1:] if word not in options]
        if not agents or (len(agents) == 1 and not agents[0].startswith("-")):
            # An agent waits for it: nothing is loaded that a checkpoint does not need.
            from patchpoint.cli.agents.hook import run_hook

            return run_hook(*agents, repair="--repair" in words, lines="--lines" in words)
    if words == ["--version"]:
        from patchpoint.version import __version__

        print(f"patchpoint {__version__}")
        return 0
    from patchpoint.cli.parsing.run import run_command

    return run_command(words)
