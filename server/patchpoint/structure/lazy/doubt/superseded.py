"""Lines that stay at their old place although they are shown at another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from patchpoint.structure.lazy.definition import indentation_of
from patchpoint.structure.lazy.doubt.sound import dead_ends, without_old_end
from patchpoint.structure.lazy.marks import is_mark
from patchpoint.text.line_diff import changed_ranges

_SHORT = 8


def without_superseded(file: Sequence[str], shown: Sequence[str], result: Sequence[str]) -> list[str] | None:
    """Return a result without lines that are shown elsewhere, below what is shown last of their block.

    A mark that is less deep does not stand for them. What `without_old_end` leaves out goes, too.
    `None` where the result has neither. It is the file where anything else would follow what ends its block.
    """
    known = dead_ends(file) | dead_ends(shown)
    if not dead_ends(result) <= known:
        return without_old_end(result, known, {line.strip() for line in shown}) or list(file)
    rows = [row for row, line in enumerate(shown) if line.strip()]
    last = {
        shown[row].strip(): indentation_of(shown[row])
        for row, below in pairwise(rows)
        if is_mark(shown[below]) and len(indentation_of(shown[below])) < len(indentation_of(shown[row]))
    }
    counts = [Counter(line.strip() for line in lines) for lines in (file, shown, result)]
    new = {row for _, span in changed_ranges(file, result) for row in range(*span)}
    gone: set[int] = set()
    above = -1
    for row, line in enumerate(result):
        words = line.strip()
        if not words:
            continue
        is_twice = len(words) >= _SHORT and [each[words] for each in counts] == [1, 1, 2]
        is_below = above >= 0 and result[above].strip() in last
        is_as_deep = above >= 0 and indentation_of(result[above]) == indentation_of(line)
        if is_twice and row not in new and is_below and is_as_deep:
            gone.add(row)
        above = row
    return [line for row, line in enumerate(result) if row not in gone] if gone else None
