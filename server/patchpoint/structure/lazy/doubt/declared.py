"""A name that a block declares once: what declares it again takes the place of what did."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.structure.lazy.alignment import is_closing
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span
from patchpoint.text.regex import regex

_DECLARES = regex(r"\s*(?:export )?(?:const|let|val|var) (?:\w+ )?(?P<name>[\w$]+)\s*(?:[:=]|\Z)")
_ONCE = (".js", ".jsx", ".ts", ".tsx", ".mjs", ".cjs", ".kt", ".swift", ".cs", ".go", ".scala", ".dart")
"""What is called so declares a name once in a block: a page has several codes, and Rust may shadow."""
_MOST_LINES = 500
"""Of a block, on either side of what is new."""


def declared_once(
    file: Sequence[str], result: Sequence[str], path: str
) -> tuple[str, tuple[str, ...]] | None:
    """Return the first name that a result declares twice in a block, and the lines that declare it once.

    The new statement is then where the file has the one of that name. `None` where there is no such name.
    """
    if not path.endswith(_ONCE):
        return None
    for (first, end), (start, stop) in changed_ranges(file, result):
        if first != end:
            continue
        for row in range(start, stop):
            found = _DECLARES.match(result[row])
            old = _same_in_block(result, row, found["name"], (start, stop)) if found else None
            if found and old is not None:
                new = row, _end_of(result, row)
                return found["name"], tuple(_moved(result, old, new))
    return None


def _same_in_block(lines: Sequence[str], row: int, name: str, new: Span) -> Span | None:
    """Return the statement that declares the name in the block that a row is in, but for what is new."""
    depth = indentation_of(lines[row])
    for rows in range(row - 1, -1, -1)[:_MOST_LINES], range(row + 1, len(lines))[:_MOST_LINES]:
        for at in _at_depth(lines, rows, depth):
            found = _DECLARES.match(lines[at])
            if found and found["name"] == name and not new[0] <= at < new[1]:
                return at, _end_of(lines, at)
    return None


def _at_depth(lines: Sequence[str], rows: range, depth: str) -> Iterator[int]:
    """Yield those of some rows that are as deep, up to the first that is less deep."""
    for row in rows:
        own = indentation_of(lines[row])
        if lines[row].strip() and len(own) < len(depth):
            return
        if own == depth:
            yield row


def _end_of(lines: Sequence[str], row: int) -> int:
    """Return the row behind a statement: what is deeper goes on with it, and so does what closes it."""
    depth = len(indentation_of(lines[row]))
    end = row + 1
    while end < len(lines) and lines[end].strip():
        own = len(indentation_of(lines[end]))
        if own < depth or (own == depth and not is_closing(lines[end])):
            break
        end += 1
    return end


def _moved(lines: Sequence[str], old: Span, new: Span) -> list[str]:
    """Return lines with those of a new statement in the place of an old one."""
    below = lines[new[1]] if new[1] < len(lines) else ""
    is_apart = new[0] > 0 and not lines[new[0] - 1].strip() and (not below.strip() or is_closing(below))
    gone = range(new[0] - is_apart, new[1])
    moved: list[str] = []
    for row, line in enumerate(lines):
        if row == old[0]:
            moved += lines[slice(*new)]
        if row not in gone and not old[0] <= row < old[1]:
            moved.append(line)
    return moved
