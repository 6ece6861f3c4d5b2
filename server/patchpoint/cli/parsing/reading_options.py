"""The options that say how an answer is read."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.values import edit_format, turn


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add what is read of an answer: its format and turn, and the file of edits that name none."""
    parser.add_argument(
        "--format",
        type=edit_format,
        default="auto",
        metavar="NAME",
        help="read only this format, such as `envelope`; `whole` always means whole files",
    )
    parser.add_argument("--file", default="", metavar="PATH", help="the file of edits that name none")
    parser.add_argument(
        "--turn",
        type=turn,
        default="last",
        metavar="N|last|all",
        help="in a conversation, which of the answers with edits (the last)",
    )
    parser.add_argument(
        "--include",
        action="append",
        default=[],
        metavar="LINE|NAME",
        help="also the edit on this line of the answer that is left alone, or the alternative of this name; "
        "repeatable",
    )
