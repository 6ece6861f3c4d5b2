"""The options of the commands that apply edits, and revert them."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.reading_options import add_reading_options
from patchpoint.cli.parsing.shared_options import (
    add_accept,
    add_allow_executing_files,
    add_check,
    add_choices,
    add_clipboard,
    add_common,
    add_json,
    add_no_checkpoint,
    add_root,
    add_wait,
    add_yes,
)
from patchpoint.cli.parsing.values import count, expectation, fraction

INSTRUCTED_FORMATS = ("searchReplace", "envelope", "unifiedDiff", "toolCall", "wholeFile", "lazy")
"""Those of `patchpoint.schema.requests`, without loading it for every command."""


def add_apply_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `apply`."""
    parser.add_argument(
        "answer", nargs="?", metavar="FILE", help="the answer; `-` (the default): standard input"
    )
    add_clipboard(parser, "take the answer from the clipboard; with --feedback, put that there")
    parser.add_argument(
        "--feedback",
        action="store_true",
        help="print what to send back to the model about refused edits, and everything else to standard "
        "error",
    )
    add_reading_options(parser)
    add_check(parser)
    parser.add_argument(
        "--atomic",
        choices=("all", "file", "edit"),
        help="what is not applied when an edit does not match: all edits (the default), those of its file, "
        "or only that edit",
    )
    add_choices(parser)
    parser.add_argument(
        "--expect",
        action="append",
        type=expectation,
        default=[],
        metavar="PATH=HASH",
        help="refuse edits of a file whose SHA-256 has changed; repeatable",
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


def add_explain_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `explain`."""
    parser.add_argument(
        "answer", nargs="?", metavar="FILE", help="the answer; `-` (the default): standard input"
    )
    parser.add_argument("--edit", type=count, metavar="N", help="only this edit of the answer, from 1")
    add_reading_options(parser)
    add_common(parser)


def add_apply_patch_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `apply-patch`."""
    parser.add_argument("patch", nargs="?", help="the patch; without it, standard input")
    add_allow_executing_files(parser)
    add_root(parser)


def add_instructions_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `instructions`."""
    parser.add_argument(
        "--format",
        choices=INSTRUCTED_FORMATS,
        default=INSTRUCTED_FORMATS[0],
        help="how the model is to write its edits (%(default)s)",
    )
    add_clipboard(parser, "copy the text to the clipboard")
    add_json(parser)


def add_revert_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `revert`."""
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
        help="of a session: also files that changed meanwhile and that none of its steps was meant to write",
    )
    add_accept(parser)
    add_check(parser)
    add_no_checkpoint(parser)
    add_wait(parser)
    add_common(parser)


def add_applications_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `applications`."""
    parser.add_argument("--session", help="only those of this session")
    parser.add_argument("--limit", type=count, help="at most this many")
    add_common(parser)
