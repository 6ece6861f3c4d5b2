"""What Neovim 0.10 and 0.11 make of text edits: `vim.lsp.util.apply_text_edits`, in Python.

A buffer is a list of lines without endings. The ending of the last one is an option of the buffer and no part
of its text, so an edit there means what Neovim takes it for; 0.12 takes it for what the protocol says.
"""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types

from patchpoint.text.positions import Unit


def edited(text: str, edits: Sequence[types.TextEdit], unit: Unit) -> str:
    r"""Return `text` after `edits`, as Neovim shows it: with an ending after the last line.

    Its endings are all `\n` or all `\r\n`.
    """
    ending = "\r\n" if "\r\n" in text else "\n"
    lines = text.replace("\r\n", "\n").removesuffix("\n").split("\n")
    reached_past_the_end = False
    for edit in sorted(edits, key=lambda edit: edit.range.start, reverse=True):
        start, end = edit.range.start, edit.range.end
        new = edit.new_text.replace("\r\n", "\n").split("\n")
        if start.line >= len(lines):
            lines += new
            continue
        first = _column(lines[start.line], start.character, unit)
        row, last_line = end.line, lines[min(end.line, len(lines) - 1)]
        last = min(_column(last_line, end.character, unit), len(last_line))
        if end.line >= len(lines):
            row, last = len(lines) - 1, len(last_line)
            reached_past_the_end = True
        joined = "\n".join(new)
        lines[start.line : row + 1] = (lines[start.line][:first] + joined + lines[row][last:]).split("\n")
    if reached_past_the_end and lines[-1] == "":
        # A buffer has at least one line.
        lines = lines[:-1] or [""]
    return ending.join([*lines, ""])


def _column(line: str, character: int, unit: Unit) -> int:
    codec, size = {Unit.UTF_8: ("utf-8", 1), Unit.UTF_16: ("utf-16-le", 2), Unit.UTF_32: ("utf-32-le", 4)}[
        unit
    ]
    return len(line.encode(codec)[: character * size].decode(codec))
