"""`patchpoint mcp`: the server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

import argparse
import sys
from importlib.util import find_spec
from typing import TYPE_CHECKING

from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, WRONG_USAGE, CommandError, Terminal

if TYPE_CHECKING:
    from patchpoint.mcp.opening import Opened


def mcp(options: argparse.Namespace, _: Terminal) -> int:
    """Serve one client until it closes standard input."""
    for folder in options.folders:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.", "no-folder", WRONG_USAGE)
    if find_spec("mcp") is None:
        raise CommandError(
            "The Model Context Protocol needs a package that is not installed; install `patchpoint[mcp]`.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        )
    if sys.stdin.isatty():
        print("patchpoint: waiting for an MCP client on standard input", file=sys.stderr)
    from patchpoint.mcp.opening import answer_first

    opened = answer_first(read_only=options.read_only, allow_restore=options.allow_restore)
    if opened.has_ended:
        return DONE
    return _served(options, opened)


def _served(options: argparse.Namespace, opened: Opened) -> int:
    from patchpoint.cli.stores import settings_in

    folders = [folder.resolve() for folder in options.folders]
    for folder in folders:
        settings_in(folder)  # a setting that is wrong is named once, on standard error
    try:
        from patchpoint.mcp.server import Options, serve
    except ImportError as error:
        raise CommandError(
            f"The package of the Model Context Protocol cannot be loaded ({error}); install "
            "`patchpoint[mcp]` again.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        ) from error

    serve(
        Options(
            folders=tuple(dict.fromkeys(folders)),
            read_only=options.read_only,
            allow_restore=options.allow_restore,
        ),
        opened,
    )
    return DONE
