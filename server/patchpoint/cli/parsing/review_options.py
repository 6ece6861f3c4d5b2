"""The options of `patchpoint review`."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.shared_options import add_common, add_wait


def add_review_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of `review`: what to review, and what to decide about it."""
    since = parser.add_mutually_exclusive_group()
    since.add_argument(
        "--since",
        metavar="CHECKPOINT",
        help="review what changed since this checkpoint, by any of its names (default: that of the review "
        "that is not finished, else the one before the newest turn)",
    )
    since.add_argument("--session", help="review what this session wrote in its last turn, and nothing else")
    parser.add_argument(
        "--file", action="append", default=[], metavar="PATH", help="only this file or folder; repeatable"
    )
    for name, word in (("--keep", "keep"), ("--take-back", "revert"), ("--open", "decide again about")):
        parser.add_argument(
            name,
            nargs="*",
            metavar="CHANGE",
            help=f"{word} these changes, by their ids or the beginnings of them; with --file and without "
            "ids, all of its changes",
        )
    parser.add_argument(
        "--because",
        default="",
        metavar="TEXT",
        help="a note on these changes for the summary, such as why they are reverted",
    )
    parser.add_argument(
        "--finish", action="store_true", help="end the review, and print a summary to be sent to the model"
    )
    elsewhere = parser.add_mutually_exclusive_group()
    elsewhere.add_argument(
        "--export",
        choices=("md", "json", "patch"),
        help="print the review as Markdown, as JSON with decisions, or as a patch of what is not reverted",
    )
    elsewhere.add_argument(
        "--import",
        dest="imported",
        metavar="FILE",
        help="decide as the JSON of an export says; what is not as it was there is named, and left open",
    )
    parser.add_argument(
        "--plain", action="store_true", help="ask one question a line at a terminal, without a full screen"
    )
    add_wait(parser)
    add_common(parser)
