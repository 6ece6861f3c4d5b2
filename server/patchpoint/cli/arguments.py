"""The commands of the command line: their names, options and handlers.

See docs/decisions/argparse.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.cli.parsing.command_parser import CommandParser
from patchpoint.cli.parsing.reading_options import add_reading_options
from patchpoint.cli.parsing.review_options import add_review_options
from patchpoint.cli.parsing.server_options import add_mcp_options, add_server_options
from patchpoint.cli.parsing.shared_options import (
    add_allow_executing_files,
    add_check,
    add_choices,
    add_clipboard,
    add_common,
    add_json,
    add_no_checkpoint,
    add_paths,
    add_remote,
    add_root,
    add_wait,
    add_yes,
)
from patchpoint.cli.parsing.values import agent, count, days, expectation, fraction

if TYPE_CHECKING:
    from patchpoint.cli.terminal import Terminal

INSTRUCTED_FORMATS = ("searchReplace", "envelope", "unifiedDiff", "toolCall", "wholeFile", "lazy")
"""Those of `patchpoint.schema.requests`, without loading it for every command."""

DESCRIPTION = "Apply the edits that a language model wrote, or refuse them; keep checkpoints to roll back to."
EPILOG = "Plain `patchpoint` serves an editor on standard input and output. Exit status: 0 done, 1 refused, \
2 wrong usage, 3 the environment failed, 128 and the number of a signal that ended it."

_NAMED = "its id or the beginning of it, `last`, `last~2`, `@MESSAGE` or `@SESSION:MESSAGE`"


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
        module, _, function = self.handler.rpartition(".")
        status: int = getattr(import_module(f"patchpoint.cli.{module}"), function)(options, terminal)
        return status


def command_table() -> tuple[CliCommand, ...]:
    """Return the table of all commands, in the order of the help."""
    return (
        CliCommand("serve", "serve an editor (the default)", "serve.serve", _serve_options),
        CliCommand("apply", "apply the edits in a model's answer", "apply.apply", _apply_options),
        CliCommand("demo", "show all of it once, in a folder of its own", "demo.demo.demo", lambda _: None),
        CliCommand(
            "instructions",
            "print what to say to a model so that its edits can be applied",
            "answers.instructions.instructions",
            _instructions_options,
        ),
        CliCommand(
            "revert",
            "revert applied edits, or what a session changed, even if the files have changed since",
            "reverting.revert",
            _revert_options,
        ),
        CliCommand(
            "applications",
            "list what was applied and can be reverted, newest first",
            "reverting.applications",
            _applications_options,
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
        CliCommand(
            "log", "list the checkpoints, and what changed after each", "checkpoints.log", _log_options
        ),
        CliCommand("show", "show a checkpoint, or a file as it was", "checkpoints.show", _show_options),
        CliCommand("diff", "compare a checkpoint with the working tree", "checkpoints.diff", _diff_options),
        CliCommand("review", "keep or take back what changed", "restoring.review.review", _review_options),
        CliCommand(
            "restore",
            "bring the working tree back to a checkpoint",
            "restoring.restore.restore",
            _restore_options,
        ),
        CliCommand("undo", "undo the last restore", "restoring.restore.undo", _undo_options),
        CliCommand("redo", "do an undone restore again", "restoring.restore.redo", _undo_options),
        CliCommand("fork", "make a checkpoint a linked working tree", "restoring.fork.fork", _fork_options),
        CliCommand(
            "rename", "rename a checkpoint, or pin it", "checkpoints.rename_checkpoint", _rename_options
        ),
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
            "mcp",
            "serve an agent on standard input and output, by the Model Context Protocol",
            "mcp.mcp",
            add_mcp_options,
        ),
        CliCommand(
            "hook",
            "take a checkpoint before what an agent's hook announces",
            "agents.hook.hook",
            _hook_options,
        ),
        CliCommand(
            "setup",
            "have agents call the hook, or with --remove no more",
            "agents.setup.setup",
            _setup_options,
        ),
        CliCommand(
            "completion",
            "print the completions of a shell",
            "parsing.completion.completion",
            _completion_options,
        ),
        CliCommand(
            "doctor",
            "check the installation and a folder, and say what to do about problems",
            "doctor.doctor",
            _doctor_options,
        ),
    )


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line; `command` is the name of the command, or `None`."""
    # Abbreviated, an option of the server would be taken for one of a command: --all for --allow-origin.
    top = CommandParser(prog="patchpoint", description=DESCRIPTION, epilog=EPILOG, allow_abbrev=False)
    top.add_argument("--version", action="store_true", help="print the version")
    add_server_options(top)
    subparsers = top.add_subparsers(dest="command", metavar="COMMAND", title="commands")
    for command in command_table():
        command.add_options(subparsers.add_parser(command.name, help=command.help))
    return top


def command_named(name: str | None) -> CliCommand:
    """Return the command called `name`, or `serve` for `None`."""
    return next(command for command in command_table() if command.name == (name or "serve"))


def _serve_options(parser: argparse.ArgumentParser) -> None:
    add_server_options(parser, inherited=True)


def _apply_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "answer", nargs="?", metavar="FILE", help="the answer; `-` (the default): standard input"
    )
    add_clipboard(parser, "take the answer from the clipboard; with --feedback, put that there")
    parser.add_argument(
        "--feedback",
        action="store_true",
        help="print what to send back to the model about edits that were refused, and all else to standard "
        "error",
    )
    add_reading_options(parser)
    add_check(parser)
    parser.add_argument(
        "--atomic",
        choices=("all", "file", "edit"),
        help="what is held back when an edit does not match: all edits (the default), those of its file, "
        "or that edit alone",
    )
    add_choices(parser)
    parser.add_argument(
        "--expect",
        action="append",
        type=expectation,
        default=[],
        metavar="PATH=HASH",
        help="refuse the edits of a file whose SHA-256 is another one by now; may be repeated",
    )
    add_yes(parser)
    add_allow_executing_files(parser)
    add_no_checkpoint(parser)
    parser.add_argument("--session", help="the chat session that the checkpoint belongs to")
    parser.add_argument("--message", help="the message of the session that the checkpoint precedes")
    parser.add_argument(
        "--min-similarity", type=fraction, help="lowest similarity that counts as a match, 0 to 1"
    )
    parser.add_argument(
        "--min-margin", type=fraction, help="by how much a match must beat the next best, 0 to 1"
    )
    add_wait(parser)
    add_common(parser)


def _instructions_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=INSTRUCTED_FORMATS,
        default=INSTRUCTED_FORMATS[0],
        help="how the model is to write its edits (%(default)s)",
    )
    add_clipboard(parser, "put the text into the clipboard")
    add_json(parser)


def _revert_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "application", nargs="?", help="its id, from `applications`; without it, the last application"
    )
    parser.add_argument("--application", dest="named", metavar="ID", help="the same")
    parser.add_argument("--session", help="instead: all that this session changed, by its checkpoints")
    parser.add_argument("--turn", metavar="MESSAGE", help="of the session, only what it changed in this turn")
    parser.add_argument(
        "--atomic",
        choices=("all", "file"),
        default="all",
        help="what stays when others have changed the same lines: all (the default), or that file alone",
    )
    parser.add_argument(
        "--until-now",
        action="store_true",
        help="of a session: also what changed after a turn whose end no checkpoint records, as after Esc",
    )
    parser.add_argument(
        "--include-unattributed",
        action="store_true",
        help="of a session: also files that changed meanwhile and that none of its steps was to write",
    )
    add_check(parser)
    add_no_checkpoint(parser)
    add_wait(parser)
    add_common(parser)


def _applications_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=count, help="at most this many")
    add_common(parser)


def _apply_patch_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("patch", nargs="?", help="the patch; without it, standard input")
    add_allow_executing_files(parser)
    add_root(parser)


def _checkpoint_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("label", nargs="?", default="", help="what to call it")
    parser.add_argument("--session", help="the chat session it belongs to")
    parser.add_argument("--message", help="the message of the session that it precedes")
    parser.add_argument("--pin", action="store_true", help="keep it until somebody deletes it")
    parser.add_argument(
        "--after", action="store_true", help="the session has done its work: what it changed ends here"
    )
    add_wait(parser)
    add_common(parser)


def _list_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=count, help="at most this many")
    parser.add_argument("--safety", action="store_true", help="list those taken before restores instead")
    add_common(parser)


def _log_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=count, default=20, help="at most this many (%(default)s)")
    add_common(parser)


def _show_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("path", nargs="?", help="the file, relative to the root of the repository")
    add_common(parser)


def _diff_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", nargs="?", help=f"{_NAMED}; may be left out, also before paths (last)")
    add_paths(parser)
    parser.add_argument(
        "--against", default="worktree", help="`worktree` (the default) or another checkpoint"
    )
    parser.add_argument("--stat", action="store_true", help="only list the files")
    add_common(parser)


def _review_options(parser: argparse.ArgumentParser) -> None:
    add_review_options(parser)
    add_wait(parser)
    add_common(parser)


def _restore_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", nargs="?", help=_NAMED)
    add_paths(parser)
    parser.add_argument("--session", help="instead of a checkpoint: the one before --message of this session")
    parser.add_argument("--message")
    add_check(parser)
    parser.add_argument("--force", action="store_true", help="even if another branch is checked out by now")
    add_wait(parser)
    add_common(parser)


def _undo_options(parser: argparse.ArgumentParser) -> None:
    add_check(parser)
    add_wait(parser)
    add_common(parser)


def _fork_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("folder", type=Path, metavar="PATH", help="the folder, which must not exist yet")
    parser.add_argument("--branch", help="check out a new branch of this name there (default: none)")
    add_wait(parser)
    add_common(parser)


def _rename_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("label", nargs="?", help="what to call it; without it, it keeps its name")
    pin = parser.add_mutually_exclusive_group()
    pin.add_argument("--pin", action="store_true", help="keep it until somebody deletes it")
    pin.add_argument("--unpin", action="store_true", help="let it be deleted as it gets old")
    add_wait(parser)
    add_common(parser)


def _delete_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("--force", action="store_true", help="delete it even if it is pinned")
    _deletion_options(parser)


def _deletion_options(parser: argparse.ArgumentParser) -> None:
    add_check(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask; only at a terminal is asked at all")
    add_wait(parser)
    add_common(parser)


def _prune_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--keep", type=count, help="how many of the newest of each session to keep")
    parser.add_argument("--older-than-days", type=days, metavar="DAYS", help="delete only older ones")
    _deletion_options(parser)


def _push_options(parser: argparse.ArgumentParser) -> None:
    add_remote(parser)
    parser.add_argument("checkpoints", nargs="*", metavar="checkpoint", help="only these")
    add_yes(parser)
    add_common(parser)


def _fetch_options(parser: argparse.ArgumentParser) -> None:
    add_remote(parser)
    add_yes(parser)
    add_common(parser)


def _completion_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh", "fish"))


def _hook_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agent",
        nargs="?",
        help="claude, codex, gemini, cursor, copilot or opencode; by default, what is sent tells which",
    )
    parser.add_argument(
        "--repair",
        action="store_true",
        help="rewrite a patch of Codex that drifted, and refuse one that has no place",
    )


def _setup_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "agents",
        nargs="*",
        metavar="AGENT",
        type=agent,
        help="claude, codex, gemini, cursor, copilot, opencode; without one, they are listed",
    )
    parser.add_argument("--all", action="store_true", help="every agent that is found here")
    parser.add_argument("--remove", action="store_true", help="undo it")
    parser.add_argument(
        "--repair",
        action="store_true",
        help="have the hook of Codex also rewrite patches that drifted, and refuse those without a place",
    )
    parser.add_argument("--dry-run", action="store_true", help="only show what would change")
    parser.add_argument(
        "--project",
        action="store_true",
        help="in the files of the project at --root, for all who work on it, instead of the user's",
    )
    add_yes(parser)
    add_common(parser)


def _doctor_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--repair", action="store_true", help="repair what a crash left behind")
    add_common(parser)
