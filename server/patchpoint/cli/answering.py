"""What the commands answer in JSON."""

from __future__ import annotations

import json

from patchpoint.cli.terminal import Terminal
from patchpoint.lsp.decode import encode


def answer_json(terminal: Terminal, answer: object) -> None:
    """One answer as one JSON object; `answer` is a dataclass of `patchpoint.lsp.answers`."""
    terminal.line(json.dumps(encode(answer), ensure_ascii=False, indent=2))
