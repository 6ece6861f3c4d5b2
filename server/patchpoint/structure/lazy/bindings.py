"""Statements that give a name a value, and what a line begins, by lines alone: in any language."""

from __future__ import annotations

from collections.abc import Sequence

from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.regex import regex

BOUND = regex(
    r"(?<![\w$.\"'-])(?P<name>[\w$.\"'-]+)\s{0,40}(?:[?!]?:[^=]{0,200})?\s{0,40}(?P<sign>:=|[=:])(?![=>])"
)
"""Where a name gets a value, or is the key of one."""
CLOSES = (")", "]", "}", "end")
"""What a line begins with that ends what is above it."""


def head_of(line: str, *, keys: bool = False) -> tuple[str, ...]:
    """Return the words before the value that a statement gives a name; none for another statement.

    With `keys`, those before a colon as well, as data have them.
    """
    words = line.strip()
    bound = BOUND.search(words)
    if (
        bound is None
        or (bound["sign"] == ":" and not keys)
        or not all(each.isidentifier() for each in words[: bound.start()].split())
    ):
        return ()
    return (*words[: bound.start()].split(), bound["name"])


def end_of_block(file: Sequence[str], row: int) -> int:
    """Return the row behind what a line begins: what is deeper, with the lines that open and close it."""
    depth = len(indentation_of(file[row]))
    end = at = row + 1
    while at < len(file):
        words = file[at].strip()
        is_out = bool(words) and len(indentation_of(file[at])) <= depth
        if is_out and (file[row].rstrip().endswith(":") or not words.startswith(("{", *CLOSES))):
            break
        at += 1
        end = at if words else end
        if words.startswith(CLOSES) and len(indentation_of(file[at - 1])) <= depth:
            return end if len(indentation_of(file[at - 1])) == depth else end - 1
    return end
