"""Lines of a replacement that stand next to its place already: they would be there twice."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from patchpoint.locate.source import plain, tells
from patchpoint.text.line_diff import shared_ends
from patchpoint.text.lines import split_lines
from patchpoint.text.regex import IDENTIFIER
from patchpoint.text.splice import Splice, apply_splices

_SURELY = 2
"""So many lines in a row are hardly meant twice; one may be, where the file can be read with it."""


def is_next_to(before: str, splice: Splice) -> bool:
    """Return whether the lines that a splice inserts are right above or below it, blank lines aside."""
    new = plain(splice.text).strip("\n")
    if splice.start != splice.end or not any(map(tells, new.split("\n"))):
        return False
    above, below = (plain(text).strip("\n") for text in (before[: splice.start], before[splice.end :]))
    return f"\n{above}".endswith(f"\n{new}") or f"{below}\n".startswith(f"{new}\n")


def without_doubled(before: str, splices: Sequence[Splice]) -> Iterator[tuple[str, bool]]:
    """Yield what a change makes of a text without the new lines that its neighbours are, the most first.

    With each comes whether as many lines are left out as are hardly meant twice. Nothing is yielded where a
    change has no such lines, or nothing else.
    """
    first, last = splices[0].start, max(each.end for each in splices)
    count = sum(each.text.count("\n") for each in splices) + 2
    start, end = first, last
    for _ in range(count):
        start = before.rfind("\n", 0, max(0, start - 1)) + 1
        end = before.find("\n", end) + 1 or len(before)
    shifted = [Splice(each.start - start, each.end - start, each.text) for each in splices]
    old = split_lines(before[start:end])
    new = split_lines(apply_splices(before[start:end], shifted))
    head, tail = shared_ends(old, new)
    middle = new[head : len(new) - tail]
    above, below = new[:head], new[len(new) - tail :]
    for length in range(len(middle), 0, -1):
        for is_above in (True, False):
            lines = middle[:length] if is_above else middle[-length:]
            same = above[-length:] if is_above else below[:length]
            left = middle[length:] if is_above else middle[:-length]
            is_nothing = not left and len(old) == head + tail
            if [*map(str.strip, lines)] != [*map(str.strip, same)] or is_nothing:
                continue
            said = [line for line in lines if line.strip()]
            is_sure = len(said) >= _SURELY and any(map(IDENTIFIER.search, said))
            yield before[:start] + "".join((*above, *left, *below)) + before[end:], is_sure
