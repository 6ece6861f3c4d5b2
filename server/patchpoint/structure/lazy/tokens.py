"""The lines of a level as the tokens that are aligned: lines, marks, and whole definitions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from patchpoint.structure.lazy.alignment import Kind, Token
from patchpoint.structure.lazy.definition import Definition
from patchpoint.structure.lazy.layout import Shift
from patchpoint.text.lines import Span


def tokens_of_file(file: Sequence[str], blocks: Mapping[int, Definition], within: Span) -> list[Token]:
    """Return the tokens of the file's lines from `within[0]` up to `within[1]`.

    `blocks` are the definitions of their level, by the lines that they begin on.
    """
    tokens = []
    row, end = within
    while row < end:
        block = blocks.get(row)
        if block is not None:
            rows = (n for n in range(block.lead, block.start) if file[n].strip())
            tokens += [Token(Kind.LEAD, file[n].rstrip(), n, n + 1) for n in rows]
            tokens.append(Token(Kind.BLOCK, "", block.start, block.end))
            row = block.end
            continue
        if file[row].strip():
            tokens.append(Token(Kind.LINE, file[row].rstrip(), row, row + 1))
        row += 1
    return tokens


def tokens_of_shown(
    shown: Sequence[str],
    marks: frozenset[int],
    blocks: Mapping[int, Definition],
    within: Span,
    shift: Shift,
    known: frozenset[str],
) -> list[Token]:
    """Return the tokens of shown lines; what has its head in the `known` lines is lines in the file."""
    tokens: list[Token] = []
    row, end = within
    while row < end:
        block = blocks.get(row)
        if block is not None and shown[block.start].strip() not in known:
            tokens.append(Token(Kind.BLOCK, "", block.lead, block.end))
            row = block.end
            continue
        if row in marks:
            if not tokens or tokens[-1].kind is not Kind.MARK:
                tokens.append(Token(Kind.MARK, "", row, row + 1))
        elif shown[row].strip():
            tokens.append(Token(Kind.LINE, shift.apply(shown[row], row).rstrip(), row, row + 1))
        row += 1
    return tokens
