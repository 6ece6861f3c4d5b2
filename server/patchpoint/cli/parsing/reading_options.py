"""The options that say how an answer is read."""

from __future__ import annotations

import argparse

from patchpoint.cli.parsing.values import edit_format


def add_reading_options(parser: argparse.ArgumentParser) -> None:
    """Add the format of the edits, and the file of those that name none."""
    parser.add_argument(
        "--format",
        type=edit_format,
        default="auto",
        metavar="NAME",
        help="the one format to read, such as `envelope`; `whole` insists on whole files",
    )
    parser.add_argument("--file", default="", metavar="PATH", help="the file of edits that name none")
