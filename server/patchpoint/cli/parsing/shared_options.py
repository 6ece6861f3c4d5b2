"""Options that several commands have."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.values import choice, path, proposals, seconds


def add_allow_executing_files(parser: argparse.ArgumentParser) -> None:
    """Add the option to edit files that start programs."""
    parser.add_argument(
        "--allow-executing-files",
        action="store_true",
        help="also edit files that start programs without being asked, such as .envrc or .vscode/tasks.json",
    )


def add_common(parser: argparse.ArgumentParser) -> None:
    """Add the options of most commands: the folder, and JSON."""
    add_root(parser)
    add_json(parser)


def add_clipboard(parser: argparse.ArgumentParser, does: str) -> None:
    """Add the option that `does` this with the clipboard."""
    parser.add_argument("--clipboard", action="store_true", help=does)


def add_json(parser: argparse.ArgumentParser) -> None:
    """Add the option to print JSON."""
    parser.add_argument("--json", action="store_true", help="print JSON, in the shapes of the protocol")


def add_root(parser: argparse.ArgumentParser) -> None:
    """Add the option that names the folder."""
    parser.add_argument(
        "--root",
        type=path,
        default=".",
        metavar="FOLDER",
        help="the folder to work in (default: the current one)",
    )


def add_check(parser: argparse.ArgumentParser) -> None:
    """Add the option to change nothing."""
    parser.add_argument(
        "--check", "--dry-run", dest="check", action="store_true", help="only show what would happen"
    )


def add_no_checkpoint(parser: argparse.ArgumentParser) -> None:
    """Add the option to take no checkpoint."""
    parser.add_argument("--no-checkpoint", action="store_true", help="take no checkpoint before writing")


def add_wait(parser: argparse.ArgumentParser) -> None:
    """Add the option that says how long a lock is waited for."""
    parser.add_argument(
        "--wait",
        type=seconds,
        metavar="SECONDS",
        help="how long to wait while another program has a lock of the checkpoints or of git (5)",
    )


def add_paths(parser: argparse.ArgumentParser) -> None:
    """Add the paths that limit a command."""
    parser.add_argument("paths", nargs="*", help="only these files and folders")


def add_remote(parser: argparse.ArgumentParser) -> None:
    """Add the remote, as the first argument."""
    parser.add_argument("remote", nargs="?", default="origin", help="its name, URL or folder (%(default)s)")


def add_yes(parser: argparse.ArgumentParser) -> None:
    """Add the option to ask nothing."""
    parser.add_argument("--yes", action="store_true", help="do not ask; needed where there is no terminal")


def add_choices(parser: argparse.ArgumentParser) -> None:
    """Add what a person decides about edits that have no certain place."""
    parser.add_argument(
        "--choose",
        action="append",
        type=choice,
        default=[],
        metavar="EDIT:CANDIDATE[:whole]",
        help="merge an edit into one of its candidates, both counted from 1; repeatable. With :whole, the "
        "replacement takes the place of all lines there. Where the edit was not found, the difference "
        "is shown "
        "first",
    )
    add_accept(parser)


def add_accept(parser: argparse.ArgumentParser) -> None:
    """Add the proposals that a person accepts."""
    parser.add_argument(
        "--accept",
        action="extend",
        type=proposals,
        default=[],
        metavar="ID[,ID...]|all",
        help="write what is proposed under these ids, as it was shown, or all that is proposed; repeatable. "
        "An id whose file has changed since is refused",
    )
