"""`patchpoint serve`: an editor at the other end of standard input and output, or of a socket."""

from __future__ import annotations

import argparse
import logging
import sys

from patchpoint.cli.refusal import ENVIRONMENT_FAILED, CommandError
from patchpoint.cli.terminal import Terminal
from patchpoint.lsp.server import Transport
from patchpoint.lsp.server import serve as serve_client

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def serve(options: argparse.Namespace, _: Terminal) -> int:
    """Serve one client until it leaves."""
    if options.log_file or options.verbose:
        _start_log(options)
    if options.transport == "stdio" and sys.stdin.isatty():
        hint = (
            "patchpoint: an editor is expected at the other end; `patchpoint --help` says what else there is"
        )
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
    """Log to a file, else to standard error; standard output belongs to the client."""
    logging.basicConfig(
        level=_LEVELS[min(options.verbose, 2)],
        filename=options.log_file,
        encoding="utf-8" if options.log_file else None,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
