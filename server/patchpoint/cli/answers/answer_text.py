"""The text of an answer, from a file or from standard input, and its edits."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from patchpoint.cli.terminal import WRONG_USAGE, CommandError
from patchpoint.filesystem.user_state import is_shown
from patchpoint.headless.answer import read_in_folders
from patchpoint.text.encoding import EncodingError, decode

if TYPE_CHECKING:
    from patchpoint.headless.answer import AnswerEdits
    from patchpoint.locate.ladder import Ladder
    from patchpoint.progress import Progress


def read_answer_text(source: str) -> str:
    """Return the answer, its encoding detected. Raises `CommandError` and `OSError`."""
    if source == "-":
        if sys.stdin.isatty():
            print("Paste the answer, then end it with Ctrl-D.", file=sys.stderr)
        data = sys.stdin.buffer.read()
    else:
        if is_shown(Path(source)):
            raise CommandError(
                f"{source} only previews edits; pass the model's answer.", "not-an-answer", WRONG_USAGE
            )
        data = Path(source).read_bytes()
    try:
        return decode(data).text
    except EncodingError as error:
        raise CommandError(f"The answer {error}", "unreadable-answer", WRONG_USAGE) from error


def read_edits(
    options: argparse.Namespace, text: str, roots: tuple[Path, ...], ladder: Ladder, progress: Progress
) -> AnswerEdits:
    """Return the edits of an answer as its options say. Raises `CommandError` for a turn that is none."""
    try:
        return read_in_folders(
            text,
            roots,
            format=options.format,
            path=options.file,
            turn=options.turn,
            include=options.include,
            source=Path(options.answer).resolve() if options.answer else None,
            ladder=ladder,
            progress=progress,
        )
    except ValueError as error:
        raise CommandError(f"--turn: {error}.", "no-such-turn", WRONG_USAGE) from error
