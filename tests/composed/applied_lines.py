"""What Patchpoint makes of answers: run as a program, with the `server` of any checkout on the path.

It reads an answer from each line of standard input, `{"files": {path: text}, "text": …}`, and writes a line
of what becomes of it. It imports nothing but Patchpoint, so that it runs with a checkout that does not have
it.
"""

from __future__ import annotations

import json
import sys
from typing import Any

from patchpoint import apply_edits


def fate_of(files: dict[str, str], text: str) -> dict[str, Any]:
    """Return what is written, what is written with a yes to each proposal, and why; or what was raised."""
    try:
        asked, agreed = apply_edits(files, text), apply_edits(files, text, accept="all")
    except Exception as error:  # whatever an older version raises is a result of it
        return {"raised": f"{type(error).__name__}: {error}"}
    written, with_yes = (
        {path: after for path, after in report.files.items() if files.get(path) != after}
        for report in (asked, agreed)
    )
    reasons = [
        f"{outcome.status.value}: {outcome.reason.value}" if outcome.reason else outcome.status.value
        for outcome in asked.outcomes
    ]
    return {"written": written, "with_yes": with_yes, "reasons": reasons + ["unplaced"] * len(asked.unplaced)}


def main() -> None:
    """Write a line for each line that is read."""
    for line in sys.stdin:
        answer = json.loads(line)
        print(json.dumps(fate_of(answer["files"], answer["text"])))


if __name__ == "__main__":
    main()
