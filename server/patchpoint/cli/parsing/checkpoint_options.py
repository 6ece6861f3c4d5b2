"""The options of the commands of checkpoints."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.shared_options import (
    add_check,
    add_common,
    add_paths,
    add_remote,
    add_wait,
    add_yes,
)
from patchpoint.cli.parsing.values import count, days, path

_NAMED = (
    "`claude#12`, words of its prompt, its id or the beginning of it, `last`, `last~2`, `@{14:30}`, "
    "`@MESSAGE` or `@SESSION:MESSAGE`"
)


def add_checkpoint_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `checkpoint`."""
    parser.add_argument("label", nargs="?", default="", help="what to call it")
    parser.add_argument("--session", help="the chat session it belongs to")
    parser.add_argument("--message", help="the message of the session that it precedes")
    parser.add_argument("--pin", action="store_true", help="keep it until somebody deletes it")
    parser.add_argument("--after", action="store_true", help="the session is done: what it changed ends here")
    add_wait(parser)
    add_common(parser)


def add_list_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `list`."""
    _listing_options(parser)
    parser.add_argument("--safety", action="store_true", help="list those taken before restores instead")
    add_common(parser)


def add_log_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `log`."""
    parser.add_argument(
        "place", nargs="?", metavar="LINE", help="instead: which prompt wrote FILE:LINE, or FILE:FIRST-LAST"
    )
    parser.add_argument(
        "--agent-trace",
        action="store_true",
        help="instead: which lines agents wrote, as JSON lines of the Agent Trace specification",
    )
    parser.add_argument(
        "-o",
        "--output",
        type=path,
        metavar="FILE",
        help="with --agent-trace: write them there, such as .agent-trace/traces.jsonl; other tools' stay",
    )
    _listing_options(parser)
    add_common(parser)


def add_show_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `show`."""
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("path", nargs="?", help="the file, relative to the root of the repository")
    add_common(parser)


def add_diff_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `diff`."""
    parser.add_argument("checkpoint", nargs="?", help=f"{_NAMED}; may be left out, also before paths (last)")
    add_paths(parser)
    parser.add_argument(
        "--against", default="worktree", help="`worktree` (the default) or another checkpoint"
    )
    parser.add_argument(
        "--turn", action="store_true", help="instead: only up to the end of the turn that it precedes"
    )
    parser.add_argument("--stat", action="store_true", help="only list the files")
    add_common(parser)


def add_restore_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `restore`."""
    parser.add_argument("checkpoint", nargs="?", help=_NAMED)
    add_paths(parser)
    parser.add_argument("--session", help="instead of a checkpoint: the one before --message in this session")
    parser.add_argument("--message")
    add_check(parser)
    parser.add_argument(
        "--only", action="store_true", help="this repository alone, not others that were recorded with it"
    )
    parser.add_argument("--force", action="store_true", help="even if another branch is checked out now")
    _conversation_option(parser)
    add_wait(parser)
    add_common(parser)


def add_rewind_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `rewind`."""
    _choosing_options(parser)
    parser.add_argument("--limit", type=count, help="at most this many (200; as a list, 20)")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--plain", action="store_true", help="a numbered list, without a full screen")
    _conversation_option(parser)
    add_wait(parser)
    add_common(parser)


def add_undo_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `undo` and `redo`."""
    parser.add_argument(
        "operation", nargs="?", metavar="OPERATION", help="the beginning of its id; without it, the last one"
    )
    parser.add_argument("--session", help="the last one of this session, not of a person")
    parser.add_argument("--any-session", action="store_true", help="the last one, whoever did it")
    add_check(parser)
    add_wait(parser)
    add_common(parser)


def add_operations_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `operations`."""
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=count, default=20, help="at most this many (%(default)s)")
    add_common(parser)


def add_fork_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `fork`."""
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("folder", type=path, metavar="PATH", help="the folder, which must not exist yet")
    parser.add_argument("--branch", help="check out a new branch of this name there (default: none)")
    add_wait(parser)
    add_common(parser)


def add_rename_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `rename`."""
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("label", nargs="?", help="what to call it; without it, it keeps its name")
    pin = parser.add_mutually_exclusive_group()
    pin.add_argument("--pin", action="store_true", help="keep it until somebody deletes it")
    pin.add_argument("--unpin", action="store_true", help="allow it to be deleted when it is old")
    add_wait(parser)
    add_common(parser)


def add_delete_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `delete`."""
    parser.add_argument("checkpoint", help=_NAMED)
    parser.add_argument("--force", action="store_true", help="delete it even if it is pinned")
    _deletion_options(parser)


def add_prune_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `prune`."""
    parser.add_argument("--keep", type=count, help="how many of the newest of each session to keep")
    parser.add_argument(
        "--older-than-days", type=days, metavar="DAYS", help="delete only those that are older"
    )
    _deletion_options(parser)


def add_push_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `push`."""
    add_remote(parser)
    parser.add_argument("checkpoints", nargs="*", metavar="checkpoint", help="only these")
    parser.add_argument(
        "--session", help="those of this session, and its open review with what has been decided about it"
    )
    add_yes(parser)
    add_common(parser)


def add_fetch_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `fetch`."""
    add_remote(parser)
    add_yes(parser)
    add_common(parser)


def _listing_options(parser: argparse.ArgumentParser) -> None:
    _choosing_options(parser)
    parser.add_argument("--limit", type=count, help="at most this many (20; with --json, checkpoints)")
    parser.add_argument("--all", action="store_true", help="all of them")
    parser.add_argument("--steps", action="store_true", help="show the steps of each turn, too")


def _choosing_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", help="only those of this agent, such as `claude`")
    parser.add_argument("--session", help="only those of this session, or the one that begins so")
    parser.add_argument("--since", metavar="TIME", help="only from this time on: 14:30, noon, yesterday, 2h")
    parser.add_argument("--until", metavar="TIME", help="only before this time")
    parser.add_argument("--file", metavar="PATH", help="only turns that changed this file or folder")


def _conversation_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--conversation",
        action="store_true",
        help="put back the conversation of Claude Code or Codex as well: a new session; the old one stays",
    )


def _deletion_options(parser: argparse.ArgumentParser) -> None:
    add_check(parser)
    parser.add_argument("--yes", action="store_true", help="do not ask (without a terminal nothing is asked)")
    add_wait(parser)
    add_common(parser)
