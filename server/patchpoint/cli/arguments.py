"""The commands of the command line: their names, options and handlers.

See docs/decisions/argparse.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

from patchpoint.text.shown import visible

if TYPE_CHECKING:
    from patchpoint.cli.terminal import Terminal

DESCRIPTION = "Apply the edits that a language model wrote, or refuse them; keep checkpoints to roll back to."
EPILOG = "Plain `patchpoint` serves an editor on standard input and output. Exit status: 0 done, 1 refused, \
2 wrong usage, 3 the environment failed."

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


@dataclass(frozen=True, slots=True)
class CliCommand:
    """One command: its name, its line in the help, its handler and its options.

    `handler` is `module.function` below `patchpoint.cli`. The module is imported when the command is run, so
    that a hook does not wait for those of other commands.
    """

    name: str
    help: str
    handler: str
    add_options: Callable[[argparse.ArgumentParser], None]

    def run(self, options: argparse.Namespace, terminal: Terminal) -> int:
        """Run the command and return its exit status. Raises `CommandError` and `OSError`."""
        module, _, function = self.handler.partition(".")
        status: int = getattr(import_module(f"patchpoint.cli.{module}"), function)(options, terminal)
        return status


def command_table() -> tuple[CliCommand, ...]:
    """Return the table of all commands, in the order of the help."""
    return (
        CliCommand("serve", "serve an editor (the default)", "serve.serve", _serve_options),
        CliCommand("apply", "apply the edits in a model's answer", "apply.apply", _apply_options),
        CliCommand(
            "revert",
            "revert applied edits, even if their files have changed since",
            "apply.revert",
            _revert_options,
        ),
        CliCommand(
            "apply-patch",
            "apply a patch as the `apply_patch` that agents call does",
            "apply.apply_patch",
            _apply_patch_options,
        ),
        CliCommand(
            "checkpoint", "record the working tree", "checkpoints.take_checkpoint", _checkpoint_options
        ),
        CliCommand(
            "list", "list the checkpoints, newest first", "checkpoints.list_checkpoints", _list_options
        ),
        CliCommand("show", "show a checkpoint, or a file as it was", "checkpoints.show", _show_options),
        CliCommand("diff", "compare a checkpoint with the working tree", "checkpoints.diff", _diff_options),
        CliCommand(
            "restore", "bring the working tree back to a checkpoint", "restore.restore", _restore_options
        ),
        CliCommand("undo", "undo the last restore", "restore.undo", _undo_options),
        CliCommand("fork", "make a checkpoint a linked working tree", "restore.fork", _fork_options),
        CliCommand("delete", "delete one checkpoint", "checkpoints.delete", _delete_options),
        CliCommand(
            "prune", "delete checkpoints that are no longer needed", "checkpoints.prune", _prune_options
        ),
        CliCommand(
            "push",
            "send checkpoints to a remote, so that they follow you elsewhere",
            "transfer.push",
            _push_options,
        ),
        CliCommand("fetch", "fetch the checkpoints of a remote", "transfer.fetch", _fetch_options),
        CliCommand(
            "doctor",
            "check the installation and a folder, and say what to do about problems",
            "doctor.doctor",
            _doctor_options,
        ),
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `command` is the name of the command, or `None`."""
    top = _Parser(prog="patchpoint", description=DESCRIPTION, epilog=EPILOG)
    top.add_argument("--version", action="store_true", help="print the version")
    _add_server_options(top)
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in command_table():
        command.add_options(subparsers.add_parser(command.name, help=command.help))
    return top


class _Parser(argparse.ArgumentParser):
    """A parser whose errors escape what a terminal would obey; commands get one of its class."""

    def error(self, message: str) -> NoReturn:
        """Print the usage and `message`, and exit."""
        super().error(visible(message))


def command_named(name: str | None) -> CliCommand:
    """Return the command called `name`, or `serve` for `None`."""
    return next(command for command in command_table() if command.name == (name or "serve"))


def _serve_options(parser: argparse.ArgumentParser) -> None:
    _add_server_options(parser, inherited=True)


def _apply_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answer", nargs="?", default="-", metavar="FILE", help="the answer; `-`: standard input"
    )
    _add_check(parser)
    parser.add_argument(
        "--atomic",
        choices=("all", "file", "edit"),
        help="what is held back when an edit does not match: all edits (the default), those of its file, "
        "or that edit alone",
    )
    parser.add_argument(
        "--choose",
        action="append",
        type=_choice,
        default=[],
        metavar="EDIT:CANDIDATE",
        help="put an edit at one of its candidates, both counted from 1; may be repeated. Where the edit was "
        "not found, the difference is shown first",
    )
    _add_yes(parser)
    _add_allow_executing_files(parser)
    _add_no_checkpoint(parser)
    parser.add_argument("--session", help="the chat session that the checkpoint belongs to")
    parser.add_argument("--message", help="the message of the session that the checkpoint precedes")
    parser.add_argument(
        "--min-similarity", type=_fraction, help="lowest similarity that counts as a match, 0 to 1"
    )
    parser.add_argument(
        "--min-margin", type=_fraction, help="by how much a match must beat the next best, 0 to 1"
    )
    _add_wait(parser)
    _add_common(parser)


def _revert_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "application", nargs="?", help="its id, from `apply --json`; without it, the last application"
    )
    _add_check(parser)
    _add_no_checkpoint(parser)
    _add_wait(parser)
    _add_common(parser)


def _apply_patch_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", nargs="?", help="the patch; without it, standard input")
    _add_allow_executing_files(parser)
    _add_root(parser)


def _add_allow_executing_files(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--allow-executing-files",
        action="store_true",
        help="also edit files that start programs without being asked, such as .envrc or .vscode/tasks.json",
    )


def _checkpoint_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("label", nargs="?", default="", help="what to call it")
    parser.add_argument("--session", help="the chat session it belongs to")
    parser.add_argument("--message", help="the message of the session that it precedes")
    _add_wait(parser)
    _add_common(parser)


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=_count, help="at most this many")
    parser.add_argument("--safety", action="store_true", help="list those taken before restores instead")
    _add_common(parser)


def _show_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint")
    parser.add_argument("path", nargs="?", help="the file, relative to the root of the repository")
    _add_common(parser)


def _diff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint")
    _add_paths(parser)
    parser.add_argument(
        "--against", default="worktree", help="`worktree` (the default) or another checkpoint"
    )
    parser.add_argument("--stat", action="store_true", help="only list the files")
    _add_common(parser)


def _restore_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", nargs="?")
    _add_paths(parser)
    parser.add_argument("--session", help="instead of a checkpoint: the one before --message of this session")
    parser.add_argument("--message")
    _add_check(parser)
    parser.add_argument("--force", action="store_true", help="even if another branch is checked out by now")
    _add_wait(parser)
    _add_common(parser)


def _undo_options(parser: argparse.ArgumentParser) -> None:
    _add_check(parser)
    _add_wait(parser)
    _add_common(parser)


def _fork_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint")
    parser.add_argument("folder", type=Path, metavar="PATH", help="the folder, which must not exist yet")
    parser.add_argument("--branch", help="check out a new branch of this name there (default: none)")
    _add_wait(parser)
    _add_common(parser)


def _delete_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint")
    _add_wait(parser)
    _add_common(parser)


def _prune_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", type=_count, help="how many of the newest to keep")
    parser.add_argument("--older-than-days", type=_days, metavar="DAYS", help="delete only older ones")
    _add_wait(parser)
    _add_common(parser)


def _push_options(parser: argparse.ArgumentParser) -> None:
    _add_remote(parser)
    parser.add_argument("checkpoints", nargs="*", metavar="checkpoint", help="only these")
    _add_yes(parser)
    _add_common(parser)


def _fetch_options(parser: argparse.ArgumentParser) -> None:
    _add_remote(parser)
    _add_yes(parser)
    _add_common(parser)


def _doctor_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="repair what a crash left behind")
    _add_common(parser)


def _add_server_options(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    """Add the options of `serve`, which are allowed before the command as well as after it."""

    def default(value: object) -> object:
        return argparse.SUPPRESS if inherited else value

    group = parser.add_argument_group("serving")
    transports = group.add_mutually_exclusive_group()
    transports.add_argument(
        "--stdio",
        dest="transport",
        action="store_const",
        const="stdio",
        default=default("stdio"),
        help="on standard input and output (the default)",
    )
    transports.add_argument(
        "--tcp",
        dest="transport",
        action="store_const",
        const="tcp",
        default=default("stdio"),
        help="on a socket, for any program of this machine unless --token is given",
    )
    transports.add_argument(
        "--ws",
        dest="transport",
        action="store_const",
        const="ws",
        default=default("stdio"),
        help="on a WebSocket, at the URL that is printed (needs the extra `patchpoint[ws]`)",
    )
    # A suppressed default cannot be named by %(default)s.
    group.add_argument("--host", default=default(_HOST), help=f"address to listen on ({_HOST})")
    group.add_argument("--port", type=_port, default=default(_PORT), help=f"port to listen on ({_PORT})")
    group.add_argument(
        "--token",
        action="store_true",
        default=default(False),
        help="have TCP clients show a token, in `initializationOptions.token`; it is printed, or taken from "
        "the environment variable PATCHPOINT_TOKEN",
    )
    group.add_argument(
        "--allow-origin",
        action="append",
        type=_origin,
        default=default(None),
        metavar="ORIGIN",
        help="let web pages of this origin, such as https://example.org, open a WebSocket; may be repeated",
    )
    group.add_argument(
        "--allow-remote",
        action="store_true",
        default=default(False),
        help="listen even if other machines can connect to --host, with a token and without encryption",
    )
    group.add_argument(
        "--log-file", type=Path, default=default(None), help="write the log to this file, not to stderr"
    )
    group.add_argument(
        "-v", "--verbose", action="count", default=default(0), help="log more; twice, everything"
    )


def _add_common(parser: argparse.ArgumentParser) -> None:
    _add_root(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, in the shapes of the protocol")


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root",
        type=Path,
        default=Path(),
        metavar="FOLDER",
        help="the folder to work in (default: the current one)",
    )


def _add_check(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--check", action="store_true", help="only show what would happen")


def _add_no_checkpoint(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-checkpoint", action="store_true", help="take no checkpoint before writing")


def _add_wait(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--wait",
        type=_seconds,
        metavar="SECONDS",
        help="how long to wait while another program has a lock of the checkpoints or of git (5)",
    )


def _add_paths(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", help="only these files and folders")


def _add_remote(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("remote", nargs="?", default="origin", help="its name, URL or folder (%(default)s)")


def _add_yes(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--yes", action="store_true", help="do not ask; needed where there is no terminal")


def _port(text: str) -> int:
    number = _count(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is not a port; ports go from 0 to 65535")
    return number


def _origin(text: str) -> str:
    scheme, separator, host = text.lower().removesuffix("/").partition("://")
    if text != "null" and not (scheme and separator and host and not set(host) & set("/*?#@ ")):
        raise argparse.ArgumentTypeError(f"'{text}' is not an origin, such as https://example.org:8443")
    return text.lower().removesuffix("/")


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is not a whole number, 0 or higher")
    return int(text)


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of days")
    return days


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= 86_400:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number of seconds, up to a day")
    return seconds


def _fraction(text: str) -> float:
    try:
        fraction = float(text)
    except ValueError:
        fraction = -1.0
    if not 0 <= fraction <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not a number between 0 and 1")
    return fraction


def _choice(text: str) -> tuple[int, int]:
    edit, colon, candidate = text.partition(":")
    if not colon or not edit.isdecimal() or not candidate.isdecimal() or int(edit) < 1 or int(candidate) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is not EDIT:CANDIDATE, such as 3:2; both count from 1")
    return int(edit), int(candidate)
