"""Output that the commands share: JSON, tables, and what a checkpoint leaves out.

What became of edits is printed by `edit_results`, which a hook that takes a checkpoint does not load.
"""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.cli.terminal import Terminal
from patchpoint.schema.decode import encode
from patchpoint.text.shown import visible_line


def print_json(terminal: Terminal, answer: object) -> None:
    """Print `answer`, a dataclass such as those of `patchpoint.schema.responses`, as one JSON object."""
    terminal.json(encode(answer))


def print_table(terminal: Terminal, rows: Sequence[tuple[str, ...]]) -> None:
    """Print rows of equal length in aligned columns, the first column in bold."""
    rows = [tuple(map(visible_line, row)) for row in rows]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        first, *rest = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        terminal.line("  ".join((terminal.paint(first, "bold"), *rest)).rstrip())
