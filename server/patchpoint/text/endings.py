"""The line endings of a text, mixed ones too, and which one a new line takes."""

from __future__ import annotations

import re
from dataclasses import dataclass

from patchpoint.text.lines import LineTable, line_ending

_ANY = re.compile(r"\r\n|\n|\r")


@dataclass(frozen=True, slots=True)
class Endings:
    r"""How many lines of a text end in `\n`, in `\r\n` and in `\r`."""

    lf: int
    crlf: int
    cr: int

    @property
    def mixed(self) -> bool:
        """Whether there are several kinds."""
        return (self.lf > 0) + (self.crlf > 0) + (self.cr > 0) > 1

    @property
    def usual(self) -> str:
        r"""The most frequent ending; `"\n"` for a text without any and where two are equally frequent."""
        most = max(self.lf, self.crlf, self.cr)
        if most == self.lf:
            return "\n"
        return "\r\n" if most == self.crlf else "\r"


def endings_of(text: str) -> Endings:
    """The endings of `text`, counted."""
    if "\r" not in text:
        return Endings(text.count("\n"), 0, 0)
    crlf = text.count("\r\n")
    return Endings(text.count("\n") - crlf, crlf, text.count("\r") - crlf)


def ending_near(table: LineTable, line: int) -> str:
    r"""The ending that a new line put in front of 0-based `line` takes from its neighbours.

    It is that of the line above; at the top of a text, of the line that is pushed down; and where neither
    has one, the usual ending of the text.
    """
    for neighbour in (line - 1, line):
        if 0 <= neighbour < table.line_count:
            ending = line_ending(table.line_text(neighbour))
            if ending:
                return ending
    return endings_of(table.text).usual


def with_ending(text: str, ending: str) -> str:
    """`text` with every line ending turned into `ending`; a last line without one stays without."""
    if ending == "\n" and "\r" not in text:
        return text
    return _ANY.sub(lambda _: ending, text)
