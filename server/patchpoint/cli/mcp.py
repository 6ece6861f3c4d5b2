"""`patchpoint mcp`: the server of the Model Context Protocol on standard input and output."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from patchpoint.cli.stores import settings_in
from patchpoint.cli.terminal import DONE, ENVIRONMENT_FAILED, WRONG_USAGE, CommandError, Terminal


def mcp(options: argparse.Namespace, _: Terminal) -> int:
    """Serve one client until it closes standard input."""
    folders: list[Path] = []
    for folder in options.folders:
        if not folder.is_dir():
            raise CommandError(f"{folder} is not a folder.", "no-folder", WRONG_USAGE)
        folders.append(folder.resolve())
        settings_in(folder)  # a setting that is wrong is named once, on standard error
    try:
        from patchpoint.mcp.server import Options, serve
    except ModuleNotFoundError as error:
        if error.name is None or error.name.startswith("patchpoint"):
            raise
        raise CommandError(
            "The Model Context Protocol needs a package that is not installed; install `patchpoint[mcp]`.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        ) from None
    if sys.stdin.isatty():
        print("patchpoint: waiting for an MCP client on standard input", file=sys.stderr)
    serve(
        Options(
            folders=tuple(dict.fromkeys(folders)),
            read_only=options.read_only,
            allow_restore=options.allow_restore,
        )
    )
    return DONE
