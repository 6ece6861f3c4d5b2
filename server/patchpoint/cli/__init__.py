"""The command line: what the editors can do, for people, hooks and scripts."""

from __future__ import annotations

import gc
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
    if is_process and sys.platform == "win32":
        from patchpoint.filesystem.windows.calls import takes_long_paths

        takes_long_paths()
    if is_process and words and words[0] not in ("serve", "mcp") and not words[0].startswith("-"):
        gc.set_threshold(_COLLECTED_AFTER)
        from patchpoint.postponed import postpone

        postpone(_SELDOM_USED)
    try:
        return _run(words)
    except KeyboardInterrupt:
        return _INTERRUPTED  # while modules were loaded
    finally:
        if is_process:
            gc.freeze()  # else Python looks for cycles once more before it ends


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
