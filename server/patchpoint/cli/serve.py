"""`patchpoint serve`: the language server on standard input and output or a socket."""

from __future__ import annotations

import argparse
import logging
import sys

from patchpoint.cli.terminal import ENVIRONMENT_FAILED, CommandError, Terminal
from patchpoint.lsp.server import Transport
from patchpoint.lsp.server import serve as serve_client

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def serve(options: argparse.Namespace, _: Terminal) -> int:
    """Serve one client until it disconnects."""
    if options.log_file or options.verbose:
        _start_log(options)
    if options.transport == "stdio" and sys.stdin.isatty():
        hint = "patchpoint: waiting for an editor on standard input; `patchpoint --help` lists the commands"
        print(hint, file=sys.stderr)
    try:
        return serve_client(Transport(options.transport), options.host, options.port)
    except ModuleNotFoundError as error:
        if error.name != "websockets":
            raise
        raise CommandError(
            "WebSockets need a package that is not installed; install `patchpoint[ws]`.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        ) from None


def _start_log(options: argparse.Namespace) -> None:
    """Log to a file or to standard error; standard output belongs to the client."""
    logging.basicConfig(
        level=_LEVELS[min(options.verbose, 2)],
        filename=options.log_file,
        encoding="utf-8" if options.log_file else None,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
