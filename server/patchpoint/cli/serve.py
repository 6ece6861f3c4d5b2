"""`patchpoint serve`: the language server on standard input and output or a socket."""

from __future__ import annotations

import argparse
import logging
import os
import sys

from patchpoint.cli.terminal import ENVIRONMENT_FAILED, WRONG_USAGE, CommandError, Terminal
from patchpoint.lsp.server import Transport
from patchpoint.lsp.server import serve as serve_client
from patchpoint.lsp.transport.access import Access, RemoteAddressError
from patchpoint.text.shown import visible

TOKEN_VARIABLE = "PATCHPOINT_TOKEN"
"""The environment variable that sets the token; other users cannot read it, as they can an argument."""

_SHORTEST_TOKEN = 16
"""Characters."""

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


def serve(options: argparse.Namespace, _: Terminal) -> int:
    """Serve one client until it disconnects."""
    if options.log_file or options.verbose:
        _start_log(options)
    if options.transport == "stdio" and sys.stdin.isatty():
        hint = "patchpoint: waiting for an editor on standard input; `patchpoint --help` lists the commands"
        print(hint, file=sys.stderr)
    try:
        return serve_client(Transport(options.transport), options.host, options.port, access=_access(options))
    except RemoteAddressError as error:
        raise CommandError(str(error), "remote-address", WRONG_USAGE) from None
    except ModuleNotFoundError as error:
        if error.name != "websockets":
            raise
        raise CommandError(
            "WebSocket support needs a package that is not installed; install `patchpoint[ws]`.",
            "missing-extra",
            ENVIRONMENT_FAILED,
        ) from None


def _access(options: argparse.Namespace) -> Access:
    token = os.environ.get(TOKEN_VARIABLE) or None
    if options.transport != "stdio" and token is not None and len(token) < _SHORTEST_TOKEN:
        raise CommandError(
            f"{TOKEN_VARIABLE} is too short: it has {len(token)} characters and needs at least "
            f"{_SHORTEST_TOKEN}, hard to guess.",
            "short-token",
            WRONG_USAGE,
        )
    return Access(token, options.token, frozenset(options.allow_origin or ()), options.allow_remote)


def _start_log(options: argparse.Namespace) -> None:
    """Log to a file or to standard error; standard output belongs to the client."""
    logging.basicConfig(
        level=_LEVELS[min(options.verbose, 2)],
        filename=options.log_file,
        encoding="utf-8" if options.log_file else None,
    )
    for handler in logging.getLogger().handlers:
        handler.setFormatter(_Visible("%(asctime)s %(levelname)s %(name)s: %(message)s"))


class _Visible(logging.Formatter):
    """Escapes what a terminal would obey."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line of `record`."""
        return visible(super().format(record))
