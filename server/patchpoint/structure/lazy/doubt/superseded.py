"""Statements that stay next to the one that is shown in their place.

What a mark covers ends somewhere, and next to it may be what gives way: a second `return` that nothing
reaches, a name that is declared once more, an element or a value of which all words are in the new one. And a
line that is shown at another place stays at its old one, below the last line that is shown of its block.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise

from patchpoint.structure.lazy.alignment import is_balanced, is_closing
from patchpoint.structure.lazy.bindings import head_of
from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.doubt.covered import JUMP, is_sibling
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.line_diff import changed_ranges
from patchpoint.text.lines import Span
from patchpoint.text.regex import IDENTIFIER, regex

_DECLARES = regex(
    r"(?:(?:(?:export|pub|public|private|static|final)\s+)*(?:const|let|var|val|auto|my|local)\s+(?:mut\s+)?"
    r"(?P<names>[^=:]{1,200}?)\s*(?::[^=]{0,200})?=(?![=>])|(?P<short>[\w, ]{1,200}?)\s*:=)"
)
"""A statement that declares names, which no other one of its block does."""
_BEGINS = regex(r"<[\w.:-]+")
"""An element: a call may well be made once more."""
_MOST_LINES = 20
_SHORT = 8


def without_superseded(file: Sequence[str], shown: Sequence[str], result: Sequence[str]) -> list[str] | None:
    """Return a result without the lines of the file that what is shown is in the place of.

    `None` where it has none.
    """
    given = {line.strip() for line in shown}
    gone: set[int] = set()
    for _, (first, end) in changed_ranges(file, result):
        for new, old in _neighbours(result, first, end):
            is_shown = any(result[row].strip() in given for row in range(*old) if not _is_end(result[row]))
            again = _is_declared_again(result[first:end], result[old[0]])
            if not is_shown and (again or _is_in_place(result[slice(*new)], result[slice(*old)])):
                gone.update(range(*old))
                gone.update(_blank_between(new, old))
    gone.update(_moved(file, shown, result))
    return [line for row, line in enumerate(result) if row not in gone] if gone else None


def _neighbours(result: Sequence[str], first: int, end: int) -> Iterator[tuple[Span, Span]]:
    """Yield a new statement at the end or the beginning of some lines, with the old one right next to it."""
    rows = [row for row in range(first, end) if result[row].strip()]
    if not rows:
        return
    below = next((row for row in range(end, len(result)) if result[row].strip()), None)
    if below is not None:
        depth = indentation_of(result[below])
        head = _head_above(result, rows[-1] + 1, first, depth)
        if head is not None:
            yield (head, rows[-1] + 1), (below, _end_of(result, below))
    above = next((row for row in range(first - 1, -1, -1) if result[row].strip()), None)
    if above is not None:
        head = _head_above(result, above + 1, 0, indentation_of(result[rows[0]]))
        if head is not None and _end_of(result, head) == above + 1:
            yield (rows[0], min(_end_of(result, rows[0]), end)), (head, above + 1)


def _head_above(result: Sequence[str], end: int, first: int, depth: str) -> int | None:
    """Return the row at which the statement begins that ends above a row, if it is of that depth."""
    for row in range(end - 1, max(first, end - _MOST_LINES) - 1, -1):
        own = indentation_of(result[row])
        if result[row].strip() and len(own) < len(depth):
            return None
        if result[row].strip() and own == depth and not is_closing(result[row]):
            return row
    return None


def _end_of(lines: Sequence[str], row: int) -> int:
    """Return the row behind a statement: its brackets are closed, and what is deeper is in it."""
    depth = len(indentation_of(lines[row]))
    end = row + 1
    while end < min(len(lines), row + _MOST_LINES):
        line = lines[end]
        is_open = not is_balanced(lines[row:end])
        is_deeper = bool(line.strip()) and len(indentation_of(line)) > depth
        is_tag = line.strip().startswith("</") and len(indentation_of(line)) == depth
        if not (is_open or is_deeper or (is_tag and end > row + 1)):
            break
        end += 1
    return end


def _is_in_place(new: Sequence[str], old: Sequence[str]) -> bool:
    """Return whether a new statement is shown in place of an old one, which is as deep."""
    one, other = new[0].strip(), old[0].strip()
    if indentation_of(new[0]) != indentation_of(old[0]) or [*map(str.strip, new)] == [*map(str.strip, old)]:
        return False
    jump = JUMP.match(other)
    if jump is not None and not jump[0].startswith("yield"):
        return one.split()[:1] == other.split()[:1] or one.rstrip(";").split("(")[0] == other.split("(")[0]
    if _names_declared(other):
        return _names_declared(one) == _names_declared(other)
    head = head_of(other)
    begins = _BEGINS.match(other)
    is_same = head == head_of(one) if head else begins is not None and one.startswith(begins[0])
    if not is_same or is_sibling(other, one):
        return False
    words = [Counter(IDENTIFIER.findall(" ".join(lines))) for lines in (old, new)]
    return words[0] <= words[1] and words[0] != words[1] and sum(words[0].values()) > 1


def _names_declared(line: str) -> str:
    """Return the names that a statement declares, as they are written but for white space."""
    found = _DECLARES.match(line.strip())
    return "".join((found["names"] or found["short"]).split()) if found is not None else ""


def _is_declared_again(new: Sequence[str], old: str) -> bool:
    """Return whether a new statement declares the names of an old one, and none above uses them."""
    names = _names_declared(old)
    for line in new if names else ():
        if indentation_of(line) == indentation_of(old) and _names_declared(line) == names:
            return line.strip() != old.strip()
        if not set(IDENTIFIER.findall(names)).isdisjoint(IDENTIFIER.findall(line)):
            return False
    return False


def _blank_between(new: Span, old: Span) -> range:
    """Return the blank rows between a new statement and an old one that goes."""
    first, end = (new[1], old[0]) if new[0] < old[0] else (old[1], new[0])
    return range(first, end)


def _moved(file: Sequence[str], shown: Sequence[str], result: Sequence[str]) -> Iterator[int]:
    """Yield the rows of lines that are shown elsewhere, and stay below what is shown last of their block.

    A mark that is less deep does not stand for them.
    """
    rows = [row for row, line in enumerate(shown) if line.strip()]
    last = {
        shown[row].strip(): indentation_of(shown[row])
        for row, below in pairwise(rows)
        if is_mark(shown[below]) and len(indentation_of(shown[below])) < len(indentation_of(shown[row]))
    }
    counts = [Counter(line.strip() for line in lines) for lines in (file, shown, result)]
    new = {row for _, span in changed_ranges(file, result) for row in range(*span)}
    above = -1
    for row, line in enumerate(result):
        words = line.strip()
        if not words:
            continue
        is_twice = len(words) >= _SHORT and [each[words] for each in counts] == [1, 1, 2]
        is_below = above >= 0 and result[above].strip() in last
        is_as_deep = above >= 0 and indentation_of(result[above]) == indentation_of(line)
        if is_twice and row not in new and is_below and is_as_deep:
            yield row
        above = row


def _is_end(line: str) -> bool:
    return not line.strip() or is_closing(line)
