"""The text of an answer, from a file or from standard input."""

from __future__ import annotations

import sys
from pathlib import Path

from patchpoint.cli.terminal import WRONG_USAGE, CommandError
from patchpoint.filesystem.user_state import is_shown
from patchpoint.text.encoding import EncodingError, decode


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
