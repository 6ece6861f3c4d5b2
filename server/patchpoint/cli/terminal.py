"""What a person sees: colour where it helps, never where it is not wanted."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass
from typing import TextIO

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "blue": "34", "cyan": "36"}


@dataclass(frozen=True, slots=True)
class Terminal:
    """Where lines go, and whether they may be coloured."""

    stream: TextIO
    colour: bool

    @classmethod
    def of(cls, stream: TextIO) -> Terminal:
        """Colour only for a person at a terminal who did not ask for none (https://no-color.org)."""
        plain = os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
        return cls(stream, stream.isatty() and not plain)

    def line(self, text: str = "") -> None:
        """One line."""
        print(text, file=self.stream)

    def paint(self, text: str, *styles: str) -> str:
        """`text` in these styles: bold, dim, red, green, yellow, blue, cyan."""
        if not self.colour or not styles:
            return text
        return f"\x1b[{';'.join(_CODES[style] for style in styles)}m{text}\x1b[0m"

    def diff(self, diff: str) -> None:
        """A unified diff."""
        for line in diff.split("\n")[: -1 if diff.endswith("\n") else None]:
            self.line(self.paint(line, *_diff_style(line)))


def standard_output() -> Terminal:
    """The terminal that answers go to; a character it cannot show is replaced, not an error."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")
    return Terminal.of(sys.stdout)


def plural(count: int, thing: str) -> str:
    """`1 file`, `2 files`."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _diff_style(line: str) -> tuple[str, ...]:
    if line.startswith(("+++", "---", "diff ")):
        return ("bold",)
    if line.startswith("@@"):
        return ("cyan",)
    return {"+": ("green",), "-": ("red",)}.get(line[:1], ())
