"""The options of the servers: those of `serve` may come before the command as well as after it."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.values import origin, path, port_number

SERVER_OPTIONS = {
    "--tcp": "transport",
    "--host": "host",
    "--port": "port",
    "--token": "token",
    "--allow-origin": "allow_origin",
    "--allow-remote": "allow_remote",
    "--log-file": "log_file",
    "-v": "verbose",
}
"""Options that only `serve` has, and the attributes that hold their values."""

_HOST = "127.0.0.1"
_PORT = 2087


def add_server_options(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    """Add the options of `serve`, which are allowed before the command as well as after it.

    The help of `serve` shows them, to which they are `inherited`; that of the whole command line does not.
    """

    def default(value: object) -> object:
        return argparse.SUPPRESS if inherited else value

    def shown(text: str) -> str:
        return text if inherited else argparse.SUPPRESS

    group = parser.add_argument_group("serving")
    transports = group.add_mutually_exclusive_group()
    transports.add_argument(
        "--stdio",
        dest="transport",
        action="store_const",
        const="stdio",
        default=default("stdio"),
        help=shown("on standard input and output (the default)"),
    )
    transports.add_argument(
        "--tcp",
        dest="transport",
        action="store_const",
        const="tcp",
        default=default("stdio"),
        help=shown("on a socket, for any program of this machine unless --token is given"),
    )
    transports.add_argument(
        "--ws",
        dest="transport",
        action="store_const",
        const="ws",
        default=default("stdio"),
        help=shown("on a WebSocket, at the URL that is printed (needs the extra `patchpoint[ws]`)"),
    )
    # A suppressed default cannot be named by %(default)s.
    group.add_argument("--host", default=default(_HOST), help=shown(f"address to listen on ({_HOST})"))
    group.add_argument(
        "--port", type=port_number, default=default(_PORT), help=shown(f"port to listen on ({_PORT})")
    )
    group.add_argument(
        "--token",
        action="store_true",
        default=default(False),
        help=shown(
            "have TCP clients show a token, in `initializationOptions.token`; it is printed, or taken from "
            "the environment variable PATCHPOINT_TOKEN"
        ),
    )
    group.add_argument(
        "--allow-origin",
        action="append",
        type=origin,
        default=default(None),
        metavar="ORIGIN",
        help=shown("let web pages of this origin, such as https://example.org, open a WebSocket; repeatable"),
    )
    group.add_argument(
        "--allow-remote",
        action="store_true",
        default=default(False),
        help=shown(
            "listen even if other machines can connect to --host, with a token and without encryption"
        ),
    )
    group.add_argument(
        "--log-file",
        type=path,
        default=default(None),
        help=shown("write the log to this file, not to stderr"),
    )
    group.add_argument(
        "-v", "--verbose", action="count", default=default(0), help=shown("log more; repeat for everything")
    )


def add_serve_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `serve`."""
    add_server_options(parser, inherited=True)


def add_mcp_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `mcp`."""
    parser.add_argument(
        "folders",
        nargs="*",
        type=path,
        metavar="FOLDER",
        help="the folders to work in (default: the client's, or the current folder)",
    )
    parser.add_argument("--read-only", action="store_true", help="offer only tools that write nothing")
    parser.add_argument(
        "--allow-restore", action="store_true", help="also offer to restore checkpoints, and to undo that"
    )
