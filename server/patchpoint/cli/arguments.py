"""The words that the command line understands."""

from __future__ import annotations

import argparse
from pathlib import Path

DESCRIPTION = "Apply the edits that a language model wrote, or refuse them; keep checkpoints to roll back to."
EPILOG = "Plain `patchpoint` serves an editor on standard input and output. Exit status: 0 done, 1 refused, \
2 wrong usage, 3 the environment failed."

SERVER_OPTIONS = {
    "--tcp": "transport",
    "--host": "host",
    "--port": "port",
    "--log-file": "log_file",
    "-v": "verbose",
}
"""Options that only `serve` has, and the names that they are kept under."""


def parser() -> argparse.ArgumentParser:
    """The parser of the whole command line; `command` is the name of the command that was called."""
    top = argparse.ArgumentParser(prog="patchpoint", description=DESCRIPTION, epilog=EPILOG)
    top.add_argument("--version", action="store_true", help="say which version this is")
    _add_server_options(top)
    commands = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")

    serve = commands.add_parser("serve", help="serve an editor (the default)")
    _add_server_options(serve, inherited=True)

    _add_edit_commands(commands)
    _add_checkpoint_commands(commands)

    doctor = commands.add_parser("doctor", help="say what is there, what is missing and what to do about it")
    doctor.add_argument("--repair", action="store_true", help="mend what a crash left behind")
    _add_common(doctor)
    return top


def _add_server_options(parser: argparse.ArgumentParser, *, inherited: bool = False) -> None:
    """The options of `serve`, which stand before the command as well as after it."""

    def default(value: object) -> object:
        return argparse.SUPPRESS if inherited else value

    group = parser.add_argument_group("serving")
    way = group.add_mutually_exclusive_group()
    way.add_argument(
        "--stdio",
        dest="transport",
        action="store_const",
        const="stdio",
        default=default("stdio"),
        help="on standard input and output (the default)",
    )
    way.add_argument(
        "--tcp",
        dest="transport",
        action="store_const",
        const="tcp",
        default=default("stdio"),
        help="on a socket",
    )
    way.add_argument(
        "--ws",
        dest="transport",
        action="store_const",
        const="ws",
        default=default("stdio"),
        help="on a WebSocket (needs the extra `patchpoint[ws]`)",
    )
    group.add_argument("--host", default=default("127.0.0.1"), help="address to listen on (%(default)s)")
    group.add_argument("--port", type=_port, default=default(2087), help="port to listen on (%(default)s)")
    group.add_argument(
        "--log-file", type=Path, default=default(None), help="write the log there, not to stderr"
    )
    group.add_argument(
        "-v", "--verbose", action="count", default=default(0), help="log more; twice, everything"
    )


def _add_edit_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    apply = commands.add_parser("apply", help="apply the edits in a model's answer")
    apply.add_argument(
        "answer", nargs="?", default="-", metavar="FILE", help="the answer; `-`: standard input"
    )
    apply.add_argument("--check", action="store_true", help="only say what would happen")
    apply.add_argument(
        "--atomic",
        choices=("all", "file", "edit"),
        default="all",
        help="what stays undone when an edit does not match: all, its file, that edit alone (%(default)s)",
    )
    apply.add_argument(
        "--choose",
        action="append",
        type=_choice,
        default=[],
        metavar="EDIT:CANDIDATE",
        help="put an ambiguous edit at one of its candidates, both counted from 1; may be repeated",
    )
    apply.add_argument("--no-checkpoint", action="store_true", help="take no checkpoint before writing")
    apply.add_argument("--session", help="the chat session that the checkpoint belongs to")
    apply.add_argument("--message", help="the message of the session that the checkpoint precedes")
    apply.add_argument(
        "--min-similarity", type=_fraction, help="lowest similarity that counts as a find, 0 to 1"
    )
    apply.add_argument("--min-margin", type=_fraction, help="by how much a find must beat its rivals, 0 to 1")
    _add_common(apply)

    revert = commands.add_parser("revert", help="take applied edits back, though the files have moved on")
    revert.add_argument(
        "application", nargs="?", help="what `apply --json` answered; without it, the last one"
    )
    revert.add_argument("--check", action="store_true", help="only say what would happen")
    revert.add_argument("--no-checkpoint", action="store_true", help="take no checkpoint before writing")
    _add_common(revert)

    patch = commands.add_parser("apply-patch", help="stand in for the `apply_patch` that agents call")
    patch.add_argument("patch", nargs="?", help="the patch; without it, standard input")
    _add_root(patch)


def _add_checkpoint_commands(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    take = commands.add_parser("checkpoint", help="record the working tree")
    take.add_argument("label", nargs="?", default="", help="what to call it")
    take.add_argument("--session", help="the chat session it belongs to")
    take.add_argument("--message", help="the message of the session that it precedes")
    _add_common(take)

    listing = commands.add_parser("list", help="list the checkpoints, newest first")
    listing.add_argument("--session", help="only those of this session")
    listing.add_argument("--limit", type=_count, help="only so many")
    listing.add_argument("--safety", action="store_true", help="those taken before restores, instead")
    _add_common(listing)

    show = commands.add_parser("show", help="show a checkpoint, or a file as it was")
    show.add_argument("checkpoint")
    show.add_argument("path", nargs="?", help="the file, relative to the root of the repository")
    _add_common(show)

    diff = commands.add_parser("diff", help="compare a checkpoint with the working tree")
    diff.add_argument("checkpoint")
    diff.add_argument("paths", nargs="*", help="only these files and folders")
    diff.add_argument("--against", default="worktree", help="`worktree` (the default) or another checkpoint")
    diff.add_argument("--stat", action="store_true", help="name the files only")
    _add_common(diff)

    restore = commands.add_parser("restore", help="bring the working tree back to a checkpoint")
    restore.add_argument("checkpoint", nargs="?")
    restore.add_argument("paths", nargs="*", help="only these files and folders")
    restore.add_argument(
        "--session", help="instead of a checkpoint: the one before --message of this session"
    )
    restore.add_argument("--message")
    restore.add_argument("--check", action="store_true", help="only say what would happen")
    restore.add_argument("--force", action="store_true", help="even if another branch is checked out by now")
    _add_common(restore)

    undo = commands.add_parser("undo", help="take the last restore back")
    undo.add_argument("--check", action="store_true", help="only say what would happen")
    _add_common(undo)

    delete = commands.add_parser("delete", help="delete one checkpoint")
    delete.add_argument("checkpoint")
    _add_common(delete)

    prune = commands.add_parser("prune", help="delete checkpoints that are not needed any more")
    prune.add_argument("--keep", type=_count, help="keep the newest so many")
    prune.add_argument("--older-than-days", type=_days, metavar="DAYS", help="delete only older ones")
    _add_common(prune)

    push = commands.add_parser("push", help="send checkpoints to a remote, so that they follow you elsewhere")
    push.add_argument("remote", nargs="?", default="origin", help="its name, URL or folder (%(default)s)")
    push.add_argument("checkpoints", nargs="*", metavar="checkpoint", help="only these")
    _add_common(push)

    fetch = commands.add_parser("fetch", help="fetch the checkpoints of a remote")
    fetch.add_argument("remote", nargs="?", default="origin", help="its name, URL or folder (%(default)s)")
    _add_common(fetch)


def _add_common(parser: argparse.ArgumentParser) -> None:
    _add_root(parser)
    parser.add_argument("--json", action="store_true", help="answer in JSON, in the shapes of the protocol")


def _add_root(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--root", type=Path, default=Path(), metavar="FOLDER", help="the folder to work in (the current one)"
    )


def _port(text: str) -> int:
    number = _count(text)
    if number > 65535:
        raise argparse.ArgumentTypeError(f"'{text}' is no port; ports go from 0 to 65535")
    return number


def _count(text: str) -> int:
    if not text.isascii() or not text.isdigit():
        raise argparse.ArgumentTypeError(f"'{text}' is no whole number from 0 upwards")
    return int(text)


def _days(text: str) -> float:
    try:
        days = float(text)
    except ValueError:
        days = -1.0
    if not 0 <= days < 1e6:
        raise argparse.ArgumentTypeError(f"'{text}' is no number of days")
    return days


def _fraction(text: str) -> float:
    try:
        fraction = float(text)
    except ValueError:
        fraction = -1.0
    if not 0 <= fraction <= 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no number between 0 and 1")
    return fraction


def _choice(text: str) -> tuple[int, int]:
    edit, colon, candidate = text.partition(":")
    if not colon or not edit.isdecimal() or not candidate.isdecimal() or int(edit) < 1 or int(candidate) < 1:
        raise argparse.ArgumentTypeError(f"'{text}' is no EDIT:CANDIDATE, such as 3:2; both count from 1")
    return int(edit), int(candidate)
